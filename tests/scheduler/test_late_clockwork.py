"""A clock that is made when it is needed: nothing before, nothing missed, nothing left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.scheduler.clockwork import Clockwork
from inklings_desktop.scheduler.late_clockwork import LateClockwork
from inklings_desktop.scheduler.memos import TaskNews
from inklings_desktop.scheduler.tasks import Work
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.background.tasks import TaskSituation
from tests.scheduler.clock_bench import ClockBench
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import HANG_SECONDS, Stopwatch
from tests.usecases.world import World

TARGET = backfill_of(WORKSPACE_ID)


class LateBench:
    """A late clockwork on a thread of its own, and how often one was made."""

    def __init__(self, world: World, most_seconds: float = HANG_SECONDS) -> None:
        self.bench = ClockBench(world)
        self.looked, self.ended = threading.Event(), threading.Event()
        self.n_made = 0
        self.late = LateClockwork(self._made, most_seconds)
        self.late.on_news = self._on_news
        self.thread = threading.Thread(target=self.late.loop)

    def _made(self) -> Clockwork:
        self.n_made += 1
        clockwork, world = self.bench.clockwork, self.bench.world

        def noted(caller: Caller, workspace_id: str | None) -> tuple[TaskSituation, ...]:
            self.looked.set()
            return asked_by(caller, world).tasks.look(workspace_id)

        clockwork.work = Work(stood_in(self.bench.inklings, use_cases={"tasks.look": noted}))
        return clockwork

    def _on_news(self, news: TaskNews) -> None:
        if news.what == "finished":
            self.ended.set()

    def n_without_vector(self) -> int:
        """Memories that still wait for one."""
        world = self.bench.world
        with world.store.read(WORKSPACE_ID) as view:
            return view.memories.n_without_vector(world.embedder.model_id)


@pytest.fixture
def bench(world: World) -> Iterator[LateBench]:
    made = LateBench(world)
    yield made
    made.late.close(drain_seconds=0.0)
    if made.thread.is_alive():
        made.thread.join(HANG_SECONDS)
    assert not made.thread.is_alive()


def test_nothing_is_made_or_looked_at_before_the_window_says_so(bench: LateBench) -> None:
    bench.thread.start()
    bench.late.note_activity()
    assert not bench.looked.wait(0.2)
    assert bench.n_made == 0
    bench.late.begin()
    assert bench.looked.wait(HANG_SECONDS)
    assert bench.n_made == 1


def test_it_begins_by_itself_where_nobody_says_so(world: World) -> None:
    bench = LateBench(world, most_seconds=0.01)
    bench.thread.start()
    try:
        assert bench.looked.wait(HANG_SECONDS)
    finally:
        bench.late.close(drain_seconds=0.0)
        bench.thread.join(HANG_SECONDS)


def test_closing_does_not_wait_for_a_clock_that_never_began(bench: LateBench) -> None:
    bench.thread.start()
    watch = Stopwatch()
    bench.late.close(drain_seconds=HANG_SECONDS)
    bench.thread.join(HANG_SECONDS)
    assert not bench.thread.is_alive()
    assert watch.seconds < HANG_SECONDS
    assert bench.n_made == 0


def test_a_persons_request_begins_at_once(bench: LateBench) -> None:
    bench.thread.start()
    bench.late.request(TARGET)
    assert bench.ended.wait(HANG_SECONDS)
    assert bench.n_made == 1


def test_what_is_written_before_it_is_made_gets_its_vector(bench: LateBench) -> None:
    entry = a_memory("written early")
    bench.bench.keep(entry)
    scopes = frozenset({entry.scope})
    bench.late.on_changes(MemoryChanges(WORKSPACE_ID, scopes, added=(entry.id,), own=True))
    bench.late.close(drain_seconds=HANG_SECONDS)
    bench.thread.start()
    bench.thread.join(HANG_SECONDS)
    assert bench.n_made == 1
    assert bench.n_without_vector() == 0
