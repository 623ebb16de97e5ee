"""Enter in a Markdown list: the next item comes by itself, and an empty one ends the list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.editor import MarkdownEditor
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit, WritingTextEdit


@pytest.fixture(params=[MarkdownEditor, GrowingTextEdit])
def editor(
    request: pytest.FixtureRequest, theme: Theme, qtbot: QtBot
) -> MarkdownEditor | GrowingTextEdit:
    made: MarkdownEditor | GrowingTextEdit = request.param(theme)
    qtbot.addWidget(made)
    made.show()
    return made


def enter_at(editor: WritingTextEdit, text: str) -> str:
    """The text after Enter where ``|`` stands; the caret is shown the same way."""
    editor.set_plain_text(text.replace("|", ""))
    cursor = editor.textCursor()
    cursor.setPosition(text.index("|"))
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    at = editor.textCursor().position()
    return editor.text()[:at] + "|" + editor.text()[at:]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- salt|", "- salt\n- |"),
        ("intro\n* salt|\nend", "intro\n* salt\n* |\nend"),
        ("  + deep|", "  + deep\n  + |"),
        ("9. nine|", "9. nine\n10. |"),
        ("1) one|", "1) one\n2) |"),
        ("- [x] done|", "- [x] done\n- [ ] |"),
        ("> - quoted|", "> - quoted\n> - |"),
        ("- two| words", "- two\n- | words"),
        ("```\na\n```\n- after|", "```\na\n```\n- after\n- |"),
    ],
)
def test_enter_begins_the_next_item(editor: WritingTextEdit, before: str, after: str) -> None:
    assert enter_at(editor, before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- salt\n- |", "- salt\n|"),
        ("- salt\n  - |\nend", "- salt\n|\nend"),
        ("1. a\n2. |", "1. a\n|"),
        ("- [ ] |", "|"),
    ],
)
def test_enter_on_an_empty_item_ends_the_list(
    editor: WritingTextEdit, before: str, after: str
) -> None:
    assert enter_at(editor, before) == after


@pytest.mark.parametrize(
    "before",
    ["plain|", "|- salt", "-|  salt", "- - -|", "-x|", "```\n- code|", "~~~\n```\n1. code|"],
)
def test_enter_is_only_a_line_elsewhere(editor: WritingTextEdit, before: str) -> None:
    assert enter_at(editor, before) == before.replace("|", "\n|")


def test_what_was_selected_gives_way_to_the_next_item(editor: WritingTextEdit) -> None:
    editor.set_plain_text("- salt and ash")
    cursor = editor.textCursor()
    cursor.setPosition(6)
    cursor.setPosition(14, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert editor.text() == "- salt\n- "


def test_one_undo_takes_the_new_item_back(editor: WritingTextEdit) -> None:
    editor.set_plain_text("")
    QTest.keyClicks(editor, "- salt")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "- salt\n- "
    editor.undo()
    assert editor.text() == "- salt"
    editor.redo()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "- salt\n"
    editor.undo()
    assert editor.text() == "- salt\n- "


def test_lines_keep_their_kind_of_end_when_a_list_goes_on(theme: Theme, qtbot: QtBot) -> None:
    editor = MarkdownEditor(theme)
    qtbot.addWidget(editor)
    editor.set_plain_text("- one\r\n- two")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "- one\r\n- two\r\n- "
