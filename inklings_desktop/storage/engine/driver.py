"""Which SQLite this process speaks, and what it raises, in the words of the error tree."""

from __future__ import annotations

import errno
import functools
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    OutsideFileError,
    StorageError,
    UnsupportedSqliteError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

_FIXED_LINES = {(3, 44): 6, (3, 50): 7, (3, 51): 3}
_WITHDRAWN = {(3, 52, 0)}


def is_fixed(version: tuple[int, int, int]) -> bool:
    """Whether this SQLite keeps a commit that meets another connection's checkpoint.

    Builds before 3.51.3 can lose it; the repair was carried back to 3.50.7 and 3.44.6, and
    3.52.0 was withdrawn.
    """
    if version in _WITHDRAWN:
        return False
    if version[:2] > (3, 51):
        return True
    lowest = _FIXED_LINES.get(version[:2])
    return lowest is not None and version[2] >= lowest


def require_fixed(module: ModuleType) -> ModuleType:
    """The module itself, if its SQLite may be trusted with several processes.

    Raises:
        UnsupportedSqliteError: The build can lose committed data.
    """
    major, minor, patch = module.sqlite_version_info
    if not is_fixed((major, minor, patch)):
        raise UnsupportedSqliteError(module.sqlite_version)
    return module


@functools.cache
def sqlite_module() -> ModuleType:
    """The driver that every connection of this process uses.

    Never two builds in one process: closing a file in one drops the other's locks on it.

    Raises:
        UnsupportedSqliteError: Neither the bundled build nor the standard library's is fixed.
    """
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        # The wheel does not exist on every platform; the standard library's may be new enough.
        from sqlite3 import dbapi2  # type: ignore[no-redef]  # the same interface
    return require_fixed(dbapi2)


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
