"""The veil comes and goes with its dialog, however the dialog ends."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.veil import DIALOG_VEIL, Scrim, veil_behind


def a_window(qtbot: QtBot, theme: Theme) -> tuple[QWidget, Scrim]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    return window, Scrim(theme, window)


def test_the_veil_lifts_when_its_dialog_is_hidden(qtbot: QtBot, theme: Theme) -> None:
    window, veil = a_window(qtbot, theme)
    dialog = QDialog(window)
    veil.show_behind(dialog)
    dialog.open()
    assert veil.isVisible()
    assert veil.geometry() == window.rect()
    dialog.reject()
    assert not veil.isVisible()


def test_the_veil_lifts_when_its_dialog_goes_without_ever_having_been_shown(
    qtbot: QtBot, theme: Theme
) -> None:
    window, veil = a_window(qtbot, theme)
    dialog = QDialog(window)
    veil.show_behind(dialog)
    dialog.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not veil.isVisible()
    veil.show()
    veil.grab()  # draws without the dialog that is gone


def test_an_earlier_dialog_that_goes_late_leaves_the_veil_of_the_next(
    qtbot: QtBot, theme: Theme
) -> None:
    window, veil = a_window(qtbot, theme)
    first, second = QDialog(window), QDialog(window)
    veil.show_behind(first)
    first.open()
    first.reject()
    veil.show_behind(second)
    second.open()
    first.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert veil.isVisible()
    second.reject()


def test_a_dialog_over_a_dialog_has_a_veil_of_its_own(qtbot: QtBot, theme: Theme) -> None:
    window, below = a_window(qtbot, theme)
    below.setObjectName(DIALOG_VEIL)
    outer = QDialog(window)
    veil_behind(outer)
    outer.open()
    inner = QDialog(outer)
    veil_behind(inner)
    inner.open()
    veil = outer.findChild(Scrim, DIALOG_VEIL)
    assert isinstance(veil, Scrim)
    assert veil.isVisible()
    assert veil.geometry() == outer.rect()
    inner.reject()
    assert not veil.isVisible()
    assert below.isVisible()
    outer.reject()
    assert not below.isVisible()
