"""Bare connections to a file, files that are the owner's alone, the key of an installation.

What opens a file through SQLAlchemy begins here as well; the agent's process, which keeps the state
of its runs, needs nothing more and would pay for the rest at every start.
"""

from __future__ import annotations

import contextlib
import os
import stat
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseInUseError,
    DatabaseReadOnlyError,
    StorageError,
)
from inklings_desktop.storage.engine.driver import file_error, sqlite_module, storage_error

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""What other users of the machine may do."""


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, for the owner alone; an existing one stays as it is.

    What is synced in it later is worth nothing after a power cut unless its own name was.

    Raises:
        StorageError: It cannot be made, or is a ``link``: nothing of ours is written through one.
    """
    if folder.is_symlink():
        raise StorageError(folder, "link")
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    try:
        for one in reversed(missing):
            one.mkdir(FOLDER_MODE, exist_ok=True)
            sync_folder(one.parent)
    except OSError as error:
        raise file_error(error, folder) from error


def require_writable(folder: Path) -> None:
    """Return only if files can be made in this folder; SQLite needs that even to read.

    Raises:
        DatabaseReadOnlyError: They cannot.
    """
    if not is_writable(folder):
        raise DatabaseReadOnlyError(folder, "folder")


def is_writable(folder: Path) -> bool:
    """Whether files can be made in this folder."""
    return os.access(folder, os.W_OK | os.X_OK)


def node_of(path: Path) -> tuple[int, int] | None:
    """Device and inode behind a path; None when nothing is there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def write_private(path: Path, content: bytes) -> None:
    """Write a new file, on the disk when this returns; nothing is left of one that fails.

    Raises:
        StorageError: It exists or cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            remove_spare(path)
            raise
    except OSError as error:
        raise file_error(error, path) from error


def publish_new(finished: Path, path: Path) -> bool:
    """Give a finished file its name, unless somebody was faster; the spare copy goes.

    Returns:
        Whether this file is the one that now has the name.

    Raises:
        StorageError: The folder refuses it.
    """
    try:
        os.link(finished, path)
    except FileExistsError:
        return False
    except OSError as error:
        raise file_error(error, path) from error
    else:
        sync_folder(path.parent)
        return True
    finally:
        remove_spare(finished)


def remove_spare(path: Path) -> None:
    """Take a file away that nobody needs; where the disk refuses that, the check finds it."""
    with contextlib.suppress(OSError):
        path.unlink()


def remove_spare_database(path: Path) -> None:
    """The same for a database that was not finished, with what SQLite left beside it."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        remove_spare(path.with_name(f"{path.name}{suffix}"))


def replace_file(finished: Path, path: Path) -> None:
    """Put a finished file in the place of another, in one step.

    Raises:
        StorageError: The folder refuses it.
    """
    try:
        finished.replace(path)
    except OSError as error:
        raise file_error(error, path) from error
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Make a file that somebody else wrote durable.

    Raises:
        StorageError: The disk refuses it.
    """
    try:
        handle = os.open(path, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise file_error(error, path) from error


def sync_folder(folder: Path) -> None:
    """Make the names in a folder as durable as the files they name."""
    # Windows opens no folder and needs none of this: its rename is durable by itself.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def locked(
    lock_file: Path, place: Path, what: str, timeout_seconds: float, poll_seconds: float = 0.05
) -> Iterator[None]:
    """Hold what one program at a time may.

    Raises:
        DatabaseBusyError: Another one does not let go.
        StorageError: The lock cannot be made.
    """
    # A start finds nothing to lock, and the library takes as long as reading a page.
    from filelock import FileLock, Timeout

    lock = FileLock(lock_file, mode=FILE_MODE)
    try:
        lock.acquire(timeout_seconds, poll_interval=poll_seconds)
    except Timeout as error:
        raise DatabaseBusyError(place, what) from error
    except OSError as error:
        raise file_error(error, place) from error
    try:
        yield
    finally:
        lock.release()


KEY_FILE = "install.key"
KEY_BYTES = 32


def install_key(root: Path) -> bytes:
    """The key under this data root, made at the first call; two processes get the same one.

    Raises:
        DatabaseCorruptError: The file is not 32 bytes long; it is left as it is.
        StorageError: It can be neither read nor made.
    """
    import secrets

    path = root / KEY_FILE
    if not path.exists():
        fresh = path.with_name(f"{KEY_FILE}.{os.getpid()}-{secrets.token_hex(4)}.new")
        write_private(fresh, secrets.token_bytes(KEY_BYTES))
        publish_new(fresh, path)
    try:
        key = path.read_bytes()
    except OSError as error:
        raise file_error(error, path) from error
    if len(key) != KEY_BYTES:
        raise DatabaseCorruptError(path, "length")
    return key


BUSY_TIMEOUT_MS = 2_000
READ_CONNECTIONS = 4
STATEMENTS_PREPARED = 96
"""Kept by each connection; searches of ever other shapes would fill a larger room for hours."""

