"""Where the clock runs: in the window on its own QThread, elsewhere only what was written."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.scheduler.clockwork import Clockwork
from inklings_desktop.scheduler.plain_thread import PlainThread
from inklings_desktop.scheduler.tasks import Work
from inklings_desktop.scheduler.written_memories import WrittenMemories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.usecases.bundle import Inklings


@contextmanager
def clock_running(inklings: Inklings, drain_seconds: float) -> Iterator[Inklings]:
    """The use cases with the clock at work beside them.

    Args:
        inklings: The use cases.
        drain_seconds: Longest wait at the end for what was written and has no vector yet.
    """
    from inklings_desktop.scheduler.runner import SchedulerThread  # Qt, for the window alone

    work = Work(
        inklings.list_workspaces,
        inklings.look_at_tasks,
        inklings.run_backfill,
        inklings.run_consolidation,
        inklings.close_conversations,
        inklings.settings.background,
    )
    written = WrittenMemories(inklings.backfill_embeddings)
    clockwork = Clockwork(inklings.clock, written, work)
    thread = SchedulerThread(clockwork)
    unsubscribe = inklings.feed.subscribe(clockwork.on_changes)
    thread.start()
    try:
        yield replace(inklings, background=thread)
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
    written = WrittenMemories(inklings.backfill_embeddings)
    thread = PlainThread(Clockwork(inklings.clock, written))
    unsubscribe = inklings.feed.subscribe(thread.on_changes)
    try:
        yield
    finally:
        unsubscribe()
        thread.close(drain_seconds=drain_seconds)
