"""Holds a database so that no other program has it open, while the file itself is replaced."""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseBusyError, DatabaseInUseError
from inklings_desktop.storage.engine.connecting import BUSY_TIMEOUT_MS, connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path


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
