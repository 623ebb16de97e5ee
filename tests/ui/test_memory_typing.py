"""Typing in a memory outlives the program, whatever ends it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryPatch, ScopeKey
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog, UnsavedDialog
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.memory.subject.state import ConflictKind, InspectorMode
from inklings_desktop.usecases.steps.putting import Remembered
from tests.support.builders import NOON
from tests.support.processes import line_of, started
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench, a_bench, news_of
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
MOST_LOST_SECONDS = 2.0
"""Of the typist's own time, until the last word before the kill."""
STORED, TYPED = "As it was saved.", "As it was typed."


def nothing(_bench: Bench) -> None:
    """What an earlier run left."""


def one_memory(bench: Bench) -> None:
    bench.put(STORED)


def with_typing(bench: Bench) -> None:
    """A memory with typing of an earlier run in it."""
    entry = bench.put(STORED)
    typing = MemoryTyping(
        entry.scope, entry.id, 1, TYPED, entry.importance, entry.lifetime, ("typed",), NOON
    )
    bench.inklings.drafts.keep_typing(typing)


def kept(bench: WindowBench) -> tuple[MemoryTyping, ...]:
    inklings = bench.bench.inklings
    return inklings.drafts.find_typings(bench.bench.workspace.id)


def press(bench: WindowBench, name: str) -> None:
    button = bench.window.inspector.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    button.click()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_words", "kind"),
    mostly_wide(((70, "stored"), (110, "new")), every_day=lambda case: case[1] == "new"),
)
def test_a_kill_while_typing_loses_two_seconds_of_keys_at_most(
    tmp_path: Path, n_words: int, kind: str
) -> None:
    typed: list[tuple[str, float]] = []
    with started("tests.ui.memory_typist_process", str(tmp_path), kind) as typist:
        assert line_of(typist) == "ready"
        while len(typed) < n_words:
            word, at = line_of(typist).split()
            typed.append((word, float(at)))
        typist.kill()
        assert typist.stdout is not None
        for line in typist.stdout.read().splitlines():
            word, at = line.split()
            typed.append((word, float(at)))
    seen: list[str] = []

    async def look(bench: WindowBench) -> None:
        subject = bench.memory.subject
        await bench.until(lambda: subject.state.offer is not None)
        is_new = subject.state.mode is InspectorMode.NEW
        assert is_new is (kind == "new")
        press(bench, "draftContinue")
        assert subject.has_unsaved
        seen.append(bench.window.inspector.body.text())
        assert await subject.save()
        await bench.memory.typings.settled()
        assert kept(bench) == ()

    drive(tmp_path, nothing, look)

    words = seen[0].split()
    expected = [word for word, _ in typed]
    assert words == expected[: len(words)], "the draft is what was typed, from the beginning"
    lost = [typed[-1][1] - at for _, at in typed[len(words) :]]
    assert max(lost, default=0.0) <= MOST_LOST_SECONDS
    print(f"typed {len(typed)} words, lost {max(lost, default=0.0):.2f} s of them")  # noqa: T201


