"""What happens to one named entry in the editor: saving, conflicts, restoring, deleting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.entries.named_entry import MAX_BODY_BYTES, EntryAction, NamedEntry
from inklings_desktop.domain.errors import DatabaseBusyError, DatabaseFullError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.editing import EntryEditing
from inklings_desktop.ui.entries.opened import NoticeKind, OpenEntry
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.usecases.bundle import Inklings
from tests.support.damaging import MARKED, make_unreadable
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import HANG_SECONDS
from tests.ui.entries_bench import proposed, written
from tests.ui.page_bench import a_still_context
from tests.ui.presenter_bench import Bench, a_bench

pytestmark = pytest.mark.usefixtures("qapp")


class Scene:
    """A presenter on one entry of a real store, and another hand on the same file."""

    def __init__(
        self, bench: Bench, background: Background, inklings: Inklings | None = None
    ) -> None:
        self.bench = bench
        self.inklings = bench.inklings
        self.heard: list[OpenEntry | None] = []
        context, self.said = a_still_context(background, inklings or bench.inklings)
        self.entry = EntryEditing(context, show=self.heard.append, drafts_changed=lambda: None)

    @property
    def state(self) -> OpenEntry:
        """The entry that is shown."""
        assert self.entry.shown is not None
        return self.entry.shown

    def stored(self, name: str) -> NamedEntry:
        """The entry as it is stored."""
        inklings = self.inklings
        return inklings.entries.find(self.bench.workspace.id, name)

    async def open(self, name: str) -> NamedEntry:
        """Show an entry."""
        entry = self.stored(name)
        await self.entry.open_entry(entry.ref)
        return entry

    async def hear_of(self, entry: NamedEntry) -> None:
        """The change record of a commit that touched an entry."""
        await self.entry.on_changes(
            MemoryChanges(entry.workspace_id, entries=frozenset({entry.id}))
        )

    def save_elsewhere(self, name: str, body: str) -> NamedEntry:
        """Another door saves."""
        entry = self.stored(name)
        caller = Caller.person("Ada", Door.CLI)
        return self.inklings.as_caller(caller).entries.save(
            entry.ref, body, expected_version=entry.version
        )


def play(
    root: Path,
    act: Callable[[Scene], Awaitable[None]],
    *,
    wired: Callable[[Inklings], Inklings] | None = None,
) -> None:
    """Let a scene happen on a store with a written VOICE and one companion."""
    with a_bench(root) as bench:
        written(bench, "VOICE", "Close third.\n")
        bench.inklings.entries.create(Tier.WORKSPACE, bench.workspace.id, "CAST", "Nerys.\n")

        async def acted(background: Background) -> None:
            inklings = wired(bench.inklings) if wired else None
            await act(Scene(bench, background, inklings))

        assert bench.run(acted) == []


@scene(play)
async def test_an_opened_entry_says_who_saved_it_and_is_ready_to_be_typed_in(
    scene: Scene, /
) -> None:
    await scene.open("VOICE")
    state = scene.state
    assert (state.entry.name, state.text) == ("VOICE", "Close third.\n")
    assert state.edited == "edited less than a minute ago by you"
    assert state.entry.is_built_in
    assert state.is_editable
    assert len(state.revisions) == 2
    assert [state.can_save, state.can_revert, state.is_unsaved] == [False] * 3
    assert state.notice is None


@scene(play)
async def test_an_entry_that_damage_left_a_part_of_says_so(scene: Scene, /, tmp_path: Path) -> None:
    path = tmp_path / "workspaces" / scene.bench.workspace.id / "agents.db"
    entry = await scene.open("CAST")
    assert scene.state.notice is None
    make_unreadable(path, table="named_entries", column="body", where="name = 'CAST'")
    await scene.entry.open_entry(entry.ref)
    state = scene.state
    assert state.text == MARKED
    assert state.notice is not None
    assert state.notice.kind is NoticeKind.DAMAGED
    assert state.notice.title == "Part of CAST cannot be read."


@scene(play)
async def test_an_unedited_template_says_that_nobody_reads_it(scene: Scene, /) -> None:
    await scene.open("SOUL")
    state = scene.state
    assert state.notice is not None
    assert state.notice.kind is NoticeKind.TEMPLATE
    assert state.edited == "shipped with Inklings, not edited yet"
    scene.entry.edit("My own words.")
    assert scene.state.notice is None


def test_a_save_keeps_every_character_and_becomes_a_revision(tmp_path: Path) -> None:
    text = "one\r\ntwo\rthree\n\u2028\u200bfour\t \n\n"

    async def act(scene: Scene) -> None:
        await scene.open("VOICE")
        scene.entry.edit(text)
        assert scene.state.can_save
        assert await scene.entry.save()
        assert scene.stored("VOICE").body == text
        assert len(scene.state.revisions) == 3
        assert not scene.entry.has_unsaved
        assert scene.heard[-1] is scene.state

    play(tmp_path, act)


def test_text_typed_while_a_save_is_under_way_stays_unsaved(tmp_path: Path) -> None:
    gate = threading.Event()

    def slow(inklings: Inklings) -> Inklings:
        def save(*args: Any, **kwargs: Any) -> NamedEntry:
            assert gate.wait(HANG_SECONDS)
            return inklings.entries.save(*args, **kwargs)

        return stood_in(inklings, {"entries.save": save})  # a slow stand-in

    async def act(scene: Scene) -> None:
        await scene.open("VOICE")
        scene.entry.edit("First.")
        saving = asyncio.ensure_future(scene.entry.save())
        await asyncio.sleep(0)
        assert scene.state.is_saving
        scene.entry.edit("First. Second.")
        gate.set()
        assert not await saving
        assert scene.stored("VOICE").body == "First."
        assert scene.state.text == "First. Second."
        assert scene.state.is_unsaved
        (draft,) = scene.inklings.drafts.find(scene.bench.workspace.id)
        assert draft.body == "First. Second."
        assert draft.base_version == scene.stored("VOICE").version
        assert await scene.entry.save()

    play(tmp_path, act, wired=slow)


def test_a_save_that_fails_leaves_the_text_where_it_is(tmp_path: Path) -> None:
    def full(inklings: Inklings) -> Inklings:
        def save(*_args: Any, **_kwargs: Any) -> NamedEntry:
            raise DatabaseFullError

        return stood_in(inklings, {"entries.save": save})  # a full disk

    async def act(scene: Scene) -> None:
        await scene.open("VOICE")
        scene.entry.edit("Not lost.")
        assert not await scene.entry.save()
        assert scene.state.text == "Not lost."
        assert scene.state.can_save
        notice = scene.state.notice
        assert notice is not None
        assert notice.kind is NoticeKind.DISK_FULL
        assert notice.title == "Not saved: the disk is full."

    play(tmp_path, act, wired=full)


@scene(play)
async def test_a_text_that_cannot_be_kept_says_why_beside_it(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("x" * (MAX_BODY_BYTES + 1))
    assert not await scene.entry.save()
    assert "256 KiB" in scene.state.error
    scene.entry.edit("short")
    assert scene.state.error == ""


@scene(play)
async def test_a_change_from_outside_is_shown_when_nothing_was_typed(scene: Scene, /) -> None:
    await scene.open("VOICE")
    serial = scene.state.serial
    await scene.hear_of(scene.save_elsewhere("VOICE", "From the command line.\n"))
    state = scene.state
    assert state.text == "From the command line.\n"
    assert state.serial != serial
    assert state.edited.endswith("by you, on the command line")
    assert state.notice is None


@scene(play)
async def test_a_change_from_outside_never_replaces_typed_text(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("Mine.")
    serial = scene.state.serial
    await scene.hear_of(scene.save_elsewhere("VOICE", "Theirs."))
    state = scene.state
    assert (state.text, state.serial) == ("Mine.", serial)
    assert state.notice is not None
    assert state.notice.kind is NoticeKind.CHANGED
    assert not state.can_save
    assert not await scene.entry.save()
    await scene.entry.compare()
    comparison = scene.state.comparison
    assert comparison is not None
    assert [row.text for row in comparison.diff.rows] == ["Theirs.", "Mine."]


@scene(play)
async def test_keeping_mine_saves_over_the_newer_version(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("Mine.")
    await scene.hear_of(scene.save_elsewhere("VOICE", "Theirs."))
    assert await scene.entry.keep_mine()
    assert scene.stored("VOICE").body == "Mine."
    assert scene.state.notice is None
    assert len(scene.state.revisions) == 4


@scene(play)
async def test_taking_theirs_shows_the_stored_text(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("Mine.")
    await scene.hear_of(scene.save_elsewhere("VOICE", "Theirs."))
    await scene.entry.take_theirs()
    state = scene.state
    assert (state.text, state.is_unsaved, state.notice) == ("Theirs.", False, None)


@scene(play)
async def test_a_save_over_a_version_nobody_told_of_becomes_a_conflict(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("Mine.")
    scene.save_elsewhere("VOICE", "Theirs.")
    assert not await scene.entry.save()
    notice = scene.state.notice
    assert notice is not None
    assert notice.kind is NoticeKind.CHANGED
    assert scene.stored("VOICE").body == "Theirs."
    assert scene.said.messages == []


@scene(play)
async def test_the_same_words_from_outside_are_no_conflict(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("The same.")
    await scene.hear_of(scene.save_elsewhere("VOICE", "The same."))
    assert scene.state.notice is None
    assert not scene.entry.has_unsaved


@scene(play)
async def test_an_entry_deleted_elsewhere_can_be_brought_back_with_what_was_typed(
    scene: Scene, /
) -> None:
    entry = await scene.open("CAST")
    scene.entry.edit("Nerys and Tam.")
    scene.inklings.entries.delete(entry.ref, expected_version=entry.version)
    await scene.hear_of(entry)
    notice = scene.state.notice
    assert notice is not None
    assert notice.kind is NoticeKind.DELETED
    assert await scene.entry.keep_mine()
    assert scene.stored("CAST").body == "Nerys and Tam."


@scene(play)
async def test_an_entry_deleted_elsewhere_leaves_when_nothing_was_typed(scene: Scene, /) -> None:
    entry = await scene.open("CAST")
    scene.inklings.entries.delete(entry.ref, expected_version=entry.version)
    await scene.hear_of(entry)
    assert scene.entry.shown is None


@scene(play)
async def test_a_companion_can_be_deleted_and_a_built_in_entry_not(scene: Scene, /) -> None:
    await scene.open("VOICE")
    assert not await scene.entry.delete()
    assert scene.state.entry.name == "VOICE"
    await scene.open("CAST")
    assert await scene.entry.delete()
    assert scene.entry.shown is None
    deleted = scene.inklings.entries.list_deleted(scene.bench.workspace.id)
    assert [one.name for one in deleted] == ["CAST"]


@scene(play)
async def test_an_emptied_built_in_entry_can_be_saved(scene: Scene, /) -> None:
    await scene.open("VOICE")
    scene.entry.edit("")
    assert await scene.entry.save()
    assert scene.stored("VOICE").body == ""


@scene(play)
async def test_restoring_writes_a_new_revision_and_never_over_typed_text(scene: Scene, /) -> None:
    scene.save_elsewhere("VOICE", "Second thoughts.")
    await scene.open("VOICE")
    scene.entry.edit("Half a line")
    assert not await scene.entry.restore(2)
    assert scene.state.text == "Half a line"
    await scene.entry.revert()
    assert await scene.entry.restore(2)
    assert scene.state.text == "Close third.\n"
    found = scene.inklings.entries.show(scene.stored("VOICE").ref)
    assert [head.number for head in found.revisions] == [4, 3, 2, 1]
    assert found.revisions[0].action is EntryAction.RESTORED


@scene(play)
async def test_editing_a_proposal_saves_by_accepting_it(scene: Scene, /) -> None:
    proposal = proposed(scene.bench, "VOICE", "Close third, present tense.\n")
    await scene.entry.edit_proposal(proposal)
    state = scene.state
    assert state.text == "Close third, present tense.\n"
    assert state.accepts == proposal.client
    assert state.can_save
    assert not state.is_unsaved, "nothing is lost by leaving: the proposal stays"
    scene.entry.edit("Close third, past tense.\n")
    assert scene.entry.has_unsaved
    assert await scene.entry.save()
    assert scene.stored("VOICE").body == "Close third, past tense.\n"
    assert scene.inklings.proposals.show(proposal.ref).state.value == "accepted"
    assert scene.state.accepts == ""
    assert scene.state.edited.endswith("from a proposal")


@scene(play)
async def test_a_proposal_decided_elsewhere_is_told_and_the_text_stays(scene: Scene, /) -> None:
    proposal = proposed(scene.bench, "VOICE", "Another text.\n")
    await scene.entry.edit_proposal(proposal)
    scene.entry.edit("Another text, mine.\n")
    scene.inklings.proposals.reject(proposal.ref)
    assert not await scene.entry.save()
    assert scene.said.messages[-1].title == "This proposal was already decided."
    assert scene.state.text == "Another text, mine.\n"
    assert await scene.entry.save(), "what is typed can now be saved by itself"
    assert scene.stored("VOICE").body == "Another text, mine.\n"


@scene(play)
async def test_opening_the_same_entry_again_keeps_what_was_typed(scene: Scene, /) -> None:
    entry = await scene.open("VOICE")
    scene.entry.edit("Half a thought")
    await scene.entry.open_entry(entry.ref)
    assert scene.state.text == "Half a thought"


def test_a_full_disk_is_told_once_while_typing_goes_on(tmp_path: Path) -> None:
    def full(inklings: Inklings) -> Inklings:
        def keep(*_args: Any, **_kwargs: Any) -> None:
            raise DatabaseFullError

        return stood_in(inklings, {"drafts.keep": keep})  # a full disk

    async def act(scene: Scene) -> None:
        await scene.open("VOICE")
        for text in ("One", "One two", "One two three"):
            scene.entry.edit(text)
            await scene.entry.keep_draft()
        assert len(scene.said.messages) == 1

    play(tmp_path, act, wired=full)


@pytest.mark.parametrize("can_read", [True, False])
def test_text_typed_while_another_entry_is_read_is_not_lost(
    tmp_path: Path, *, can_read: bool
) -> None:
    gate = threading.Event()
    gate.set()
    is_opened = threading.Event()

    def slow(inklings: Inklings) -> Inklings:
        def show(*args: Any, **kwargs: Any) -> Any:
            assert gate.wait(HANG_SECONDS)
            if is_opened.is_set() and not can_read:
                raise DatabaseBusyError
            return inklings.entries.show(*args, **kwargs)

        return stood_in(inklings, {"entries.show": show})  # a slow stand-in

    async def act(scene: Scene) -> None:
        await scene.open("VOICE")
        is_opened.set()
        gate.clear()
        opening = asyncio.ensure_future(scene.open("CAST"))
        await asyncio.sleep(0)
        scene.entry.edit("Typed meanwhile.")
        gate.set()
        await opening
        state = scene.state
        assert (state.entry.name, state.text) == ("VOICE", "Typed meanwhile.")

    play(tmp_path, act, wired=slow)


def test_news_that_came_during_a_refused_save_are_told(tmp_path: Path) -> None:
    gate = threading.Event()

    def full(inklings: Inklings) -> Inklings:
        def save(*_args: Any, **_kwargs: Any) -> Any:
            gate.wait(HANG_SECONDS)
            raise DatabaseFullError

        return stood_in(inklings, {"entries.save": save})  # a full disk

    async def act(scene: Scene) -> None:
        await scene.open("VOICE")
        scene.entry.edit("Mine.")
        saving = asyncio.ensure_future(scene.entry.save())
        await asyncio.sleep(0)
        await scene.hear_of(scene.save_elsewhere("VOICE", "Theirs."))
        gate.set()
        assert not await saving
        found = scene.entry.shown
        assert found is not None
        assert found.in_conflict
        assert scene.state.text == "Mine."

    play(tmp_path, act, wired=full)
