"""Where managed backups lie, what they are called, and the note beside each.

The only module that knows. The scope's folder bears the workspace's id, or ``account``. A name is
the time in UTC, so that names sort by age; a damaged database that a restore set aside keeps its
bytes under ``<time>.damaged``. Beside a backup ``<time>.json`` notes why it was made and whether it
stays; it holds no word of a memory. Anything else in these folders is not ours and left alone.
"""

from __future__ import annotations

import json
import os
import re
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.backup import Backup, BackupFault, BackupHoldings, BackupReason
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    remove_spare,
    replace_file,
    sync_folder,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error, sqlite_module
from inklings_desktop.storage.schema.marks import APPLICATION_ID, SCHEMA_VERSION, FileKind

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

NOTE_SUFFIX = ".json"
_MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class BackupNote:
    """What is noted of a backup beside its file.

    Attributes:
        is_pinned: Whether a person said that it stays.
    """

    reason: BackupReason = BackupReason.UNKNOWN
    is_pinned: bool = False


UNNOTED = BackupNote()


def note_path(backup: Path) -> Path:
    """Where the note of a backup lies."""
    return backup.with_suffix(NOTE_SUFFIX)


def read_note(backup: Path) -> BackupNote:
    """What is noted of a backup; where nothing sensible is, it stays and nobody knows why."""
    try:
        with note_path(backup).open("rb") as file:
            found = json.loads(file.read(_MAX_BYTES))
        return BackupNote(BackupReason(found["reason"]), found["kept"] is True)
    except (OSError, ValueError, KeyError, TypeError):
        return UNNOTED


def write_note(backup: Path, note: BackupNote) -> None:
    """Note this of a backup, in one step.

    Raises:
        StorageError: The folder refuses it.
    """
    import secrets

    fresh = backup.with_name(f".new-{os.getpid()}-{secrets.token_hex(4)}{NOTE_SUFFIX}")
    said = {"reason": note.reason.value, "kept": note.is_pinned}
    try:
        write_private(fresh, json.dumps(said).encode())
        replace_file(fresh, note_path(backup))
    finally:
        remove_spare(fresh)


BACKUPS_FOLDER = "backups"
ACCOUNT_SCOPE = "account"
BACKUP_SUFFIX = ".db"
DAMAGED_SUFFIX = ".damaged"
UNFINISHED_PREFIX = ".new-"

_NAME = re.compile(r"(\d{8}T\d{9}Z)(\.db|\.damaged)")
_HOLDINGS = (
    "SELECT (SELECT ifnull(sum(active), 0) FROM scope_counts),"
    " (SELECT count(*) FROM named_entries WHERE deleted_at IS NULL), (SELECT change_seq FROM meta)"
)
_SIDE_SUFFIXES = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class BackupFile:
    """One managed backup as it lies on the disk.

    Attributes:
        created_at: When it was made, as its name says.
        n_bytes: Its size, without files beside it.
        schema_version: Schema version in its header; None when it has no readable one.
        kind: Which kind of file it says it is; None when it does not say.
        workspace_id: Whose folder it lies in; None for the account's.
        fault: Why it cannot be restored; None when its first page speaks for it.
        note: Why it was made, and whether it stays.
        holdings: What it holds; None where its file does not say.
    """

    path: Path
    created_at: datetime
    n_bytes: int
    schema_version: int | None
    kind: FileKind | None
    workspace_id: str | None
    fault: BackupFault | None
    note: BackupNote = UNNOTED
    holdings: BackupHoldings | None = None

    @property
    def is_set_aside(self) -> bool:
        """Whether it is a damaged database that a restore kept, not a backup."""
        return self.path.suffix == DAMAGED_SUFFIX

    @property
    def name(self) -> str:
        """Its place below the folder of all backups, for example ``account/<time>.db``."""
        return f"{self.path.parent.name}/{self.path.name}"


def backup_folder(root: Path, workspace_id: str | None) -> Path:
    """Where the backups of a workspace lie, or the account's for None; it may not exist."""
    return root / BACKUPS_FOLDER / (workspace_id or ACCOUNT_SCOPE)


def backups_of(root: Path, workspace_id: str | None) -> tuple[BackupFile, ...]:
    """Managed backups of a workspace, or the account's for None, the oldest first.

    Damaged, foreign and newer ones are among them and say so: their bytes may hold memory text.
    """
    folder = backup_folder(root, workspace_id)
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        named = _NAME.fullmatch(path.name)
        if named is None:
            continue
        try:
            status = path.lstat()
        except FileNotFoundError:
            continue  # removed by another program since the folder was read
        if stat.S_ISREG(status.st_mode):
            found.append(_described(path, named[1], named[2], status.st_size, workspace_id))
    return tuple(found)


