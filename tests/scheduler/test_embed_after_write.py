"""Vectors follow a write, off the writer's thread, and closing waits for them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, cast

from inklings_desktop.domain.changes import MemoryChanges
from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.scheduler.embed_after_write import EmbedAfterWrite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access import Caller
    from inklings_desktop.usecases.backfill_embeddings import BackfillEmbeddings

CLOSE_SECONDS = 5.0


class FakeBackfill:
    """Notes what it was asked to embed."""

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: list[tuple[str | None, tuple[str, ...]]] = []
        self.threads: set[str] = set()
        self._fails = fails

    def __call__(
        self, caller: Caller, workspace_id: str | None, *, ids: Sequence[str], limit: int = 50
    ) -> int:
        self.threads.add(threading.current_thread().name)
        self.asked.append((workspace_id, tuple(ids)))
        if self._fails:
            raise EmbeddingUnavailableError("failed")
        return len(ids)


def an_embedder(backfill: FakeBackfill) -> EmbedAfterWrite:
    return EmbedAfterWrite(cast("BackfillEmbeddings", backfill))


def test_what_was_written_is_embedded_before_close_returns() -> None:
    backfill = FakeBackfill()
    embedder = an_embedder(backfill)
    embedder.on_changes(MemoryChanges("w", added=("a",), updated=("b",)))
    embedder.close(drain_seconds=CLOSE_SECONDS)
    assert backfill.asked == [("w", ("a", "b"))]
    assert threading.current_thread().name not in backfill.threads


def test_many_memories_go_in_steps_of_fifty() -> None:
    backfill = FakeBackfill()
    embedder = an_embedder(backfill)
    embedder.on_changes(MemoryChanges(None, added=tuple(str(n) for n in range(120))))
    embedder.close(drain_seconds=CLOSE_SECONDS)
    assert [len(ids) for _, ids in backfill.asked] == [50, 50, 20]


def test_another_process_embeds_its_own_writes() -> None:
    backfill = FakeBackfill()
    embedder = an_embedder(backfill)
    embedder.on_changes(MemoryChanges("w", added=("a",), own=False))
    embedder.close(drain_seconds=CLOSE_SECONDS)
    assert backfill.asked == []


def test_a_failing_model_ends_nothing() -> None:
    backfill = FakeBackfill(fails=True)
    embedder = an_embedder(backfill)
    embedder.on_changes(MemoryChanges("w", added=("a",)))
    embedder.on_changes(MemoryChanges("w", added=("b",)))
    embedder.close(drain_seconds=CLOSE_SECONDS)
    assert backfill.asked == [("w", ("a",)), ("w", ("b",))]


def test_nothing_is_taken_after_close() -> None:
    backfill = FakeBackfill()
    embedder = an_embedder(backfill)
    embedder.close(drain_seconds=CLOSE_SECONDS)
    embedder.on_changes(MemoryChanges("w", added=("a",)))
    assert backfill.asked == []
