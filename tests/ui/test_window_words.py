"""What the window says of a fault never quotes a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.window.notices import say_bug

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


WORDS = "the keeper held out both hands"


def a_fault(words: str) -> None:
    raise ValueError(words)


def test_a_fault_is_told_by_kind_and_place_without_its_words(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    try:
        a_fault(WORDS)
    except ValueError as error:
        say_bug(error, window)
    (dialog,) = window.findChildren(MessageDialog)
    (details,) = dialog.findChildren(QPlainTextEdit)
    said = details.toPlainText()
    dialog.accept()
    assert "ValueError" in said
    assert "a_fault" in said
    assert WORDS not in said
