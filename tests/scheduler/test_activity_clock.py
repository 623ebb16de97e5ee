"""Activities on the clock: due at their time, caught up once after a start, run on request."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inklings_desktop.domain.background.activities import Activity, ActivityDraft, activity_of
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.background.background_work import TaskPhase
from tests.scheduler.clock_bench import ClockBench
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.usecases.test_activities import PlayedRunner
from tests.usecases.world import World


@pytest.fixture
def runner(world: World) -> PlayedRunner:
    """The agent of this world; the morning of 10 March 2026 begins."""
    world.clock.now = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)
    world.adapters.activities = PlayedRunner()
    return world.adapters.activities  # type: ignore[no-any-return]


def made(world: World, schedule: dict[str, object]) -> Activity:
    draft = ActivityDraft("Digest", "What is new?", "map-room", schedule_of(schedule, "UTC"))
    return world.person.activities.make(WORKSPACE_ID, draft)


def told(bench: ClockBench, activity: Activity) -> list[tuple[str, str]]:
    name = f"activity:{activity.id}"
    return [(what, why) for of, what, why in bench.told() if of == name]


def test_it_runs_at_its_time_and_not_before(world: World, runner: PlayedRunner) -> None:
    activity, bench = made(world, {"daily": "10:30"}), ClockBench(world)
    for minutes, n_runs in ((2, 0), (147, 0), (1, 1), (60, 1), (22 * 60 + 59, 1), (1, 2)):
        bench.pass_time(minutes=minutes)
        bench.clockwork.run_due()
        assert len(runner.asked) == n_runs
    assert told(bench, activity) == [("started", "interval"), ("finished", "interval")] * 2


def test_what_was_missed_is_made_up_for_once_after_the_start(
    world: World, runner: PlayedRunner
) -> None:
    activity = made(world, {"daily": "10:30"})
    world.clock.advance(days=7)
    world.clock.advance(hours=4)
    bench = ClockBench(world)
    bench.clockwork.run_due()
    assert runner.asked == []  # the window is only just there
    bench.pass_time(minutes=2)
    bench.clockwork.run_due()
    bench.pass_time(minutes=2)
    bench.clockwork.run_due()
    assert told(bench, activity) == [("started", "start"), ("finished", "start")]
    assert world.person.activities.get(WORKSPACE_ID, activity.id).activity.missed == 8


def test_a_person_need_not_wait_for_its_time(world: World, runner: PlayedRunner) -> None:
    activity, bench = made(world, {"daily": "10:30"}), ClockBench(world)
    bench.clockwork.run_due()
    target = activity_of(WORKSPACE_ID, activity.id)
    bench.clockwork.request(target)
    bench.clockwork.run_due()
    assert told(bench, activity) == [("started", "request"), ("finished", "request")]
    (status,) = [one for one in bench.clockwork.status().tasks if one.target == target]
    assert (status.phase, len(runner.asked)) == (TaskPhase.WAITING, 1)
    assert status.next_due_at == datetime(2026, 3, 10, 10, 30, tzinfo=UTC)


def test_new_memories_bring_it(world: World, runner: PlayedRunner) -> None:
    made(world, {"after_new": 2})
    bench, scope = ClockBench(world), ScopeKey.channel(WORKSPACE_ID, world.map_room.id)
    bench.pass_time(minutes=5)
    for n, text in enumerate(("The toll rose", "The ferry is late")):
        bench.clockwork.run_due()
        assert len(runner.asked) == 0, n
        bench.keep(a_memory(text, scope=scope, created_at=world.clock()))
    bench.clockwork.run_due()
    assert len(runner.asked) == 1


def test_a_window_that_closes_in_a_run_lets_it_rest_until_the_next_start(
    world: World, runner: PlayedRunner
) -> None:
    activity, bench = made(world, {"daily": "10:30"}), ClockBench(world)
    runner.meanwhile = lambda: bench.clockwork.close(drain_seconds=0)
    bench.pass_time(minutes=150)
    bench.clockwork.run_due()
    assert [what for what, _ in told(bench, activity)] == ["started", "finished"]
    runner.meanwhile = lambda: None
    again = ClockBench(world)
    again.clockwork.run_due()
    assert told(again, activity) == [("started", "resumed"), ("finished", "resumed")]
    assert runner.asked[0] == runner.asked[1]
