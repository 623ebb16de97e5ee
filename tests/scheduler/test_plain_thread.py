"""Vectors follow a write, off the writer's thread, and closing waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.scheduler.clockwork import Clockwork
from inklings_desktop.scheduler.plain_thread import PlainThread
from inklings_desktop.scheduler.tasks import WrittenMemories
from tests.support.builders import FixedClock, the_clock
from tests.support.stand_ins import played
from tests.support.stopwatch import HANG_SECONDS


class FakeBackfill:
    """Notes what it was asked to embed."""

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: list[tuple[str | None, tuple[str, ...]]] = []
        self.threads: set[str] = set()
        self._fails = fails

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        *,
        ids: Sequence[str],
        is_wanted: Callable[[], bool],
    ) -> int:
        assert is_wanted()
        self.threads.add(threading.current_thread().name)
        self.asked.append((workspace_id, tuple(ids)))
        if self._fails:
            raise EmbeddingUnavailableError("failed")
        return len(ids)


def a_thread(backfill: FakeBackfill) -> PlainThread:
    written = WrittenMemories(played(the_clock(), {}, {"tasks.embed": backfill}))
    return PlainThread(Clockwork(FixedClock(), written))


def test_what_was_written_is_embedded_before_close_returns() -> None:
    backfill = FakeBackfill()
    thread = a_thread(backfill)
    thread.on_changes(MemoryChanges("w", added=("a",), updated=("b",)))
    thread.close(drain_seconds=HANG_SECONDS)
    assert backfill.asked == [("w", ("a", "b"))]
    assert threading.current_thread().name not in backfill.threads


def test_many_memories_go_in_steps_of_fifty() -> None:
    backfill = FakeBackfill()
    thread = a_thread(backfill)
    thread.on_changes(MemoryChanges(None, added=tuple(str(n) for n in range(120))))
    thread.close(drain_seconds=HANG_SECONDS)
    assert [len(ids) for _, ids in backfill.asked] == [50, 50, 20]


def test_another_process_and_the_clock_embed_their_own_writes() -> None:
    backfill = FakeBackfill()
    thread = a_thread(backfill)
    thread.on_changes(MemoryChanges("w", added=("a",), own=False))
    thread.on_changes(MemoryChanges("w", updated=("a",), initiator="embed_written"))
    thread.on_changes(MemoryChanges("w", updated=("a",), initiator="backfill"))
    thread.close(drain_seconds=HANG_SECONDS)
    assert backfill.asked == []


def test_a_failing_model_ends_nothing() -> None:
    backfill = FakeBackfill(fails=True)
    thread = a_thread(backfill)
    thread.on_changes(MemoryChanges("w", added=("a",)))
    thread.on_changes(MemoryChanges("w", added=("b",)))
    thread.close(drain_seconds=HANG_SECONDS)
    assert backfill.asked == [("w", ("a",)), ("w", ("b",))]


def test_nothing_is_taken_after_close() -> None:
    backfill = FakeBackfill()
    thread = a_thread(backfill)
    thread.close(drain_seconds=HANG_SECONDS)
    thread.on_changes(MemoryChanges("w", added=("a",)))
    assert backfill.asked == []
