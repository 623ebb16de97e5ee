"""Follows the runs that make up for what was missed while the program was closed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.usecases.background.background_work import TaskPhase

if TYPE_CHECKING:
    from inklings_desktop.ui.control.tasks_presenter import ClockInWindow
    from inklings_desktop.usecases.background.background_work import BackgroundStatus, TaskStatus

CATCH_UP = "start"
"""The stable word of a run that makes up for missed ones."""
UPDATE_MS = 100
YOUNG_SECONDS = 1.0
"""A run that is over sooner is not worth moving the page for."""
LINGER_SECONDS = 1.0
"""One run follows another, file by file; the banner stays between them."""


def catching_up(status: BackgroundStatus) -> TaskStatus | None:
    """The run under way that makes up for missed ones; None if there is none."""
    return next(
        (one for one in status.tasks if one.phase is TaskPhase.RUNNING and one.reason == CATCH_UP),
        None,
    )


class CatchUpPresenter(QObject):
    """Says which run catches up, once it lasts; knows no widgets.

    Signals:
        run_changed: The ``TaskStatus`` of the run; None when the last one is over.
    """

    run_changed = Signal(object)

    def __init__(self, clock: ClockInWindow, parent: QObject) -> None:
        super().__init__(parent)
        self._clock: ClockInWindow | None = clock
        self._shown: TaskStatus | None = None
        self._begun: float | None = None
        self._ended: float | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(UPDATE_MS)
        self._soon.timeout.connect(self._on_update_due)
        for signal in (
            clock.task_started,
            clock.task_progressed,
            clock.task_finished,
            clock.task_failed,
            clock.state_changed,
        ):
            signal.connect(self._on_news)

    def close(self) -> None:
        """Ask nothing more: the clock is about to stop."""
        self._soon.stop()
        self._clock = None

    @Slot(object)
    def _on_news(self, _news: object) -> None:
        if self._clock is not None and not self._soon.isActive():
            self._soon.start()

    @Slot()
    def _on_update_due(self) -> None:
        if self._clock is None:
            return
        run, now = catching_up(self._clock.status()), time.monotonic()
        if run is not None:
            self._ended = None
            self._begun = now if self._begun is None else self._begun
            if self._shown is not None or now - self._begun >= YOUNG_SECONDS:
                self._show(run)
            else:
                self._soon.start()
            return
        self._begun = None
        if self._shown is None:
            return
        self._ended = now if self._ended is None else self._ended
        if now - self._ended >= LINGER_SECONDS:
            self._ended = None
            self._show(None)
        else:
            self._soon.start()

    def _show(self, run: TaskStatus | None) -> None:
        if run != self._shown:
            self._shown = run
            self.run_changed.emit(run)
