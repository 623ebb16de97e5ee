"""Makes managed backups: copied by SQLite, opened and verified before they count.

One snapshot is copied, and the copy is held against that snapshot: what others write meanwhile,
leases and runs of the clock included, never looks like damage.
"""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    InvalidValueError,
    StorageError,
)
from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.storage.backups.backups import (
    BACKUPS_FOLDER,
    UNFINISHED_PREFIX,
    BackupNote,
    backup_folder,
    backups_of,
    free_backup_path,
    remove_unfinished,
    write_note,
)
from inklings_desktop.storage.checks.identity import check_identity
from inklings_desktop.storage.checks.soundness import is_full_text_sound, page_faults, state_of
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    connect_sealed,
    is_writable,
    locked,
    make_folder,
    remove_spare,
    replace_file,
    require_writable,
    sync_file,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error, translated
from inklings_desktop.storage.engine.maintenance import stoppable, upkeep_connection
from inklings_desktop.storage.migrations.lineage import LINEAGE
from inklings_desktop.storage.schema.schema_rules import kind_of
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.checks.soundness import FileState
    from inklings_desktop.storage.migrations.lineage import Lineage
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock

LOCK_FILE = ".lock"
LOCK_TIMEOUT_SECONDS = 5.0
ROOM_TO_SPARE_BYTES = 16 * 1024 * 1024
_COPIES_AT_ONCE = 2
"""The snapshot, page by page, and the compact copy that is made of it."""
_PAGES_A_STEP = 1_000
_TRIES = 3
_PURGES = "purges"


def make_backup(
    root: Path,
    path: Path,
    workspace_id: str | None,
    clock: Clock,
    progress: Progress = UNHEARD,
    *,
    reason: BackupReason = BackupReason.BY_HAND,
    is_write_locked: bool = False,
    lineage: Lineage = LINEAGE,
) -> BackupFile:
    """Copy a database beside writers and readers, verify the copy, then give it its name.

    Nothing is left of a copy that fails or is stopped. Whoever calls this holds the lock of
    ``only_one_keeper``.

    Args:
        path: The database file; its identity has been checked.
        workspace_id: Whose it is; None for the account's.
        clock: For the backup's name.
        progress: Hears ``copy`` and ``verify``.
        reason: Why it is made. One before an update is made although a scrub is not finished: it
            is of an earlier version, and the scrub removes it when it goes on.
        is_write_locked: Whether the caller holds the file's write lock already.
        lineage: The versions that this program understands.

    Raises:
        DatabaseFullError: There is no room for it; nothing was written.
        DatabaseCorruptError: The database is damaged, so a copy would be.
        InvalidValueError: A scrub of the file is not finished; a copy could hold what it removed.
        StorageError: The folder cannot be written to.
        StoppedError: The person stopped it.
    """
    folder = backup_folder(root, workspace_id)
    make_folder(folder)
    require_writable(folder)
    remove_unfinished(folder)
    require_room(folder, _COPIES_AT_ONCE * size_with_wal(path))
    try:
        for _ in range(_TRIES):
            fresh = folder / f"{UNFINISHED_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
            copied = _verified_copy(path, fresh, workspace_id, progress, lineage)
            with upkeep_connection(path) as connection:
                # No scrub can commit between this look and the copy's name: it either is seen
                # here, or finds the backup in its folder.
                connection.execute("BEGIN" if is_write_locked else "BEGIN IMMEDIATE")
                if reason is not BackupReason.BEFORE_UPDATE:
                    require_no_open_purge(state_of(connection))
                if _is_still_good(connection, copied):
                    final = free_backup_path(folder, clock())
                    write_note(final, BackupNote(reason))
                    replace_file(fresh, final)
                    break
        else:
            raise DatabaseBusyError(path, "scrub")
    finally:
        with suppress(StorageError):  # the next one removes it, and so does the check
            remove_unfinished(folder)
    return next(one for one in backups_of(root, workspace_id) if one.path == final)


@contextmanager
def only_one_keeper(root: Path) -> Iterator[None]:
    """One program at a time makes, restores or removes backups under a data root.

    Raises:
        DatabaseBusyError: Another one does not end.
        StorageError: The folder cannot be made or written to.
    """
    folder = root / BACKUPS_FOLDER
    make_folder(folder)
    require_writable(folder)
    with locked(folder / LOCK_FILE, folder, "backups", LOCK_TIMEOUT_SECONDS):
        yield


