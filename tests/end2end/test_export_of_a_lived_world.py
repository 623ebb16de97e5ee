"""Export, then restore into an empty store, is the identity: of a world that was lived in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import (
    Lifetime,
    MemoryDraft,
    MemoryPatch,
    ScopeKey,
    Tier,
)
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import NOON, an_agent
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import integrity_faults
from tests.support.transfers import content_of

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

SAMPLE = Path(__file__).parents[2] / "resources" / "sample_world.json"
NOT_CARRIED = {
    "client_calls",
    "client_rights",
    "clients",
    "drafts",
    "duplicate_pairs",
    "golden_questions",
    "memory_drafts",
    "proposals",
    "purges",
    "run_steps",
    "saved_filters",
    "scrub_requests",
    "task_states",
}
"""What an export leaves behind, as the interfaces page has it: it carries the memory, and not
what the program or a person keeps about it."""


def lived_in(inklings: Inklings) -> Workspace:
    """The sample world after some days of use: every state that a person or an agent can make."""
    me = inklings.caller
    document: dict[str, Any] = json.loads(SAMPLE.read_text("utf-8"))
    world = inklings.load_sample_world(me, document).workspace
    here = ScopeKey.workspace(world.id)
    one, two, three, four, five, six, seven, eight, *_ = inklings.browse_memories(
        me, [here]
    ).entries
    inklings.update_memory(
        me,
        one.ref,
        MemoryPatch(content="Crlf\r\nand a no-break\u00a0space, \u6f6e.", tags=("new",)),
        expected_version=one.version,
    )
    inklings.change_memories(me, [one.ref, two.ref], lifetime=Lifetime.LONG_TERM, importance=0.77)
    inklings.forget_memories(me, [three.ref, four.ref], reason="no longer true")
    inklings.restore_memories(me, [four.ref])
    for entry, mark in ((five, MemoryMark.PINNED), (six, MemoryMark.PAUSED)):
        inklings.mark_memories(me, [entry.ref], mark, on=True)
    inklings.mark_memories(me, [seven.ref], MemoryMark.LOCKED, on=not seven.locked)
    inklings.confirm_memories(me, [eight.ref])
    channel = next(one for one in inklings.list_channels(me, world.id) if one.name != "general")
    inklings.copy_memory(me, one.ref, ScopeKey.channel(world.id, channel.id))
    inklings.copy_memory(me, one.ref, ScopeKey.account())
    inklings.restore_version(me, one.ref, 1, expected_version=3)
    inklings.archive_channel(me, world.id, channel.id)
    _talked(inklings, world)
    _written(inklings, world)
    agent = an_agent(
        workspace_id=world.id,
        tiers=(Tier.WORKSPACE,),
        actions=frozenset({Action.READ, Action.WRITE, Action.PROPOSE}),
    )
    inklings.put_memory(agent, MemoryDraft(here, "Kept by the agent.", private_to=agent.name))
    inklings.read_memories(agent, here, query="tide", limit=5)
    try:
        inklings.forget_memories(agent, [eight.ref])
    except HeldForReviewError:
        held = inklings.list_proposals(me, world.id)
        assert held
    inklings.propose_entry(agent, world.id, "VOICE", "First person.", "It reads better.")
    inklings.save_golden_question(me, here, "what counts the tide", must=[one.id])
    words = FilterWords(MemoryFilter(tags=frozenset({"new"})), "tide")
    inklings.save_filter(me, world.id, Tier.WORKSPACE, "New tides", words)
    inklings.keep_typing(
        me, MemoryTyping(here, NEW_MEMORY, 0, "Half a", 0.5, Lifetime.LONG_TERM, (), NOON)
    )
    for file in (world.id, None):
        while inklings.backfill_embeddings(me, file):
            pass
    inklings.run_consolidation(me, here, allow_large=True)
    return world


def _talked(inklings: Inklings, world: Workspace) -> None:
    me = inklings.caller
    talk = inklings.start_conversation(me, world.id, title="Night watch")
    scope = ScopeKey.conversation(world.id, talk.id)
    inklings.put_memory(me, MemoryDraft(scope, "The bells are silent tonight."))
    inklings.archive_conversation(me, world.id, talk.id, force=True)
    other = inklings.start_conversation(me, world.id, title="Second watch")
    inklings.put_memory(
        me, MemoryDraft(ScopeKey.conversation(world.id, other.id), "Two bells. \U0001f30a")
    )


def _written(inklings: Inklings, world: Workspace) -> None:
    me = inklings.caller
    voice = inklings.find_entry(me, world.id, "VOICE")
    saved = inklings.save_entry(me, voice.ref, "Close third.", expected_version=voice.version)
    inklings.restore_revision(me, voice.ref, 1, expected_version=saved.version)
    cast = inklings.create_entry(me, Tier.WORKSPACE, world.id, "TIDES", "Twice a day.")
    inklings.delete_entry(me, cast.ref, expected_version=cast.version)
    inklings.create_entry(me, Tier.ACCOUNT, None, "HABITS", "Short chapters.")
    soul = inklings.find_entry(me, None, "SOUL", Tier.ACCOUNT)
    inklings.keep_draft(me, soul.ref, "Half a tho", soul.version)


def test_what_was_lived_is_restored_as_it_was(tmp_path: Path) -> None:
    file, again = tmp_path / "all.inklings.json", tmp_path / "again.inklings.json"
    with open_inklings(tmp_path / "a", embedder=FakeEmbedder()) as source:
        lived_in(source)
        source.export_memory(source.caller, ExportRequest(), file)
        worlds = {one.id: one.name for one in source.list_workspaces(source.caller)}
    wanted = {one: content_of(path) for one, path in _databases(tmp_path / "a").items()}
    with open_inklings(tmp_path / "b", embedder=FakeEmbedder()) as empty:
        me = empty.caller
        preview = empty.preview_import(me, file)
        done = empty.apply_import(me, preview, {})
        assert done.is_restore
        assert {one.id: one.name for one in empty.list_workspaces(me)} == worlds
        assert empty.check_data(me).findings == ()
        gone = MemoryFilter(state=MemoryState.FORGOTTEN)
        (world,) = [one for one in worlds if worlds[one].startswith("The Saltglass")]
        here = [ScopeKey.workspace(world)]
        reasons = {
            one.forgotten_reason for one in empty.browse_memories(me, here, where=gone).entries
        }
        assert "no longer true" in reasons
        empty.export_memory(me, ExportRequest(), again)
    databases = _databases(tmp_path / "b")
    found = {one: content_of(path) for one, path in databases.items()}
    assert set(found) == set(wanted)
    left_behind = set()
    for one, tables in wanted.items():
        assert integrity_faults(databases[one]) == []
        for name, rows in tables.items():
            if name in NOT_CARRIED:
                assert found[one][name] == []
                left_behind |= {name} if rows else set()
            else:
                assert found[one][name] == rows, f"{name} of {one}"
    assert left_behind >= {
        "drafts",
        "golden_questions",
        "memory_drafts",
        "proposals",
        "saved_filters",
    }
    documents = [json.loads(path.read_text("utf-8")) for path in (file, again)]
    for document in documents:
        del document["exported_at"]
    assert documents[0] == documents[1]


def _databases(root: Path) -> dict[str, Path]:
    return {
        str(path.parent.relative_to(root)): path
        for path in sorted(root.glob("**/agents.db"))
        if "backups" not in path.parts
    }
