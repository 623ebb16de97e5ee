"""Keys that come before their place is there: not one is lost, and none acts on something else.

Everything is pressed without a turn of the event loop in between: no hands are faster than that.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from inklings_desktop.domain.entries.named_entry import NamedEntry
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryEntry, ScopeKey
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedAnswer, UnsavedDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.ui.memory.subject.state import InspectorMode
from inklings_desktop.ui.window.main_window import MainWindow
from tests.support.builders import NOON
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
LETTERS = "let it be"  # in the list: lifetime, edit, tags


def three(bench: Bench) -> None:
    for number in range(3):
        bench.put(f"Memory {number}.", tags=("sea",))


def hearing(bench: WindowBench) -> QWidget:
    """What a key goes to now."""
    above = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    window = above or bench.window
    focus: QWidget | None = window.focusWidget()
    return window if focus is None else focus


def press(bench: WindowBench, *keys: str) -> None:
    """Press keys such as ``Ctrl+N`` at once."""
    for one in keys:
        combination = QKeySequence(one)[0]  # type: ignore[index]
        QTest.keyClick(hearing(bench), combination.key(), combination.keyboardModifiers())


def types(bench: WindowBench, text: str) -> None:
    for letter in text:
        QTest.keyClicks(hearing(bench), letter)


async def at_the_list(bench: WindowBench, n_rows: int = 3) -> None:
    await bench.until(lambda: len(bench.texts()) == n_rows)
    bench.window.activateWindow()
    bench.window.page.focus_list()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)


def stored(bench: WindowBench) -> list[MemoryEntry]:
    inklings = bench.bench.inklings
    return list(inklings.listing.browse([bench.bench.scope]).entries)


def contents(bench: WindowBench) -> list[str]:
    return [one.content for one in stored(bench)]


async def dialog_of(bench: WindowBench, kind: type[QDialog]) -> QDialog:
    await bench.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    return dialog


@scene(drive, three)
async def test_what_is_typed_right_after_asking_for_a_new_memory_is_in_it(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "Ctrl+N")
    types(bench, LETTERS)
    press(bench, "Ctrl+S")
    await bench.until(lambda: len(stored(bench)) == 4)
    assert contents(bench) == [LETTERS, "Memory 2.", "Memory 1.", "Memory 0."]
    others = [one for one in stored(bench) if one.content != LETTERS]
    assert {one.lifetime for one in others} == {Lifetime.SHORT_TERM}


@pytest.mark.wide
@scene(drive, three)
async def test_the_second_of_two_asks_for_a_new_memory_takes_nothing_away(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "Ctrl+N", "Ctrl+N")
    types(bench, LETTERS)
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == LETTERS)
    assert QApplication.activeModalWidget() is None
    bench.memory.subject.revert()


@scene(drive, three)
async def test_what_is_typed_for_a_new_memory_outlasts_the_question_about_the_old_one(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "E")
    types(bench, " Mine.")
    press(bench, "Ctrl+N")
    types(bench, LETTERS)  # its blanks would press the button that has the keyboard
    asked = await dialog_of(bench, UnsavedDialog)
    assert contents(bench) == ["Memory 2.", "Memory 1.", "Memory 0."]
    asked.done(UnsavedAnswer.SAVE.value)
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == LETTERS)
    assert contents(bench)[0] == "Memory 2. Mine."
    bench.memory.subject.revert()


@pytest.mark.wide
@scene(drive, three)
async def test_what_was_typed_for_a_new_memory_goes_nowhere_else_when_the_old_one_stays(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "E")
    types(bench, " Mine.")
    press(bench, "Ctrl+N")
    types(bench, LETTERS)
    asked = await dialog_of(bench, UnsavedDialog)
    asked.done(UnsavedAnswer.STAY.value)
    await bench.until(lambda: not held_keys(bench.window).is_holding)
    types(bench, " Yes.")
    assert bench.window.inspector.editor.toPlainText() == "Memory 2. Mine. Yes."
    bench.memory.subject.revert()


@pytest.mark.wide
def test_a_draft_on_offer_is_not_overwritten_by_what_is_typed_before_it_shows(
    tmp_path: Path,
) -> None:
    def with_draft(bench: Bench) -> None:
        three(bench)
        inklings = bench.inklings
        typing = MemoryTyping(
            bench.scope, NEW_MEMORY, 0, "As it was typed.", 0.5, Lifetime.SHORT_TERM, (), NOON
        )
        inklings.drafts.keep_typing(typing)

    async def write(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        subject = bench.memory.subject
        await bench.until(lambda: subject.state.offer is not None)
        subject.show_nothing()
        bench.window.activateWindow()
        press(bench, "Ctrl+N")
        types(bench, LETTERS)
        await bench.until(lambda: subject.state.offer is not None)
        offer = subject.state.offer
        assert offer is not None
        assert offer.typed == "As it was typed."
        assert not subject.has_unsaved

    drive(tmp_path, with_draft, write)


@scene(drive, three)
async def test_a_name_and_a_text_typed_at_once_make_a_named_entry(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.entries is not None)
    before = {one.name: one.body for one in entries_of(bench)}
    press(bench, "Ctrl+Shift+N")
    types(bench, "HARBOUR")
    press(bench, "Return")
    types(bench, "Salt.")
    press(bench, "Ctrl+S")
    await bench.until(lambda: ("HARBOUR", "Salt.") in named(bench))
    assert {one.name: one.body for one in entries_of(bench)} == {**before, "HARBOUR": "Salt."}


def entries_of(bench: WindowBench) -> list[NamedEntry]:
    inklings = bench.bench.inklings
    return list(inklings.entries.list(bench.bench.workspace.id))


def named(bench: WindowBench) -> list[tuple[str, str]]:
    return [(one.name, one.body) for one in entries_of(bench)]


@pytest.mark.wide
@scene(drive, three)
async def test_enter_right_after_a_step_opens_the_entry_stepped_to(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.entries is not None)
    assert opened_root.entries is not None
    entry = opened_root.entries.entry
    await bench.until(lambda: entry.entry is not None)
    bench.window.show_page(ENTRIES_PAGE)
    first = entry.entry
    press(bench, "Down", "Return")
    types(bench, "Salt.")
    await bench.until(lambda: entry.has_unsaved)
    assert entry.entry is not None
    assert first is not None
    assert entry.entry.id != first.id
    await entry.revert()


@scene(drive, three)
async def test_down_from_the_search_stands_at_the_best_once_it_is_found(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "Ctrl+F")
    types(bench, "1")
    press(bench, "Down")
    await bench.until(lambda: bench.texts() == ["Memory 1."])
    await bench.until(lambda: bench.window.page.list_cursor.current_id() is not None)
    press(bench, "Delete")
    await bench.until(lambda: len(stored(bench)) == 2)
    assert contents(bench) == ["Memory 2.", "Memory 0."]


@pytest.mark.wide
@scene(drive, three)
async def test_typing_goes_on_in_the_memory_that_was_stepped_to(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    press(bench, "E")
    types(bench, " One.")
    press(bench, "Ctrl+S", "Alt+Down")
    types(bench, "Two. ")
    press(bench, "Ctrl+S")
    await bench.until(lambda: contents(bench) == ["Memory 2. One.", "Two. Memory 1.", "Memory 0."])


@scene(drive, three)
async def test_what_is_typed_during_a_save_is_saved_by_the_next_press(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "E")
    for word in (" One.", " Two.", " Three."):
        types(bench, word)
        press(bench, "Ctrl+S")
    await bench.until(lambda: contents(bench)[0] == "Memory 2. One. Two. Three.")
    await bench.until(lambda: not bench.memory.subject.has_unsaved)


@pytest.mark.wide
@scene(drive, three)
async def test_nobody_is_asked_about_what_is_being_saved(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    press(bench, "E")
    types(bench, " Mine.")
    press(bench, "Ctrl+S", "Ctrl+Q")
    await bench.until(bench.window.closing.closed.is_set)
    assert contents(bench)[0] == "Memory 2. Mine."


@scene(drive, three)
async def test_escape_after_a_save_takes_nothing_of_it_away(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    press(bench, "Ctrl+N")
    types(bench, LETTERS)
    press(bench, "Ctrl+S", "Escape")
    await bench.until(lambda: len(stored(bench)) == 4)
    assert contents(bench)[0] == LETTERS


@pytest.mark.parametrize("asking", ["new_workspace", "export", "import_file"])
@scene(drive, three)
async def test_what_is_typed_right_after_asking_for_a_dialog_is_for_that(
    bench: WindowBench, /, asking: str
) -> None:
    await at_the_list(bench)
    bench.window.menus[asking].trigger()
    types(bench, LETTERS)
    await bench.until(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    field = dialog.focusWidget()
    assert asking == "export" or (isinstance(field, QLineEdit) and field.text() == LETTERS)
    dialog.reject()
    await bench.until(lambda: not held_keys(bench.window).is_holding)
    assert bench.window.inspector.editor.toPlainText() == "Memory 2."
    assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}


@pytest.mark.wide
@scene(drive, three)
async def test_a_reason_typed_at_once_is_the_reason(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    entry = stored(bench)[0]
    bench.memory.acts.act(MemoryAct.FORGET_BECAUSE)
    types(bench, LETTERS)
    asked = await dialog_of(bench, TextDialog)
    assert isinstance(asked, TextDialog)
    asked.confirm.click()
    await bench.until(lambda: len(stored(bench)) == 2)
    inklings = bench.bench.inklings
    forgotten = inklings.listing.show(entry.ref).entry
    assert forgotten.forgotten_reason == LETTERS
    assert not bench.memory.subject.has_unsaved


@pytest.mark.wide
@scene(drive, three)
async def test_undo_right_after_all_was_checked_and_changed_takes_all_of_it_back(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "Ctrl+A", "Delete", "Ctrl+Z")
    await bench.until(lambda: bench.window.menus["redo"].text() == "Redo: Forgot 3 memories")
    assert len(stored(bench)) == 3


@pytest.mark.wide
@scene(drive, three)
async def test_closing_twice_asks_once(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    press(bench, "E")
    types(bench, " Mine.")
    press(bench, "Ctrl+Q", "Ctrl+Q")
    asked = await dialog_of(bench, UnsavedDialog)
    asked.reject()
    await bench.until(lambda: QApplication.activeModalWidget() is not asked)
    assert QApplication.activeModalWidget() is None

    def is_asked_again() -> bool:
        if QApplication.activeModalWidget() is None:
            bench.window.close()
        return isinstance(QApplication.activeModalWidget(), UnsavedDialog)

    await bench.until(is_asked_again)  # a later wish is a new one
    bench.memory.subject.revert()


@pytest.mark.wide
@scene(drive, three)
async def test_what_was_done_a_moment_ago_can_be_taken_back_at_once(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    press(bench, "Delete", "Ctrl+Z")
    await bench.until(lambda: bench.window.menus["redo"].text() == "Redo: Forgot 1 memory")
    assert len(stored(bench)) == 3


@pytest.mark.wide
@scene(drive, three)
async def test_undo_takes_back_the_press_before_it_and_redo_follows(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    press(bench, "L", "Delete", "L", "Ctrl+Z", "Ctrl+Z", "Ctrl+Shift+Z", "Delete")
    undo = bench.window.menus["undo"]
    await bench.until(lambda: len(stored(bench)) == 1)
    await bench.until(lambda: undo.text() == "Undo: Forgot 1 memory")
    assert contents(bench) == ["Memory 0."]


@scene(drive, three)
async def test_undo_right_after_a_save_takes_that_back_and_nothing_before_it(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "Delete")
    await bench.until(lambda: len(bench.texts()) == 2)
    press(bench, "E")
    types(bench, " Mine.")
    press(bench, "Ctrl+S", "Escape", "Ctrl+Z")
    await bench.until(bench.window.menus["redo"].isEnabled)
    await bench.memory.undo.finished()
    assert contents(bench) == ["Memory 1.", "Memory 0."]
    assert bench.window.menus["undo"].text() == "Undo: Forgot 1 memory"


@scene(drive, three)
async def test_what_was_asked_for_is_done_before_the_window_is_closed(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    press(bench, "Delete", "L", "Delete", "Ctrl+Q")
    await bench.window.closed()
    assert contents(bench) == ["Memory 0."]


@pytest.mark.wide
@scene(drive, three)
async def test_nobody_is_asked_about_an_entry_that_is_being_saved(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.entries is not None)
    assert opened_root.entries is not None
    entry = opened_root.entries.entry
    await bench.until(lambda: entry.entry is not None)
    bench.window.show_page(ENTRIES_PAGE)
    press(bench, "Return")
    types(bench, "Salt. ")
    press(bench, "Ctrl+S", "Ctrl+Q")
    await bench.window.closed()
    assert any("Salt. " in body for _, body in named(bench))


@pytest.mark.parametrize("is_early", [True, False], ids=["at the first frame", "with the rows"])
def test_a_new_memory_wished_for_before_the_data_is_open_is_begun_then(
    tmp_path: Path, *, is_early: bool
) -> None:
    def write(window: MainWindow) -> None:
        assert window.opened is None
        combination = QKeySequence("Ctrl+N")[0]  # type: ignore[index]
        QTest.keyClick(window, combination.key(), combination.keyboardModifiers())
        for letter in LETTERS:
            QTest.keyClicks(window, letter)

    def watch(window: MainWindow) -> None:
        if is_early:
            write(window)
        else:
            found = window.findChild(ListPresenter)
            assert found is not None

            def once() -> None:
                found.content_changed.disconnect(once)
                write(window)

            found.content_changed.connect(once)

    async def look(bench: WindowBench) -> None:
        editor = bench.window.inspector.editor
        await bench.until(lambda: editor.toPlainText() == LETTERS)
        assert bench.memory.subject.state.mode is InspectorMode.NEW
        assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}
        bench.memory.subject.revert()

    drive(tmp_path, three, look, while_opening=watch)


@pytest.mark.wide
@scene(drive, three)
async def test_a_new_memory_right_after_a_switch_is_of_the_workspace_switched_to(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    inklings, opened_root = bench.bench.inklings, bench.window.opened
    assert opened_root is not None
    other = inklings.workspaces.create("Otherworld")
    opened_root.open_workspace(other.id)
    press(bench, "Ctrl+N")
    types(bench, LETTERS)
    press(bench, "Ctrl+S")
    scope = ScopeKey.workspace(other.id)

    def written() -> list[str]:
        page = inklings.listing.browse([scope])
        return [one.content for one in page.entries]

    await bench.until(lambda: written() == [LETTERS])
    assert len(stored(bench)) == 3
