"""Tier cards, things worth a look, latest events: as a person and a screen reader meet them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.overview import Attention
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.control.cards import TierAct
from inklings_desktop.ui.control.overview_facts import look_facts, tier_facts
from inklings_desktop.ui.control.tiers_view import TiersView
from inklings_desktop.ui.kit.lists.event_list_model import EventRow, EventTone
from inklings_desktop.ui.kit.look.theme import Theme
from tests.ui.test_overview_facts import WORKSPACE

FADED = Attention(AttentionKind.BELOW_THRESHOLD, {Tier.WORKSPACE: 6})
UNREAD = Attention(AttentionKind.NEVER_READ, {Tier.CHANNEL: 5, Tier.ACCOUNT: 1})


def an_event(number: int, tone: EventTone = EventTone.PLAIN) -> EventRow:
    return EventRow(
        number=number,
        number_text=str(number),
        age="3 min ago",
        exact="14 Mar 2026, 11:57",
        kind="memory.created",
        actor="orchestrator",
        what=f"Working hypothesis {number}",
        accessible_description=f"event {number}",
        tone=tone,
    )


def a_view(theme: Theme, qtbot: QtBot, width: int = 1160, height: int = 760) -> TiersView:
    view = TiersView(theme)
    qtbot.addWidget(view)
    view.show_tiers([tier_facts(replace(WORKSPACE, tier=tier)) for tier in Tier])
    view.show_looks([look_facts(FADED), look_facts(UNREAD)])
    view.resize(width, height)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    return view


def test_every_card_has_a_name_and_a_summary(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot)
    names = [card.accessibleName() for card in view.cards.values()]
    assert names == ["Conversation tier", "Channel tier", "Workspace tier", "Account tier"]
    card = view.cards[Tier.WORKSPACE]
    assert card.accessibleDescription().startswith("43 memories; +6 in 30 days; vivid 17")
    assert card.bands.accessibleDescription() == "Vivid 17, Steady 16, Fading 7, Nearly gone 3"
    assert card.growth.accessibleDescription() == "37 30 days ago, 43 now"
    assert card.coverage.accessibleDescription() == "41 of 43"
    nameless = [
        button
        for button in view.findChildren(QAbstractButton)
        if not (button.accessibleName() or button.text())
        and button.objectName() != "qt_tableview_cornerbutton"  # Qt's own, never shown
    ]
    assert nameless == []


def test_the_menu_of_a_card_opens_its_memories(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot)
    card = view.cards[Tier.CHANNEL]
    heard: list[tuple[TierAct, Tier]] = []
    view.act_requested.connect(lambda *both: heard.append(both))
    QTest.keyClick(card.menu_button, Qt.Key.Key_Space)
    qtbot.waitUntil(card.menu.isVisible)
    QTest.keyClick(card.menu, Qt.Key.Key_Down)
    QTest.keyClick(card.menu, Qt.Key.Key_Return)
    assert heard == [(TierAct.OPEN, Tier.CHANNEL)]


def test_the_menu_offers_what_can_be_done_with_a_tier(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot)
    heard: list[tuple[TierAct, Tier]] = []
    view.act_requested.connect(lambda *both: heard.append(both))
    offered = {
        tier: [one.text() for one in card.menu.actions() if one.isVisible()]
        for tier, card in view.cards.items()
    }
    always = ["Open in Memory", "Export tier\u2026", "Scrub this tier\u2026"]
    runs = ["Review the plan\u2026", "Run history\u2026"]
    assert offered[Tier.CONVERSATION] == always  # it is never consolidated
    assert offered[Tier.ACCOUNT] == [always[0], *runs, *always[1:]]
    for action in view.cards[Tier.ACCOUNT].menu.actions():
        action.trigger()
    assert heard == [(act, Tier.ACCOUNT) for act in TierAct]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_row_opens_its_list_by_key(key: Qt.Key, theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot)
    with qtbot.waitSignal(view.look.look_requested) as asked:
        QTest.keyClick(view.look.rows[0], key)
    assert asked.args == [AttentionKind.BELOW_THRESHOLD, Tier.WORKSPACE]


def test_a_row_of_several_tiers_asks_which_one(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot)
    row = view.look.rows[1]
    texts = [action.text() for action in row.menu().actions()]
    assert texts == ["All channels\t5", "Account\t1"]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    with qtbot.waitSignal(view.look.look_requested) as asked:
        menu.actions()[1].trigger()
    menu.close()
    assert asked.args == [AttentionKind.NEVER_READ, Tier.ACCOUNT]


def test_rows_without_memories_do_not_appear_and_none_is_a_calm_sentence(
    theme: Theme, qtbot: QtBot
) -> None:
    view = a_view(theme, qtbot)
    view.look.rows[1].setFocus()
    view.show_looks([look_facts(UNREAD)])
    assert [row.facts.kind for row in view.look.rows] == [AttentionKind.NEVER_READ]
    assert view.look.rows[0].hasFocus()
    kept = view.look.rows[0]
    view.show_looks([look_facts(replace(UNREAD, by_tier={Tier.ACCOUNT: 1}))])
    assert list(view.look.rows) == [kept]
    assert kept.accessibleName() == "1 never read"
    view.show_looks([])
    assert list(view.look.rows) == []
    assert view.look.calm.isVisible()
    assert view.look.calm.text().startswith("Nothing needs a look.")


LOOKS = ["lookGolden", "look-below_threshold", "look-never_read"]


@pytest.mark.parametrize(
    ("width", "below"), [(1160, ["openEventLog", *LOOKS]), (800, [*LOOKS, "openEventLog"])]
)
def test_every_action_is_reached_by_tab_in_reading_order(
    width: int, below: list[str], theme: Theme, qtbot: QtBot
) -> None:
    view = a_view(theme, qtbot, width)
    view.show_events([an_event(1)])
    view.show_looks([])
    view.show_looks([look_facts(FADED), look_facts(UNREAD)])
    first = view.cards[Tier.CONVERSATION].menu_button
    first.setFocus()
    visited = [first.objectName()]
    for _ in range(7):
        before = QApplication.focusWidget()
        assert before is not None
        QTest.keyClick(before, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        visited.append(focus.objectName())
    assert visited == ["tierMenu"] * 4 + below


@pytest.mark.parametrize(("width", "columns"), [(1160, 4), (1040, 4), (1020, 2), (700, 2)])
def test_cards_stand_side_by_side_where_there_is_room(
    width: int, columns: int, theme: Theme, qtbot: QtBot
) -> None:
    view = a_view(theme, qtbot, width)
    view.show_events([an_event(number) for number in range(9, 0, -1)])
    QApplication.processEvents()
    tops = {card.geometry().top() for card in view.cards.values()}
    assert len(tops) == 4 // columns
    assert len({card.height() for card in view.cards.values()}) == 1
    assert (view.latest.geometry().top() == view.look.geometry().top()) == (width >= 900)
    right = max(card.geometry().right() for card in view.cards.values())
    assert right <= view.viewport().width()
    assert view.horizontalScrollBar().maximum() == 0


def test_long_figures_take_the_room_of_the_line(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot, 1045)
    card = view.cards[Tier.WORKSPACE]
    assert card.growth.isVisible()
    card.show_facts(
        tier_facts(replace(WORKSPACE, n_active=1_000_000, n_new=999_999, n_embedded=43))
    )
    assert not card.growth.isVisible()
    assert card.accessibleDescription().startswith("1,000,000 memories")


def test_as_many_events_are_shown_as_fit_and_at_least_three(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot, height=900)
    events = [an_event(number) for number in range(12, 0, -1)]
    view.show_events(events)
    tall = len(view.latest.lines)
    view.resize(1160, 440)
    QApplication.processEvents()
    assert 3 == len(view.latest.lines) < tall < 13
    assert view.latest.lines[0].accessibleName() == "Working hypothesis 12"
    assert view.latest.lines[0].accessibleDescription() == "event 12"


def test_an_empty_log_leaves_its_room_to_what_is_worth_a_look(theme: Theme, qtbot: QtBot) -> None:
    view = a_view(theme, qtbot)
    assert not view.latest.isVisible()
    alone = view.look.width()
    view.show_events([an_event(1, EventTone.PERMANENT)])
    QApplication.processEvents()
    assert view.latest.isVisible()
    assert view.look.width() < alone / 2
    with qtbot.waitSignal(view.latest.log.clicked):
        QTest.keyClick(view.latest.log, Qt.Key.Key_Return)


def test_the_page_grows_with_the_text(theme: Theme, qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp)  # Qt asks for sizes again when the style sheet changes
    view = a_view(theme, qtbot)
    before = view.cards[Tier.WORKSPACE].sizeHint().height()
    theme.set_text_scale(1.4)
    QApplication.processEvents()
    assert view.cards[Tier.WORKSPACE].sizeHint().height() > before * 1.2
    assert len({card.geometry().top() for card in view.cards.values()}) == 2
    theme.set_text_scale(1.0)
