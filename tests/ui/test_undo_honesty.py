"""The session's undo does what the menu says, and says when it cannot."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.memories.text_replacement import ReplacementWish
from inklings_desktop.domain.memory import Lifetime, MemoryPatch, ScopeKey
from inklings_desktop.ui.memory.acts import table
from inklings_desktop.ui.memory.acts.chosen import Retag
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.acts.undo import ImportStep
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.scenes import scene
from tests.ui.presenter_bench import a_bench, on_bench
from tests.ui.test_undo_presenter import Session, states
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from inklings_desktop.domain.memories.text_replacement import Replacement
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.ops.background import Background
    from tests.ui.presenter_bench import Bench

    Act = Callable[[Session, MemoryEntry], Awaitable[object]]

pytestmark = pytest.mark.usefixtures("qapp")


async def edit(session: Session, entry: MemoryEntry) -> None:
    """Save another text, as the editor does."""
    inklings = session.bench.inklings
    patch = MemoryPatch(content=f"Other words, {entry.version}, about the sea.")
    after = inklings.memories.update(entry.ref, patch, expected_version=entry.version)
    session.acts.note_saved(entry, after)


async def replace_words(session: Session, entry: MemoryEntry) -> None:
    inklings = session.bench.inklings
    wish = ReplacementWish("sea", "ocean")
    plan = inklings.memories.preview_replacement([entry.ref], wish)

    async def agreed(*_asked: object) -> tuple[tuple[Replacement, ...], str]:
        return plan.changes, wish.sought

    with pytest.MonkeyPatch.context() as patched:
        row = replace(table.ACTS[MemoryAct.REPLACE], asks=agreed)
        patched.setitem(table.ACTS, MemoryAct.REPLACE, row)
        assert await session.acts.do(MemoryAct.REPLACE, session.chosen(entry)) or not plan.changes


async def forget_and_restore(session: Session, entry: MemoryEntry) -> None:
    inklings = session.bench.inklings
    inklings.memories.forget([entry.ref], reason="twice said")
    assert await session.acts.do(MemoryAct.RESTORE, session.chosen(entry))


async def retag(session: Session, entry: MemoryEntry) -> None:
    assert await session.acts.do(MemoryAct.TAGS, session.chosen(entry), Retag(("atlas",), ("sea",)))


async def lifetime(session: Session, entry: MemoryEntry) -> None:
    assert await session.acts.do(MemoryAct.LIFETIME, session.chosen(entry), Lifetime.LONG_TERM)


async def importance(session: Session, entry: MemoryEntry) -> None:
    assert await session.acts.do(MemoryAct.IMPORTANCE, session.chosen(entry), 0.9)


async def forget(session: Session, entry: MemoryEntry) -> None:
    assert await session.acts.do(MemoryAct.FORGET, session.chosen(entry), "wrong book")


def marking(what: MemoryAct) -> Act:
    async def act(session: Session, entry: MemoryEntry) -> None:
        await session.acts.do(what, session.chosen(entry))

    return act


ACTS: dict[str, tuple[Act, str]] = {
    "edit": (edit, "Edited 1 memory"),
    "retag": (retag, "Changed the tags of 1 memory"),
    "lifetime": (lifetime, "Made 1 memory long-term"),
    "importance": (importance, "Set the importance of 1 memory to 0.90"),
    "forget": (forget, "Forgot 1 memory"),
    "restore": (forget_and_restore, "Restored 1 memory"),
    "replace": (replace_words, "Replaced \u201csea\u201d in 1 memory"),
    "pin": (marking(MemoryAct.PIN), "Pinned 1 memory"),
    "pause": (marking(MemoryAct.PAUSE), "Paused 1 memory"),
    "unlock": (marking(MemoryAct.UNLOCK), "Unlocked 1 memory"),
}


def everything(session: Session, entry: MemoryEntry) -> list[object]:
    (now,) = session.now(entry)
    marks = (now.paused, now.locked, now.forgotten_reason, now.successor_id)
    return [*states([now]), marks]


@pytest.mark.parametrize("seed", range(4))
def test_any_sequence_of_acts_all_taken_back_leaves_equal_rows(tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)  # noqa: S311 - which act comes next is no secret
    with a_bench(tmp_path) as bench:
        entries = [bench.put(f"Words about the sea, {n}.", tags=("sea",)) for n in range(3)]

        async def act_on(session: Session, entry: MemoryEntry) -> None:
            if entry.is_forgotten:
                assert await session.acts.do(MemoryAct.RESTORE, session.chosen(entry))
            elif chosen.random() < 0.2:
                assert await session.acts.do(MemoryAct.CONFIRM, session.chosen(entry))
            else:
                act, _ = ACTS[chosen.choice([name for name in ACTS if name != "restore"])]
                await act(session, entry)

        async def play(background: Background) -> None:
            session = Session(bench, background)
            undo, rows = session.undo, partial(everything_of, session, entries)
            seen = [rows()]
            for _ in range(25):
                undo.rest()
                (entry,) = session.now(chosen.choice(entries))
                await act_on(session, entry)
                seen[undo.stack.count() :] = [rows()]
            assert len(seen) > 10
            for expected in reversed(seen[:-1]):
                await undo.undo()
                assert rows() == expected
            assert not undo.stack.canUndo()
            for expected in seen[1:]:
                await undo.redo()
                assert rows() == expected
            assert session.messages.payloads == []

        assert bench.run(play) == []


def everything_of(session: Session, entries: Sequence[MemoryEntry]) -> list[object]:
    return [everything(session, one) for one in entries]


def change_elsewhere(session: Session, entry: MemoryEntry) -> None:
    """Another process saves another value; a forgotten one is restored for it."""
    inklings = session.bench.inklings
    (now,) = session.now(entry)
    if now.is_forgotten:
        (now,) = inklings.memories.restore([entry.ref])
    patch = MemoryPatch(tags=("elsewhere",))
    inklings.memories.update(entry.ref, patch, expected_version=now.version)


@pytest.mark.parametrize("name", ACTS)
def test_each_step_goes_back_and_forth_as_the_menu_says(tmp_path: Path, name: str) -> None:
    act, text = ACTS[name]
    with a_bench(tmp_path) as bench:
        entry = bench.put("Words about the sea.", tags=("sea",))

        async def play(background: Background) -> None:
            session = Session(bench, background)
            before = everything(session, entry)
            if name == "restore":
                before[1] = (False, True, "twice said", None)
                before[0] = (*before[0][:4], True, before[0][5])  # type: ignore[index]
            await act(session, entry)
            after = everything(session, entry)
            assert after != before
            for _ in range(2):
                assert session.undo.stack.undoText() == text
                await session.undo.undo()
                assert everything(session, entry) == before
                assert session.said.last == f"Undone: {text}"
                assert session.undo.stack.redoText() == text
                await session.undo.redo()
                assert everything(session, entry) == after
                assert session.said.last == f"Redone: {text}"
            assert session.messages.payloads == []

        assert bench.run(play) == []


@pytest.mark.parametrize("way", ["undo", "redo"])
@pytest.mark.parametrize("name", ACTS)
def test_what_another_process_changed_stays_and_the_step_is_dropped(
    tmp_path: Path, name: str, way: str
) -> None:
    act, text = ACTS[name]
    with a_bench(tmp_path) as bench:
        entry = bench.put("Words about the sea.", tags=("sea",))

        async def play(background: Background) -> None:
            session = Session(bench, background)
            undo = session.undo
            await act(session, entry)
            if way == "redo":
                await undo.undo()
            change_elsewhere(session, entry)
            now = everything(session, entry)
            await (undo.undo() if way == "undo" else undo.redo())
            assert everything(session, entry) == now
            message = session.messages.last
            assert message.title in {
                "This can no longer be undone.",
                "This can no longer be redone.",
            }
            assert text in message.text
            assert not undo.stack.canUndo()
            assert not undo.stack.canRedo()

        assert bench.run(play) == []


@scene(on_bench)
async def test_a_step_whose_memory_was_scrubbed_elsewhere_is_dropped(
    bench: Bench, background: Background, /
) -> None:
    entry = bench.put("Words about the sea.")
    inklings = bench.inklings
    from inklings_desktop.domain.scrub.manifest import ScrubMode

    session = Session(bench, background)
    await edit(session, entry)
    mode = ScrubMode.FULL
    manifest = inklings.scrub.preview(bench.scope, mode)
    inklings.scrub.execute(bench.scope, mode, token=manifest.token, phrase=manifest.phrase)
    await session.undo.undo()
    assert "changed or removed since" in session.messages.last.text
    assert not session.undo.stack.canUndo()
    assert inklings.listing.browse([bench.scope]).entries == ()


@scene(on_bench)
async def test_saying_that_it_is_still_true_ends_no_undo(
    bench: Bench, background: Background, /
) -> None:
    entry = bench.put("Words about the sea.", importance=0.5)
    session = Session(bench, background)
    await importance(session, entry)
    assert await session.acts.do(MemoryAct.CONFIRM, session.chosen(entry))
    await session.undo.undo()
    assert session.messages.payloads == []
    assert session.now(entry)[0].importance == 0.5
    assert await session.acts.do(MemoryAct.CONFIRM, session.chosen(entry))
    await session.undo.redo()
    assert session.messages.payloads == []
    assert session.now(entry)[0].importance == 0.9


@scene(on_bench)
async def test_a_change_of_somebody_else_between_two_presses_is_not_taken_back_with_them(
    bench: Bench, background: Background, /
) -> None:
    entry = bench.put("Words about the sea.", importance=0.5)
    inklings = bench.inklings
    session = Session(bench, background)
    assert await session.acts.do(MemoryAct.RAISE, session.chosen(entry))
    patch = MemoryPatch(importance=0.8)
    inklings.memories.update(entry.ref, patch, expected_version=2)
    assert await session.acts.do(MemoryAct.RAISE, session.chosen(entry))
    assert session.now(entry)[0].importance == 0.85
    await session.undo.undo()
    assert session.now(entry)[0].importance == 0.8, "as the other hand had set it"


def three_songs(bench: Bench) -> None:
    for text in ("One song.", "Two songs.", "Three songs."):
        bench.put(text)


@scene(drive, three_songs)
async def test_undo_of_forgetting_stands_at_what_came_back(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, menus = bench.window.page, bench.window.menus
    page.focus_list()
    QTest.keyClick(page.table, Qt.Key.Key_Home)
    first = page.list_cursor.current_id()
    assert first is not None
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    await bench.until(lambda: len(bench.texts()) == 2)
    QTest.keyClick(page.table, Qt.Key.Key_End)
    assert page.list_cursor.current_id() != first
    await bench.until(menus["undo"].isEnabled)
    menus["undo"].trigger()
    await bench.until(lambda: len(bench.texts()) == 3)
    await bench.until(lambda: page.list_cursor.current_id() == first)
    shown = bench.memory.subject
    await bench.until(lambda: (one := shown.current_entry) is not None and one.id == first)


@scene(on_bench)
async def test_undo_right_after_a_press_takes_back_that_press(
    bench: Bench, background: Background, /
) -> None:
    one, two = bench.put("One."), bench.put("Two.")
    session = Session(bench, background)
    await session.acts.do(MemoryAct.PIN, session.chosen(one))
    await asyncio.gather(forget(session, two), session.undo.undo())
    assert session.said.last == "Undone: Forgot 1 memory"
    (first, second) = session.now(one, two)
    assert (first.pinned, second.is_forgotten) == (True, False)


@scene(on_bench)
async def test_a_step_over_two_files_moves_in_both_or_in_none(
    bench: Bench, background: Background, /
) -> None:
    mine = bench.put("True of me.", scope=ScopeKey.account())
    here = bench.put("True of this world.")
    inklings = bench.inklings
    session = Session(bench, background)
    assert await session.acts.do(MemoryAct.FORGET, session.chosen(mine, here))
    await session.undo.undo()
    assert not any(one.is_forgotten for one in session.now(mine, here))
    await session.undo.redo()
    inklings.memories.restore([here.ref])
    await session.undo.undo()
    assert session.messages.last.title == "This can no longer be undone."
    assert [one.is_forgotten for one in session.now(mine, here)] == [True, False], (
        "they stay as they are, as the message says"
    )


async def imported(session: Session, folder: Path) -> ImportStep:
    """Import a file that brings two memories."""
    inklings = session.bench.inklings
    path = folder / "from.json"
    elsewhere = inklings.workspaces.create("Hollow Crown")
    scope = ScopeKey.workspace(elsewhere.id)
    for text in ("From elsewhere, one.", "From elsewhere, two."):
        session.bench.put(text, scope=scope)
    inklings.transfer.export(ExportRequest(scopes=(scope,)), path)
    preview = inklings.transfer.preview_import(path, into=session.bench.workspace.id)
    done = inklings.transfer.apply_import(preview, {})
    assert done.n_added == 2
    return ImportStep(done.run_id, "Imported 2 rows")


def test_taking_an_import_back_says_what_stays(tmp_path: Path) -> None:
    with a_bench(tmp_path / "root") as bench:
        inklings = bench.inklings

        async def play(background: Background) -> None:
            session = Session(bench, background)
            session.undo.push(await imported(session, tmp_path))
            entry, *_ = inklings.listing.browse([bench.scope]).entries
            patch = MemoryPatch(content="Mine now.")
            inklings.memories.update(entry.ref, patch, expected_version=1)
            await session.undo.undo()
            assert session.said.last == (
                "Undone: Imported 2 rows. 1 stays: it was changed since, or is built in."
            )
            left = inklings.listing.browse([bench.scope]).entries
            assert [one.content for one in left] == ["Mine now."]
            assert not session.undo.stack.canRedo()

        assert bench.run(play) == []


def test_an_import_whose_workspace_is_gone_cannot_be_taken_back(tmp_path: Path) -> None:
    with a_bench(tmp_path / "root") as bench:
        inklings, caller = bench.inklings, bench.inklings.caller

        async def play(background: Background) -> None:
            session = Session(bench, background)
            session.undo.push(await imported(session, tmp_path))
            world = bench.workspace
            inklings.as_caller(caller).workspaces.delete(world.id, confirm=f"delete {world.name}")
            await session.undo.undo()
            assert session.messages.last.title == "This import can no longer be undone."
            assert session.messages.last.text.startswith("Its workspace was deleted or restored")
            assert session.said.payloads == []
            assert not session.undo.stack.canUndo()

        assert bench.run(play) == []


def test_an_import_needs_its_file_no_more_and_is_taken_back_once(tmp_path: Path) -> None:
    with a_bench(tmp_path / "root") as bench:
        inklings, caller = bench.inklings, bench.inklings.caller

        async def play(background: Background) -> None:
            session = Session(bench, background)
            step = await imported(session, tmp_path)
            session.undo.push(step)
            session.undo.push(step)
            (tmp_path / "from.json").unlink()
            await session.undo.undo()
            assert session.said.last == "Undone: Imported 2 rows"
            assert inklings.as_caller(caller).listing.browse([bench.scope]).entries == ()
            await session.undo.undo()
            assert session.messages.last.text == (
                "It was already undone in another window or program. Nothing was changed."
            )
            assert not session.undo.stack.canUndo()

        assert bench.run(play) == []


def test_an_import_taken_back_another_way_offers_nothing_any_more(tmp_path: Path) -> None:
    with a_bench(tmp_path / "root") as bench:
        entry = bench.put("Words about the sea.")
        inklings = bench.inklings

        async def play(background: Background) -> None:
            session = Session(bench, background)
            undo = session.undo
            await importance(session, entry)
            step = await imported(session, tmp_path)
            undo.push(step)
            await forget(session, entry)
            inklings.transfer.withdraw_import(step.run_id)
            undo.drop_import(step.run_id)
            assert undo.stack.undoText() == "Forgot 1 memory"
            await undo.undo()
            assert undo.stack.undoText() == "Set the importance of 1 memory to 0.90"
            await undo.undo()
            assert session.messages.payloads == []
            assert not session.undo.stack.canUndo()

        assert bench.run(play) == []


def test_what_is_no_step_leaves_the_menu_as_it_says(tmp_path: Path) -> None:
    def world(bench: Bench) -> None:
        bench.put("Words about the sea.")
        inklings = bench.inklings
        inklings.channels.create(bench.workspace.id, "map-room")

    async def go(bench: WindowBench) -> None:
        inklings, here = bench.bench.inklings, bench.bench.workspace.id
        caller: Any = inklings.caller
        await bench.until(lambda: len(bench.texts()) == 1)
        menus, desk = bench.window.menus, bench.memory
        page = inklings.as_caller(caller).listing.browse([bench.bench.scope])
        (entry,) = page.entries
        bench.window.page.list_cursor.select(entry.id)
        await bench.until(lambda: desk.subject.current_ref == entry.ref)
        menus["forget"].trigger()
        await bench.until(lambda: menus["undo"].text() == "Undo: Forgot 1 memory")
        inklings.as_caller(caller).channels.rename(here, "map-room", "maps")
        inklings.as_caller(caller).channels.archive(here, "maps")
        inklings.as_caller(caller).workspaces.rename(here, "Salt")
        voice = inklings.as_caller(caller).entries.find(here, "VOICE")
        inklings.as_caller(caller).entries.save(
            voice.ref, "Close third.", expected_version=voice.version
        )
        made = inklings.as_caller(caller).entries.create(voice.tier, here, "CAST", "Nerys.")
        ref = EntryRef(made.tier, here, made.id)
        inklings.as_caller(caller).entries.delete(ref, expected_version=made.version)
        await bench.until(lambda: "Salt" in bench.window.windowTitle())
        assert menus["undo"].text() == "Undo: Forgot 1 memory"
        menus["undo"].trigger()
        await bench.until(lambda: menus["redo"].text() == "Redo: Forgot 1 memory")
        assert inklings.as_caller(caller).entries.show(voice.ref).entry.body == "Close third."
        assert [one.name for one in inklings.as_caller(caller).entries.list_deleted(here)] == [
            "CAST"
        ]
        channels = inklings.as_caller(caller).places.channels(here, include_archived=True)
        assert {one.name: one.archived_at is None for one in channels}["maps"] is False

    drive(tmp_path, world, go)
