from __future__ import annotations

from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.usecases.steps.change_feed import ChangeFeed
from tests.support.builders import FixedClock, a_memory, an_agent
from tests.support.sqlite_store import counted_statements, sqlite_world

N_MEMORIES = 10_000


def test_ten_thousand_better_ranked_memories_displace_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        world = inklings.workspaces.create("Saltglass")
        long_text = "\u6e2f " * 40_000
        for tier, name, body in (
            (Tier.WORKSPACE, "RULES", "One.\r\n"),
            (Tier.WORKSPACE, "ATLAS", long_text),
            (Tier.ACCOUNT, "HABITS", "Tea."),
        ):
            inklings.entries.create(tier, world.id, name, body)
        for name in ("VOICE", "SOUL"):
            entry = inklings.entries.find(world.id, name)
            inklings.entries.save(entry.ref, f"{name}.", expected_version=1)
        agent = an_agent(workspace_id=world.id, tiers=(Tier.WORKSPACE, Tier.ACCOUNT))
        before = inklings.as_caller(agent).entries.standing_slice(world.id)
        assert [(one.name, one.body) for one in before] == [
            ("VOICE", "VOICE."),
            ("ATLAS", long_text),
            ("RULES", "One.\r\n"),
            ("SOUL", "SOUL."),
            ("HABITS", "Tea."),
        ]

    databases = Databases(root, FixedClock())
    try:
        store = SqliteStore(databases, ChangeFeed())
        for workspace_id, scope in ((world.id, ScopeKey.workspace(world.id)), (None, None)):
            with store.write(workspace_id, initiator="test") as unit:
                unit.memories.add(
                    [
                        a_memory(
                            f"VOICE SOUL RULES {number}",
                            scope=scope or ScopeKey.account(),
                            importance=1.0,
                            access_count=100,
                            pinned=True,
                        )
                        for number in range(N_MEMORIES // 2)
                    ]
                )
                unit.commit()
    finally:
        databases.close()

    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        assert inklings.as_caller(agent).entries.standing_slice(world.id) == before


def test_the_standing_slice_asks_once_per_file_whatever_is_stored(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        (workspace,) = world.directory.workspaces()
        agent = an_agent(workspace_id=workspace.id, tiers=(Tier.WORKSPACE, Tier.ACCOUNT))
        engines = [world.databases.file(one).engines.read for one in (workspace.id, None)]
        with counted_statements(engines[0]) as own, counted_statements(engines[1]) as account:
            world.asked_by(agent).entries.standing_slice(workspace.id)
        for counter in (own, account):
            statements = [one for one in counter.statements if not one.startswith("BEGIN")]
            assert len(statements) == 1
            assert "memories" not in statements[0]
