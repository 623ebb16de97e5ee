"""Back up, restore and check the files of a data root; the person's alone."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_person
from inklings_desktop.domain.log.backup import REBUILT, CheckReport, FindingKind
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from inklings_desktop.domain.log.backup import Backup, FileCheck, Restoration
    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.usecases.ports.keeping import BackupKeeper, DiskProbe, Inspector
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock


class Every(Enum):
    """Stands for every workspace and the account; None already means the account."""

    ALL = "all"


ALL = Every.ALL


@dataclass(frozen=True, slots=True)
class MeasureDisk:
    """See how much room is left for the data root."""

    probe: DiskProbe

    def __call__(self, caller: Caller) -> DiskRoom:
        """What is free, beside what may be needed.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: The disk does not answer.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        return self.probe.room()


@dataclass(frozen=True, slots=True)
class CreateBackup:
    """Keep a verified copy of one file; every call makes one."""

    keeper: BackupKeeper

    def __call__(
        self, caller: Caller, workspace_id: str | None, progress: Progress = UNHEARD
    ) -> Backup:
        """The new backup of a workspace, or of the account for None.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            InvalidValueError: A scrub of it is not finished.
            StorageError: No room, no right to write, or the file is damaged; nothing is left.
            StoppedError: The person stopped it; nothing is left.
        """
        authorize_person(caller, Action.MANAGE, _tier_of(workspace_id))
        return self.keeper.create(workspace_id, progress)


@dataclass(frozen=True, slots=True)
class ListBackups:
    """The managed backups, oldest first."""

    keeper: BackupKeeper

    def __call__(
        self, caller: Caller, workspace_id: str | Every | None = ALL
    ) -> tuple[Backup, ...]:
        """Those of a workspace, of the account for None, or all of them.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        if isinstance(workspace_id, Every):
            return self.keeper.kept()
        return self.keeper.kept_of(workspace_id)


@dataclass(frozen=True, slots=True)
class RestoreBackup:
    """Bring back what a backup holds; the event log goes on and records it."""

    keeper: BackupKeeper
    clock: Clock

    def __call__(
        self,
        caller: Caller,
        name: str,
        progress: Progress = UNHEARD,
        *,
        accept_log: bool = False,
    ) -> Restoration:
        """What was restored, and under which name the state before is kept.

        Args:
            caller: The person.
            name: The backup's name.
            progress: Hears ``verify``, ``keep``, ``restore`` and ``done``.
            accept_log: Whether to bring back one whose event log was changed.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup.
            InvalidValueError: A scrub is not finished, the backup is of another history, or its
                log is not what was written.
            StorageError: It is damaged, or the file cannot be written to; nothing was changed.
            StoppedError: The person stopped it; nothing was changed.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        backup = self.keeper.find(name)
        draft = recorded(caller, EventKind.BACKUP_RESTORED, backup.workspace_id)
        return self.keeper.restore(
            backup.name, draft, self.clock(), progress, accept_log=accept_log
        )


@dataclass(frozen=True, slots=True)
class FindOpen:
    """Look which files of the memory other users of the machine may open; on request close them."""

    inspector: Inspector

    def __call__(self, caller: Caller, *, close: bool = False) -> tuple[str, ...]:
        """Those that they could open until now.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: One of them cannot be closed.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        found = self.inspector.loosened(tighten=close)
        return tuple(one.detail for one in found if one.kind is FindingKind.LOOSENED)


@dataclass(frozen=True, slots=True)
class CheckData:
    """Look every file and every backup over; on request make what is derived again."""

    inspector: Inspector
    clock: Clock

    def __call__(
        self, caller: Caller, *, repair: bool = False, progress: Progress = UNHEARD
    ) -> CheckReport:
        """What is wrong, and what of it was repaired.

        Args:
            caller: The person.
            repair: Make index, counts and vectors again where they drifted or are damaged, remove
                what killed runs left, and close what others could read; each repaired database
                gets an event.
            progress: Hears ``files`` and ``backups``, one unit per file.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: A file cannot be made again before a scrub of it is finished; repairs
                of other files stay.
            StorageError: A file is busy, in use where it has to be made again, or cannot be
                written to; repairs of other files stay.
            StoppedError: The person stopped it between two files; finished repairs stay.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        files, names = self.inspector.files(), self.inspector.backup_names()
        checks = []
        for number, workspace_id in enumerate(files):
            progress.require_wanted()
            progress.report("files", number, len(files))
            check = self.inspector.look(workspace_id)
            if repair and any(one.kind in REBUILT for one in check.findings):
                check = self._repaired(caller, workspace_id, check)
            checks.append(check)
        found = [finding for check in checks for finding in check.findings]
        for number, name in enumerate(names):
            progress.require_wanted()
            progress.report("backups", number, len(names))
            of_backup = self.inspector.look_at_backup(name)
            found += [] if of_backup is None else [of_backup]
        found += self.inspector.left_over(remove=repair)
        found += self.inspector.loosened(tighten=repair)
        progress.report("done", 1, 1)
        return CheckReport(
            len(files),
            sum(check.n_memories for check in checks),
            sum(check.n_events for check in checks),
            len(names),
            tuple(found),
        )

    def _repaired(self, caller: Caller, workspace_id: str | None, before: FileCheck) -> FileCheck:
        """The file after its repair: a second look says what is right now."""
        draft = recorded(caller, EventKind.INDEX_REPAIRED, workspace_id)
        kept = ""
        if any(one.kind is FindingKind.INDEX_PAGES for one in before.findings):
            kept = self.inspector.rebuild(workspace_id, draft, self.clock()).kept
        else:
            self.inspector.mend(workspace_id, draft, self.clock())
        after = self.inspector.look(workspace_id)
        still = {one.kind for one in after.findings}
        mended = [
            replace(one, is_repaired=True, detail=kept or one.detail)
            for one in before.findings
            if one.kind in REBUILT and one.kind not in still
        ]
        return replace(after, findings=(*mended, *after.findings))


def recorded(caller: Caller, kind: EventKind, workspace_id: str | None) -> EventDraft:
    """The event of upkeep of one file, without figures."""
    return EventDraft(
        kind,
        caller.name,
        caller.kind.value,
        caller.door.value,
        _tier_of(workspace_id).value,
        workspace_id or ACCOUNT_KEY,
    )


def _tier_of(workspace_id: str | None) -> Tier:
    return Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
