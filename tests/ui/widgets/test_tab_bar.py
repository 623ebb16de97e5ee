from __future__ import annotations

from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.tabs import RingTab, RingTabBar, TabRoom
from inklings_desktop.ui.kit.look.theme import Theme

TABS = [
    RingTab("channel", "Channel", 2, "tierChannel", "34", "Channel, 34 memories"),
    RingTab("workspace", "Workspace", 3, "tierWorkspace", "43", "Workspace, 43 memories"),
]


def a_bar(theme: Theme, qtbot: QtBot) -> RingTabBar:
    bar = RingTabBar(theme)
    qtbot.addWidget(bar)
    bar.set_tabs(TABS)
    bar.show()
    return bar


def test_choosing_a_tab_tells_its_key(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    assert bar.current_key() == "channel"
    with qtbot.waitSignal(bar.tab_chosen, timeout=1000) as chosen:
        bar.choose("workspace")
    assert chosen.args == ["workspace"]
    assert bar.current_key() == "workspace"


def test_setting_tabs_chooses_nothing(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    with qtbot.assertNotEmitted(bar.tab_chosen):
        bar.set_tabs(list(reversed(TABS)))
    assert bar.current_key() == TABS[-1].key


def test_a_longer_count_makes_its_tab_wider_and_is_read_aloud(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    before = bar.tabRect(0).width()
    assert bar.set_counts({"channel": ("10 of 34", "Channel, 10 of 34 memories")})
    assert bar.tabRect(0).width() > before
    assert bar.accessibleTabName(0) == "Channel, 10 of 34 memories"


def test_narrow_tabs_take_less_room(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    before = bar.sizeHint().width()
    bar.set_room(TabRoom.SMALL)
    assert bar.sizeHint().width() < before


def test_the_chosen_tab_is_underlined(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    bar.resize(bar.sizeHint())
    picture = bar.grab().toImage()
    y = bar.tabRect(0).bottom() - 1
    assert picture.pixelColor(bar.tabRect(0).left() + 5, y) == theme.color("accent")
    assert picture.pixelColor(bar.tabRect(1).left() + 5, y) != theme.color("accent")


def test_what_fits_is_never_scrolled(theme: Theme, qtbot: QtBot) -> None:
    bar = a_bar(theme, qtbot)
    bar.choose("workspace")
    bar.set_room(TabRoom.SMALL)
    small = bar.needed_width()
    bar.set_room(TabRoom.FULL)
    bar.resize(small, bar.height())
    bar.set_room(TabRoom.SMALL)
    assert bar.tabRect(0).left() == 0
    assert bar.tabRect(1).right() < small