@scene(drive, one_memory)
async def test_what_rests_is_kept_and_a_save_lets_go_of_it(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    page, subject = bench.window.page, bench.memory.subject
    page.list_cursor.select(page.rows[1].id)
    await bench.until(lambda: subject.current_entry is not None)
    bench.window.inspector.focus_editor()
    QTest.keyClicks(bench.window.inspector.editor, " More.")
    await bench.until(lambda: bool(kept(bench)))
    (typing,) = kept(bench)
    assert (typing.content, typing.base_version) == (f"{STORED} More.", 1)
    QTest.keyClicks(bench.window.inspector.editor, " Even more.")
    bench.memory.save()
    await bench.until(lambda: not subject.has_unsaved)
    await bench.memory.typings.settled()
    assert kept(bench) == ()


@scene(drive, nothing)
async def test_a_new_memory_is_kept_until_it_is_saved(bench: WindowBench, /) -> None:
    subject = bench.memory.subject
    bench.memory.new_memory()
    await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    QTest.keyClicks(bench.window.inspector.editor, "A new thought.")
    await bench.until(lambda: bool(kept(bench)))
    (typing,) = kept(bench)
    assert (typing.memory_id, typing.content) == (NEW_MEMORY, "A new thought.")
    assert await subject.save()
    await bench.memory.typings.settled()
    assert kept(bench) == ()


@contextmanager
def without_drops(root: Path) -> Iterator[Bench]:
    """A store whose window never comes to let go of typing: it is killed right after a save."""

    def never(*_: object) -> bool:
        return False

    with a_bench(root) as bench:
        yield replace(
            bench,
            inklings=stood_in(bench.inklings, {"drafts.drop_typing": never}),
        )


@pytest.mark.parametrize("kind", ["new", "stored"])
@scene(drive, one_memory, made=without_drops)
async def test_a_kill_right_after_a_save_offers_nothing_twice(
    bench: WindowBench, /, kind: str
) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    page, subject = bench.window.page, bench.memory.subject
    if kind == "new":
        bench.memory.new_memory()
        await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    else:
        page.list_cursor.select(page.rows[1].id)
        await bench.until(lambda: subject.current_entry is not None)
    QTest.keyClicks(bench.window.inspector.editor, "Half of")
    await bench.until(lambda: bool(kept(bench)))
    QTest.keyClicks(bench.window.inspector.editor, " a thought.")
    assert await subject.save()
    assert kept(bench) == ()


def test_what_is_typed_during_a_save_is_kept_after_it(tmp_path: Path) -> None:
    gate = threading.Event()

    @contextmanager
    def slow(root: Path) -> Iterator[Bench]:
        with a_bench(root) as bench:
            put = bench.inklings.memories.put_outcome

            def waiting(*arguments: Any, **options: Any) -> Remembered:
                assert gate.wait(HANG_SECONDS)
                return put(*arguments, **options)

            yield replace(
                bench, inklings=stood_in(bench.inklings, {"memories.put_outcome": waiting})
            )

    async def type_on(bench: WindowBench) -> None:
        subject, rest_ms = bench.memory.subject, bench.window.inspector.body.rest_ms
        bench.memory.new_memory()
        await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
        QTest.keyClicks(bench.window.inspector.editor, "A thought.")
        bench.memory.save()
        await bench.until(lambda: subject.is_saving)
        QTest.keyClicks(bench.window.inspector.editor, " More.")
        await asyncio.sleep(2 * rest_ms / 1000)
        gate.set()
        await bench.until(lambda: bool(kept(bench)))
        (typing,) = kept(bench)
        entry = subject.current_entry
        assert entry is not None
        assert (typing.memory_id, typing.content) == (entry.id, "A thought. More.")
        assert await subject.save()

    drive(tmp_path, nothing, type_on, slow)


def test_who_writes_what_is_there_already_is_told_and_shown_it(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        bench.put("The toll is salt.")

    async def write_again(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 1)
        subject, toast = bench.memory.subject, bench.window.page.toast
        bench.memory.new_memory()
        await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
        QTest.keyClicks(bench.window.inspector.editor, "the toll is salt")
        bench.memory.save()
        await bench.until(toast.isVisible)
        assert toast.accessibleName() == "You already have this memory"
        there = subject.current_entry
        assert there is not None
        assert (there.content, there.version) == ("The toll is salt.", 2)
        assert not subject.has_unsaved
        assert kept(bench) == ()
        assert not bench.window.menus["undo"].isEnabled()
        subject.show_nothing()
        toast.undo.click()
        await bench.until(lambda: subject.current_ref == there.ref)
        assert len(bench.texts()) == 1

    drive(tmp_path, prepare, write_again)


@scene(drive, one_memory)
async def test_discarded_text_is_kept_no_longer(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    page, subject = bench.window.page, bench.memory.subject
    page.list_cursor.select(page.rows[1].id)
    await bench.until(lambda: subject.current_entry is not None)
    subject.edit(content="Half a thought")
    await bench.until(lambda: bool(kept(bench)))
    bench.memory.new_memory()
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    (dialog,) = bench.window.findChildren(UnsavedDialog)
    discard = dialog.findChild(QPushButton, "unsavedDiscard")
    assert isinstance(discard, QPushButton)
    discard.click()
    await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    assert kept(bench) == ()


@scene(drive, with_typing)
async def test_a_draft_is_offered_at_the_start_and_can_be_compared_and_continued(
    bench: WindowBench, /
) -> None:
    subject, view = bench.memory.subject, bench.window.inspector
    await bench.until(lambda: subject.state.offer is not None)
    assert bench.window.page.list_cursor.current_id() == subject.state.ref.id  # type: ignore[union-attr]
    assert view.body.text() == STORED
    assert view.editor.isReadOnly(), "typing would replace the draft"
    assert not subject.has_unsaved
    press(bench, "draftCompare")
    (diff,) = view.body.offer.findChildren(DiffView)
    await bench.until(lambda: diff.n_changes() == 1)
    press(bench, "draftContinue")
    assert view.body.text() == TYPED
    assert not view.editor.isReadOnly()
    assert subject.state.draft is not None
    assert subject.state.draft.tags == ("typed",)
    assert await subject.save()
    await bench.memory.typings.settled()
    assert kept(bench) == ()


def test_a_draft_of_another_workspace_is_offered_when_that_is_opened(tmp_path: Path) -> None:
    def elsewhere(bench: Bench) -> None:
        bench.put(STORED)
        inklings = bench.inklings
        other = inklings.workspaces.create("Tide tables")
        here = ScopeKey.workspace(other.id)
        typing = MemoryTyping(here, NEW_MEMORY, 0, TYPED, 0.5, Lifetime.SHORT_TERM, (), NOON)
        inklings.drafts.keep_typing(typing)

    async def switch(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 1)
        subject, shell = bench.memory.subject, bench.memory.shell
        assert subject.state.offer is None
        inklings = bench.bench.inklings
        other = inklings.workspaces.find("Tide tables")
        await shell.open_first(other.id)
        await bench.until(lambda: subject.state.offer is not None)
        assert subject.state.mode is InspectorMode.NEW
        press(bench, "draftContinue")
        assert bench.window.inspector.body.text() == TYPED
        subject.revert()
        await bench.memory.typings.settled()

    drive(tmp_path, elsewhere, switch)


@scene(drive, with_typing)
async def test_a_draft_can_be_let_go_of(bench: WindowBench, /) -> None:
    subject = bench.memory.subject
    await bench.until(lambda: subject.state.offer is not None)
    press(bench, "draftDiscard")
    await bench.memory.typings.settled()
    assert kept(bench) == ()
    assert bench.window.inspector.body.text() == STORED
    assert not bench.window.inspector.editor.isReadOnly()


@scene(drive, with_typing)
async def test_a_continued_and_reverted_draft_is_gone(bench: WindowBench, /) -> None:
    subject = bench.memory.subject
    await bench.until(lambda: subject.state.offer is not None)
    press(bench, "draftContinue")
    subject.revert()
    await bench.memory.typings.settled()
    assert kept(bench) == ()
    assert bench.window.inspector.body.text() == STORED


def test_a_draft_of_an_older_version_is_a_conflict_once_it_is_continued(tmp_path: Path) -> None:
    def older(bench: Bench) -> None:
        with_typing(bench)
        inklings = bench.inklings
        (typing,) = inklings.drafts.find_typings(bench.workspace.id)
        entry = inklings.listing.locate(typing.memory_id, bench.workspace.id)
        patch = MemoryPatch(content="Saved after the draft.")
        inklings.memories.update(entry.ref, patch, expected_version=1)

    async def go_on(bench: WindowBench) -> None:
        subject = bench.memory.subject
        await bench.until(lambda: subject.state.offer is not None)
        press(bench, "draftContinue")
        conflict = subject.state.conflict
        assert conflict is not None
        assert conflict.kind is ConflictKind.CHANGED
        assert (conflict.mine, conflict.theirs) == (TYPED, "Saved after the draft.")
        assert not subject.state.can_save
        assert await subject.keep_mine()
        await bench.until(lambda: bench.texts() == [TYPED])
        await bench.memory.typings.settled()
        assert kept(bench) == ()

    drive(tmp_path, older, go_on)


def test_a_draft_of_a_memory_that_was_forgotten_meanwhile_is_offered(tmp_path: Path) -> None:
    def forgotten(bench: Bench) -> None:
        with_typing(bench)
        inklings = bench.inklings
        (entry,) = inklings.listing.browse([bench.scope]).entries
        inklings.memories.forget([entry.ref], reason="agent")

    async def decide(bench: WindowBench) -> None:
        subject = bench.memory.subject
        await bench.until(lambda: subject.state.offer is not None)
        press(bench, "draftContinue")
        conflict = subject.state.conflict
        assert conflict is not None
        assert conflict.kind is ConflictKind.FORGOTTEN
        assert subject.state.draft is not None
        assert subject.state.draft.content == TYPED
        press(bench, "conflictKeepMine")
        await bench.until(lambda: bench.texts() == [TYPED])
        await bench.until(lambda: kept(bench) == ())

    drive(tmp_path, forgotten, decide)


@scene(drive, one_memory)
async def test_another_windows_save_does_not_take_this_ones_draft_along(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    page, subject = bench.window.page, bench.memory.subject
    page.list_cursor.select(page.rows[1].id)
    await bench.until(lambda: subject.current_entry is not None)
    shown = subject.current_entry
    assert shown is not None
    bench.window.inspector.focus_editor()
    QTest.keyClicks(bench.window.inspector.editor, " Mine.")
    await bench.until(lambda: bool(kept(bench)))
    with a_bench(tmp_path) as other:  # its window saves, then lets go of its own draft
        inklings = other.inklings
        patch = MemoryPatch(content="As the other window has it.")
        inklings.memories.update(shown.ref, patch, expected_version=shown.version)
        assert inklings.drafts.drop_typing(shown.scope, shown.id)
    await bench.until(lambda: subject.state.conflict is not None)
    await bench.until(lambda: bool(kept(bench)))
    (typing,) = kept(bench)
    assert (typing.content, typing.base_version) == (f"{STORED} Mine.", 1)
    subject.revert()


def test_what_another_window_discards_stays_kept_where_it_is_still_typed(tmp_path: Path) -> None:
    """There is one draft for every window: another offers it as one of an earlier run."""

    async def both_look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 1)
        page, subject = bench.window.page, bench.memory.subject
        page.list_cursor.select(page.rows[1].id)
        await bench.until(lambda: subject.current_entry is not None)
        bench.window.inspector.focus_editor()
        QTest.keyClicks(bench.window.inspector.editor, " Mine.")
        await bench.until(lambda: bool(kept(bench)))
        with a_bench(tmp_path) as other:
            await news_of(bench.bench, other)
            (offered,) = kept(bench)
            assert other.inklings.drafts.drop_typing(offered.scope, offered.memory_id)
            assert kept(bench) == ()
        await bench.until(lambda: bool(kept(bench)))
        assert kept(bench)[0].content == f"{STORED} Mine."
        subject.revert()
        await bench.until(lambda: kept(bench) == ())

    drive(tmp_path, one_memory, both_look)


@scene(drive, nothing)
async def test_a_new_memory_that_another_window_discards_stays_kept(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    bench.memory.new_memory()
    subject, scope = bench.memory.subject, bench.bench.scope
    await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    bench.window.inspector.focus_editor()
    QTest.keyClicks(bench.window.inspector.editor, "Mine.")
    await bench.until(lambda: bool(kept(bench)))
    with a_bench(tmp_path) as other:
        (before,) = kept(bench)
        await news_of(bench.bench, other)
        # What is written in its place has it kept anew; what follows must not be that.
        await bench.until(lambda: kept(bench)[0].kept_at != before.kept_at)
        assert other.inklings.drafts.drop_typing(scope, NEW_MEMORY)
        assert kept(bench) == ()
    await bench.until(lambda: bool(kept(bench)))
    assert kept(bench)[0].content == "Mine."
    subject.revert()


@scene(drive, nothing)
async def test_a_new_memory_stays_kept_when_another_window_writes_its_own(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    bench.memory.new_memory()
    subject, scope = bench.memory.subject, bench.bench.scope
    await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    bench.window.inspector.focus_editor()
    QTest.keyClicks(bench.window.inspector.editor, "Mine.")
    await bench.until(lambda: bool(kept(bench)))
    with a_bench(tmp_path) as other:
        other.put("Theirs.")
        assert other.inklings.drafts.drop_typing(scope, NEW_MEMORY)
    await bench.until(lambda: bool(kept(bench)))
    assert kept(bench)[0].content == "Mine."
    subject.revert()


@pytest.mark.parametrize(
    ("typed", "why"),
    mostly_wide(
        (("x" * 65_537, "at most 64 KiB of text"), ("a\x00b", "a NUL character")),
        every_day=lambda case: len(case[0]) < 10,
        ids=lambda case: case[1],
    ),
)
@scene(drive, nothing)
async def test_what_cannot_be_kept_is_said_before_it_is_saved(
    bench: WindowBench, /, typed: str, why: str
) -> None:
    bench.memory.new_memory()
    subject = bench.memory.subject
    await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    bench.window.inspector.editor.setPlainText(typed)
    await bench.until(lambda: bool(subject.state.field_errors.content))
    said = subject.state.field_errors.content
    assert why in said
    assert said.endswith("Until then it is not saved as a draft.")
    bench.window.inspector.editor.setPlainText("Short.")
    assert subject.state.field_errors.content == ""
    await bench.until(lambda: [one.content for one in kept(bench)] == ["Short."])
    subject.revert()


@scene(drive, one_memory)
async def test_a_text_far_too_long_is_not_pasted_and_that_is_said(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    page, subject = bench.window.page, bench.memory.subject
    page.list_cursor.select(page.rows[1].id)
    await bench.until(lambda: subject.current_entry is not None)
    said = bench.messages()
    QGuiApplication.clipboard().setText("x" * 1_048_576)
    bench.window.inspector.focus_editor()
    QTest.keyClick(bench.window.inspector.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = bench.window.findChild(MessageDialog)
    assert dialog is not None
    dialog.accept()
    assert said[-1].title == "Not pasted: that would be 1.0 MiB of text."
    assert said[-1].text.startswith("64 KiB can be stored here. Paste a part of it")
    assert bench.window.inspector.editor.toPlainText() == STORED
    assert not subject.has_unsaved
    QGuiApplication.clipboard().clear()
