"""The clock in its QThread: signals reach QObjects, closing is quick, nothing is left behind."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Slot
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.scheduler.runner import SchedulerThread
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.background.background_work import BackgroundWork, TaskStatus
from tests.scheduler.clock_bench import ClockBench, gated
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.stopwatch import HANG_SECONDS, SLOWNESS, Stopwatch
from tests.usecases.world import World

TARGET = backfill_of(WORKSPACE_ID)
CLOSE_SECONDS = 2.0 * SLOWNESS


class Listener(QObject):
    """Notes what it hears, and on which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, TaskStatus]] = []
        self.threads: set[str] = set()

    @Slot(object)
    def on_started(self, status: TaskStatus) -> None:
        self._note("started", status)

    @Slot(object)
    def on_progressed(self, status: TaskStatus) -> None:
        self._note("progressed", status)

    @Slot(object)
    def on_finished(self, status: TaskStatus) -> None:
        self._note("finished", status)

    @Slot(object)
    def on_failed(self, status: TaskStatus) -> None:
        self._note("failed", status)

    def _note(self, what: str, status: TaskStatus) -> None:
        self.heard.append((what, status))
        self.threads.add(threading.current_thread().name)


def connected(thread: SchedulerThread) -> Listener:
    listener = Listener()
    thread.task_started.connect(listener.on_started)
    thread.task_progressed.connect(listener.on_progressed)
    thread.task_finished.connect(listener.on_finished)
    thread.task_failed.connect(listener.on_failed)
    return listener


def test_signals_arrive_in_order_on_the_receivers_thread(qtbot: QtBot, world: World) -> None:
    bench = ClockBench(world)
    bench.keep(*(a_memory(f"text {n}") for n in range(60)))
    thread = SchedulerThread(bench.clockwork)
    listener = connected(thread)
    work: BackgroundWork = thread
    thread.start()
    try:
        work.request(TARGET)
        qtbot.waitUntil(lambda: any(what == "finished" for what, _ in listener.heard))
    finally:
        thread.close(drain_seconds=0.0)
    assert [what for what, _ in listener.heard][:2] == ["started", "progressed"]
    assert listener.heard[-1][1].counts == {"embedded": 60}
    assert listener.threads == {threading.current_thread().name}
    progressed = [status for what, status in listener.heard if what == "progressed"]
    assert [(one.step, one.done, one.total) for one in progressed] == [
        ("embed", 50, 60), ("embed", 60, 60),
    ]  # fmt: skip


def test_a_failure_is_a_signal_with_its_reason(qtbot: QtBot, world: World) -> None:
    bench = ClockBench(world)
    bench.keep(a_memory())
    bench.world.embedder.fails = True
    thread = SchedulerThread(bench.clockwork)
    listener = connected(thread)
    thread.start()
    try:
        thread.request(TARGET)
        qtbot.waitUntil(lambda: any(what == "failed" for what, _ in listener.heard))
    finally:
        thread.close(drain_seconds=0.0)
    assert listener.heard[-1][1].problem == "EmbeddingUnavailableError"


def test_cancel_ends_a_run_after_its_batch(qtbot: QtBot, world: World) -> None:
    bench = ClockBench(world)
    bench.keep(*(a_memory(f"text {n}") for n in range(200)))
    model = gated(bench)
    thread = SchedulerThread(bench.clockwork)
    listener = connected(thread)
    thread.start()
    try:
        thread.request(TARGET)
        assert model.begun.wait(HANG_SECONDS)
        thread.cancel(TARGET)
        model.gate.set()
        qtbot.waitUntil(lambda: any(what == "finished" for what, _ in listener.heard))
    finally:
        thread.close(drain_seconds=0.0)
    assert listener.heard[-1][1].problem == "cancelled"
    stopped = [run for run in bench.runs() if run.state is RunState.STOPPED]
    assert [run.problem for run in stopped] == ["cancelled"]
    assert 0 < stopped[0].counts["embedded"] < 200


def test_closing_in_the_middle_of_a_run_is_quick_and_keeps_what_was_done(world: World) -> None:
    bench = ClockBench(world)
    bench.keep(*(a_memory(f"text {n}") for n in range(200)))
    model = gated(bench)
    thread = SchedulerThread(bench.clockwork)
    thread.start()
    thread.request(TARGET)
    assert model.begun.wait(HANG_SECONDS)
    model.gate.set()
    watch = Stopwatch()
    thread.close(drain_seconds=0.5)
    assert watch.seconds < CLOSE_SECONDS
    assert thread.isFinished()
    embedded = [one for one in world.memories() if one.embedding_model is not None]
    assert sum(run.counts["embedded"] for run in bench.runs()) == len(embedded)
