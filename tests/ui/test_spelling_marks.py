"""Words that no dictionary knows, in the inspector and in the Markdown editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from inklings_desktop.storage.outside.own_words import FILE_NAME
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.ui.markdown.writing_text_edit import Layer, WritingTextEdit
from tests.support.scenes import scene
from tests.ui.page_views import entries_view
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

TEXT = "The gulls keep acounts of the harbor and of every tide. \U0001f30a Nobody reeds them."


def gulls(bench: Bench) -> None:
    bench.put(TEXT)
    bench.put("Nobody is here to read this.")


def underlined(edit: WritingTextEdit) -> list[str]:
    return [one.selectedText() for one in edit.marks.cursors(Layer.MISSPELT)]


async def writing(bench: WindowBench) -> WritingTextEdit:
    """The keyboard in the editor of the memory about gulls."""
    await bench.until(lambda: len(bench.texts()) == 2)
    page = bench.window.page
    page.list_cursor.select(page.rows[2].id)
    await bench.until(
        lambda: (entry := bench.memory.subject.current_entry) is not None and entry.content == TEXT
    )
    edit = bench.window.inspector.editor
    bench.window.activateWindow()
    await bench.until(bench.window.isActiveWindow)
    assert underlined(edit) == [], "what is only read stays as it is"
    edit.setFocus()
    await bench.until(lambda: underlined(edit) == ["acounts"])
    return edit


def ask_menu(edit: WritingTextEdit, *, by_key: bool = False) -> None:
    """Press the second button over the first underlined word, or its key with the caret there."""
    word = edit.marks.cursors(Layer.MISSPELT)[0]
    place = edit.cursorRect(word).center() - QPoint(4, 0)
    reason = QContextMenuEvent.Reason.Mouse
    target = edit.viewport()
    if by_key:
        caret = edit.textCursor()
        caret.setPosition(word.selectionStart() + 2)
        edit.setTextCursor(caret)
        reason, target = QContextMenuEvent.Reason.Keyboard, edit
    event = QContextMenuEvent(reason, place, edit.viewport().mapToGlobal(place))
    QApplication.sendEvent(target, event)


def close_menu() -> None:
    menu = QApplication.activePopupWidget()
    if menu is not None:
        menu.close()


async def menu_rows(bench: WindowBench) -> list[QAction]:
    await bench.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu.actions()


@pytest.mark.parametrize("by_key", [False, True])
def test_a_word_is_underlined_and_another_is_put_in_its_place(
    tmp_path: Path, *, by_key: bool
) -> None:
    async def mend(bench: WindowBench) -> None:
        edit = await writing(bench)
        ask_menu(edit, by_key=by_key)
        rows = await menu_rows(bench)
        wanted = next(one for one in rows if one.text() == "accounts")
        assert rows.index(wanted) < 6
        wanted.trigger()
        close_menu()
        assert "keep accounts of" in edit.text()
        await bench.until(lambda: underlined(edit) == [])
        edit.undo()
        assert edit.text() == TEXT

    drive(tmp_path, gulls, mend)


@scene(drive, gulls)
async def test_a_word_is_learnt_and_never_underlined_again(bench: WindowBench, /) -> None:
    edit = await writing(bench)
    ask_menu(edit)
    rows = await menu_rows(bench)
    next(one for one in rows if one.text() == "Add to my words").trigger()
    close_menu()
    await bench.until(lambda: underlined(edit) == [])
    kept = bench.bench.inklings.data_dir / FILE_NAME
    assert kept.read_text(encoding="utf-8") == "acounts\n"


@scene(drive, gulls)
async def test_the_word_that_is_being_typed_is_left_alone(bench: WindowBench, /) -> None:
    edit = await writing(bench)
    QTest.keyClick(edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(edit, " Wrongg")
    await bench.memory.spelling.settled()
    bench.memory.spelling.check()
    await bench.memory.spelling.settled()
    assert underlined(edit) == ["acounts"]
    QTest.keyClicks(edit, " and")
    await bench.until(lambda: underlined(edit) == ["acounts", "Wrongg"])


@scene(drive, gulls)
async def test_a_named_entry_is_checked_while_it_is_written(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    bench.window.show_page(ENTRIES_PAGE)
    await bench.until(lambda: entries_view(bench.window) is not None)
    view = entries_view(bench.window)
    assert view is not None
    edit = view.editor.editor
    bench.window.activateWindow()
    await bench.until(lambda: not edit.isReadOnly() and edit.isVisible())
    edit.setFocus()
    QTest.keyClicks(edit, "The voice is calm and dry, with `cde` and ONE wrod here. ")
    await bench.until(lambda: underlined(edit) == ["wrod"])


@scene(drive, gulls)
async def test_whoever_wants_no_lines_has_none(bench: WindowBench, /) -> None:
    edit = await writing(bench)
    bench.window._look.wear(check_spelling=False)
    inklings = bench.bench.inklings
    await bench.until(lambda: not inklings.settings.appearance.check_spelling)
    bench.memory.spelling.check()
    await bench.until(lambda: underlined(edit) == [])
