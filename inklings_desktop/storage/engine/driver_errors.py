"""What the driver raises, in the words of the error tree."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    OutsideFileError,
    StorageError,
)
from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PRIMARY_CODE_MASK = 0xFF
_NO_ROOM = frozenset(
    {
        778,  # SQLITE_IOERR_WRITE: a file-size limit or quota; what was saved is intact
        4874,  # SQLITE_IOERR_SHMSIZE: not even the index of the WAL could be made
    }
)

_BY_CODE: dict[int, type[StorageError]] = {
    5: DatabaseBusyError,  # SQLITE_BUSY
    6: DatabaseBusyError,  # SQLITE_LOCKED
    8: DatabaseReadOnlyError,  # SQLITE_READONLY
    10: StorageError,  # SQLITE_IOERR
    11: DatabaseCorruptError,  # SQLITE_CORRUPT
    13: DatabaseFullError,  # SQLITE_FULL
    14: StorageError,  # SQLITE_CANTOPEN
    26: DatabaseCorruptError,  # SQLITE_NOTADB
}

_MAYBE_NO_ROOM = frozenset({8, 10, 14})
"""SQLITE_READONLY, SQLITE_IOERR and SQLITE_CANTOPEN, which SQLite says of a full disk too."""
_CODE_OF = {
    "attempt to write a readonly database": 8,
    "disk I/O error": 10,
    "database or disk is full": 13,
    "unable to open database file": 14,
}
"""The driver's copying of a database tells no code."""
_LEAST_ROOM = 64 * 1024
NO_TEXT = "text"
"""Detail of the error about text that is none."""
_NO_TEXT = "Could not decode to UTF-8"

_BY_ERRNO: dict[int, type[StorageError]] = {
    errno.EACCES: DatabaseReadOnlyError,
    errno.EPERM: DatabaseReadOnlyError,
    errno.EROFS: DatabaseReadOnlyError,
    errno.ENOSPC: DatabaseFullError,
    errno.EDQUOT: DatabaseFullError,
    errno.EFBIG: DatabaseFullError,
}


def storage_error(error: BaseException, path: Path) -> StorageError | None:
    """The environment's fault behind a driver error; None when it is a bug of ours.

    Args:
        path: The file it was about.
    """
    code = getattr(error, "sqlite_errorcode", None) or _CODE_OF.get(str(error))
    if not isinstance(code, int):
        # The driver's own word for text that is none; it quotes that, which no message may.
        is_text = str(error).startswith(_NO_TEXT)
        return DatabaseCorruptError(path, NO_TEXT) if is_text else None
    if code in _NO_ROOM:
        return DatabaseFullError(path, str(error))
    if code & _PRIMARY_CODE_MASK in _MAYBE_NO_ROOM and not _has_room(path):
        return DatabaseFullError(path, str(error))
    kind = _BY_CODE.get(code & _PRIMARY_CODE_MASK)
    return None if kind is None else kind(path, str(error))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Driver errors as storage errors about this file.

    Raises:
        StorageError: What the driver says about the environment.
    """
    try:
        yield
    except sqlite_module().Error as error:
        known = storage_error(error, path)
        if known is None:
            raise
        raise known from error
    except UnicodeDecodeError as error:
        raise DatabaseCorruptError(path, NO_TEXT) from error


def _has_room(path: Path) -> bool:
    """Whether the disk has room for the least that SQLite asks for: its index of the WAL."""
    import shutil

    try:
        return shutil.disk_usage(path.parent).free >= _LEAST_ROOM
    except OSError:
        return True  # then the disk is not what is full


def file_error(error: OSError, path: Path) -> StorageError:
    """The same for what the file system refuses."""
    kind = _BY_ERRNO.get(error.errno or 0, StorageError)
    return kind(path, error.strerror or str(error))


def outside_error(error: OSError, path: Path, *, is_reading: bool) -> StorageError:
    """The same for a file outside the data root; a full disk is one, wherever the file lies."""
    found = file_error(error, path)
    if isinstance(found, DatabaseFullError):
        return found
    return OutsideFileError(path, found.detail, is_reading=is_reading)
