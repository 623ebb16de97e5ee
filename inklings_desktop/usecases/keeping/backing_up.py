"""Backups that nobody has to think of: on change, before a change, and thinned as they age."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.background.tasks import (
    RunState,
    TaskRun,
    TaskState,
    backup_of,
)
from inklings_desktop.domain.errors import DatabaseFullError, InvalidValueError
from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.log.backup_thinning import done_with
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.usecases.ports.keeping import BackupShelf, DiskProbe
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock, IdSource, SettingsSource, Store

CLOSE_ENOUGH = timedelta(hours=1)
"""One backup covers all the channels that are consolidated one after the other."""


def thin(keeper: BackupShelf, workspace_id: str | None, clock: Clock) -> None:
    """Remove the backups of one file that have done their service.

    Raises:
        StorageError: The folder refuses it.
    """
    gone = done_with(keeper.kept_of(workspace_id), clock())
    if gone:
        keeper.remove([one.name for one in gone])


@dataclass(frozen=True, slots=True)
class BackUpChanges:
    """Keep a copy of one file if anything in it changed since the last one; the clock's."""

    store: Store
    keeper: BackupShelf
    disk: DiskProbe
    clock: Clock
    new_id: IdSource
    settings: SettingsSource

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        *,
        trigger: str = "request",
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """The run as it ended; it counts as ``backed_up`` what was kept.

        Whoever starts the program again and again gets no backup each time: a young one is enough.

        Args:
            caller: The person, or the clock.
            workspace_id: Whose file; None is the account's.
            trigger: Why it runs, a stable word.
            progress: Hears ``copy`` and ``verify``, and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            DatabaseFullError: The disk has hardly any room left, and keeps it.
            StorageError: It cannot be copied; nothing is left.
            StoppedError: The person stopped it; nothing is left.
        """
        authorize_management(caller)
        began, target = self.clock(), backup_of(workspace_id)
        young = _young(self.keeper, workspace_id, began) if trigger == "start" else None
        is_made = (
            young is None
            and _has_changed(self.keeper, workspace_id)
            and self._made(workspace_id, progress)
        )
        now, hours = self.clock(), self.settings().background.backup_hours
        kept_at = now if young is None else young.created_at
        with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
            before = unit.tasks.state(target) or TaskState(now)
            due = kept_at + timedelta(hours=hours) if hours else None
            unit.tasks.put_state(target, replace(before, last_run_at=kept_at, next_due_at=due))
            unit.commit()
        counts = {"backed_up": 1} if is_made else {}
        return TaskRun(self.new_id(), target, trigger, RunState.FINISHED, began, now, counts)

    def _made(self, workspace_id: str | None, progress: Progress) -> bool:
        """Make one and thin the others; whether it could be made."""
        room = self.disk.room()
        if room.is_low():
            raise DatabaseFullError(detail=f"{room.needed_bytes} bytes needed")
        try:
            self.keeper.create(workspace_id, progress, BackupReason.DAILY)
        except InvalidValueError:
            return False  # a scrub is not finished; the next look finds the file changed
        thin(self.keeper, workspace_id, self.clock)
        return True


@dataclass(frozen=True, slots=True)
class KeepBefore:
    """Keep what a file holds before a consolidation forgets some of it.

    Attributes:
        keeper: Makes it; asked for when it is needed.
        clock: Tells the time.
    """

    keeper: Callable[[], BackupShelf]
    clock: Clock

    def __call__(self, workspace_id: str | None, progress: Progress) -> Backup | None:
        """The new backup; None where the last one is young or holds the same.

        Raises:
            InvalidValueError: A scrub of it is not finished.
            StorageError: It cannot be copied; nothing is left.
            StoppedError: The person stopped it; nothing is left.
        """
        keeper = self.keeper()
        if _young(keeper, workspace_id, self.clock()) or not _has_changed(keeper, workspace_id):
            return None
        made = keeper.create(
            workspace_id,
            replace(progress, report=UNHEARD.report),
            BackupReason.BEFORE_CONSOLIDATION,
        )
        thin(keeper, workspace_id, self.clock)
        return made


@dataclass(frozen=True, slots=True)
class PinBackup:
    """Say that a backup stays, or that it may be thinned out with the others."""

    keeper: BackupShelf

    def __call__(self, caller: Caller, name: str, *, stays: bool) -> Backup:
        """The backup as it is now.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup.
            StorageError: The folder cannot be written to.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        return self.keeper.pin(name, stays=stays)


@dataclass(frozen=True, slots=True)
class AdoptBackup:
    """Take a file of the person's own among the backups, to be compared and restored."""

    keeper: BackupShelf

    def __call__(self, caller: Caller, path: Path) -> Backup:
        """The backup that it is now; the file stays where it is.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: It is of another history, or a scrub is not finished.
            StorageError: It is damaged, none of ours, newer, or there is no room.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        return self.keeper.adopt(path)


@dataclass(frozen=True, slots=True)
class DeleteBackup:
    """Take one backup off the disk."""

    keeper: BackupShelf

    def __call__(self, caller: Caller, name: str) -> Backup:
        """What is gone.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup.
            StorageError: The folder refuses it.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        backup = self.keeper.find(name)
        self.keeper.remove([backup.name])
        return backup


def _latest(keeper: BackupShelf, workspace_id: str | None) -> Backup | None:
    """The newest one that can be restored."""
    return next((one for one in reversed(keeper.kept_of(workspace_id)) if one.fault is None), None)


def _young(keeper: BackupShelf, workspace_id: str | None, now: datetime) -> Backup | None:
    """The newest one, if it was made only just now."""
    latest = _latest(keeper, workspace_id)
    is_young = latest is not None and now - CLOSE_ENOUGH < latest.created_at <= now
    return latest if is_young else None


def _has_changed(keeper: BackupShelf, workspace_id: str | None) -> bool:
    """Whether a file holds something that its newest backup does not."""
    latest = _latest(keeper, workspace_id)
    change_seq = keeper.change_seq(workspace_id)
    if latest is None:
        return change_seq > 0  # nobody has written anything into a file that was only made
    return latest.holdings is None or latest.holdings.change_seq != change_seq
