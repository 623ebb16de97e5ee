"""Embeds memories right after they are written, on a thread of its own."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Caller, CallerKind, Door
from inklings_desktop.domain.errors import EmbeddingUnavailableError, StorageError
from inklings_desktop.logs import topic
from inklings_desktop.usecases.backfill_embeddings import STEP

if TYPE_CHECKING:
    from inklings_desktop.domain.changes import MemoryChanges
    from inklings_desktop.usecases.backfill_embeddings import BackfillEmbeddings

_log = topic("embedding")
_CLOCK = Caller(CallerKind.CLOCK, "embed_after_write", Door.CLOCK)


class EmbedAfterWrite:
    """Listens to this process's own writes and fills in their vectors.

    The thread starts with the first write and ends with ``close``.
    """

    def __init__(self, backfill: BackfillEmbeddings) -> None:
        self._backfill = backfill
        self._written: queue.SimpleQueue[tuple[str | None, tuple[str, ...]] | None] = (
            queue.SimpleQueue()
        )
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._deadline = float("inf")

    def on_changes(self, changes: MemoryChanges) -> None:
        """Note what was written; callable from any thread, returns at once."""
        ids = changes.added + changes.updated
        if not changes.own or not ids or changes.initiator == _CLOCK.name:
            return
        with self._lock:
            if self._closing:
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="embed")
                self._thread.start()
        self._written.put((changes.workspace_id, ids))

    def close(self, *, drain_seconds: float) -> None:
        """Stop; what was written is still embedded as far as the time allows.

        Args:
            drain_seconds: Longest time for what is waiting; a step under way always ends.
        """
        with self._lock:
            self._closing = True
            thread = self._thread
        self._deadline = time.monotonic() + drain_seconds
        if thread is not None:
            self._written.put(None)
            thread.join()

    def _run(self) -> None:
        while (written := self._written.get()) is not None:
            workspace_id, ids = written
            for start in range(0, len(ids), STEP):
                if time.monotonic() > self._deadline:
                    return
                if not self._embed(workspace_id, ids[start : start + STEP]):
                    break

    def _embed(self, workspace_id: str | None, ids: tuple[str, ...]) -> bool:
        try:
            self._backfill(_CLOCK, workspace_id, ids=ids)
        except (EmbeddingUnavailableError, StorageError) as error:
            # The memory is safe and found by its words; its vector can be made later.
            _log.warning("not embedded: %s", type(error).__name__)
            return False
        return True
