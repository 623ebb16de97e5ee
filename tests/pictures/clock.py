"""A clock that stands still and may be posed, so that there is a picture of work as well."""

from __future__ import annotations

from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.tour.clock import TourClock
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)

_NOTHING = BackgroundStatus(False, ())


class PosedClock(TourClock):
    """Says that something runs where a picture asks for it; nothing ever does."""

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
        """What it was last made to say."""
        return self._status

    def _say(self, status: BackgroundStatus) -> None:
        self._status = status
        self.state_changed.emit(status)
