from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.editor import MarkdownEditor
from inklings_desktop.ui.markdown.find_bar import FindBar

TEXT = "\U0001f600 The sea.\r\nNo SEA here, a sea.c there\r\n"


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(600, 500)
    return page


@pytest.fixture
def editor(theme: Theme, page: QWidget) -> MarkdownEditor:
    editor = MarkdownEditor(theme, page)
    editor.set_plain_text(TEXT)
    return editor


@pytest.fixture
def bar(theme: Theme, page: QWidget, editor: MarkdownEditor) -> FindBar:
    bar = FindBar(theme, editor, page)
    column = QVBoxLayout(page)
    column.addWidget(bar)
    column.addWidget(editor, 1)
    page.show()
    page.activateWindow()
    return bar


def look_for(bar: FindBar, text: str) -> None:
    bar.find_edit.setText(text)
    bar._look()


def test_what_is_typed_is_looked_for_once_the_typing_rests(bar: FindBar, qtbot: QtBot) -> None:
    bar.open_find()
    QTest.keyClicks(bar.find_edit, "sea")
    qtbot.waitUntil(lambda: bar.n_matches() == 3)
    assert bar._count.text() == "3 found"
    assert len(bar._editor.extraSelections()) == 3


def test_next_and_previous_go_round(bar: FindBar, editor: MarkdownEditor) -> None:
    bar.open_find()
    look_for(bar, "sea")
    found = []
    for _ in range(4):
        QTest.keyClick(bar.find_edit, Qt.Key.Key_Return)
        found.append((editor.textCursor().selectedText(), bar._count.text()))
    assert found == [("sea", "1 of 3"), ("SEA", "2 of 3"), ("sea", "3 of 3"), ("sea", "1 of 3")]
    QTest.keyClick(bar.find_edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar._count.text() == "3 of 3"


def test_capitals_can_be_told_apart(bar: FindBar) -> None:
    bar.open_find()
    look_for(bar, "sea")
    bar._case.click()
    assert bar.n_matches() == 2


def test_signs_stand_for_themselves(bar: FindBar) -> None:
    bar.open_find()
    look_for(bar, "sea.")
    assert bar.n_matches() == 2
    look_for(bar, "(")
    assert bar._count.text() == "None found"
    assert not bar._next.isEnabled()


def test_replacing_one_goes_on_to_the_next(bar: FindBar, editor: MarkdownEditor) -> None:
    bar.open_replace()
    look_for(bar, "sea")
    bar.replace_edit.setText("lake")
    bar.go_to_next()
    QTest.keyClick(bar.replace_edit, Qt.Key.Key_Return)
    assert editor.text() == TEXT.replace("sea", "lake", 1)
    assert editor.textCursor().selectedText() == "SEA"


def test_replacing_all_is_one_step(bar: FindBar, editor: MarkdownEditor) -> None:
    bar.open_replace()
    look_for(bar, "sea")
    bar.replace_edit.setText("seas and lakes")
    bar.replace_all()
    assert editor.text().count("seas and lakes") == 3
    editor.undo()
    assert editor.text() == TEXT
    assert not editor.document().isUndoAvailable()


def test_a_selection_is_what_is_looked_for(bar: FindBar, editor: MarkdownEditor) -> None:
    editor.setTextCursor(editor.document().find("here"))
    bar.open_find()
    assert bar.find_edit.text() == "here"
    assert bar.n_matches() == 2


def test_only_replace_shows_its_field(bar: FindBar, editor: MarkdownEditor) -> None:
    bar.open_find()
    assert bar.replace_edit.isHidden()
    bar.open_replace()
    assert not bar.replace_edit.isHidden()
    editor.setReadOnly(True)
    bar.open_replace()
    assert bar.replace_edit.isHidden()


def test_matches_follow_what_is_written(bar: FindBar, editor: MarkdownEditor, qtbot: QtBot) -> None:
    bar.open_find()
    look_for(bar, "sea")
    QTest.keyClicks(editor, "sea ")
    qtbot.waitUntil(lambda: bar.n_matches() == 4)
    assert bar._count.text() == "4 found"


def test_escape_closes_and_gives_the_keyboard_back(
    bar: FindBar, editor: MarkdownEditor, qtbot: QtBot
) -> None:
    bar.open_find()
    look_for(bar, "sea")
    QTest.keyClick(bar.find_edit, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert editor.extraSelections() == []
    qtbot.waitUntil(editor.hasFocus)
