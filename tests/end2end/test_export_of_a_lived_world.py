"""Export, then restore into an empty store, is the identity: of a world that was lived in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import (
    Lifetime,
    MemoryDraft,
    MemoryPatch,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.schema.marks import SEARCH_TEXT
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import NOON, an_agent
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import integrity_faults
from tests.support.transfers import content_of

SAMPLE = Path(__file__).parents[2] / "resources" / "sample_world.json"
NOT_CARRIED = {
    "client_calls",
    "client_rights",
    "clients",
    "drafts",
    "duplicate_pairs",
    "memory_drafts",
    "permission_rules",
    "purges",
    "request_keys",
    "run_checkpoints",
    "run_compactions",
    "run_steps",
    "run_traces",
    "run_writes",
    "runs",
    "scrub_requests",
    "task_states",
}
"""What an export leaves behind: it carries the memory and what its author keeps beside it, and not
what the program keeps about it."""
ASKED = slice(8, 16)
"""The columns of a golden question that say how it fared: that is found out again."""


def lived_in(inklings: Inklings) -> Workspace:
    """The sample world after some days of use: every state that a person or an agent can make."""
    document: dict[str, Any] = json.loads(SAMPLE.read_text("utf-8"))
    world = inklings.transfer.load_sample_world(document).workspace
    here = ScopeKey.workspace(world.id)
    one, two, three, four, five, six, seven, eight, *_ = inklings.listing.browse([here]).entries
    inklings.memories.update(
        one.ref,
        MemoryPatch(content="Crlf\r\nand a no-break\u00a0space, \u6f6e.", tags=("new",)),
        expected_version=one.version,
    )
    inklings.memories.change([one.ref, two.ref], lifetime=Lifetime.LONG_TERM, importance=0.77)
    inklings.memories.forget([three.ref, four.ref], reason="no longer true")
    inklings.memories.restore([four.ref])
    for entry, mark in ((five, MemoryMark.PINNED), (six, MemoryMark.PAUSED)):
        inklings.memories.mark([entry.ref], mark, on=True)
    inklings.memories.mark([seven.ref], MemoryMark.LOCKED, on=not seven.locked)
    inklings.memories.confirm([eight.ref])
    channel = next(one for one in inklings.places.channels(world.id) if one.name != "general")
    inklings.memories.copy(one.ref, ScopeKey.channel(world.id, channel.id))
    inklings.memories.copy(one.ref, ScopeKey.account())
    inklings.memories.restore_version(one.ref, 1, expected_version=3)
    inklings.channels.archive(world.id, channel.id)
    _talked(inklings, world)
    _written(inklings, world)
    agent = an_agent(
        workspace_id=world.id,
        tiers=(Tier.WORKSPACE,),
        actions=frozenset({Action.READ, Action.WRITE, Action.PROPOSE}),
    )
    inklings.as_caller(agent).memories.put(
        MemoryDraft(here, "Kept by the agent.", private_to=agent.name)
    )
    inklings.as_caller(agent).search.read(here, query="tide", limit=5)
    try:
        inklings.as_caller(agent).memories.forget([eight.ref])
    except HeldForReviewError:
        held = inklings.proposals.list(world.id)
        assert held
    inklings.as_caller(agent).proposals.propose(
        world.id, "VOICE", "First person.", "It reads better."
    )
    inklings.golden.save(here, "what counts the tide", must=[one.id])
    words = FilterWords(MemoryFilter(tags=frozenset({"new"})), "tide")
    inklings.search.save_filter(world.id, Tier.WORKSPACE, "New tides", words)
    inklings.drafts.keep_typing(
        MemoryTyping(here, NEW_MEMORY, 0, "Half a", 0.5, Lifetime.LONG_TERM, (), NOON)
    )
    for file in (world.id, None):
        while inklings.tasks.embed(file):
            pass
    inklings.consolidation.run(here, allow_large=True)
    return world


def _talked(inklings: Inklings, world: Workspace) -> None:
    talk = inklings.conversations.start(world.id, title="Night watch")
    scope = ScopeKey.conversation(world.id, talk.id)
    inklings.memories.put(MemoryDraft(scope, "The bells are silent tonight."))
    parts = '[{"kind":"text","text":"Who rings the bells?"}]'
    inklings.messages.append(world.id, talk.id, MessageDraft(MessageRole.USER, parts, "t1"))
    inklings.conversations.archive(world.id, talk.id, force=True)
    other = inklings.conversations.start(world.id, title="Second watch")
    inklings.memories.put(
        MemoryDraft(ScopeKey.conversation(world.id, other.id), "Two bells. \U0001f30a")
    )


def _written(inklings: Inklings, world: Workspace) -> None:
    voice = inklings.entries.find(world.id, "VOICE")
    saved = inklings.entries.save(voice.ref, "Close third.", expected_version=voice.version)
    inklings.entries.restore_revision(voice.ref, 1, expected_version=saved.version)
    cast = inklings.entries.create(Tier.WORKSPACE, world.id, "TIDES", "Twice a day.")
    inklings.entries.delete(cast.ref, expected_version=cast.version)
    inklings.entries.create(Tier.ACCOUNT, None, "HABITS", "Short chapters.")
    soul = inklings.entries.find(None, "SOUL", Tier.ACCOUNT)
    inklings.drafts.keep(soul.ref, "Half a tho", soul.version)


def test_what_was_lived_is_restored_as_it_was(tmp_path: Path) -> None:
    file, again = tmp_path / "all.inklings.json", tmp_path / "again.inklings.json"
    with open_inklings(tmp_path / "a", embedder=FakeEmbedder()) as source:
        lived_in(source)
        source.transfer.export(ExportRequest(), file)
        worlds = {one.id: one.name for one in source.places.workspaces()}
    wanted = {one: content_of(path) for one, path in _databases(tmp_path / "a").items()}
    with open_inklings(tmp_path / "b", embedder=FakeEmbedder()) as empty:
        preview = empty.transfer.preview_import(file)
        done = empty.transfer.apply_import(preview, {})
        assert done.is_restore
        assert {one.id: one.name for one in empty.places.workspaces()} == worlds
        assert empty.keeping.check_data().findings == ()
        gone = MemoryFilter(state=MemoryState.FORGOTTEN)
        (world,) = [one for one in worlds if worlds[one].startswith("The Saltglass")]
        here = [ScopeKey.workspace(world)]
        reasons = {one.forgotten_reason for one in empty.listing.browse(here, where=gone).entries}
        assert "no longer true" in reasons
        empty.transfer.export(ExportRequest(), again)
    databases = _databases(tmp_path / "b")
    found = {one: content_of(path) for one, path in databases.items()}
    assert set(found) == set(wanted)
    left_behind, n_asked = set(), 0
    for one, tables in wanted.items():
        assert integrity_faults(databases[one]) == []
        for name, rows in tables.items():
            if name in NOT_CARRIED:
                assert [row for row in found[one][name] if row[0] != SEARCH_TEXT] == []
                left_behind |= {name} if rows else set()
            elif name == "golden_questions":
                n_asked += len(rows)
                assert list(map(_unasked, found[one][name])) == list(map(_unasked, rows))
            else:
                assert found[one][name] == rows, f"{name} of {one}"
    assert n_asked
    assert left_behind >= {"drafts", "memory_drafts"}
    documents = [json.loads(path.read_text("utf-8")) for path in (file, again)]
    for document in documents:
        del document["exported_at"]
    assert documents[0] == documents[1]


def _unasked(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(value for place, value in enumerate(row) if place not in range(16)[ASKED])


def _databases(root: Path) -> dict[str, Path]:
    return {
        str(path.parent.relative_to(root)): path
        for path in sorted(root.glob("**/agents.db"))
        if "backups" not in path.parts
    }
