"""Activities on the clock: due at their time, caught up once after a start, run on request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from inklings_desktop.domain.background.activities import (
    Activity,
    ActivityDraft,
    Errand,
    Outcome,
    RunEnd,
    activity_of,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.scheduler.memos import TaskNews
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.background.background_work import TaskPhase
from inklings_desktop.usecases.ports.progress import Progress
from tests.scheduler.clock_bench import ClockBench
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.stopwatch import HANG_SECONDS
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


def test_on_its_battery_the_machine_waits_unless_a_person_asks(
    world: World, runner: PlayedRunner
) -> None:
    activity, bench = made(world, {"daily": "10:30"}), ClockBench(world, on_battery=True)
    target, states = activity_of(WORKSPACE_ID, activity.id), []
    bench.clockwork.on_state = lambda status: states.append(
        next(one.phase for one in status.tasks if one.target == target)
    )
    bench.pass_time(minutes=151)
    bench.clockwork.run_due()
    bench.clockwork.run_due()
    assert states[-1] is TaskPhase.WAITS_FOR_MAINS
    assert states.count(TaskPhase.WAITS_FOR_MAINS) == 1
    assert not runner.asked
    bench.clockwork.request(target)
    bench.clockwork.run_due()
    assert len(runner.asked) == 1
    bench.pass_time(minutes=24 * 60)
    bench.clockwork.run_due()
    assert len(runner.asked) == 1
    bench.on_battery = False
    bench.clockwork.run_due()
    assert (len(runner.asked), states[-1]) == (2, TaskPhase.WAITING)


@dataclass
class Ticking:
    """The clock on a thread of its own, and what it told so far."""

    bench: ClockBench
    told: list[tuple[str, str]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def hear(self, news: TaskNews) -> None:
        with self.changed:
            self.told.append((news.status.target.name, news.what))
            self.changed.notify_all()

    def wait_for(self, *told: tuple[str, str]) -> None:
        with self.changed:
            there = self.changed.wait_for(lambda: set(told) <= set(self.told), HANG_SECONDS)
        assert there, self.told

    def started(self) -> list[str]:
        with self.changed:
            return [name for name, what in self.told if what == "started"]


@contextmanager
def ticking(bench: ClockBench) -> Iterator[Ticking]:
    """The clock at work; it has ended at the end."""
    clock = Ticking(bench)
    bench.clockwork.on_news = clock.hear
    thread = threading.Thread(target=bench.clockwork.loop)
    thread.start()
    try:
        yield clock
    finally:
        bench.clockwork.close(drain_seconds=0)
        thread.join(HANG_SECONDS)
    assert not thread.is_alive()


@dataclass
class LongRunner(PlayedRunner):
    """Is at work until it is told to stop, or its gate is opened."""

    begun: threading.Event = field(default_factory=threading.Event)
    gate: threading.Event = field(default_factory=threading.Event)

    def carry_out(self, errand: Errand, progress: Progress) -> RunEnd:
        self.begun.set()
        while not (self.gate.wait(0.01) or progress.is_cancelled()):
            pass
        return super().carry_out(errand, progress)


@pytest.fixture
def long_runner(world: World) -> LongRunner:
    world.clock.now = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)
    world.adapters.activities = LongRunner()
    return world.adapters.activities  # type: ignore[no-any-return]


def test_while_one_runs_the_clock_goes_on_with_everything_else(
    world: World, long_runner: LongRunner
) -> None:
    first, second = (
        world.person.activities.make(
            WORKSPACE_ID, ActivityDraft(name, "Look", "map-room", schedule_of({"after_new": 9}))
        )
        for name in ("First", "Second")
    )
    bench = ClockBench(world)
    with ticking(bench) as clock:
        bench.clockwork.request(activity_of(WORKSPACE_ID, first.id))
        assert long_runner.begun.wait(HANG_SECONDS)
        bench.clockwork.request(activity_of(WORKSPACE_ID, second.id))
        bench.clockwork.request(backfill_of(WORKSPACE_ID))
        clock.wait_for(("backfill", "finished"))
        assert clock.started() == [f"activity:{first.id}", "backfill"]  # one activity at a time
        long_runner.gate.set()
        clock.wait_for((f"activity:{second.id}", "finished"))
    assert len(long_runner.asked) == 2


def test_one_that_is_cancelled_stops_alone_and_a_close_lets_it_rest(
    world: World, long_runner: LongRunner
) -> None:
    activity, bench = made(world, {"daily": "10:30"}), ClockBench(world)
    target = activity_of(WORKSPACE_ID, activity.id)
    with ticking(bench) as clock:
        bench.clockwork.request(target)
        assert long_runner.begun.wait(HANG_SECONDS)
        bench.clockwork.cancel(backfill_of(WORKSPACE_ID))
        bench.clockwork.request(backfill_of(WORKSPACE_ID))
        clock.wait_for(("backfill", "finished"))
        assert (f"activity:{activity.id}", "finished") not in clock.told
        long_runner.begun.clear()
        bench.clockwork.cancel(target)
        clock.wait_for((f"activity:{activity.id}", "finished"))
        bench.clockwork.request(target)
        assert long_runner.begun.wait(HANG_SECONDS)
    runs = world.person.activities.runs(WORKSPACE_ID, activity.id)
    assert {one.outcome for one in runs} == {Outcome.RUNNING, Outcome.STOPPED}
