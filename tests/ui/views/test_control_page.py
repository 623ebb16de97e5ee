"""The frame of the Control plane page: tabs that appear with their views, the door to scrubbing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.control.page import EVENTS_TAB, TIERS_TAB, ControlView
from inklings_desktop.ui.kit.look.theme import Theme
from tests.ui.presenter_bench import Heard


def a_page(theme: Theme, qtbot: QtBot) -> ControlView:
    page = ControlView(theme)
    qtbot.addWidget(page)
    page.add_tab(TIERS_TAB, "Memory tiers", QWidget())
    page.add_tab(EVENTS_TAB, "Event log", QWidget())
    page.resize(1200, 800)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    return page


def test_the_first_tab_is_on_show_and_every_tab_is_named(theme: Theme, qtbot: QtBot) -> None:
    page = a_page(theme, qtbot)
    assert page.current_tab() == TIERS_TAB
    names = [page.tabs.accessibleTabName(number) for number in range(page.tabs.count())]
    assert names == ["Memory tiers", "Event log"]


def test_ctrl_tab_goes_round(theme: Theme, qtbot: QtBot) -> None:
    page = a_page(theme, qtbot)
    heard = Heard().to(page.tab_shown)
    page.tabs.setFocus()
    for modifier in (
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    ):
        QTest.keyClick(page.tabs, Qt.Key.Key_Tab, modifier)
    assert heard.payloads == [EVENTS_TAB, TIERS_TAB, EVENTS_TAB]


def test_scrubbing_begins_with_its_button(theme: Theme, qtbot: QtBot) -> None:
    page = a_page(theme, qtbot)
    with qtbot.waitSignal(page.scrub.clicked):
        QTest.mouseClick(page.scrub, Qt.MouseButton.LeftButton)
    assert page.scrub.text() == "Scrub memory\u2026"
