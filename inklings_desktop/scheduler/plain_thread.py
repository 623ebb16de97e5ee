"""The clock on a plain thread: in a host all of it, elsewhere what embeds what was written."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.scheduler.clockwork import Clockwork


class PlainThread:
    """Hosts a clockwork; the thread starts with the first write and ends with ``close``."""

    def __init__(self, clockwork: Clockwork) -> None:
        self._clockwork = clockwork
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def on_changes(self, changes: MemoryChanges) -> None:
        """Hear of a commit; callable from any thread, returns at once."""
        self._clockwork.on_changes(changes)
        with self._lock:
            if self._clockwork.has_written:
                self._start()

    def begin(self) -> None:
        """Start the thread now, whether anything was written or not."""
        with self._lock:
            self._start()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._clockwork.loop, name="clock")
            self._thread.start()

    def close(self, *, drain_seconds: float) -> None:
        """Stop; what was written is still embedded as far as the time allows.

        Args:
            drain_seconds: Longest time for what is waiting; a batch under way always ends.
        """
        self._clockwork.close(drain_seconds=drain_seconds)
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
