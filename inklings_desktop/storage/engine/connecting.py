"""Bare connections to a database file, by the driver alone.

What opens a file through SQLAlchemy begins here as well; the agent's process, which keeps the state
of its runs, needs nothing more and would pay for the rest at every start.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.files import node_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from pathlib import Path

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
