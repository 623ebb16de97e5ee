"""A database that cannot be read as a whole: how it is, and what can still be had from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_person
from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.log.backup import (
    REBUILT,
    UNREADABLE,
    BackupReason,
    FindingKind,
    PlaceHealth,
    PlaceRepair,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.keeping.health import recorded
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup, Finding
    from inklings_desktop.usecases.ports.keeping import (
        BackupKeeper,
        FileWatch,
        Inspector,
        Salvager,
    )
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock, WorkspaceDirectory
    from inklings_desktop.usecases.transfer.exporting import Exported, ExportMemory

_DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class StampPlace:
    """Tell cheaply whether a database is still the one that was looked at."""

    watch: FileWatch

    def __call__(self, caller: Caller, workspace_id: str | None) -> tuple[int, ...]:
        """Its stamp; another one once the file was replaced or written to.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        return self.watch.stamp(workspace_id)


@dataclass(frozen=True, slots=True)
class ExaminePlace:
    """Look one database over, and for the last good copy of it; nothing is changed."""

    inspector: Inspector
    watch: FileWatch
    keeper: BackupKeeper
    directory: WorkspaceDirectory

    def __call__(self, caller: Caller, workspace_id: str | None) -> PlaceHealth | None:
        """How it is; None when the workspace is not there any more.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: Another program keeps the file busy, or the system refuses it.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        known = {one.id for one in self.directory.workspaces()}
        if workspace_id is not None and workspace_id not in known:
            return None
        # Before the look: whoever mends the file meanwhile is noticed the next time.
        stamp = self.watch.stamp(workspace_id)
        check = self.inspector.look(workspace_id)
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

    def _last_good(self, workspace_id: str | None) -> Backup | None:
        kept = self.keeper.kept_of(workspace_id)
        return next(
            (
                one
                for one in reversed(kept)
                if one.fault is None and self.inspector.look_at_backup(one.name) is None
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class RepairPlace:
    """Make again what follows from everything that was written, and keep the state before."""

    inspector: Inspector
    keeper: BackupKeeper
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str | None) -> PlaceRepair:
        """What was done; nothing where nothing is wrong any more.

        Raises:
            ScopeDeniedError: The caller is not the person.
            DatabaseCorruptError: Something that was written is damaged; nothing was changed.
            InvalidValueError: A scrub of it is not finished; nothing was changed.
            StorageError: Another program has it open, or there is no room; nothing was changed.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        check = self.inspector.look(workspace_id)
        kinds = {one.kind for one in check.findings if _hinders(one)}
        if not kinds:
            return PlaceRepair(workspace_id, "", False, check.n_memories, 0)
        if not kinds <= REBUILT:
            raise DatabaseCorruptError(detail="rows")
        draft = recorded(caller, EventKind.INDEX_REPAIRED, workspace_id)
        if FindingKind.INDEX_PAGES in kinds:
            done = self.inspector.rebuild(workspace_id, draft, self.clock())
            return PlaceRepair(workspace_id, done.kept, True, done.n_memories, done.n_to_embed)
        # Every page is sound, so that the index can be made again where it is.
        kept = self.keeper.create(workspace_id, UNHEARD, BackupReason.BEFORE_REPAIR)
        counts = self.inspector.mend(workspace_id, draft, self.clock())
        n_to_embed = counts.get(FindingKind.VECTORS.value, 0)
        return PlaceRepair(workspace_id, kept.name, False, check.n_memories, n_to_embed)


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


@dataclass(frozen=True, slots=True)
class ExportReadable:
    """Write what can still be read of one database into an export file."""

    salvager: Salvager
    export: ExportMemory

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        path: Path,
        progress: Progress = UNHEARD,
    ) -> ReadableExported:
        """What was written; a file of that name is replaced, the database is left as it is.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            DatabaseCorruptError: Nothing in it can be read.
            StorageError: The file cannot be written.
            StoppedError: The person stopped it; nothing is left.
        """
        authorize_person(caller, Action.READ, Tier.ACCOUNT)
        with self.salvager.readable(workspace_id) as found:
            export = replace(self.export, store=found.store)
            done = export(caller, ExportRequest(workspaces=(workspace_id,)), path, progress)
        return ReadableExported(done, found.n_missing, found.is_whole)


def _hinders(finding: Finding) -> bool:
    """Whether a read may fail by it; a newer or a foreign file is not damaged."""
    if finding.kind is FindingKind.UNREADABLE:
        return finding.detail == _DAMAGED
    return finding.kind in UNREADABLE
