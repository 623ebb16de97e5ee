"""Bare connections to a database file, by the driver alone.

What opens a file through SQLAlchemy begins here as well; the agent's process, which keeps the state
of its runs, needs nothing more and would pay for the rest at every start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.files import node_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from pathlib import Path

BUSY_TIMEOUT_MS = 2_000
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
        path: The file.
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
        path: The file.
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
