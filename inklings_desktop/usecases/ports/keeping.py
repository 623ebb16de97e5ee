"""What the use cases of upkeep need from outside: backups, a look at the files, an eraser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.backup import (
        Backup,
        FileCheck,
        Finding,
        Rebuilt,
        Restoration,
        WorkspaceDeletion,
    )
    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.domain.log.events import EventDraft
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.transfer import TransferRepository, TransferStore


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a damaged database still gives.

    Attributes:
        store: Hands it out; nothing can be written to it.
        n_missing: Active memories that the file counted and no longer gives; None when it no
            longer tells how many there were.
        is_whole: Whether every row of it could be read.
    """

    store: TransferStore
    n_missing: int | None
    is_whole: bool


@dataclass(frozen=True, slots=True)
class KeptRows:
    """A backup that is open for reading, beside the file in use.

    Attributes:
        transfers: Its rows; they are only read.
        memory_ids: Of memories that are not the same in both, the latest written first.
        entry_ids: Of named entries that are not the same in both.
        n_same_memories: Memories that are the same.
        n_same_entries: Named entries that are.
        n_events: Number of the last event it knows of.
    """

    transfers: TransferRepository
    memory_ids: tuple[str, ...]
    entry_ids: tuple[str, ...]
    n_same_memories: int
    n_same_entries: int
    n_events: int


class DiskProbe(Protocol):
    """Looks how much room there is where the data lies."""

    def room(self) -> DiskRoom:
        """What is free, and the largest database.

        Raises:
            StorageError: The disk does not answer.
        """
        ...


class BackupKeeper(Protocol):
    """Makes, lists and restores managed backups."""

    def create(
        self,
        workspace_id: str | None,
        progress: Progress,
        reason: BackupReason = BackupReason.BY_HAND,
    ) -> Backup:
        """Make and verify a backup of a workspace, or of the account for None.

        Raises:
            NotFoundError: There is no such workspace.
            InvalidValueError: A scrub of it is not finished.
            StorageError: No room, no right to write, or the file is damaged; nothing is left.
            StoppedError: The person stopped it; nothing is left.
        """
        ...

    def kept(self) -> tuple[Backup, ...]:
        """Every managed backup, the oldest first."""
        ...

    def kept_of(self, workspace_id: str | None) -> tuple[Backup, ...]:
        """Those of a workspace, or of the account for None, the oldest first."""
        ...

    def find(self, name: str) -> Backup:
        """The backup of this name.

        Raises:
            NotFoundError: There is none, or several scopes have one of that name.
        """
        ...

    def restore(
        self,
        name: str,
        draft: EventDraft,
        at: datetime,
        progress: Progress,
        *,
        accept_log: bool = False,
    ) -> Restoration:
        """Bring back what a backup holds; the state before is kept as a backup of its own.

        Args:
            name: The backup's name.
            draft: The event that records it, without figures.
            at: When it happens.
            progress: Hears ``verify``, ``keep``, ``restore`` and ``done``.
            accept_log: Whether to bring back one whose event log was changed.

        Raises:
            NotFoundError: There is no such backup.
            InvalidValueError: A scrub is not finished, the backup is of another history, or its
                log is not what was written.
            StorageError: It is damaged, or the file cannot be written to; nothing was changed.
            StoppedError: The person stopped it; nothing was changed.
        """
        ...


class BackupShelf(BackupKeeper, Protocol):
    """The same, and what is done with single backups."""

    def adopt(self, path: Path) -> Backup:
        """Take a file of the person's own among the backups; it stays where it is.

        What was scrubbed since it was made is left out.

        Raises:
            InvalidValueError: It is of another history, or a scrub is not finished.
            StorageError: It is damaged, none of ours, newer, or there is no room.
        """
        ...

    def change_seq(self, workspace_id: str | None) -> int:
        """How far a database has come; what a backup of it holds says the same of itself.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: It cannot be read.
        """
        ...

    def pin(self, name: str, *, stays: bool) -> Backup:
        """Note whether a backup stays until a person removes it.

        Raises:
            NotFoundError: There is no such backup.
            StorageError: The folder cannot be written to, or another program is at work in it.
        """
        ...

    def remove(self, names: Sequence[str]) -> None:
        """Take backups off the disk; one that is gone already is no matter.

        Raises:
            StorageError: The folder refuses it, or another program is at work in it.
        """
        ...

    def beside(self, name: str) -> AbstractContextManager[KeptRows]:
        """A verified backup, open beside the file in use for as long as the block lasts.

        Raises:
            NotFoundError: There is no such backup, or its workspace is gone.
            InvalidValueError: It is of another history.
            StorageError: It, or the file, is damaged or cannot be read.
        """
        ...


class Inspector(Protocol):
    """Looks a data root over."""

    def files(self) -> tuple[str | None, ...]:
        """What there is to look at: the account as None, then every workspace."""
        ...

    def look(self, workspace_id: str | None) -> FileCheck:
        """What is wrong with one file; a file that cannot be used is a finding, no error."""
        ...

    def mend(self, workspace_id: str | None, draft: EventDraft, at: datetime) -> Mapping[str, int]:
        """Make everything derived in one file again, and record it; what was wrong, by kind.

        Raises:
            StorageError: The file cannot be written to; nothing was changed.
        """
        ...

    def rebuild(self, workspace_id: str | None, draft: EventDraft, at: datetime) -> Rebuilt:
        """Make a file again whose indexes are damaged, and record it; the damaged one is kept.

        Raises:
            DatabaseCorruptError: Something that was written cannot be read; nothing was changed.
            InvalidValueError: A scrub of it is not finished; nothing was changed.
            StorageError: Another program has it open, or there is no room; nothing was changed.
        """
        ...

    def backup_names(self) -> tuple[str, ...]:
        """Every managed backup."""
        ...

    def look_at_backup(self, name: str) -> Finding | None:
        """What speaks against restoring a backup; None when nothing does."""
        ...

    def left_over(self, *, remove: bool) -> Sequence[Finding]:
        """Half-made files of runs that were killed; removed if asked for."""
        ...

    def loosened(self, *, tighten: bool) -> Sequence[Finding]:
        """Files and folders of the memory that others may read or write; closed if asked for.

        Raises:
            StorageError: One of them cannot be closed.
        """
        ...


class FileWatch(Protocol):
    """Tells cheaply whether a database file is still the one that was looked at."""

    def stamp(self, workspace_id: str | None) -> tuple[int, ...]:
        """Another one once the file was replaced or written to; empty when it is gone.

        Raises:
            NotFoundError: No workspace can have this id.
        """
        ...


class Salvager(Protocol):
    """Reads what a damaged database still gives."""

    def readable(self, workspace_id: str | None) -> AbstractContextManager[Salvage]:
        """What can be read, held only inside the block; the damaged file is not changed.

        Raises:
            NotFoundError: There is no such workspace.
            DatabaseCorruptError: Nothing in it can be read.
            StorageError: No room, or no right to write.
        """
        ...


class WorkspaceEraser(Protocol):
    """Removes a workspace with everything of it."""

    def measure(self, workspace: Workspace) -> WorkspaceDeletion:
        """What deleting it would remove.

        Raises:
            StorageError: Its file cannot be read.
        """
        ...

    def erase(self, workspace: Workspace, draft: EventDraft, at: datetime) -> WorkspaceDeletion:
        """Record it in the account's log with the workspace's scrubs, then remove everything.

        Raises:
            DatabaseBusyError: Another program is writing to it; nothing was changed.
            StorageError: Nothing was changed, or the removal goes on at the next start.
        """
        ...
