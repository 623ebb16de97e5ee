"""Makes, lists, reads and restores managed backups of the files under one data root."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    BackupDamagedError,
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseTooNewError,
    ForeignDatabaseError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.log.backup import Backup, BackupFault, BackupReason, Restoration
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.storage.backups.backup_making import (
    make_backup,
    only_one_keeper,
    require_no_open_purge,
    require_room,
    size_with_wal,
    verify_database,
)
from inklings_desktop.storage.backups.backups import (
    all_backups,
    backups_of,
    described,
    find_backup,
    remove_backup,
    remove_spare_notes,
    write_note,
)
from inklings_desktop.storage.checks.soundness import state_of
from inklings_desktop.storage.engine.maintenance import (
    bare,
    sealed_connection,
    sealed_view,
    upkeep_connection,
    upkeep_transaction,
)
from inklings_desktop.storage.keeping.backup_adoption import adopt_backup
from inklings_desktop.storage.keeping.log_audit import first_forged
from inklings_desktop.storage.keeping.restoring import (
    current_copy,
    put_in_place,
    replace_rows,
    require_same_history,
    settle_activities,
)
from inklings_desktop.storage.log.event_chain import Head, lost_head
from inklings_desktop.storage.log.event_log import SqliteEventLog
from inklings_desktop.storage.repositories.transfer_repository import SqliteTransferRepository
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from inklings_desktop.storage.schema.schema_rules import kind_of
from inklings_desktop.storage.upgrade.migrating import steps_before
from inklings_desktop.usecases.ports.keeping import KeptRows
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.events import EventDraft
    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.databases import Databases, OpenFile
    from inklings_desktop.usecases.ports.store import ChangePublisher, Clock

# ruff: noqa: S608  the statements are put together from names of ours, never from values


_VALUES = ("content", "importance", "lifetime", "tags", "pinned", "paused", "locked")


def _row(name: str) -> str:
    return f"({', '.join(f'{name}.{one}' for one in _VALUES)})"


_ONLY_THEN = (
    "SELECT old.id AS id, old.sequence AS sequence FROM kept.memories AS old"
    " LEFT JOIN main.memories AS own ON own.id = old.id"
    " WHERE old.forgotten_at IS NULL AND (own.id IS NULL OR own.forgotten_at IS NOT NULL)"
)
_HERE = (
    "SELECT own.id AS id, own.sequence AS sequence FROM main.memories AS own"
    " LEFT JOIN kept.memories AS old ON old.id = own.id AND old.forgotten_at IS NULL"
    f" WHERE own.forgotten_at IS NULL AND (old.id IS NULL OR {_row('own')} IS NOT {_row('old')})"
)
_MEMORIES = f"SELECT id FROM ({_HERE} UNION ALL {_ONLY_THEN}) ORDER BY sequence DESC"
_ENTRIES = (
    "SELECT own.id FROM main.named_entries AS own"
    " LEFT JOIN kept.named_entries AS old ON old.id = own.id AND old.deleted_at IS NULL"
    " WHERE own.deleted_at IS NULL AND (old.id IS NULL OR own.body IS NOT old.body)"
    " UNION ALL SELECT old.id FROM kept.named_entries AS old"
    " LEFT JOIN main.named_entries AS own ON own.id = old.id AND own.deleted_at IS NULL"
    " WHERE old.deleted_at IS NULL AND own.id IS NULL"
)
_N_HERE = (
    "SELECT (SELECT count(*) FROM main.memories WHERE forgotten_at IS NULL)"
    f" - (SELECT count(*) FROM ({_HERE})),"
    " (SELECT count(*) FROM main.named_entries AS own JOIN kept.named_entries AS old"
    " ON old.id = own.id WHERE own.deleted_at IS NULL AND old.deleted_at IS NULL"
    " AND own.body IS old.body)"
)
_LAST_EVENT = "SELECT ifnull(max(seq), 0) FROM kept.events"


@contextmanager
def rows_beside(path: Path, source: Path, workspace_id: str | None) -> Iterator[KeptRows]:
    """What a backup holds, and what of it differs from the file in use.

    Args:
        path: The file in use.
        source: The backup, verified and of the current version.
        workspace_id: Whose both are; None for the account's.

    Raises:
        InvalidValueError: The backup is of another history.
        StorageError: One of them cannot be read.
    """
    with upkeep_transaction(path, attached=source, is_read=True) as connection:
        raw = bare(connection)
        require_same_history(raw)
        n_memories, n_entries = raw.execute(_N_HERE).fetchone()
        memory_ids = _ids(raw, _MEMORIES)
        entry_ids = _ids(raw, _ENTRIES)
        (n_events,) = raw.execute(_LAST_EVENT).fetchone()
    with sealed_view(source) as kept:
        yield KeptRows(
            SqliteTransferRepository(Transaction(kept, workspace_id)),
            memory_ids,
            entry_ids,
            n_memories,
            n_entries,
            n_events,
        )


def _ids(connection: sqlite3.Connection, statement: str) -> tuple[str, ...]:
    return tuple(row[0] for row in connection.execute(statement))


def note_head(
    databases: Databases, path: Path, workspace_id: str | None, log: SqliteEventLog
) -> None:
    """Note the write and the head of the log once what was appended is durable; never fails.

    Args:
        path: The database that holds the log.
        workspace_id: Whose it is; None for the account's.
        log: What recorded the upkeep.
    """

    def digest_at(number: int) -> str | None:
        with upkeep_connection(path) as connection:
            row = connection.execute(
                "SELECT chain_hash FROM events WHERE seq = ?", (number,)
            ).fetchone()
        return None if row is None else str(row[0])

    databases.witness().note(workspace_id, log.change_seq)
    databases.log_heads().advance(
        workspace_id, log.appended[-1], first=log.appended[1].number, digest_at=digest_at
    )


_COPIES_WHILE_MIGRATING = 3
"""A copy of a backup of an earlier version, its new rows in the WAL, and in the copy."""
_COPIES_WHILE_RESTORING = 3
"""The safety backup, the rows in the WAL, the rows in the file."""


class SqliteBackupKeeper:
    """The ``BackupKeeper`` of one data root."""

    def __init__(self, databases: Databases, publisher: ChangePublisher, clock: Clock) -> None:
        self._databases = databases
        self._publisher = publisher
        self._clock = clock

    def create(
        self,
        workspace_id: str | None,
        progress: Progress = UNHEARD,
        reason: BackupReason = BackupReason.BY_HAND,
    ) -> Backup:
        root = self._databases.root
        file = self._databases.file(workspace_id)
        with only_one_keeper(root):
            made = make_backup(
                root,
                file.path,
                workspace_id,
                self._clock,
                progress,
                reason=reason,
                lineage=self._databases.lineage,
            )
        return described(made)

    def change_seq(self, workspace_id: str | None) -> int:
        """How far a database has come; what a backup of it holds says the same of itself."""
        with upkeep_connection(self._databases.file(workspace_id).path) as connection:
            return int(connection.execute("SELECT change_seq FROM meta").fetchone()[0])

    def pin(self, name: str, *, stays: bool) -> Backup:
        """Note whether a backup stays until a person removes it."""
        with only_one_keeper(self._databases.root):
            backup = find_backup(self._databases.root, name)
            write_note(backup.path, replace(backup.note, is_pinned=stays))
        return self.find(backup.name)

    def remove(self, names: Sequence[str]) -> None:
        """Take backups off the disk; one that is gone already is no matter."""
        root = self._databases.root
        with only_one_keeper(root):
            for one in all_backups(root):
                if one.name in names:
                    remove_backup(one)
                    remove_spare_notes(one.path.parent)

    def adopt(self, path: Path) -> Backup:
        """Take a file of the person's own among the backups; it stays where it is."""
        return described(adopt_backup(self._databases, path, self._clock))

    def kept(self) -> tuple[Backup, ...]:
        return tuple(described(one) for one in all_backups(self._databases.root))

    def kept_of(self, workspace_id: str | None) -> tuple[Backup, ...]:
        return tuple(described(one) for one in backups_of(self._databases.root, workspace_id))

    def find(self, name: str) -> Backup:
        return described(find_backup(self._databases.root, name))

    @contextmanager
    def beside(self, name: str) -> Iterator[KeptRows]:
        """A verified backup, open beside the file in use for as long as the block lasts.

        Raises:
            NotFoundError: There is no such backup, or its workspace is gone.
            InvalidValueError: It is of another history.
            BackupDamagedError: It is damaged.
            StorageError: It, or the file, cannot be read.
        """
        databases = self._databases
        # One of an earlier version comes up to date when it is opened, which makes a backup, too.
        path = databases.file(find_backup(databases.root, name).workspace_id).path
        with only_one_keeper(databases.root):
            backup = self._verified(name)
            with (
                self._current(backup, path.parent) as source,
                rows_beside(path, source, backup.workspace_id) as rows,
            ):
                yield rows

    def _verified(self, name: str) -> BackupFile:
        backup = find_backup(self._databases.root, name)
        _require_usable(backup)
        try:
            verify_database(backup.path, backup.workspace_id, self._databases.lineage)
        except DatabaseCorruptError as error:
            raise BackupDamagedError(backup.path, error.detail) from error
        return backup

    def restore(
        self,
        name: str,
        draft: EventDraft,
        at: datetime,
        progress: Progress = UNHEARD,
        *,
        accept_log: bool = False,
    ) -> Restoration:
        """Bring back what a backup holds; the state before is kept as a backup of its own.

        Args:
            name: The backup's name.
            draft: The event that records it, without figures.
            progress: Hears ``verify``, ``keep``, ``restore`` and ``done``.
            accept_log: Whether to bring back one whose event log was changed; of that log nothing
                is taken.

        Raises:
            NotFoundError: There is no such backup.
            InvalidValueError: A scrub is not finished, the backup is of another history, or its
                log is not what was written.
            BackupDamagedError: It is damaged; nothing was changed.
            DatabaseBusyError: Another program does not let go of the file.
            StorageError: It cannot be read or written.
        """
        databases = self._databases
        # One of an earlier version comes up to date when it is opened, which makes a backup, too.
        with suppress(_UnreadableError):
            self._readable(find_backup(databases.root, name).workspace_id)
        with only_one_keeper(databases.root):
            progress.report("verify", 0, 0)
            backup = self._verified(name)
            forged = first_forged(databases, backup.path, backup.workspace_id)
            if forged is not None and not accept_log:
                raise InvalidValueError("backup", "forged_log", forged)
            progress.require_wanted()
            try:
                restored = self._copied_in(backup, forged, draft, at, progress)
            except _UnreadableError:
                progress.report("restore", 0, 0)
                restored = put_in_place(databases, backup, draft, at, self._clock)
            databases.witness().accept(backup.workspace_id)
        progress.report("done", 1, 1)
        self._publisher.publish(
            MemoryChanges(
                backup.workspace_id,
                rooms=backup.workspace_id is not None,
                proposals=True,
                reload=True,
                initiator=draft.actor,
            )
        )
        return restored

    def _copied_in(
        self,
        backup: BackupFile,
        forged: int | None,
        draft: EventDraft,
        at: datetime,
        progress: Progress,
    ) -> Restoration:
        """The backup's rows in the place of the file's, in one transaction."""
        file = self._readable(backup.workspace_id)
        file.enter_write_lane()
        try:
            require_room(file.path.parent, _COPIES_WHILE_RESTORING * size_with_wal(file.path))
            with (
                self._current(backup, file.path.parent) as source,
                upkeep_transaction(file.path, attached=source) as connection,
            ):
                raw = bare(connection)
                if not file.is_in_place:
                    raise DatabaseBusyError(file.path, "replaced")
                require_no_open_purge(state_of(raw))
                require_same_history(raw)
                progress.report("keep", 0, 0)
                safety = self._safety_backup(file, progress)
                progress.require_wanted()
                progress.report("restore", 0, 0)
                replace_rows(
                    raw,
                    backup.path,
                    kind_of(backup.workspace_id),
                    with_log=forged is None,
                    lineage=self._databases.lineage,
                )
                settle_activities(raw, kind_of(backup.workspace_id), at)
                transaction = Transaction(connection, backup.workspace_id, initiator=draft.actor)
                state = state_of(raw)
                n_memories = state.n_rows["memories"]
                # Whoever commits notes the head afterwards, so it leads only a log that was cut.
                noted = self._databases.log_heads().read().heads.get(file.workspace_id, Head())
                n_lost = max(0, noted.number - state.n_events)
                counts = {"memories": n_memories, "events_lost": n_lost}
                marks = {"backup": backup.path.stem, "kept": safety.path.stem}
                marks |= lost_head(noted, n_lost)
                log = SqliteEventLog(transaction, self._databases.key())
                event = log.append(replace(draft, counts=counts, marks=marks), at)
                file.own_changes.add(transaction.change_seq)
                connection.commit()
            if n_lost:
                self._databases.log_heads().put({file.workspace_id: log.appended[-1]})
            else:
                note_head(self._databases, file.path, file.workspace_id, log)
        except DatabaseCorruptError as error:
            if error.path != file.path:
                raise
            raise _UnreadableError from error
        finally:
            file.write_lane.release()
        return Restoration(
            described(backup), described(safety), None, n_memories, n_lost, event.number
        )

    @contextmanager
    def _current(self, backup: BackupFile, folder: Path) -> Iterator[Path]:
        """What a backup holds as a file of the current version: the backup itself, or a copy."""
        lineage = self._databases.lineage
        with sealed_connection(backup.path) as connection:
            is_current = not steps_before(connection, kind_of(backup.workspace_id), lineage)
        if is_current:
            yield backup.path
            return
        require_room(folder, _COPIES_WHILE_MIGRATING * backup.n_bytes)
        with current_copy(backup, folder, lineage) as copy:
            yield copy

    def _readable(self, workspace_id: str | None) -> OpenFile:
        try:
            return self._databases.file(workspace_id)
        except (DatabaseCorruptError, NotFoundError) as error:
            raise _UnreadableError from error

    def _safety_backup(self, file: OpenFile, progress: Progress) -> BackupFile:
        return make_backup(
            self._databases.root,
            file.path,
            file.workspace_id,
            self._clock,
            Progress(is_cancelled=progress.is_cancelled),
            reason=BackupReason.BEFORE_RESTORE,
            is_write_locked=True,
            lineage=self._databases.lineage,
        )


class _UnreadableError(Exception):
    """The file in use is gone or damaged, so its rows cannot be replaced one by one."""


def _require_usable(backup: BackupFile) -> None:
    match backup.fault:
        case BackupFault.DAMAGED:
            raise BackupDamagedError(backup.path, "damaged")
        case BackupFault.FOREIGN:
            raise ForeignDatabaseError(backup.path, "backup")
        case BackupFault.NEWER:
            raise DatabaseTooNewError(backup.path, backup.schema_version or 0, SCHEMA_VERSION)
