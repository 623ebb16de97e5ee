from __future__ import annotations

import time
from statistics import quantiles

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.editor import LONGEST_WAIT_MS, MOST_BYTES, MarkdownEditor
from inklings_desktop.ui.markdown.formatting import MarkdownFormat
from tests.support.stopwatch import SLOWNESS, Stopwatch

MIXED = "# Title\r\n\r\nno\u00a0break\u2028soft\nlast\r"


@pytest.fixture
def editor(theme: Theme, qtbot: QtBot) -> MarkdownEditor:
    editor = MarkdownEditor(theme)
    qtbot.addWidget(editor)
    editor.resize(480, 700)
    editor.show()
    return editor


def select(editor: MarkdownEditor, start: int, stop: int) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def a_long_text() -> str:
    paragraph = "The **sea** does not want *anything*; a contradiction may stand. " * 4
    return "\n".join(f"## Part {number}\n\n- one\n- two\n\n{paragraph}" for number in range(220))


def test_a_text_comes_back_as_it_was_set(editor: MarkdownEditor, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(editor.edited):
        editor.set_plain_text(MIXED)
    assert editor.text() == MIXED
    assert not editor.document().isUndoAvailable()


def test_what_is_typed_is_added_and_nothing_else_changes(editor: MarkdownEditor) -> None:
    editor.set_plain_text(MIXED)
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "word")
    assert editor.text() == MIXED + "word"


def test_a_shifted_enter_begins_a_line_like_any_other(editor: MarkdownEditor) -> None:
    editor.set_plain_text("one\r\ntwo")
    select(editor, 3, 3)
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "one\r\n\r\ntwo"


def test_copying_keeps_blanks_and_pasting_takes_plain_text_only(
    editor: MarkdownEditor, qapp: QApplication
) -> None:
    editor.set_plain_text("no\u00a0break\nnext")
    editor.selectAll()
    editor.copy()
    assert QGuiApplication.clipboard().text() == "no\u00a0break\nnext"
    rich = QMimeData()
    rich.setHtml("<b>bold</b><img src='file:///nowhere.png'>")
    rich.setText("one\r\ntwo\u2029three")
    editor.insertFromMimeData(rich)
    assert editor.text() == "one\ntwo\nthree"
    editor.undo()
    assert editor.text() == "no\u00a0break\nnext"


def test_a_copied_page_without_plain_text_is_pasted_by_its_lines(editor: MarkdownEditor) -> None:
    page = QMimeData()
    page.setHtml("<h1>Salt</h1><p>One&nbsp;<b>two</b><br>three</p>")
    editor.set_plain_text("")
    assert editor.canInsertFromMimeData(page)
    editor.insertFromMimeData(page)
    assert editor.text() == "Salt\n\nOne two\nthree"


