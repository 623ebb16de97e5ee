from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.toast import Toast


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(800, 600)
    field = QLineEdit(page)
    page.show()
    page.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    return page


@pytest.fixture
def toast(theme: Theme, page: QWidget) -> Toast:
    toast = Toast(theme, page)
    toast.show_message("Forgot 2 memories", icon="eraser", undo_label="Undo", key_hint="Ctrl Z")
    # Where the pointer happens to be must not matter.
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    return toast


def tick(toast: Toast, times: int = 1) -> None:
    for _ in range(times):
        toast._on_clock_timeout()


def test_it_stands_at_the_bottom_centre_and_stays_there(
    toast: Toast, page: QWidget, qtbot: QtBot
) -> None:
    assert toast.height() == 44
    qtbot.waitUntil(lambda: toast.geometry().bottom() == 600 - 24 - 1)
    assert toast.geometry().center().x() == pytest.approx(400, abs=1)
    page.resize(1000, 700)
    assert toast.geometry().bottom() == 700 - 24 - 1
    toast.set_bottom_margin(98)
    assert toast.geometry().bottom() == 700 - 98 - 1


def test_it_counts_down_and_goes(toast: Toast, qtbot: QtBot) -> None:
    assert toast.seconds_left() == 10
    tick(toast, 2)
    assert toast.accessibleDescription() == "Undo is available for 8 seconds"
    with qtbot.waitSignal(toast.closed, timeout=1000):
        tick(toast, 8)
    assert toast.seconds_left() == 0


def test_undo_is_asked_for_once(toast: Toast, qtbot: QtBot) -> None:
    with (
        qtbot.assertNotEmitted(toast.closed),
        qtbot.waitSignal(toast.undo_requested, timeout=1000),
    ):
        toast.undo.click()
    assert not toast.isVisible()


def test_the_keyboard_on_it_holds_the_seconds(toast: Toast, qtbot: QtBot) -> None:
    toast.activateWindow()
    toast.undo.setFocus()
    qtbot.waitUntil(toast.undo.hasFocus)
    tick(toast, 3)
    assert toast.seconds_left() == 10
    with qtbot.waitSignal(toast.closed, timeout=1000):
        QTest.keyClick(toast, Qt.Key.Key_Escape)


def test_the_button_may_lead_on_instead(toast: Toast, qtbot: QtBot) -> None:
    led: list[str] = []
    toast.show_lead("You have this already", "Show", lambda: led.append("there"), icon="info")
    assert toast.undo.text() == "Show"
    assert toast.accessibleDescription() == "The button is there for 10 seconds"
    with qtbot.assertNotEmitted(toast.undo_requested):
        toast.undo.click()
    assert (led, toast.isVisible()) == (["there"], False)
    toast.show_message("Forgot 1 memory", undo_label="Undo")
    with qtbot.waitSignal(toast.undo_requested, timeout=1000):
        toast.undo.click()
    assert led == ["there"]


def test_enter_presses_the_button_that_has_the_keyboard(toast: Toast, qtbot: QtBot) -> None:
    toast.undo.setFocus()
    with qtbot.waitSignal(toast.undo_requested, timeout=1000):
        QTest.keyClick(toast.undo, Qt.Key.Key_Return)
    assert toast.isHidden()


def test_the_pointer_on_it_holds_the_seconds(toast: Toast) -> None:
    here = QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(here, here, here))
    tick(toast, 3)
    assert toast.seconds_left() == 10
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    tick(toast)
    assert toast.seconds_left() == 9


def test_a_newer_message_takes_its_place(toast: Toast) -> None:
    tick(toast, 4)
    toast.show_message("Saved")
    assert toast.accessibleName() == "Saved"
    assert not toast.undo.isVisible()
    assert toast.seconds_left() <= 3


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_a_long_note_over_a_narrow_page_wraps_and_keeps_its_button(
    theme: Theme, page: QWidget, toast: Toast, scale: float
) -> None:
    theme.set_text_scale(scale)
    try:
        page.resize(420, 500)
        text = "That is about memories that were changed or removed since. They stay as they are."
        toast.show_message(text, icon="eraser", undo_label="Undo", key_hint="Ctrl Z")
        QApplication.processEvents()
        assert toast.width() <= 420 - 16
        assert toast.height() > theme.scaled(44)
        assert toast.undo.geometry().right() < toast.width()
        assert toast.undo.width() >= toast.undo.sizeHint().width()
        toast.show_message("Saved")
        QApplication.processEvents()
        assert toast.height() == theme.scaled(44)
    finally:
        theme.set_text_scale(1.0)


def test_words_keep_as_far_from_one_end_as_from_the_other(toast: Toast) -> None:
    toast.show_message("Copied", icon="copy")
    layout = toast.layout()
    assert layout is not None
    inside = layout.contentsMargins()
    assert inside.left() == inside.right()
    toast.show_message("Forgotten", icon="eraser", undo_label="Undo")
    assert layout.contentsMargins().right() == toast.width() - toast.undo.geometry().right() - 1
