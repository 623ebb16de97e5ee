"""The clock in the window: one QThread that works, and signals that say what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QThread, Signal

from inklings_desktop.logs import topic

if TYPE_CHECKING:
    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.scheduler.clockwork import Clockwork
    from inklings_desktop.scheduler.late_clockwork import LateClockwork
    from inklings_desktop.scheduler.memos import TaskNews
    from inklings_desktop.usecases.background.background_work import BackgroundStatus

CLOSE_SECONDS = 2.0
REST_MS = 5

_log = topic("scheduler")


class SchedulerThread(QThread):
    """Hosts the clockwork; fills the ``BackgroundWork`` port for the window.

    Signals are emitted in the working thread: receivers must be methods of QObjects, which Qt
    brings to their own thread.

    Signals:
        task_started: A ``TaskStatus``: this work begins.
        task_progressed: A ``TaskStatus``: a step of it was finished.
        task_finished: A ``TaskStatus``: it ended, was stopped, or waits for a person's word.
        task_failed: A ``TaskStatus``: it ended with a problem; ``problem`` says which.
        state_changed: A ``BackgroundStatus``: what there is to do changed.
    """

    task_started = Signal(object)
    task_progressed = Signal(object)
    task_finished = Signal(object)
    task_failed = Signal(object)
    state_changed = Signal(object)

    def __init__(self, clockwork: Clockwork | LateClockwork) -> None:
        super().__init__()
        self.setObjectName("scheduler")
        self._clockwork = clockwork
        self._signals = {
            "started": self.task_started,
            "progress": self.task_progressed,
            "finished": self.task_finished,
            "failed": self.task_failed,
        }
        clockwork.on_news = self._on_news
        clockwork.on_state = self.state_changed.emit
        clockwork.rest = self._rest

    def run(self) -> None:
        """Work until ``close``; Qt calls this on the thread."""
        self._clockwork.loop()

    def close(self, *, drain_seconds: float) -> None:
        """Stop after the current step and wait for it; never on the UI thread.

        Args:
            drain_seconds: Longest time for what was written and has no vector yet.
        """
        self._clockwork.close(drain_seconds=drain_seconds)
        if not self.wait(int((drain_seconds + CLOSE_SECONDS) * 1000)):
            _log.warning("a step of background work takes long; waiting for its end")
            self.wait()

    def status(self) -> BackgroundStatus:
        """What there is to do and how far it has come."""
        return self._clockwork.status()

    def request(self, target: TaskTarget) -> None:
        """Do this next, whatever the clock says."""
        self._clockwork.request(target)

    def cancel(self, target: TaskTarget | None = None) -> None:
        """Stop this work, or whatever runs, after its current step."""
        self._clockwork.cancel(target)

    def pause(self) -> None:
        """Stop what runs after its current step, and begin nothing until ``resume``."""
        self._clockwork.pause()

    def resume(self) -> None:
        """Go on after ``pause``."""
        self._clockwork.resume()

    def begin(self) -> None:
        """The window has shown what it shows first: look what there is to do."""
        self._clockwork.begin()

    def note_activity(self) -> None:
        """The person is doing something: heavy work yields."""
        self._clockwork.note_activity()

    def _rest(self) -> None:
        """Let the window have the interpreter for as long as a list takes to draw a few rows.

        Drawing gives it up with every call into Qt, and while this thread computes, each time it
        waits to get it back.
        """
        self.msleep(REST_MS)

    def _on_news(self, news: TaskNews) -> None:
        self._signals[news.what].emit(news.status)
