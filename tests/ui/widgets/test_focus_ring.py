from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.look.accessibility import FocusRing

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.kit.look.theme import Theme


class Window(QWidget):
    """Three fields and a ring."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.fields = [QLineEdit(self) for _ in range(3)]
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        for field in self.fields:
            column.addWidget(field)
        self.resize(300, 200)
        self.show()
        self.ring = FocusRing(theme, self)


@pytest.fixture
def window(theme: Theme, qtbot: QtBot) -> Window:
    window = Window(theme)
    qtbot.addWidget(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def press_tab(window: Window) -> None:
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Tab)


def click(window: Window, field: QLineEdit) -> None:
    place = field.mapTo(window, QPoint(5, 5))
    QTest.mouseClick(
        window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )


def test_the_ring_follows_tab_and_stands_outside_the_control(window: Window, qtbot: QtBot) -> None:
    window.fields[0].setFocus()
    press_tab(window)
    assert window.fields[1].hasFocus()
    qtbot.waitUntil(window.ring.isVisible)
    assert window.ring.geometry() == window.fields[1].geometry().adjusted(-3, -3, 3, 3)
    press_tab(window)
    assert window.ring.geometry().center() == window.fields[2].geometry().center()


def test_the_mouse_brings_no_ring(window: Window, qtbot: QtBot) -> None:
    window.fields[0].setFocus()
    press_tab(window)
    qtbot.waitUntil(window.ring.isVisible)
    click(window, window.fields[2])
    assert window.fields[2].hasFocus()
    assert not window.ring.isVisible()


def test_widgets_can_draw_their_own(window: Window) -> None:
    window.fields[1].setProperty("ring", "none")
    window.fields[0].setFocus()
    press_tab(window)
    assert window.fields[1].hasFocus()
    assert not window.ring.isVisible()


def test_the_ring_is_painted_in_the_focus_colour(
    window: Window, theme: Theme, qtbot: QtBot
) -> None:
    window.fields[0].setFocus()
    press_tab(window)
    qtbot.waitUntil(window.ring.isVisible)
    place = window.fields[1].geometry()
    above = window.grab().toImage().pixelColor(place.center().x(), place.top() - 2)
    assert above == theme.color("focus")


def test_the_ring_is_whole_where_the_control_fills_what_it_stands_in(
    window: Window, qtbot: QtBot
) -> None:
    tight = QWidget(window)
    tight.setGeometry(40, 150, 80, 24)
    field = QLineEdit(tight)
    field.setGeometry(tight.rect())
    tight.show()
    window.fields[2].setFocus()
    press_tab(window)
    qtbot.waitUntil(field.hasFocus)
    qtbot.waitUntil(window.ring.isVisible)
    assert window.ring.parentWidget() is window
    assert window.ring.mask().isEmpty()
