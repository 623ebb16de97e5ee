"""Clears what a scrub removed out of every file of ours, step by step; a kill only interrupts it.

After the commit that removed the rows: the index is merged and the file rewritten, the WAL folded
and cut, backups are rewritten or deleted, side files deleted; then every file under the data root
is searched. Each step can be done again, and the marker in the database says which is next. While
another program reads an older state nothing is claimed, and the purge stays open.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    StorageError,
)
from inklings_desktop.domain.log.disk_room import ROOM_FACTOR
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import (
    BackupFate,
    BackupHolding,
    ScrubMode,
    ScrubReceipt,
)
from inklings_desktop.logs import topic
from inklings_desktop.storage.backups.backups import (
    backups_of,
    remove_backup,
    remove_unfinished,
)
from inklings_desktop.storage.engine.compaction import fold_wal, is_index_clean, rebuild_index
from inklings_desktop.storage.engine.connecting import require_writable, sync_folder, write_private
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.engine.maintenance import upkeep_connection
from inklings_desktop.storage.keeping.backup_adoption import fate_of, rewrite_backup
from inklings_desktop.storage.places import HINT_FILE, WORKSPACES_FOLDER, files_to_resume
from inklings_desktop.storage.repositories.scrub_rows import ScrubRows
from inklings_desktop.storage.repositories.scrub_talk import QuotedRows
from inklings_desktop.storage.rows.memories import of_sensible_rows
from inklings_desktop.storage.schema.purge_schema import COMPACTED, REMOVED
from inklings_desktop.storage.settling import linked_folders
from inklings_desktop.usecases.ports.scrub import Erased

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.scrub_contents import Said
    from inklings_desktop.storage.databases import Databases, OpenFile
    from inklings_desktop.usecases.ports.progress import Progress

LOCK_FILE = ".purge.lock"
FOLD_ATTEMPTS = 5
FOLD_WAIT_MS = 200
SIDE_FILES_WAIT_SECONDS = 10.0

_log = topic("storage")


@dataclass(frozen=True, slots=True)
class _Marker:
    """An open purge as its marker tells."""

    number: int
    chain_hash: str
    state: str
    rows: ScrubRows
    executed_at: int
    salt: bytes
    needles: bytes
    rewritten: tuple[str, ...]
    deleted: tuple[str, ...]


class SqliteEraser:
    """The ``Eraser`` over the files of one data root."""

    def __init__(
        self, databases: Databases, *, free_bytes: Callable[[Path], int] | None = None
    ) -> None:
        """Clear the files of these databases.

        Args:
            databases: The files.
            free_bytes: Says how much room is left where a folder lies; None asks the system.
        """
        self._databases = databases
        self._free_bytes = free_bytes or _free_bytes

    def backups_holding(self, scope: ScopeKey, mode: ScrubMode) -> tuple[BackupHolding, ...]:
        rows = ScrubRows.of(scope, mode)
        fates = (
            (backup, fate_of(backup, rows))
            for backup in backups_of(self._databases.root, scope.workspace_id)
        )
        return tuple(
            BackupHolding(backup.path.name, backup.created_at, fate)
            for backup, fate in fates
            if fate is not None
        )

    def prepare(self, workspace_id: str | None) -> None:
        """Return only if there is room to finish, and everything can be written to.

        Raises:
            DatabaseFullError: Less than three times the database's size is left.
            DatabaseReadOnlyError: The folder or a file in it cannot be written to.
            StorageError: A folder of ours is a ``link``: what lies behind it cannot be vouched for.
        """
        path = self._databases.file(workspace_id).path
        for linked in linked_folders(self._databases.root):
            raise StorageError(linked, "link")
        backups = backups_of(self._databases.root, workspace_id)
        require_writable(self._databases.root)
        for folder in {path.parent, *(one.path.parent for one in backups)}:
            require_writable(folder)
        with_wal = [one for one in (path, path.with_name(f"{path.name}-wal")) if one.exists()]
        for one in with_wal:
            _require_writable_file(one)
        largest = max((one.n_bytes for one in backups), default=0)
        needed = ROOM_FACTOR * max(sum(one.stat().st_size for one in with_wal), largest)
        try:
            free = self._free_bytes(path.parent)
        except OSError as error:
            raise file_error(error, path.parent) from error
        if free < needed:
            raise DatabaseFullError(path, f"{needed} bytes needed")

    def announce(self, workspace_id: str | None) -> None:
        hint = self._hint(workspace_id)
        if not hint.exists():
            write_private(hint, b"")
        sync_folder(hint.parent)

    def erase(
        self,
        workspace_id: str | None,
        number: int,
        progress: Progress,
        *,
        patience_seconds: float = 0.0,
    ) -> Erased:
        """Clear the files and search them; what came of it.

        Args:
            workspace_id: Whose file was scrubbed; None for the account's.
            number: Of the scrub's event.
            progress: Hears ``index``, ``compact``, ``backups`` and ``search``; it can be stopped
                between two steps and goes on there the next time.
            patience_seconds: How long another purge under this data root is waited for.

        Raises:
            StorageError: The disk refuses it; the purge stays open.
            StoppedError: It was stopped; the purge stays open.
        """
        file = self._databases.file(workspace_id)
        try:
            with self._only_one(patience_seconds):
                return self._erased(file, number, progress, is_patient=patience_seconds > 0)
        except DatabaseBusyError:
            return Erased(None, "busy")
        except OSError as error:
            raise file_error(error, file.path) from error

    def clear_quotes(self, workspace_id: str, said: Said) -> None:
        from inklings_desktop.storage.backups.backup_making import only_one_keeper

        file, rows = self._databases.file(workspace_id), QuotedRows(said)
        try:
            with only_one_keeper(self._databases.root):
                for backup in backups_of(self._databases.root, workspace_id):
                    match fate_of(backup, rows):
                        case BackupFate.REWRITTEN:
                            rewrite_backup(backup, rows, file.template_of, 0)
                        case BackupFate.DELETED:
                            remove_backup(backup)
        except OSError as error:
            raise file_error(error, file.path) from error

    def settle(self, workspace_id: str | None) -> None:
        """Cut away what the marker left in the WAL, and the note beside the file."""
        file = self._databases.file(workspace_id)
        with self._upkeep(file) as connection:
            (is_open,) = connection.execute("SELECT EXISTS (SELECT 1 FROM purges)").fetchone()
            if is_open or not fold_wal(connection):
                return
        with suppress(OSError):
            self._hint(workspace_id).unlink(missing_ok=True)

    def files_to_resume(self) -> tuple[str | None, ...]:
        """Files that may have an open purge: those with a note beside them."""
        return files_to_resume(self._databases.root)

    def _erased(
        self, file: OpenFile, number: int, progress: Progress, *, is_patient: bool
    ) -> Erased:
        with self._upkeep(file) as connection:
            marker = _marker(connection, number)
            if marker is None:
                return Erased(None, "busy")  # another process has just finished it
            if not _without_side_files(file):
                return Erased(None, "snapshot")
            if marker.state == REMOVED:
                progress.report("index", 0, 0)
                rebuild_index(connection)
                progress.report("compact", 0, 0)
                connection.execute("VACUUM")
                _set(connection, number, "state", COMPACTED)
            progress.require_wanted()
            is_folded = _folded(connection, FOLD_ATTEMPTS if is_patient else 1)
        if not is_folded:
            return Erased(None, "snapshot")
        self._clear_backups(file, marker, progress)
        return self._searched(file, number, progress)

    def _clear_backups(self, file: OpenFile, marker: _Marker, progress: Progress) -> None:
        from inklings_desktop.storage.backups.backup_making import only_one_keeper

        root, rows = self._databases.root, marker.rows
        backups = backups_of(root, file.workspace_id)
        progress.report("backups", 0, len(backups))
        if not backups:
            return
        executed = (marker.number, marker.chain_hash)
        rewritten, deleted = list(marker.rewritten), list(marker.deleted)
        with only_one_keeper(root):
            remove_unfinished(backups[0].path.parent)
            for done, backup in enumerate(backups, start=1):
                progress.require_wanted()
                fate = fate_of(backup, rows, executed)
                if fate is None:
                    continue
                names = rewritten if fate is BackupFate.REWRITTEN else deleted
                if backup.path.name not in names:
                    # Noted before it happens: a killed run is not to forget that it did.
                    names.append(backup.path.name)
                    self._note(file, marker.number, rewritten, deleted)
                if fate is BackupFate.REWRITTEN:
                    rewrite_backup(backup, rows, file.template_of, marker.executed_at)
                else:
                    remove_backup(backup)
                progress.report("backups", done, len(backups))

    def _searched(self, file: OpenFile, number: int, progress: Progress) -> Erased:
        from inklings_desktop.domain.likeness.needles import NeedleSet
        from inklings_desktop.storage.repositories.scrub_repository import needle_hasher, needles_of
        from inklings_desktop.storage.scrubbing.residue import search

        with self._upkeep(file) as connection:
            marker = _marker(connection, number)
            is_clean = is_index_clean(connection)
        if marker is None:
            return Erased(None, "busy")
        hasher = needle_hasher(self._databases.key(), marker.salt)
        needles = NeedleSet(hasher, needles_of(marker.needles))
        residue = search(self._databases, needles, progress)
        if self._cleared_beside(file, residue.places):
            residue = search(self._databases, needles, progress)
        executed = (number, marker.chain_hash)
        still_held = [
            backup.name
            for backup in backups_of(self._databases.root, file.workspace_id)
            if fate_of(backup, marker.rows, executed) is not None
        ]
        if residue.hits or still_held or not is_clean:
            places = ", ".join((*residue.places, *still_held))
            _log.warning("scrub %d: text left in %s", number, places or "the index")
            with self._upkeep(file) as connection:
                _set(connection, number, "state", REMOVED)
            return Erased(None, "text")
        return Erased(
            ScrubReceipt(
                residue.n_files,
                residue.n_bytes,
                residue.n_needles,
                residue.n_copied,
                residue.remaining,
                marker.rewritten,
                marker.deleted,
                hmac="",
            )
        )

    def _cleared_beside(self, file: OpenFile, places: Sequence[str]) -> bool:
        """Whether other files of ours were rewritten, in which a scrub has unquoted its text."""
        others = {
            parts[1]
            for parts in (name.split("/") for name in places)
            if parts[0] == WORKSPACES_FOLDER and parts[1] != file.workspace_id
        }
        for workspace_id in others:
            with self._upkeep(self._databases.file(workspace_id)) as connection:
                connection.execute("VACUUM")
                _folded(connection, FOLD_ATTEMPTS)
        return bool(others)

    def _note(self, file: OpenFile, number: int, rewritten: list[str], deleted: list[str]) -> None:
        with self._upkeep(file) as connection:
            _set(connection, number, "rewritten", json.dumps(rewritten))
            _set(connection, number, "deleted", json.dumps(deleted))

    @contextmanager
    def _upkeep(self, file: OpenFile) -> Iterator[sqlite3.Connection]:
        """A connection for upkeep, while no other writer of this process is at work."""
        file.enter_write_lane()
        try:
            with upkeep_connection(file.path) as connection:
                yield connection
        finally:
            file.write_lane.release()

    @contextmanager
    def _only_one(self, patience_seconds: float) -> Iterator[None]:
        """One purge at a time under a data root, whatever process does it."""
        path = self._databases.root / LOCK_FILE
        lock = FileLock(path, timeout=patience_seconds, mode=0o600)
        try:
            lock.acquire()
        except Timeout as error:
            raise DatabaseBusyError(path, "purge") from error
        try:
            yield
        finally:
            lock.release()

    def _hint(self, workspace_id: str | None) -> Path:
        if workspace_id is None:
            return self._databases.root / HINT_FILE
        return self._databases.workspace_folder(workspace_id) / HINT_FILE


def _without_side_files(file: OpenFile) -> bool:
    """Take the side files away, and with them every word of what was removed; whether they went.

    Whoever makes them anew reads what is left: they are made under the same lock.
    """
    from inklings_desktop.storage.search.side_file.array_folder import only_one_maker
    from inklings_desktop.storage.search.side_file.folders import remove_all

    file.drop_resident()
    try:
        with only_one_maker(file.path, SIDE_FILES_WAIT_SECONDS):
            remove_all(file.path)
    except OSError as error:  # somebody makes them, or a system keeps what is mapped
        _log.warning("side files stay for now: %s", type(error).__name__)
        return False
    return True


def _folded(connection: sqlite3.Connection, n_attempts: int) -> bool:
    """Fold the WAL; readers that are about to end are waited for a little each time.

    Writers wait meanwhile, so it is little.
    """
    connection.execute(f"PRAGMA busy_timeout={FOLD_WAIT_MS}")
    for attempt in range(n_attempts):
        if attempt:
            time.sleep(FOLD_WAIT_MS / 1000)
        if fold_wal(connection):
            return True
    return False


@of_sensible_rows
def _marker(connection: sqlite3.Connection, number: int) -> _Marker | None:
    row = connection.execute(
        "SELECT state, purges.tier, purges.scope_key, mode, executed_at, salt, needles, rewritten,"
        " deleted, chain_hash FROM purges JOIN events ON events.seq = number WHERE number = ?",
        (number,),
    ).fetchone()
    if row is None:
        return None
    state, tier, key, mode, executed_at, salt, needles, rewritten, deleted, chain_hash = row
    return _Marker(
        number,
        chain_hash,
        state,
        ScrubRows.of_place(tier, key, ScrubMode(mode)),
        executed_at,
        salt,
        needles,
        tuple(json.loads(rewritten)),
        tuple(json.loads(deleted)),
    )


def _set(connection: sqlite3.Connection, number: int, column: str, value: str) -> None:
    connection.execute(
        f"UPDATE purges SET {column} = ? WHERE number = ?",  # noqa: S608  columns of ours
        (value, number),
    )


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def _require_writable_file(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise DatabaseReadOnlyError(path, "file")
