"""What is asked of the event log: whose, what in it, which kinds, how far back."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.ui.events.state import (
    EventRequest,
    LogChoice,
    Period,
)
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.controls.popover import ChecklistPopover
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.theme import Theme
from tests.ui.presenter_bench import Heard
from tests.ui.views.event_log_scene import FACETS, some


def open_list(view: EventLogView) -> ChecklistPopover:
    return next(one for one in view.findChildren(ChecklistPopover) if one.isVisible())


def test_chips_offer_the_values_in_use_with_their_counts(view: EventLogView, qtbot: QtBot) -> None:
    asked = Heard().to(view.bar.request_changed)
    QTest.mouseClick(view.bar.kinds, Qt.MouseButton.LeftButton)
    popover = open_list(view)
    offered = [(option.label, option.count_text) for option in popover.shown_options()]
    assert offered == [("memory.created", "1,200"), ("access.denied", "3")]
    popover.findChildren(CheckBox)[1].click()
    assert asked.last.kinds == frozenset({EventKind.DENIED})
    popover.close()
    QTest.mouseClick(view.bar.tiers, Qt.MouseButton.LeftButton)
    popover = open_list(view)
    popover.findChildren(CheckBox)[1].click()
    popover.close()
    assert asked.last == EventRequest(
        kinds=frozenset({EventKind.DENIED}), tiers=frozenset({"channel"})
    )
    assert view.bar.kinds.value == "access.denied"
    assert view.bar.tiers.value == "Channel"
    assert view.bar.clear_all.isVisible()
    QTest.mouseClick(view.bar.clear_all, Qt.MouseButton.LeftButton)
    assert asked.last == EventRequest()
    assert not view.bar.clear_all.isVisible()


def test_the_period_is_one_of_six(view: EventLogView) -> None:
    asked = Heard().to(view.bar.request_changed)
    menu = view.bar.period_menu()
    assert [action.text() for action in menu.actions()] == [
        "Any time",
        "Last 24 hours",
        "Last 7 days",
        "Last 30 days",
        "Last 60 days",
        "Last 365 days",
    ]
    menu.actions()[4].trigger()
    assert asked.last == EventRequest(period=Period.TWO_MONTHS)
    assert view.bar.period.value == "last 60 days"
    QTest.keyClick(view.bar.period, Qt.Key.Key_Delete)
    assert asked.last == EventRequest()


def test_what_is_typed_is_asked_once_it_rests(view: EventLogView, qtbot: QtBot) -> None:
    asked = Heard().to(view.bar.request_changed)
    QTest.keyClicks(view.bar.search.edit, "48,112 ")
    qtbot.waitUntil(lambda: bool(asked.payloads))
    assert [one.text for one in asked.payloads] == ["48,112"]


def test_typing_survives_an_answer_that_comes_meanwhile(view: EventLogView) -> None:
    QTest.keyClicks(view.bar.search.edit, "half a wo")
    view.show_content(some(newest=61))
    assert view.bar.search.text() == "half a wo"


def test_the_other_log_keeps_what_is_looked_for_and_drops_its_own_values(
    view: EventLogView,
) -> None:
    asked = Heard().to(view.bar.request_changed)
    view.bar.show_request(
        EventRequest(kinds=frozenset({EventKind.DENIED}), period=Period.WEEK, text="dice"),
        FACETS,
    )
    view.bar.log.choose("account")
    assert asked.last == EventRequest(LogChoice.ACCOUNT, period=Period.WEEK, text="dice")


def test_the_chips_get_a_line_of_their_own_where_one_is_too_short(
    view: EventLogView, theme: Theme
) -> None:
    def is_below() -> bool:
        chip = view.bar.kinds.mapTo(view.bar, QPoint(0, 0)).y()
        return chip > view.bar.search.mapTo(view.bar, QPoint(0, 0)).y() + 20

    QApplication.processEvents()
    assert not is_below()
    theme.set_text_scale(1.4)
    view.resize(904, 500)
    QApplication.processEvents()
    assert is_below()
    assert view.bar.total.isVisible()
    theme.set_text_scale(1.0)
    view.resize(1212, 700)
    QApplication.processEvents()
    assert not is_below()


def test_larger_text_in_a_narrow_window_cuts_no_placeholder(
    view: EventLogView, theme: Theme
) -> None:
    theme.set_text_scale(1.4)
    try:
        view.resize(968, 520)
        view.show()
        QApplication.processEvents()
        edit = view.bar.search.edit
        said = edit.placeholderText()
        assert said in {"Find in the log", "Find"}
        assert edit.fontMetrics().horizontalAdvance(said) < edit.width()
    finally:
        theme.set_text_scale(1.0)