SHARED_PRAGMAS = (
    "journal_mode=WAL",
    "foreign_keys=ON",
    "secure_delete=ON",
    "recursive_triggers=ON",
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "journal_size_limit=67108864",
)
"""What every connection that writes rows sets first."""
CACHE = "cache_size=-16000"
READING_PRAGMAS = ("trusted_schema=OFF", "cell_size_check=ON", CACHE)


def connect_sealed(path: Path) -> sqlite3.Connection:
    """A bare connection to a file in a folder where nothing can be made.

    SQLite reads such a file without a lock, but for what a program that died left in its WAL:
    that is read with the files that lie beside it.
    """
    return connect_raw(path, read_only=True, immutable=not has_wal(path))


def has_wal(path: Path) -> bool:
    """Whether a WAL with content lies beside a database."""
    wal = path.with_name(f"{path.name}-wal")
    try:
        return wal.stat().st_size > 0
    except FileNotFoundError:
        return False


def connect_raw(
    path: Path, *, read_only: bool = False, immutable: bool = False
) -> sqlite3.Connection:
    """A bare connection in autocommit mode, without pragmas, authorizer or pool.

    For the identity check, the schema and the watcher; a missing file is never created.

    Args:
        read_only: Refuse every write.
        immutable: Lock nothing and look at no WAL: sees the main file alone, as it lies there.
    """
    mode = "ro" if read_only else "rw"
    suffix = "&immutable=1" if immutable else ""
    connection: sqlite3.Connection = sqlite_module().connect(
        f"{path.absolute().as_uri()}?mode={mode}{suffix}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENTS_PREPARED,
    )
    return connection


def connect_in_place(
    path: Path, pragmas: Sequence[str], connect: Callable[[Path], sqlite3.Connection]
) -> sqlite3.Connection:
    """A connection to the file that lies there, and that nobody can replace from here on.

    Another program may put a new file in the place of the one that was just opened, for as long
    as nothing is locked; a connection that waits for that program's lock gets it in the end. SQLite
    would go on with the old file and with the WAL that lies beside the path, the new file's: what
    is written so ruins the new one.

    Args:
        pragmas: What to set; one of them has to read the file, which locks it.
        connect: Makes a bare connection.
    """
    while True:
        node = node_of(path)
        connection = connect(path)
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        if node_of(path) in {node, None}:  # where nothing is any more, nothing can be ruined
            return connection
        connection.close()


def connector(
    path: Path, pragmas: tuple[str, ...], *, sealed: bool = False
) -> Callable[[], sqlite3.Connection]:
    """Makes connections for everyday use, with these pragmas and the authorizer."""

    def create() -> sqlite3.Connection:
        connect = connect_sealed if sealed else connect_raw
        connection = connect_in_place(path, pragmas, connect)
        connection.set_authorizer(_authorizer())
        return connection

    return create


@cache
def _authorizer() -> Callable[..., int]:
    """Refuse what the program never does: changing the schema or rewriting the log.

    Triggers stop edits of the log's rows; only an authorizer stops somebody from dropping the
    triggers first.
    """
    module = sqlite_module()
    schema_edits = {
        code
        for name, code in vars(module).items()
        if name.startswith(("SQLITE_CREATE_", "SQLITE_DROP_"))
    } | {module.SQLITE_ALTER_TABLE, module.SQLITE_ATTACH, module.SQLITE_DETACH}
    row_edits = {module.SQLITE_UPDATE, module.SQLITE_DELETE}
    insert, pragma = module.SQLITE_INSERT, module.SQLITE_PRAGMA
    ok, deny = int(module.SQLITE_OK), int(module.SQLITE_DENY)
    catalogue = {"sqlite_master", "sqlite_schema", "sqlite_temp_master"}

    def authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
        if action in schema_edits:
            return deny
        if action in row_edits and (first == "events" or first in catalogue):
            return deny
        if action == insert and first in catalogue:
            return deny
        if action == pragma and second is not None:
            return deny
        return ok

    return authorize


@contextmanager
def held_alone(path: Path) -> Iterator[None]:
    """Hold a database that is about to be replaced so that nobody else has it open.

    Raises:
        DatabaseInUseError: Another program has.
    """
    if not path.is_file() or path.stat().st_size == 0:
        yield
        return
    with closing(connect_raw(path)) as connection:
        # Too damaged to be locked, nobody can have it open as a database either.
        with suppress(sqlite_module().Error):
            hold_alone(connection, path)
        # Closed only when the new file is in its place: before, somebody could open the old one.
        # By then the WAL under this name may be the new file's, with somebody's writes. SQLite
        # leaves it alone: of a file that was moved it neither folds a WAL back nor removes it.
        yield


def hold_alone(connection: sqlite3.Connection, path: Path) -> None:
    """Lock a database so that nobody else has it open, for as long as this connection is.

    Raises:
        DatabaseInUseError: Another program has.
    """
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite_module().Error as error:
        if isinstance(storage_error(error, path), DatabaseBusyError):
            raise DatabaseInUseError(path, str(error)) from error
        raise