def copy_database(path: Path, fresh: Path, progress: Progress = UNHEARD) -> FileState:
    """Write a compact copy of a live database, its WAL included, into a file that is not there.

    Returns:
        The state of the snapshot that was copied.

    Raises:
        StorageError: What the driver says about the environment.
        StoppedError: The person stopped it.
    """
    pages = fresh.with_name(f"{fresh.name}-pages")
    write_private(pages, b"")
    write_private(fresh, b"")
    with upkeep_connection(path) as connection, closing(connect_raw(pages)) as copy:
        # SQLite copies what the running transaction sees.
        connection.execute("BEGIN")
        state = state_of(connection)
        connection.backup(copy, pages=_PAGES_A_STEP, progress=_steps(progress), sleep=0)
        connection.execute("ROLLBACK")
        with stoppable(copy, progress):
            copy.execute("VACUUM INTO ?", (str(fresh.absolute()),))
    remove_spare(pages)
    return state


def _steps(progress: Progress) -> Callable[[int, int, int], None]:
    def hear(_status: int, n_left: int, n_pages: int) -> None:
        progress.require_wanted()
        progress.report("copy", n_pages - n_left, n_pages)

    return hear


def size_with_wal(path: Path) -> int:
    """Bytes of a database and its WAL; 0 when it is not there."""
    return sum(
        one.stat().st_size for one in (path, path.with_name(f"{path.name}-wal")) if one.exists()
    )


def require_room(folder: Path, n_bytes: int) -> None:
    """Return only if this many bytes fit on the disk, with some to spare.

    Raises:
        DatabaseFullError: They do not.
    """
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise file_error(error, folder) from error
    if free < n_bytes + ROOM_TO_SPARE_BYTES:
        raise DatabaseFullError(folder, f"{n_bytes + ROOM_TO_SPARE_BYTES} bytes needed")


def verify_database(path: Path, workspace_id: str | None, lineage: Lineage = LINEAGE) -> None:
    """Return only if a finished file that nobody has open is ours, whole and searchable.

    It may be of an earlier version.

    Raises:
        DatabaseCorruptError: It is damaged.
        StorageError: It is not ours, newer, or cannot be read.
    """
    check_identity(path, kind_of(workspace_id), workspace_id or "", lineage=lineage, or_older=True)
    connect = connect_raw if is_writable(path.parent) else connect_sealed
    with translated(path), closing(connect(path)) as connection:
        if page_faults(connection):
            raise DatabaseCorruptError(path, "pages")
        if not is_full_text_sound(connection):
            raise DatabaseCorruptError(path, "full text")


def require_no_open_purge(state: FileState) -> None:
    """Return only if no scrub of this file is still removing text.

    Raises:
        InvalidValueError: One is.
    """
    if state.n_rows.get(_PURGES, 0):
        raise InvalidValueError("backup", "purge_pending")


def _verified_copy(
    path: Path, fresh: Path, workspace_id: str | None, progress: Progress, lineage: Lineage
) -> FileState:
    """What a finished copy holds, only if it is sound and holds what its snapshot held."""
    progress.require_wanted()
    state = copy_database(path, fresh, progress)
    progress.require_wanted()
    progress.report("verify", 0, 0)
    with translated(fresh), closing(connect_raw(fresh)) as connection:
        if not is_full_text_sound(connection):
            # The index is derived: a file whose index drifted can still be kept safe.
            connection.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
        connection.execute("BEGIN")
        copied = state_of(connection)
        connection.execute("ROLLBACK")
    verify_database(fresh, workspace_id, lineage)
    if copied != state:
        raise DatabaseCorruptError(path, "copy differs")
    sync_file(fresh)
    return copied


def _is_still_good(connection: sqlite3.Connection, copied: FileState) -> bool:
    """Whether nothing that the copy holds was scrubbed since."""
    scrubbed_since = connection.execute(
        "SELECT 1 FROM events WHERE seq > ? AND kind = ?",
        (copied.n_events, EventKind.SCRUB_EXECUTED.value),
    ).fetchone()
    return scrubbed_since is None
