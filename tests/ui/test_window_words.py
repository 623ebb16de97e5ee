"""What the window says of a fault never quotes a memory."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.window.notices import say_bug

WORDS = "the keeper held out both hands"


def faults(window: QWidget) -> list[MessageDialog]:
    """The windows that tell of a fault."""
    return [one for one in window.findChildren(MessageDialog) if one.isVisible()]


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


def test_a_fault_opens_no_second_window_while_one_is_open(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    say_bug(ValueError(WORDS), window)
    (first,) = faults(window)
    say_bug(AttributeError(WORDS), window)
    first.finished.connect(lambda: say_bug(ValueError(WORDS), window))
    assert faults(window) == [first]
    first.accept()  # a fault at each change of focus must not open the next one
    assert not faults(window)
    qtbot.waitUntil(lambda: not isValid(first))
    say_bug(KeyError(WORDS), window)
    (later,) = faults(window)
    later.accept()
