"""What an input method composes stands alone, without the hint beneath it."""

from __future__ import annotations

from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.conversation.composer import MessageEdit
from inklings_desktop.ui.kit.look.theme import Theme


def test_a_composition_has_no_hint_beneath_it(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field = MessageEdit(theme, window)
    field.show_hint("Write to the World Agent")
    window.show()
    assert field.shows_hint
    QApplication.sendEvent(field, QInputMethodEvent("\u706f\u5854", []))
    assert field.document().isEmpty()
    assert not field.shows_hint
