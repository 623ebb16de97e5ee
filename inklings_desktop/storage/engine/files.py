"""Folders and files that are the owner's alone, and appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseBusyError, DatabaseReadOnlyError, StorageError
from inklings_desktop.storage.engine.driver_errors import file_error

if TYPE_CHECKING:
    from collections.abc import Iterator
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