def all_backups(root: Path) -> tuple[BackupFile, ...]:
    """Managed backups of the account and of every workspace, deleted or not, oldest first."""
    folder = root / BACKUPS_FOLDER
    scopes = sorted(one.name for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else ()
    return tuple(
        sorted(
            (
                backup
                for scope in scopes
                for backup in backups_of(root, None if scope == ACCOUNT_SCOPE else scope)
            ),
            key=lambda one: (one.created_at, one.name),
        )
    )


def find_backup(root: Path, name: str) -> BackupFile:
    """The backup of this name: its place below ``backups``, or the file's own name if unique.

    Raises:
        NotFoundError: There is none, or several scopes have one of that name.
    """
    known = all_backups(root)
    exact = [one for one in known if one.name == name]
    found = exact or [one for one in known if name in {one.path.name, one.path.stem}]
    if len(found) != 1:
        raise NotFoundError("backup", name)
    return found[0]


def free_backup_path(folder: Path, at: datetime, suffix: str = BACKUP_SUFFIX) -> Path:
    """A name for a backup made at this time that nothing in the folder bears yet."""
    while True:
        stem = f"{at.astimezone(UTC):%Y%m%dT%H%M%S}{at.microsecond // 1000:03d}Z"
        if not any((folder / f"{stem}{one}").exists() for one in (BACKUP_SUFFIX, DAMAGED_SUFFIX)):
            return folder / f"{stem}{suffix}"
        at += timedelta(milliseconds=1)


def remove_backup(backup: BackupFile) -> None:
    """Take a backup off the disk, with whatever SQLite left beside it.

    Raises:
        StorageError: The folder refuses it.
    """
    try:
        for suffix in _SIDE_SUFFIXES:
            backup.path.with_name(f"{backup.path.name}{suffix}").unlink(missing_ok=True)
        backup.path.unlink(missing_ok=True)
        note_path(backup.path).unlink(missing_ok=True)
    except OSError as error:
        raise file_error(error, backup.path) from error
    sync_folder(backup.path.parent)


def remove_spare_notes(folder: Path) -> None:
    """Remove notes whose backup is gone: a kill came between the two."""
    for note in folder.glob(f"*{NOTE_SUFFIX}"):
        is_spare = _NAME.fullmatch(f"{note.stem}{BACKUP_SUFFIX}") and not any(
            note.with_suffix(one).exists() for one in (BACKUP_SUFFIX, DAMAGED_SUFFIX)
        )
        if is_spare:
            remove_spare(note)


def remove_unfinished(folder: Path) -> int:
    """Remove what a killed run left in a folder of backups; how many files."""
    left_over = unfinished_in(folder)
    try:
        for path in left_over:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise file_error(error, folder) from error
    return len(left_over)


def unfinished_in(folder: Path) -> tuple[Path, ...]:
    """Files of runs that did not end, in a folder of backups."""
    return tuple(sorted(folder.glob(f"{UNFINISHED_PREFIX}*"))) if folder.is_dir() else ()


def described(backup: BackupFile) -> Backup:
    """A backup as the use cases know it."""
    return Backup(
        backup.name,
        backup.workspace_id,
        backup.created_at,
        backup.n_bytes,
        backup.fault,
        backup.note.reason,
        backup.note.is_pinned,
        backup.holdings,
    )


@dataclass(frozen=True, slots=True)
class _FirstLook:
    """What a backup's own file says of it."""

    version: int | None = None
    kind: FileKind | None = None
    fault: BackupFault | None = None
    holdings: BackupHoldings | None = None


def _described(
    path: Path, time: str, suffix: str, n_bytes: int, workspace_id: str | None
) -> BackupFile:
    created_at = datetime.strptime(f"{time[:-4]}.{time[-4:-1]}+0000", "%Y%m%dT%H%M%S.%f%z")
    found = _looked_at(path, workspace_id)
    is_damaged = suffix == DAMAGED_SUFFIX
    return BackupFile(
        path,
        created_at,
        n_bytes,
        found.version,
        found.kind,
        workspace_id,
        BackupFault.DAMAGED if is_damaged else found.fault,
        read_note(path),
        None if is_damaged else found.holdings,
    )


def _holdings(connection: sqlite3.Connection) -> BackupHoldings | None:
    """What a file holds; None where damage, or another version, keeps it from saying so."""
    try:
        return BackupHoldings(*connection.execute(_HOLDINGS).fetchone())
    except sqlite_module().Error:
        return None


def _looked_at(path: Path, workspace_id: str | None) -> _FirstLook:
    """What a file that nobody writes to says of itself; nothing is left beside it."""
    try:
        with closing(connect_raw(path, read_only=True, immutable=True)) as connection:
            (application_id,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if connection.execute("PRAGMA page_count").fetchone() == (0,):
                return _FirstLook(fault=BackupFault.DAMAGED)
            if application_id != APPLICATION_ID:
                return _FirstLook(fault=BackupFault.FOREIGN)
            if version > SCHEMA_VERSION:
                return _FirstLook(version, fault=BackupFault.NEWER)
            kind, owner = connection.execute("SELECT kind, workspace_id FROM meta").fetchone()
            kind = FileKind(kind)
            holdings = _holdings(connection)
    except (sqlite_module().Error, ValueError, TypeError):
        return _FirstLook(fault=BackupFault.DAMAGED)
    is_ours = owner == (workspace_id or "") and (kind is FileKind.ACCOUNT) == (workspace_id is None)
    return _FirstLook(version, kind, None if is_ours else BackupFault.FOREIGN, holdings)
