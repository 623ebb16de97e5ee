"""The steps of upkeep: backups on change and before a change, thinned as they age, recorded."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseFullError, InvalidValueError
from inklings_desktop.domain.log.backup import BackupReason, done_with
from inklings_desktop.domain.log.events import EventDraft
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.domain.log.events import EventKind
    from inklings_desktop.usecases.ports.keeping import BackupShelf, DiskProbe
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock

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


def backed_up(
    keeper: BackupShelf, disk: DiskProbe, clock: Clock, workspace_id: str | None, progress: Progress
) -> bool:
    """Keep a copy of a file that changed and thin the others; whether one could be made.

    Raises:
        DatabaseFullError: The disk has hardly any room left, and keeps it.
    """
    room = disk.room()
    if room.is_low():
        raise DatabaseFullError(detail=f"{room.needed_bytes} bytes needed")
    try:
        keeper.create(workspace_id, progress, BackupReason.DAILY)
    except InvalidValueError:
        return False  # a scrub is not finished; the next look finds the file changed
    thin(keeper, workspace_id, clock)
    return True


def keep_before(
    keeper: BackupShelf, clock: Clock, workspace_id: str | None, progress: Progress
) -> Backup | None:
    """Keep what a file holds before a consolidation forgets some of it.

    The new backup; None where the last one is young or holds the same.

    Raises:
        InvalidValueError: A scrub of it is not finished.
        StorageError: It cannot be copied; nothing is left.
        StoppedError: The person stopped it; nothing is left.
    """
    if young(keeper, workspace_id, clock()) or not has_changed(keeper, workspace_id):
        return None
    silent = replace(progress, report=UNHEARD.report)
    made = keeper.create(workspace_id, silent, BackupReason.BEFORE_CONSOLIDATION)
    thin(keeper, workspace_id, clock)
    return made


def _latest(keeper: BackupShelf, workspace_id: str | None) -> Backup | None:
    """The newest one that can be restored."""
    return next((one for one in reversed(keeper.kept_of(workspace_id)) if one.fault is None), None)


def young(keeper: BackupShelf, workspace_id: str | None, now: datetime) -> Backup | None:
    """The newest one, if it was made only just now."""
    latest = _latest(keeper, workspace_id)
    is_young = latest is not None and now - CLOSE_ENOUGH < latest.created_at <= now
    return latest if is_young else None


def has_changed(keeper: BackupShelf, workspace_id: str | None) -> bool:
    """Whether a file holds something that its newest backup does not."""
    latest = _latest(keeper, workspace_id)
    change_seq = keeper.change_seq(workspace_id)
    if latest is None:
        return change_seq > 0  # nobody has written anything into a file that was only made
    return latest.holdings is None or latest.holdings.change_seq != change_seq


def recorded(caller: Caller, kind: EventKind, workspace_id: str | None) -> EventDraft:
    """The event of upkeep of one file, without figures."""
    return EventDraft(
        kind,
        caller.name,
        caller.kind.value,
        caller.door.value,
        tier_of(workspace_id).value,
        workspace_id or ACCOUNT_KEY,
    )


def tier_of(workspace_id: str | None) -> Tier:
    """Which tier a file as a whole stands for."""
    return Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
