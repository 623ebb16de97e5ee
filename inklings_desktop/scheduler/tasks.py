"""What the clock can do: a target, its trigger, and the use case that does it."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.background.cadence import BACKFILL_FIRST_SECONDS
from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.errors import AlreadyRunningError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.scheduler.triggers import Reason, Trigger

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.usecases.background.tasks import TaskSituation
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress

BUSY_SECONDS = 3.0
"""So long after the person's last movement heavy work goes on."""
AWAY_SECONDS = 60.0
"""From then on a second processor may be used."""
WINDOW_PAUSE = timedelta(minutes=5)
AT_START = timedelta(seconds=BACKFILL_FIRST_SECONDS)


@dataclass(frozen=True, slots=True)
class Work:
    """What the clock does.

    Attributes:
        inklings: How, and what is set of when.
        yields_to_window: Whether an open window does it instead.
    """

    inklings: Inklings
    yields_to_window: bool = False

    def files(self) -> tuple[str | None, ...]:
        """Every workspace, then the account."""
        return (*(one.id for one in self._as("look").places.workspaces()), None)

    def look(self, workspace_id: str | None) -> tuple[TaskSituation, ...]:
        """What there is to do on one file.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: It cannot be read.
        """
        return self._as("look").tasks.look(workspace_id)

    def trigger_of(self, target: TaskTarget) -> Trigger:
        """What brings a run of this target."""
        config = self.inklings.settings.background
        match target.kind:
            case TaskKind.BACKFILL:
                minutes = config.backfill_minutes
                return Trigger(
                    AT_START,
                    timedelta(minutes=minutes) if minutes else None,
                    at_start=bool(minutes),
                )
            case TaskKind.CONVERSATION_CLOSE:
                return Trigger(
                    AT_START, at_start=config.forget_at_close, on_event=config.forget_at_close
                )
            case TaskKind.BACKUP:
                hours = config.backup_hours
                every = timedelta(hours=hours) if hours else None
                return Trigger(AT_START, every, at_start=bool(hours))
            case _:
                assert target.tier is not None
                cadence = config.cadence(target.tier)
                return Trigger(
                    AT_START,
                    cadence.interval,
                    n_new=cadence.new_entries,
                    idle=timedelta(minutes=cadence.idle_minutes),
                )

    def run(
        self,
        target: TaskTarget,
        reason: str,
        progress: Progress,
        idle_seconds: Callable[[], float],
    ) -> TaskRun:
        """Do it.

        Args:
            target: Which work, on what.
            reason: Why, for the history.
            progress: Hears of every step and says when to stop.
            idle_seconds: How long the person has been away.

        Raises:
            AlreadyRunningError: It is left to the window that is open.
        """
        inklings = self._as(target.kind.value)
        if self.yields_to_window and inklings.scrub.has_window():
            raise AlreadyRunningError(target.kind.value, inklings.clock() + WINDOW_PAUSE)
        if target.kind is TaskKind.BACKFILL:
            is_away = idle_seconds() >= AWAY_SECONDS
            return inklings.tasks.backfill(
                target.workspace_id,
                trigger=reason,
                n_workers=2 if is_away and (os.cpu_count() or 1) > 1 else 1,
                # Whoever asked for it wants it done, and is there to see it.
                goes_on=lambda: reason == Reason.REQUEST or idle_seconds() >= BUSY_SECONDS,
                progress=progress,
            )
        if target.kind is TaskKind.CONVERSATION_CLOSE:
            assert target.workspace_id is not None
            return inklings.conversations.forget_closed(
                target.workspace_id, trigger=reason, progress=progress
            )
        if target.kind is TaskKind.BACKUP:
            return inklings.keeping.back_up_changes(
                target.workspace_id, trigger=reason, progress=progress
            )
        assert target.scope is not None
        return inklings.consolidation.run(target.scope, trigger=reason, progress=progress)

    def _as(self, task: str) -> Inklings:
        """The use cases of the clock, under the name of one of its tasks."""
        return self.inklings.as_caller(clock_caller(task))


def clock_caller(task: str) -> Caller:
    """The clock, under the name of one of its tasks."""
    return Caller(CallerKind.CLOCK, task, Door.CLOCK)