def test_far_more_than_can_be_stored_is_not_pasted(editor: MarkdownEditor, qtbot: QtBot) -> None:
    copied = QMimeData()
    copied.setText("line\n" * (MOST_BYTES // 5 + 1))
    editor.set_plain_text("before\n")
    with qtbot.waitSignal(editor.paste_refused) as refused:
        editor.insertFromMimeData(copied)
    assert refused.args == [len(copied.text()) + 7]
    assert editor.text() == "before\n"


def test_a_replaced_text_can_be_taken_back_in_one_step(editor: MarkdownEditor) -> None:
    editor.set_plain_text("# Title\n\nold words \U0001f600 here\n")
    editor.replace_text("# Title\r\n\r\nnew lines\r\n\U0001f600 here\r\n")
    assert editor.text() == "# Title\n\nnew lines\n\U0001f600 here\n"
    editor.undo()
    assert editor.text() == "# Title\n\nold words \U0001f600 here\n"


# -- saying that it rested ------------------------------------------------------------------


def test_typing_is_reported_at_once_and_again_when_it_rests(
    editor: MarkdownEditor, qtbot: QtBot
) -> None:
    with qtbot.waitSignals([editor.edited, editor.text_rested], timeout=2000, order="strict"):
        QTest.keyClicks(editor, "a")
    with qtbot.assertNotEmitted(editor.text_rested, wait=0):
        editor.report_rest()


def test_whoever_never_rests_is_still_reported_within_two_seconds(
    editor: MarkdownEditor, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long this machine takes from key to key, that is no rest.
    monkeypatch.setattr(theme, "duration", lambda _name: 60_000)
    reported: list[float] = []
    watch = Stopwatch()
    editor.text_rested.connect(lambda: reported.append(watch.seconds))
    begun = time.monotonic()
    while not reported:
        QTest.keyClick(editor, Qt.Key.Key_A, delay=60)
        assert watch.seconds < 2
    assert time.monotonic() - begun > LONGEST_WAIT_MS / 1000 - 0.1
    assert reported[0] < 2


def test_what_is_waiting_can_be_reported_at_once(editor: MarkdownEditor, qtbot: QtBot) -> None:
    QTest.keyClicks(editor, "a")
    with qtbot.waitSignal(editor.text_rested, timeout=50):
        editor.report_rest()


def test_another_text_is_nothing_to_report(editor: MarkdownEditor, qtbot: QtBot) -> None:
    QTest.keyClicks(editor, "a")
    editor.set_plain_text("another")
    with qtbot.assertNotEmitted(editor.text_rested, wait=0):
        editor.report_rest()


# -- formatting -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MarkdownFormat)
def test_every_format_is_one_step_that_can_be_undone(
    kind: MarkdownFormat, editor: MarkdownEditor
) -> None:
    editor.set_plain_text("\U0001f600 one\r\ntwo words\nthree")
    select(editor, 3, 14)
    editor.apply_format(kind)
    assert editor.text() != "\U0001f600 one\r\ntwo words\nthree"
    editor.undo()
    assert editor.text() == "\U0001f600 one\r\ntwo words\nthree"
    assert not editor.document().isUndoAvailable()


def test_keys_format_the_selection(editor: MarkdownEditor, qtbot: QtBot) -> None:
    editor.set_plain_text("\U0001f600 word")
    editor.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    select(editor, 3, 7)
    QTest.keyClick(editor, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == "\U0001f600 **word**"
    assert editor.textCursor().selectedText() == "word"
    QTest.keyClick(editor, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == "\U0001f600 ***word***"


def test_actions_carry_their_names_and_keys(editor: MarkdownEditor) -> None:
    actions = editor.format_actions()
    assert set(actions) == set(MarkdownFormat)
    assert actions[MarkdownFormat.LINK].shortcut().toString() == "Ctrl+Shift+K"
    actions[MarkdownFormat.HEADING].trigger()
    assert editor.text() == "# "


def test_a_text_that_may_only_be_read_is_not_formatted(editor: MarkdownEditor) -> None:
    editor.set_plain_text("word")
    editor.setReadOnly(True)
    editor.apply_format(MarkdownFormat.STRONG)
    assert editor.text() == "word"


# -- places and looks -----------------------------------------------------------------------


def test_scrolling_says_which_line_is_uppermost(editor: MarkdownEditor, qtbot: QtBot) -> None:
    editor.set_plain_text(a_long_text())
    assert editor.first_visible_block() == 0
    with qtbot.waitSignal(editor.scrolled, timeout=1000) as moved:
        editor.scroll_to_block(300)
    assert abs(editor.first_visible_block() - 300) <= 1
    assert moved.args == [editor.first_visible_block()]


def test_escape_asks_to_leave(editor: MarkdownEditor, qtbot: QtBot) -> None:
    with qtbot.waitSignal(editor.leave_requested, timeout=1000):
        QTest.keyClick(editor, Qt.Key.Key_Escape)


def test_focus_mode_narrows_the_lines_and_puts_them_in_the_middle(editor: MarkdownEditor) -> None:
    editor.resize(1200, 700)
    wide = editor.viewport().width()
    editor.set_focus_mode(on=True)
    frame = editor.viewport().geometry()
    assert frame.width() < wide - 300
    assert abs(frame.center().x() - 600) < 40
    editor.set_focus_mode(on=False)
    assert editor.viewport().width() == wide


def test_the_line_of_the_caret_is_shown(editor: MarkdownEditor, theme: Theme) -> None:
    editor.set_plain_text("one\ntwo\nthree")
    select(editor, 5, 5)
    image = editor.grab().toImage()
    at = editor.viewport().mapTo(editor, editor.cursorRect().center())
    right = editor.viewport().geometry().right() - 20
    assert image.pixelColor(right, at.y()) == theme.color("hover")
    assert image.pixelColor(2, at.y()) == theme.color("hover")
    assert image.pixelColor(right, at.y() + 25) != theme.color("hover")


def test_larger_type_changes_neither_text_nor_what_can_be_undone(
    editor: MarkdownEditor, theme: Theme, qtbot: QtBot
) -> None:
    editor.set_plain_text("one\ntwo")
    QTest.keyClicks(editor, "x")
    rows = editor.cursorRect().height()
    with qtbot.assertNotEmitted(editor.edited):
        theme.set_text_scale(1.4)
    assert editor.cursorRect().height() > rows
    editor.undo()
    assert editor.text() == "one\ntwo"
    assert not editor.document().isUndoAvailable()


def test_typing_into_sixty_thousand_characters_stays_smooth(
    editor: MarkdownEditor, qapp: QApplication
) -> None:
    editor.set_plain_text(a_long_text())
    assert len(editor.text()) > 60_000
    taken: list[float] = []
    for share in (0, 0.5, 1):
        place = int(share * (editor.document().characterCount() - 1))
        select(editor, place, place)
        editor.ensureCursorVisible()
        qapp.processEvents()
        for number in range(60):
            key = Qt.Key.Key_Return if number % 20 == 19 else Qt.Key.Key_A
            watch = Stopwatch()
            QTest.keyClick(editor, key)
            qapp.processEvents()
            taken.append(watch.seconds)
    assert quantiles(taken, n=20)[-1] < 0.016 * SLOWNESS
