"""What runs: one piece of work on the clock's own thread, and beside it one activity.

An activity waits most of its time for an agent in another process, for minutes; what else is due
need not wait with it.
"""

from __future__ import annotations

import threading
import traceback
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import TaskKind
from inklings_desktop.logs import topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.background.tasks import TaskTarget

_log = topic("scheduler")
BESIDE = TaskKind.ACTIVITY
"""Such work is done beside the rest."""


class Lanes:
    """Which work is under way, and how it is stopped; callable from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[TaskTarget, threading.Event] = {}
        self._thread: threading.Thread | None = None

    def is_free(self, target: TaskTarget) -> bool:
        """Whether the lane of this work is empty; asked on the clock's own thread."""
        with self._lock:
            return not any((one.kind is BESIDE) == (target.kind is BESIDE) for one in self._running)

    def take(self, target: TaskTarget) -> threading.Event:
        """Begin this work; what is set once it is to stop."""
        with self._lock:
            return self._running.setdefault(target, threading.Event())

    def stop(self, target: TaskTarget | None = None) -> None:
        """Have this work stop after its current step, or whatever runs."""
        with self._lock:
            for one, stopped in self._running.items():
                if target in {None, one}:
                    stopped.set()

    def run(
        self,
        target: TaskTarget,
        work: Callable[[], None],
        then: Callable[[], None],
        *,
        is_alone: bool,
    ) -> None:
        """Do it: beside the rest where it belongs there, else here and now.

        Args:
            target: Which work; its lane was taken.
            work: Does it.
            then: Called once its lane is empty again.
            is_alone: Whether it is done here, wherever it belongs.
        """

        def done() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - this door: nobody else hears of it
                log_bug("the clock", error)
            finally:
                with self._lock:
                    self._running.pop(target, None)
                then()

        if is_alone or target.kind is not BESIDE:
            done()
        else:
            self._thread = threading.Thread(target=done, name=target.kind.value)
            self._thread.start()

    def close(self) -> None:
        """Wait for what is done beside; it was stopped before."""
        if self._thread is not None:
            self._thread.join()


def log_bug(where: str, error: Exception) -> None:
    """Note where it happened, never its words: they may quote a memory."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    _log.error("bug in %s: %s\n%s", where, type(error).__name__, frames)
