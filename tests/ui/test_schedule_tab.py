"""The schedule in the real window: what it shows, and each act on the store, undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QWidget

from inklings_desktop.domain.background.activities import (
    Activity,
    ActivityDraft,
    Budget,
    May,
    Outcome,
    activity_of,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.background.tasks import TaskTarget
from inklings_desktop.ui.control.schedule_dialog import ActivityDialog
from inklings_desktop.ui.kit.controls.buttons import ChoiceButton
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.usecases.background.background_work import BackgroundStatus
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
W = TypeVar("W", bound=QWidget)
NAMES = ("Chapter reading", "Sunday notes", "Weekly continuity")


def prepare(bench: Bench) -> None:
    """Three activities; the last one has run twice, the first one is off."""
    inklings, here = bench.inklings, bench.workspace.id
    forms: tuple[dict[str, Any], ...] = (
        {"once": "2099-03-10T10:30"}, {"monthly": 1, "at": "09:00"}, {"weekly": [2], "at": "10:30"},
    )  # fmt: skip
    for name, form in zip(NAMES, forms, strict=True):
        draft = ActivityDraft(
            name, "Report contradictions.", "general", schedule_of(form),
            Budget(cost_micro=500_000), name != NAMES[0],
        )  # fmt: skip
        made = inklings.activities.make(here, draft)
    with inklings.parts.store.write(here, initiator="test") as unit:
        now = inklings.clock()
        for number, outcome in enumerate((Outcome.BUDGET, Outcome.DONE)):
            run, at = f"c{number}:t1", now - timedelta(days=7 - 7 * number, minutes=30)
            unit.activities.begin_run(made.id, run, f"c{number}", at)
            problem = "limit_reached" if outcome is Outcome.BUDGET else ""
            unit.activities.end_run(run, outcome, problem, at + timedelta(minutes=4))
        unit.commit()


async def the_tab(bench: WindowBench) -> Any:
    """The tab, once it shows what is stored."""
    opened = bench.window.opened
    assert opened is not None
    opened.context.go(ToTab("schedule"))
    page: Any = opened.pages.page(CONTROL_PAGE)
    tab = page.tab("schedule")
    await until(lambda: tab.content is not None and bool(tab.content.activities))
    return tab


def stored(bench: WindowBench) -> dict[str, bool]:
    """Names of the activities that are stored, and whether each is on."""
    found = bench.bench.inklings.activities.list(bench.bench.workspace.id)
    return {one.activity.name: one.activity.enabled for one in found}


def part_of(above: QWidget, kind: type[W], name: str) -> W:
    """The part of this name."""
    found = above.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def the_first(bench: WindowBench) -> Activity:
    """The first activity that is stored."""
    return bench.bench.inklings.activities.list(bench.bench.workspace.id)[0].activity


async def undone(bench: WindowBench, tab: Any, wanted: dict[str, bool]) -> None:
    """Undo the step by the toast, and wait for what it brings back."""
    undo = bench.memory.undo
    await until(lambda: undo.stack.canUndo() and tab.toast.isVisible())
    tab.toast.undo_requested.emit()
    await until(lambda: stored(bench) == wanted)


async def the_dialog(bench: WindowBench) -> ActivityDialog:
    """The dialog that is open, once it is."""

    def found() -> list[ActivityDialog]:
        return [one for one in bench.window.findChildren(ActivityDialog) if one.isVisible()]

    await until(lambda: bool(found()))
    return found()[0]


BEFORE = {NAMES[0]: False, NAMES[1]: True, NAMES[2]: True}


@scene(drive, prepare)
async def test_the_tab_tells_activities_and_runs(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    assert [one.activity.name for one in tab.content.activities] == list(NAMES)
    tab.focus_list()
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_Down)
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_Down)
    await until(lambda: len(tab.content.runs) == 2)
    assert [one.outcome for one in tab.content.runs] == [Outcome.DONE, Outcome.BUDGET]


@scene(drive, prepare)
async def test_space_switches_the_current_one_and_that_is_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    tab.focus_list()
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_Space)
    await until(lambda: stored(bench)[NAMES[0]])
    await undone(bench, tab, BEFORE)


@scene(drive, prepare)
async def test_all_are_paused_at_once_and_that_is_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    part_of(tab.view, QAbstractButton, "pauseActivities").click()
    await until(lambda: not any(stored(bench).values()))
    await undone(bench, tab, BEFORE)


@scene(drive, prepare)
async def test_a_new_one_is_made_in_the_dialog_and_that_is_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    tab.make_new()
    dialog = await the_dialog(bench)
    assert not dialog.confirm.isEnabled()
    part_of(dialog, QLineEdit, "activityName").setText("Digest")
    part_of(dialog, QPlainTextEdit, "activityPrompt").setPlainText("What is new?")
    part_of(dialog, QAbstractButton, "day2").setChecked(False)
    assert not dialog.confirm.isEnabled()  # a week without a day
    part_of(dialog, QAbstractButton, "day5").setChecked(True)
    dialog.confirm.click()
    await until(lambda: "Digest" in stored(bench))
    made = bench.bench.inklings.activities.get(bench.bench.workspace.id, "Digest").activity
    assert (made.schedule.days, f"{made.schedule.at:%H:%M}") == ((5,), "10:30")
    await undone(bench, tab, BEFORE)


@scene(drive, prepare)
async def test_who_does_it_and_what_it_may_are_kept(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    tab.focus_list()
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_Return)
    dialog = await the_dialog(bench)
    who = part_of(dialog, ChoiceButton, "activityAgent")
    assert who.value == "world-agent"
    who.acts["codex"].trigger()
    texts = [one.text() for one in dialog.findChildren(QLabel) if one.isVisible()]
    assert "Codex is not installed here." in texts
    assert not dialog.may[May.KEEP].isEnabled()  # it may what it was let in for
    dialog.may[May.PROPOSE].setChecked(False)
    dialog.confirm.click()
    await until(lambda: the_first(bench).agent == "codex")
    assert the_first(bench).budget.may == {May.KEEP}
    await until(lambda: not tab.content.can_run(tab.content.activities[0]))
    await undone(bench, tab, BEFORE)
    await until(lambda: the_first(bench).agent == "world-agent")


@scene(drive, prepare)
async def test_an_edit_is_kept_by_ctrl_s_and_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    tab.focus_list()
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_Return)
    dialog = await the_dialog(bench)
    part_of(dialog, QLineEdit, "activityName").setText("Chapters")
    QTest.keyClick(dialog, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "Chapters" in stored(bench))
    await undone(bench, tab, BEFORE)


@scene(drive, prepare)
async def test_delete_takes_it_away_and_undo_brings_it_back(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    tab.focus_list()
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_Delete)
    await until(lambda: NAMES[0] not in stored(bench))
    await undone(bench, tab, BEFORE)


@scene(drive, prepare)
async def test_r_runs_the_current_one_and_stops_it_while_it_runs(bench: WindowBench, /) -> None:
    tab, here = await the_tab(bench), bench.bench.workspace.id
    told: list[tuple[str, TaskTarget]] = []
    clock = SimpleNamespace(
        request=lambda of: told.append(("request", of)),
        cancel=lambda of: told.append(("cancel", of)),
        status=lambda: BackgroundStatus(False, ()),
    )
    tab.inklings = replace(tab.inklings, background=clock)
    tab.focus_list()
    QTest.keyClick(part_of(tab.view, QWidget, "scheduleList"), Qt.Key.Key_R)
    activity = tab.content.activities[0].activity
    target = activity_of(here, activity.id)
    assert told == [("request", target)]
    with bench.bench.inklings.parts.store.write(here, initiator="test") as unit:
        unit.activities.put(replace(activity, last_outcome=Outcome.RUNNING))
        unit.commit()
    await until(lambda: tab.content.activities[0].activity.last_outcome is Outcome.RUNNING)
    part_of(tab.view, QAbstractButton, f"run:{activity.id}").click()
    assert told == [("request", target), ("cancel", target)]
