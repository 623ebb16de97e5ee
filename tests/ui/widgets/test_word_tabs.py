"""Plain tabs: chosen by click and key, as wide as their words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.tabs import WordTab, WordTabBar
from inklings_desktop.ui.kit.look.theme import Theme
from tests.ui.presenter_bench import Heard


def a_bar(theme: Theme, qtbot: QtBot) -> WordTabBar:
    bar = WordTabBar(theme)
    qtbot.addWidget(bar)
    bar.set_tabs([WordTab("one", "Memory tiers"), WordTab("two", "Log")])
    bar.show()
    return bar


def test_a_click_and_an_arrow_choose(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    heard = Heard().to(bar.tab_chosen)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    QTest.keyClick(bar, Qt.Key.Key_Left)
    assert heard.payloads == ["two", "one"]


def test_tabs_are_as_wide_as_their_words_and_keep_their_place(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    before = [bar.tabRect(number) for number in range(2)]
    assert before[0].width() > before[1].width()
    bar.choose("two")
    assert [bar.tabRect(number) for number in range(2)] == before
    assert bar.sizeHint().width() == sum(rect.width() for rect in before)


def test_a_bar_without_tabs_has_no_key(theme: Theme, qtbot: QtBot) -> None:
    bar = WordTabBar(theme)
    qtbot.addWidget(bar)
    assert bar.current_key() == ""
    bar.step(1)
    assert bar.current_key() == ""


def test_the_chosen_tab_is_underlined_in_the_accent(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    bar.choose("two")
    picture = bar.grab().toImage()
    foot = bar.height() - 2
    second = bar.tabRect(1).left() + 12
    assert picture.pixelColor(second, foot) == theme.color("accent")
    assert picture.pixelColor(12, foot) != theme.color("accent")


def test_a_count_stands_behind_its_word_and_showing_tabs_tells_nobody(
    theme: Theme, qtbot: QtBot
) -> None:
    bar = a_bar(theme, qtbot)
    heard, before = Heard().to(bar.tab_chosen), bar.tabRect(0).width()
    counted = (WordTab("one", "Memory tiers", "Memory tiers, 34", "34"), WordTab("two", "Log"))
    bar.show_tabs((counted, "two"))
    assert bar.tabRect(0).width() > before
    assert (bar.current_key(), heard.payloads) == ("two", [])
    assert bar.accessibleTabName(0) == "Memory tiers, 34"
    bar.show_tabs(((WordTab("one", "Memory tiers"), counted[1]), "two"))
    assert bar.tabRect(0).width() == before
