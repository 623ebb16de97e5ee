from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QFocusFrame,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.look.accessibility import EnterPresses, FocusRing, FocusRings
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


def test_what_qt_asks_inside_a_file_dialog_gets_no_ring(
    window: Window, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    FocusRings(theme, window)
    dialog = QFileDialog(window, "Import", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    rings: list[QFocusFrame] = []

    def close_the_question() -> None:
        (question,) = dialog.findChildren(QMessageBox)
        qtbot.waitUntil(question.isActiveWindow)
        rings.extend(question.findChildren(QFocusFrame))
        question.accept()

    dialog.open()
    (field,) = dialog.findChildren(QLineEdit)
    field.setText("there-is-no-such-file.md")
    QTimer.singleShot(0, close_the_question)
    dialog.accept()
    assert not rings
    dialog.deleteLater()


def test_enter_presses_the_button_that_has_the_keyboard(
    window: Window, theme: Theme, qtbot: QtBot
) -> None:
    EnterPresses(window)
    dialog = ConfirmDialog(window, "Undo this run?", "", yes="Undo this run", no="Leave it")
    FocusRings(theme, window)
    button = QPushButton("Let it in", window)
    button.show()
    pressed: list[str] = []
    button.clicked.connect(lambda: pressed.append("Let it in"))
    dialog.keep.clicked.connect(lambda: pressed.append("Leave it"))
    dialog.confirm.clicked.connect(lambda: pressed.append("Undo this run"))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert pressed == ["Let it in"]
    dialog.open()
    qtbot.waitUntil(dialog.confirm.hasFocus)
    assert dialog.confirm.isDefault()
    dialog.keep.setFocus()
    QTest.keyClick(dialog.keep, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert pressed == ["Let it in", "Leave it"]


def test_enter_leaves_all_as_it_is_where_something_would_be_lost(
    window: Window, qtbot: QtBot
) -> None:
    dialog = ConfirmDialog(window, "Delete?", "", yes="Delete", no="Keep it", is_destructive=True)
    dialog.open()
    qtbot.waitUntil(dialog.keep.hasFocus)
    assert dialog.keep.isDefault()
