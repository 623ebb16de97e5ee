"""The strip at the foot of the rail: lines, ring, cross, and what turns when."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.words.task_words import StripLine, strip_lines
from inklings_desktop.ui.rail.pane import RailPane
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)
from tests.support.builders import WORKSPACE_ID
from tests.ui.fake_clock import BACKFILL, WORKSPACE
from tests.ui.presenter_bench import Heard

RUNNING = TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 6, 16)
WAITING = TaskStatus(WORKSPACE, TaskPhase.WAITS_FOR_IDLE)
FAILED = TaskStatus(WORKSPACE, TaskPhase.FAILED, problem="DatabaseFullError")


def lines_of(*tasks: TaskStatus, is_paused: bool = False) -> tuple[StripLine, ...]:
    return strip_lines(BackgroundStatus(is_paused, tasks), WORKSPACE_ID, ())


def a_rail(theme: Theme, qtbot: QtBot) -> RailPane:
    rail = RailPane(theme)
    qtbot.addWidget(rail)
    rail.resize(rail.width(), 700)
    rail.show()
    rail.activateWindow()
    qtbot.waitUntil(rail.isActiveWindow)
    return rail


def test_it_is_hidden_until_there_is_something_to_say(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    assert not rail.tasks.isVisible()
    rail.tasks.show_lines(lines_of(RUNNING, WAITING))
    assert rail.tasks.isVisible()
    qtbot.waitUntil(lambda: rail.tasks.geometry().bottom() == rail.height() - 1)
    assert rail.tasks.width() == rail.width()
    rail.tasks.show_lines(())
    assert not rail.tasks.isVisible()


def test_lines_are_named_and_described(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    strip = rail.tasks
    strip.show_lines(lines_of(RUNNING, WAITING))
    assert [
        (one.objectName(), one.accessibleName(), one.accessibleDescription()) for one in strip.lines
    ] == [
        ("taskBackfill", "Preparing for search", "Running, 6 of 16"),
        (
            "taskConsolidation",
            "Consolidate workspace",
            "Waits until you stop typing for a while",
        ),
    ]
    running, waiting = strip.lines
    assert running.end.accessibleName() == "Cancel: Preparing for search"
    assert running.height() > waiting.height()
    assert not waiting.end.isVisible()


def test_cross_line_and_triangle_say_what_was_wanted(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    strip = rail.tasks
    cancelled = Heard().to(strip.cancel_requested)
    opened = Heard().to(strip.opened)
    resumed: list[bool] = []
    strip.resume_requested.connect(lambda: resumed.append(True))
    strip.show_lines(lines_of(RUNNING, FAILED))
    running, failed = strip.lines
    QTest.mouseClick(running.end, Qt.MouseButton.LeftButton)
    assert (cancelled.payloads, opened.payloads) == (["backfill"], [])
    failed.setFocus()
    QTest.keyClick(failed, Qt.Key.Key_Return)
    assert opened.payloads == ["workspace"]
    strip.show_lines(lines_of(WAITING, is_paused=True))
    (paused,) = strip.lines
    assert paused.end.accessibleName() == "Resume background work"
    QTest.mouseClick(paused.end, Qt.MouseButton.LeftButton)
    assert resumed == [True]


def test_a_line_that_goes_on_keeps_the_keyboard(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    strip = rail.tasks
    strip.show_lines(lines_of(WAITING))
    (line,) = strip.lines
    line.setFocus()
    strip.show_lines(lines_of(RUNNING, WAITING))
    assert line is strip.lines[1]
    assert line.hasFocus()


def test_the_narrow_rail_shows_one_ring(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    rail.set_compact(compact=True)
    strip = rail.tasks
    strip.show_lines(lines_of(RUNNING, WAITING))
    assert strip.ring.isVisible()
    assert (strip.ring.width(), strip.ring.height()) == (26, 26)
    assert not any(line.isVisible() for line in strip.lines)
    assert not strip.ring.mark.isVisible()
    assert strip.ring.accessibleName() == "Preparing for search"
    told = "Embedding 6 of 16; Consolidation waits for idle"
    assert strip.ring.accessibleDescription() == told
    opened = Heard().to(strip.opened)
    QTest.mouseClick(strip.ring, Qt.MouseButton.LeftButton)
    assert opened.payloads == ["backfill"]
    strip.show_lines(lines_of(WAITING))
    assert strip.ring.mark.isVisible()
    rail.set_compact(compact=False)
    assert not strip.ring.isVisible()
    assert strip.lines[0].isVisible()


def painted(widget: QWidget, role: str, theme: Theme) -> int:
    """Pixels in the colour of a role."""
    picture, wanted = widget.grab().toImage(), theme.color(role).rgb()
    return sum(
        picture.pixel(x, y) == wanted
        for x in range(picture.width())
        for y in range(picture.height())
    )


def test_the_bar_grows_with_the_work(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    strip = rail.tasks
    strip.show_lines(lines_of(RUNNING))
    few = painted(strip.lines[0], "accent", theme)
    done = TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 15, 16)
    strip.show_lines(lines_of(done))
    assert painted(strip.lines[0], "accent", theme) > few + 200


def test_the_arrows_turn_only_in_the_active_window(theme: Theme, qtbot: QtBot) -> None:
    rail = a_rail(theme, qtbot)
    rail.tasks.show_lines(lines_of(RUNNING))
    mark = rail.tasks.lines[0].mark
    assert mark.is_turning
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not mark.is_turning)
    rail.activateWindow()
    qtbot.waitUntil(lambda: mark.is_turning)
    rail.hide()
    assert not mark.is_turning


@pytest.mark.parametrize("task", [WAITING, FAILED])
def test_what_does_not_run_stands_still(theme: Theme, qtbot: QtBot, task: TaskStatus) -> None:
    rail = a_rail(theme, qtbot)
    rail.tasks.show_lines(lines_of(task))
    assert not rail.tasks.lines[0].mark.is_turning


def test_reduced_motion_stops_the_arrows(qtbot: QtBot) -> None:
    still = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    rail = a_rail(still, qtbot)
    rail.tasks.show_lines(lines_of(RUNNING))
    assert not rail.tasks.lines[0].mark.is_turning
