"""Which SQLite this process speaks: one build, and only one without the WAL-reset fault."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import UnsupportedSqliteError

if TYPE_CHECKING:
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
