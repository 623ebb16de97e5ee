"""Where the clock runs: in the window on its own QThread, in a host on a plain thread.

Elsewhere only what was written gets its vector.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.scheduler.late_clockwork import LateClockwork

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.scheduler.clockwork import Clockwork
    from inklings_desktop.usecases.bundle import Inklings


BEGIN_SECONDS = 5.0
"""A clock that waits to be told to begin waits no longer than this."""


@contextmanager
def clock_running(
    inklings: Inklings, drain_seconds: float, *, waits_to_begin: bool = False
) -> Iterator[Inklings]:
    """The use cases with the clock at work beside them.

    Args:
        inklings: The use cases.
        drain_seconds: Longest wait at the end for what was written and has no vector yet.
        waits_to_begin: Whether the clock stands still until it is told to begin, some seconds at
            most: what it needs is then not made while a first page is awaited.
    """
    from inklings_desktop.scheduler.runner import SchedulerThread  # Qt, for the window alone

    def make() -> Clockwork:
        from inklings_desktop.scheduler.clockwork import Clockwork
        from inklings_desktop.scheduler.tasks import Work, WrittenMemories

        return Clockwork(inklings.clock, WrittenMemories(inklings), Work(inklings))

    clockwork = LateClockwork(make, BEGIN_SECONDS) if waits_to_begin else make()
    thread = SchedulerThread(clockwork)
    unsubscribe = inklings.feed.subscribe(clockwork.on_changes)
    thread.start()
    try:
        yield replace(inklings, background=thread)
    finally:
        unsubscribe()
        thread.close(drain_seconds=drain_seconds)


@contextmanager
def clock_beside(inklings: Inklings, drain_seconds: float) -> Iterator[Inklings]:
    """The use cases with the clock at work beside them, unless a window is open that has one.

    What agents write is a sign of life like what a person does: heavy work waits for a pause.

    Args:
        inklings: The use cases.
        drain_seconds: Longest wait at the end for what was written and has no vector yet.
    """
    from inklings_desktop.domain.background.tasks import TaskKind
    from inklings_desktop.scheduler.clockwork import Clockwork
    from inklings_desktop.scheduler.plain_thread import PlainThread
    from inklings_desktop.scheduler.tasks import Work, WrittenMemories

    work = Work(inklings, yields_to_window=True)
    clockwork = Clockwork(inklings.clock, WrittenMemories(inklings), work)
    thread = PlainThread(clockwork)

    def hear(changes: MemoryChanges) -> None:
        if changes.initiator not in set(TaskKind):
            clockwork.note_activity()
        thread.on_changes(changes)

    unsubscribe = inklings.feed.subscribe(hear)
    thread.begin()
    try:
        yield inklings
    finally:
        unsubscribe()
        thread.close(drain_seconds=drain_seconds)


@contextmanager
def writes_embedded(inklings: Inklings, drain_seconds: float) -> Iterator[None]:
    """What this process writes gets its vector, on a plain thread.

    Args:
        inklings: The use cases.
        drain_seconds: Longest wait at the end for what was written and has no vector yet.
    """
    from inklings_desktop.scheduler.clockwork import Clockwork
    from inklings_desktop.scheduler.plain_thread import PlainThread
    from inklings_desktop.scheduler.tasks import WrittenMemories

    written = WrittenMemories(inklings)
    thread = PlainThread(Clockwork(inklings.clock, written))
    unsubscribe = inklings.feed.subscribe(thread.on_changes)
    try:
        yield
    finally:
        unsubscribe()
        thread.close(drain_seconds=drain_seconds)
