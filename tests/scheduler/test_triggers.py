from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence
from inklings_desktop.domain.background.tasks import RunState, TaskKind, TaskRun, TaskTarget
from inklings_desktop.domain.memory import Tier
from inklings_desktop.scheduler.tasks import (
    Reason,
    Situation,
    Trigger,
    Work,
    next_due,
    reason_to_run,
    waits_for_idle,
)
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from tests.support.builders import NOON, WORKSPACE_ID, set_to, the_clock
from tests.support.stand_ins import played

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
YEAR = timedelta(days=365)
BACKFILL = Trigger(MINUTE, 30 * MINUTE, at_start=True)
DAILY = Trigger(MINUTE, DAY, n_new=12, idle=10 * MINUTE)


def at(now: datetime, **values: Any) -> Situation:
    return Situation(now, NOON, values.pop("since", NOON), **values)


@pytest.mark.parametrize(
    ("trigger", "situation", "expected"),
    [
        (BACKFILL, at(NOON + 59 * timedelta(seconds=1)), None),
        (BACKFILL, at(NOON + MINUTE), Reason.START),
        (BACKFILL, at(NOON + MINUTE, has_run=True), None),
        (BACKFILL, at(NOON + 30 * MINUTE, has_run=True), Reason.INTERVAL),
        (DAILY, at(NOON + MINUTE), None),
        (DAILY, at(NOON + DAY), Reason.INTERVAL),
        (DAILY, at(NOON + MINUTE, since=NOON - DAY), Reason.START),
        (DAILY, at(NOON + MINUTE, since=NOON - DAY, has_run=True), Reason.INTERVAL),
        (DAILY, at(NOON + HOUR, since=NOON - DAY + HOUR), Reason.INTERVAL),
        (DAILY, at(NOON, n_new=12, idle=10 * MINUTE), Reason.NEW_ENTRIES),
        (DAILY, at(NOON, n_new=11, idle=HOUR), None),
        (DAILY, at(NOON, n_new=12, idle=9 * MINUTE), None),
        (DAILY, at(NOON, left_behind=True), Reason.RESUMED),
        (DAILY, at(NOON, requested=True, left_behind=True), Reason.REQUEST),
        (Trigger(on_event=True), at(NOON, event=True), Reason.EVENT),
        (Trigger(on_event=True), at(NOON, event=True, quiet_until=NOON + HOUR), None),
        (DAILY, at(NOON + DAY, quiet_until=NOON + DAY + HOUR), None),
        (DAILY, at(NOON + DAY, quiet_until=NOON + DAY), Reason.INTERVAL),
        (DAILY, at(NOON, requested=True, quiet_until=NOON + DAY), Reason.REQUEST),
        (DAILY, at(NOON, left_behind=True, quiet_until=NOON + DAY), Reason.RESUMED),
        (Trigger(on_event=True), at(NOON), None),
        (Trigger(), at(NOON + YEAR, event=True, n_new=1000, idle=DAY), None),
        (Trigger(), at(NOON, requested=True), Reason.REQUEST),
    ],
)
def test_what_is_due_and_why(
    trigger: Trigger, situation: Situation, expected: Reason | None
) -> None:
    assert reason_to_run(trigger, situation) is expected


def test_after_thirty_missed_runs_one_run_makes_up_for_all() -> None:
    since, n_runs = NOON - 30 * DAY, 0
    for minutes in range(1, 24 * 60):  # the day after the start
        now = NOON + minutes * MINUTE
        if reason_to_run(DAILY, at(now, since=since)) is not None:
            since, n_runs = now, n_runs + 1
    assert n_runs == 1
    assert next_due(DAILY, at(NOON + DAY, since=since)) == since + DAY


@pytest.mark.parametrize("jump", [-10 * YEAR, 100 * YEAR, -HOUR, HOUR])
def test_a_clock_that_jumps_brings_at_most_one_run_and_never_stops_the_next(
    jump: timedelta,
) -> None:
    since, n_runs = NOON, 0
    for hours in range(49):  # two days on the new time
        now = NOON + jump + hours * HOUR
        if reason_to_run(DAILY, at(now, since=since)) is not None:
            since, n_runs = now, n_runs + 1
    assert n_runs == (2 if jump == HOUR else 3)  # one for the jump, then one a day


def test_the_hour_that_daylight_saving_repeats_counts_once() -> None:
    before = datetime(2026, 10, 25, 0, 59, tzinfo=UTC)  # 02:59 in Berlin, for the first time
    after = before + 2 * MINUTE  # 02:01, for the second
    hourly = Trigger(every=HOUR)
    assert reason_to_run(hourly, at(after, since=before)) is None
    assert reason_to_run(hourly, at(before + HOUR, since=before)) is Reason.INTERVAL


def test_only_the_persons_presence_may_hold_a_run_up() -> None:
    assert waits_for_idle(DAILY, at(NOON, n_new=12))
    assert not waits_for_idle(DAILY, at(NOON, n_new=3))
    assert not waits_for_idle(DAILY, at(NOON, n_new=12, idle=HOUR))


def test_the_cadences_are_those_of_the_product() -> None:
    config = BackgroundConfig()
    assert config.cadence(Tier.CHANNEL) == Cadence(12, 0.0, 24.0)
    assert config.cadence(Tier.WORKSPACE) == Cadence(40, 10.0, 168.0)
    assert config.cadence(Tier.ACCOUNT) == Cadence(20, 10.0, 336.0)
    assert config.cadence(Tier.CONVERSATION).interval is None
    assert config.backfill_minutes == 30.0
    assert Cadence(0, 0.0, 0.0).interval is None


def test_backups_are_looked_after_at_the_start_and_every_few_hours() -> None:
    target = TaskTarget(TaskKind.BACKUP, WORKSPACE_ID)

    def trigger_of(hours: float) -> Trigger:
        settings = set_to(background=BackgroundConfig(backup_hours=hours))
        return Work(played(the_clock(), {"settings": settings}, {})).trigger_of(target)

    assert trigger_of(4) == Trigger(MINUTE, timedelta(hours=4), at_start=True)
    assert trigger_of(0) == Trigger(MINUTE)


def test_the_clock_backs_up_what_changed() -> None:
    asked: list[tuple[str, str | None, str]] = []

    def back_up(
        caller: Caller, workspace_id: str | None, *, trigger: str, progress: Progress
    ) -> TaskRun:
        asked.append((caller.name, workspace_id, trigger))
        progress.report("copy", 0, 1)
        target = TaskTarget(TaskKind.BACKUP, workspace_id)
        return TaskRun("", target, trigger, RunState.FINISHED, NOON, NOON, {"backed_up": 1})

    work = Work(played(the_clock(), {}, {"keeping.back_up_changes": back_up}))
    run = work.run(TaskTarget(TaskKind.BACKUP, None), "interval", UNHEARD, lambda: 0.0)

    assert asked == [("backup", None, "interval")]
    assert run.counts == {"backed_up": 1}
