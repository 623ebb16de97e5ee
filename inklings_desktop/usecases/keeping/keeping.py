"""Backups, checks and repairs of the files of a data root; all but the clock's for the person."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.background.tasks import RunState, TaskRun, TaskState, backup_of
from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
)
from inklings_desktop.domain.log.backup import (
    REBUILT,
    UNREADABLE,
    BackupReason,
    CheckReport,
    FindingKind,
    PlaceHealth,
    PlaceRepair,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.keeping.setting_back import compared, put_back
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from inklings_desktop.usecases.steps.backing_up import (
    backed_up,
    has_changed,
    recorded,
    tier_of,
    young,
)
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from inklings_desktop.usecases.transfer.transfer import Transfer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup, FileCheck, Finding, Restoration
    from inklings_desktop.domain.log.backup_comparison import (
        Comparison,
        Difference,
        SetBackDone,
    )
    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.usecases.ports.keeping import (
        BackupShelf,
        FileWatch,
        Inspector,
    )
    from inklings_desktop.usecases.transfer.exporting import Exported

_DAMAGED = "damaged"


class Every(Enum):
    """Stands for every workspace and the account; None already means the account."""

    ALL = "all"


ALL = Every.ALL


@dataclass(frozen=True, slots=True)
class ReadableExported:
    """What was written of a damaged database.

    Attributes:
        exported: The file.
        n_missing: Active memories that could not be read; None when nobody knows how many.
        is_whole: Whether every row could be read.
    """

    exported: Exported
    n_missing: int | None
    is_whole: bool


class Keeping(Asked):
    """Backups, and the state of the files."""

    @property
    def _keeper(self) -> BackupShelf:
        return self.adapters.keeper

    @property
    def _inspector(self) -> Inspector:
        return self.adapters.inspector

    @property
    def _watch(self) -> FileWatch:
        return self.adapters.file_watch

    def measure_disk(self) -> DiskRoom:
        """Measures how much room the disk has, beside what may be needed.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: The disk does not answer.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        return self.adapters.disk.room()

    def create_backup(self, workspace_id: str | None, progress: Progress = UNHEARD) -> Backup:
        """Keeps a verified copy of a workspace, or of the account for None; every call makes one.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            InvalidValueError: A scrub of it is not finished.
            StorageError: No room, no right to write, or the file is damaged; nothing is left.
            StoppedError: The person stopped it; nothing is left.
        """
        authorize_person(self.caller, Action.MANAGE, tier_of(workspace_id))
        return self._keeper.create(workspace_id, progress)

    def list_backups(self, workspace_id: str | Every | None = ALL) -> tuple[Backup, ...]:
        """The backups of a workspace, of the account for None, or of all; the oldest first.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        if isinstance(workspace_id, Every):
            return self._keeper.kept()
        return self._keeper.kept_of(workspace_id)

    def pin_backup(self, name: str, *, stays: bool) -> Backup:
        """Says that a backup stays, or that it may be thinned out with the others.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup.
            StorageError: The folder cannot be written to.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        return self._keeper.pin(name, stays=stays)

    def adopt_backup(self, path: Path) -> Backup:
        """Takes a file of the person's own among the backups; it stays where it is.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: It is of another history, or a scrub is not finished.
            StorageError: It is damaged, none of ours, newer, or there is no room.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        return self._keeper.adopt(path)

    def delete_backup(self, name: str) -> Backup:
        """Takes a backup off the disk.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup.
            StorageError: The folder refuses it.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        backup = self._keeper.find(name)
        self._keeper.remove([backup.name])
        return backup

    def back_up_changes(
        self, workspace_id: str | None, *, trigger: str = "request", progress: Progress = UNHEARD
    ) -> TaskRun:
        """Keeps a copy of a file if anything in it changed since the last one; the clock's.

        The run counts as ``backed_up`` what was kept. Whoever starts the program again and again
        gets no backup each time: a young one is enough.

        Args:
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
        authorize_management(self.caller)
        began, target, keeper = self.clock(), backup_of(workspace_id), self._keeper
        recent = young(keeper, workspace_id, began) if trigger == "start" else None
        is_made = (
            recent is None
            and has_changed(keeper, workspace_id)
            and backed_up(keeper, self.adapters.disk, self.clock, workspace_id, progress)
        )
        now, hours = self.clock(), self.parts.settings().background.backup_hours
        kept_at = now if recent is None else recent.created_at
        with self.writing(workspace_id, durable=False) as unit:
            before = unit.tasks.state(target) or TaskState(now)
            due = kept_at + timedelta(hours=hours) if hours else None
            unit.tasks.put_state(target, replace(before, last_run_at=kept_at, next_due_at=due))
            unit.commit()
        counts = {"backed_up": 1} if is_made else {}
        return TaskRun(self.new_id(), target, trigger, RunState.FINISHED, began, now, counts)

    def compare_backup(self, name: str, progress: Progress = UNHEARD) -> Comparison:
        """Says which memories and named entries are not the same in a backup and now.

        Args:
            name: The backup's name.
            progress: Hears ``verify`` and ``compare``, and says when to stop.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup, or its workspace is gone.
            InvalidValueError: It is of another history.
            StorageError: It, or the file, is damaged or cannot be read.
            StoppedError: The person stopped it.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        keeper = self._keeper
        return compared(self.store, keeper, keeper.find(name), progress)

    def set_back(
        self, name: str, wanted: Sequence[Difference], progress: Progress = UNHEARD
    ) -> SetBackDone:
        """Sets chosen differences back to what a backup holds; what is there now is kept first.

        What somebody changed since the comparison stays as it is, and so does what has no place
        any more: nothing is overwritten unseen. Every change is a step in a history and can be
        taken back there; the backup that is made first brings all of them back at once.

        Args:
            name: The backup's name.
            wanted: Differences of a comparison with this backup.
            progress: Hears ``keep`` and ``restore``, and says when to stop.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such backup, or its workspace is gone.
            InvalidValueError: It is of another history, or a scrub is not finished.
            StorageError: No room, or one of the files is damaged; nothing was changed.
            StoppedError: The person stopped it; nothing was changed.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        backup = self._keeper.find(name)
        progress.report("keep", 0, 0)
        safety = self._keeper.create(
            backup.workspace_id,
            Progress(is_cancelled=progress.is_cancelled),
            BackupReason.BEFORE_RESTORE,
        )
        done = put_back(self.parts, self.caller, backup, safety, wanted, progress)
        progress.report("done", 1, 1)
        return done

    def restore_backup(
        self, name: str, progress: Progress = UNHEARD, *, accept_log: bool = False
    ) -> Restoration:
        """Brings back what a backup holds; the event log goes on and records it.

        Args:
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
        caller = self.caller
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        backup = self._keeper.find(name)
        draft = recorded(caller, EventKind.BACKUP_RESTORED, backup.workspace_id)
        return self._keeper.restore(
            backup.name, draft, self.clock(), progress, accept_log=accept_log
        )

    def find_open(self, *, close: bool = False) -> tuple[str, ...]:
        """Names the files that other users of the machine may open; on request closes them.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: One of them cannot be closed.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        found = self._inspector.loosened(tighten=close)
        return tuple(one.detail for one in found if one.kind is FindingKind.LOOSENED)

    def check_data(self, *, repair: bool = False, progress: Progress = UNHEARD) -> CheckReport:
        """Looks every file and every backup over; on request makes what is derived again.

        Args:
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
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        files, names = self._inspector.files(), self._inspector.backup_names()
        checks = []
        for number, workspace_id in enumerate(files):
            progress.require_wanted()
            progress.report("files", number, len(files))
            check = self._inspector.look(workspace_id)
            if repair and any(one.kind in REBUILT for one in check.findings):
                check = self._repaired(workspace_id, check)
            checks.append(check)
        found = [finding for check in checks for finding in check.findings]
        for number, name in enumerate(names):
            progress.require_wanted()
            progress.report("backups", number, len(names))
            of_backup = self._inspector.look_at_backup(name)
            found += [] if of_backup is None else [of_backup]
        found += self._inspector.left_over(remove=repair)
        found += self._inspector.loosened(tighten=repair)
        progress.report("done", 1, 1)
        return CheckReport(
            len(files),
            sum(check.n_memories for check in checks),
            sum(check.n_events for check in checks),
            len(names),
            tuple(found),
        )

    def examine_place(self, workspace_id: str | None) -> PlaceHealth | None:
        """Looks a database over, and for the last good copy of it; None if it is gone.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: Another program keeps the file busy, or the system refuses it.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        known = {one.id for one in self.parts.directory.workspaces()}
        if workspace_id is not None and workspace_id not in known:
            return None
        # Before the look: whoever mends the file meanwhile is noticed the next time.
        stamp = self._watch.stamp(workspace_id)
        check = self._inspector.look(workspace_id)
        hindering = list(filter(_hinders, check.findings))
        if not hindering:
            return PlaceHealth(workspace_id, is_damaged=False, stamp=stamp)
        return PlaceHealth(
            workspace_id,
            is_damaged=True,
            stamp=stamp,
            copy=self._last_good(workspace_id),
            is_repairable=all(one.kind in REBUILT for one in hindering),
        )

    def stamp_place(self, workspace_id: str | None) -> tuple[int, ...]:
        """Tells whether a database is still the one that was looked at: its stamp is the same.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        return self._watch.stamp(workspace_id)

    def repair_place(self, workspace_id: str | None) -> PlaceRepair:
        """Makes again what follows from everything that was written, and keeps the state before.

        Raises:
            ScopeDeniedError: The caller is not the person.
            DatabaseCorruptError: Something that was written is damaged; nothing was changed.
            InvalidValueError: A scrub of it is not finished; nothing was changed.
            StorageError: Another program has it open, or there is no room; nothing was changed.
        """
        caller = self.caller
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        check = self._inspector.look(workspace_id)
        kinds = {one.kind for one in check.findings if _hinders(one)}
        if not kinds:
            return PlaceRepair(workspace_id, "", False, check.n_memories, 0)
        if not kinds <= REBUILT:
            raise DatabaseCorruptError(detail="rows")
        draft = recorded(caller, EventKind.INDEX_REPAIRED, workspace_id)
        if FindingKind.INDEX_PAGES in kinds:
            done = self._inspector.rebuild(workspace_id, draft, self.clock())
            return PlaceRepair(workspace_id, done.kept, True, done.n_memories, done.n_to_embed)
        # Every page is sound, so that the index can be made again where it is.
        kept = self._keeper.create(workspace_id, UNHEARD, BackupReason.BEFORE_REPAIR)
        counts = self._inspector.mend(workspace_id, draft, self.clock())
        n_to_embed = counts.get(FindingKind.VECTORS.value, 0)
        return PlaceRepair(workspace_id, kept.name, False, check.n_memories, n_to_embed)

    def export_readable(
        self, workspace_id: str | None, path: Path, progress: Progress = UNHEARD
    ) -> ReadableExported:
        """Writes what can still be read of a database into an export file, in the place of any.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            DatabaseCorruptError: Nothing in it can be read.
            StorageError: The file cannot be written.
            StoppedError: The person stopped it; nothing is left.
        """
        authorize_person(self.caller, Action.READ, Tier.ACCOUNT)
        with self.adapters.salvager.readable(workspace_id) as found:
            request = ExportRequest(workspaces=(workspace_id,))
            readable = replace(self.parts, store=found.store)
            done = Transfer(readable, self.caller).export(request, path, progress)
        return ReadableExported(done, found.n_missing, found.is_whole)

    def _repaired(self, workspace_id: str | None, before: FileCheck) -> FileCheck:
        """The file after its repair: a second look says what is right now."""
        draft = recorded(self.caller, EventKind.INDEX_REPAIRED, workspace_id)
        kept = ""
        if any(one.kind is FindingKind.INDEX_PAGES for one in before.findings):
            kept = self._inspector.rebuild(workspace_id, draft, self.clock()).kept
        else:
            self._inspector.mend(workspace_id, draft, self.clock())
        after = self._inspector.look(workspace_id)
        still = {one.kind for one in after.findings}
        mended = [
            replace(one, is_repaired=True, detail=kept or one.detail)
            for one in before.findings
            if one.kind in REBUILT and one.kind not in still
        ]
        return replace(after, findings=(*mended, *after.findings))

    def _last_good(self, workspace_id: str | None) -> Backup | None:
        kept = self._keeper.kept_of(workspace_id)
        return next(
            (
                one
                for one in reversed(kept)
                if one.fault is None and self._inspector.look_at_backup(one.name) is None
            ),
            None,
        )


def _hinders(finding: Finding) -> bool:
    """Whether a read may fail by it; a newer or a foreign file is not damaged."""
    if finding.kind is FindingKind.UNREADABLE:
        return finding.detail == _DAMAGED
    return finding.kind in UNREADABLE
