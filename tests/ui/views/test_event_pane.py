"""The details of an event, beside the table or over it, and the check of the chain."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from inklings_desktop.ui.events.state import (
    ChainState,
    EventFact,
)
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.look.theme import Theme
from tests.ui.presenter_bench import Heard
from tests.ui.views.event_log_scene import DETAIL


def test_details_stand_beside_the_table_and_can_be_copied(view: EventLogView) -> None:
    assert view.pane.isVisible()
    assert view.pane.width() == 328
    assert not view.pane.copy.isVisible()
    view.show_detail(DETAIL)
    assert view.pane.title.text() == "Event 7"
    assert view.pane.permanent.isVisible()
    texts = [label.text() for label in view.pane.findChildren(QLabel)]
    assert "scrub.executed" in texts
    well = view.pane.findChild(QLabel, "manifestSummary")
    assert isinstance(well, QLabel)
    assert well.accessibleName() == "tier channel 143, named 0 kept"
    QTest.mouseClick(view.pane.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Saltglass, event 7"
    code = view.pane.findChild(QToolButton, "copyCode")
    assert isinstance(code, QToolButton)
    code.click()
    assert QGuiApplication.clipboard().text() == "9c1f44d2" * 8


def test_a_link_leads_to_the_event_that_belongs_to_it(view: EventLogView) -> None:
    wanted = Heard().to(view.pane.link_requested)
    view.show_detail(DETAIL)
    link = view.pane.findChild(QPushButton, "eventLink")
    assert isinstance(link, QPushButton)
    assert link.text() == "Check, 3 minutes later"
    link.click()
    assert wanted.payloads == [8]


def test_hostile_names_stay_plain_text(view: EventLogView) -> None:
    hostile = "<img src='file:///etc/passwd'><b>x</b>"
    view.show_detail(
        replace(DETAIL, facts=(EventFact("Actor", hostile),), summary=(f"source {hostile}",))
    )
    labels = {label.text(): label for label in view.pane.findChildren(QLabel)}
    assert labels[hostile].textFormat() is Qt.TextFormat.PlainText
    well = view.pane.findChild(QLabel, "manifestSummary")
    assert isinstance(well, QLabel)
    assert "&lt;img" in well.text()


def test_where_there_is_little_room_details_lie_over_the_table(view: EventLogView) -> None:
    view.resize(904, 500)
    QApplication.processEvents()
    view.show_detail(DETAIL)
    assert not view.pane.isVisible()
    assert view.table.viewport().width() > 850
    view.focus_table()
    assert not view.pane.isVisible(), "moving alone does not cover the table"
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert view.pane.isVisible()
    for size in ((904, 640), (860, 480)):
        view.resize(*size)
        QApplication.processEvents()
        corner = view.pane.mapTo(view, view.pane.rect().bottomRight())
        assert corner == view.rect().bottomRight()
    QTest.keyClick(view.table, Qt.Key.Key_Down)
    assert view.pane.isVisible()
    view.focus_pane()
    assert view.pane.details.hasFocus()
    QTest.keyClick(view.pane.details, Qt.Key.Key_Escape)
    assert not view.pane.isVisible()
    assert view.table.hasFocus()
    place = view.table.visualRect(view.table.model().index(3, 1)).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.pane.isVisible()
    QTest.mouseClick(view.pane.close_button, Qt.MouseButton.LeftButton)
    assert not view.pane.isVisible()
    view.resize(1212, 700)
    QApplication.processEvents()
    assert view.pane.isVisible()
    assert not view.pane.close_button.isVisible()


def test_f6_finds_the_table_and_the_details(view: EventLogView) -> None:
    (table, to_table), (pane, to_pane) = view.panes()
    to_pane()
    assert pane is view.pane
    assert view.pane.details.hasFocus()
    to_table()
    assert table.isAncestorOf(view.table)
    assert view.table.hasFocus()


# -- the chain ----------------------------------------------------------------------------------


def test_the_check_is_asked_for_and_its_verdict_stands_below(view: EventLogView) -> None:
    foot = view.foot
    asked, shown = Heard(), Heard()
    foot.check.clicked.connect(lambda: asked.payloads.append(1))
    foot.show_broken.clicked.connect(lambda: shown.payloads.append(1))
    QTest.mouseClick(foot.check, Qt.MouseButton.LeftButton)
    assert asked.payloads == [1]
    foot.show_state(ChainState(is_running=True))
    assert not foot.check.isEnabled()
    assert foot.text.text() == "Reading every log\u2026"
    foot.show_state(ChainState("Verified: 21 events in 2 logs, nothing altered."))
    assert foot.text.property("textStyle") == "meta"
    assert not foot.show_broken.isVisible()
    foot.show_state(
        ChainState(
            "The log of Saltglass: event 5 is not what was written.",
            is_broken=True,
            broken_number=5,
        )
    )
    assert foot.text.property("textStyle") == "error"
    QTest.mouseClick(foot.show_broken, Qt.MouseButton.LeftButton)
    assert shown.payloads == [1]


@pytest.mark.parametrize("scale", [0.9, 1.4])
def test_another_text_size_and_scheme_are_taken_up(
    view: EventLogView, theme: Theme, scale: float
) -> None:
    view.show_detail(DETAIL)
    theme.set_text_scale(scale)
    QApplication.processEvents()
    assert view.table.rowHeight(0) == round(34 * scale)
    assert view.pane.width() == round(328 * scale)


def test_a_pane_with_nothing_asks_for_nothing_that_may_not_be_there(view: EventLogView) -> None:
    view.show_detail(None)
    said = [one.text() for one in view.pane.findChildren(QLabel) if one.isVisibleTo(view.pane)]
    assert "No event chosen" in said
    assert "The chosen event is shown here." in said
    assert [one for one in said if one.startswith("Choose")] == []
