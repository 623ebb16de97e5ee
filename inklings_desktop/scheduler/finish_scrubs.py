"""Finishes scrubs that a kill or another program's snapshot left open, on a thread of its own."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.logs import topic
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.scrub.manifest import ResumedScrub

RETRY_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
"""Between two attempts when trying again at once would not help, as with a full disk."""

_log = topic("storage")
_SOON_OVER = frozenset({None, "snapshot", "busy"})
_CLOCK = Caller(CallerKind.CLOCK, "finish_scrubs", Door.CLOCK)


class Resume(Protocol):
    """Finishes scrubs that are open, as ``ResumeScrubs`` does."""

    def has_work(self) -> bool:
        """Whether one may be open; cheap."""
        ...

    def __call__(self, caller: Caller, progress: Progress) -> Sequence[ResumedScrub]:
        """What became of each."""
        ...


class FinishScrubs:
    """Tries again every second while a reader holds one up, and costs nothing while none is open.

    The thread lives only as long as there is something to finish.
    """

    def __init__(self, resume: Resume, *, retry_seconds: float = RETRY_SECONDS) -> None:
        """Know what to do; nothing runs before ``start``.

        Args:
            resume: Finishes what can be finished.
            retry_seconds: Time between two attempts.
        """
        self._resume = resume
        self._retry_seconds = retry_seconds
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._deadline = float("inf")
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin at once if a file says that a scrub of it may be open."""
        if self._resume.has_work():
            self._begin(wait_seconds=0.0)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Look again after a scrub, here or in another process; callable from any thread.

        Whoever executes a scrub finishes it; only what they leave open is taken up here.
        """
        if changes.reload:
            self._begin(wait_seconds=self._retry_seconds)

    def close(self, *, drain_seconds: float) -> None:
        """Stop; an attempt under way may end as far as the time allows.

        Args:
            drain_seconds: Longest time for it; then it stops between two steps.
        """
        with self._lock:
            self._closing.set()
            self._deadline = time.monotonic() + drain_seconds
            thread = self._thread
        if thread is not None:
            thread.join()

    def _begin(self, *, wait_seconds: float) -> None:
        with self._lock:
            if self._closing.is_set() or self._thread is not None:
                return
            self._thread = threading.Thread(
                target=self._run, args=(wait_seconds,), name="finish-scrubs"
            )
            self._thread.start()

    def _run(self, wait_seconds: float) -> None:
        progress = Progress(is_cancelled=lambda: time.monotonic() > self._deadline)
        patience = self._retry_seconds
        while not self._closing.wait(wait_seconds):
            with self._lock:
                if not self._resume.has_work():
                    self._thread = None
                    return
            if self._attempt(progress):
                patience = self._retry_seconds
            else:
                patience = min(2 * patience, LONGEST_WAIT_SECONDS)
            wait_seconds = patience

    def _attempt(self, progress: Progress) -> bool:
        """Try once; whether it is worth trying again soon."""
        try:
            resumed = self._resume(_CLOCK, progress)
        except StoppedError:
            _log.info("a scrub waits for the next start")
            return True
        except InklingsError as error:
            _log.warning("a scrub was not finished: %s", type(error).__name__)
            return False
        for one in resumed:
            if one.pending is not None:
                _log.info("scrub %d is not finished: %s", one.scrub.event_number, one.pending)
        return bool(resumed) and all(one.pending in _SOON_OVER for one in resumed)
