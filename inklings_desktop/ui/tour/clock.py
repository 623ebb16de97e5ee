"""A clock that stands still, for pictures: nothing runs, and nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.consolidation.consolidation_plans import Decisions

_NOTHING = BackgroundStatus(False, ())


class TourClock(QObject):
    """Fills the ``BackgroundWork`` port where every page is only drawn; asked for work, it rests.

    The tour may have it say that something runs, so that there is a picture of that too.
    """

    task_started = Signal(object)
    task_progressed = Signal(object)
    task_finished = Signal(object)
    task_failed = Signal(object)
    state_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._status = _NOTHING

    def say_running(self, workspace_id: str) -> None:
        """Say that a backfill has come some way, and that a consolidation waits."""
        scope = ScopeKey.workspace(workspace_id)
        self._say(
            BackgroundStatus(
                False,
                (
                    TaskStatus(
                        TaskTarget(TaskKind.BACKFILL, workspace_id),
                        TaskPhase.RUNNING,
                        "embed",
                        6,
                        16,
                    ),
                    TaskStatus(
                        TaskTarget(TaskKind.CONSOLIDATION, workspace_id, scope),
                        TaskPhase.WAITS_FOR_IDLE,
                    ),
                ),
            )
        )

    def say_nothing(self) -> None:
        """Say that nothing runs and nothing waits."""
        self._say(_NOTHING)

    def status(self) -> BackgroundStatus:
        """What the tour had it say."""
        return self._status

    def request(
        self,
        target: TaskTarget,
        *,
        allow_large: bool = False,
        decisions: Decisions | None = None,
    ) -> None:
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

    def _say(self, status: BackgroundStatus) -> None:
        self._status = status
        self.state_changed.emit(status)
