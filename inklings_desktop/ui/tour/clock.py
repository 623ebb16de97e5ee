"""A clock that stands still, for pictures: nothing runs, and nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.background.tasks import TaskTarget


class TourClock(QObject):
    """Fills the ``BackgroundWork`` port where pages are only drawn; asked for work, it rests."""

    task_started = Signal(object)
    task_progressed = Signal(object)
    task_finished = Signal(object)
    task_failed = Signal(object)
    state_changed = Signal(object)

    def status(self) -> BackgroundStatus:
        """Nothing runs and nothing waits."""
        return BackgroundStatus(False, ())

    def request(self, target: TaskTarget) -> None:
        """Rest."""

    def cancel(self, target: TaskTarget | None = None) -> None:
        """Rest."""

    def pause(self) -> None:
        """Rest."""

    def resume(self) -> None:
        """Rest."""

    def begin(self) -> None:
        """Rest."""

    def note_activity(self) -> None:
        """Rest."""
