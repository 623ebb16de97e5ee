"""Questions that tell whether one database file is whole; none of them changes it."""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.storage.checks.row_rules import n_breaking, row_rules
from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

_MOST_FAULTS = 20
_UNWRITABLE = frozenset({8, 10, 13, 14})
"""Primary codes of SQLite: read-only, input or output, full, cannot be opened."""
_DISAGREES = re.compile(r"(missing from|entries in|entry in|differ from) index ")
_TABLES = (
    "SELECT name FROM {schema}.sqlite_schema WHERE type = 'table'"
    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\' ORDER BY name"
)


class FileState(NamedTuple):
    """How far a file has come, and how much it holds.

    Attributes:
        change_seq: Its last change number; equal numbers mean equal contents.
        n_events: Number of its last event.
        head: Chain hash of its last event; empty while there is none.
        n_rows: Rows by table.
    """

    change_seq: int
    n_events: int
    head: str
    n_rows: Mapping[str, int]


def page_faults(connection: sqlite3.Connection) -> int:
    """Faults that SQLite's own quick check names, at most twenty, and rows of no sense at all.

    A row of which only words or documents are none can be read: ``unreadable_rows`` names it.
    """
    with _rules_apart(connection):
        found = connection.execute(f"PRAGMA quick_check({_MOST_FAULTS})").fetchall()
    n_faults = sum(1 for (said,) in found if said != "ok")
    rules = [one for one in row_rules(connection) if not one.words]
    return n_faults or n_breaking(connection, rules)


@contextmanager
def _rules_apart(connection: sqlite3.Connection) -> Iterator[None]:
    """Let SQLite check pages without the constraints of rows: its word for both is one."""
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        yield
    finally:
        connection.execute("PRAGMA ignore_check_constraints = OFF")


def index_disagreements(connection: sqlite3.Connection) -> int:
    """Rows of which an index says something else than the table; nobody knows which is right.

    The quick check reads every page and compares none of them with another; at most twenty are
    counted.
    """
    with closing(connection.execute(f"PRAGMA integrity_check({_MOST_FAULTS})")) as cursor:
        return sum(1 for (said,) in cursor if _DISAGREES.search(str(said)))


def broken_references(connection: sqlite3.Connection) -> int:
    """Rows that point to a row that is not there."""
    return len(connection.execute("PRAGMA foreign_key_check").fetchall())


def is_full_text_sound(connection: sqlite3.Connection) -> bool:
    """Whether the full-text index says what its rows say, compared word by word.

    Takes the write lock for as long as it looks, and gives it back unused. SQLite compares only
    what it may write to: where the disk is full or cannot be written to, a copy in memory.

    Args:
        connection: Outside a transaction.
    """
    try:
        return _compared(connection)
    except sqlite_module().OperationalError as error:
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) not in _UNWRITABLE:
            raise
    with closing(sqlite_module().connect(":memory:", isolation_level=None)) as copy:
        connection.backup(copy)
        return _compared(copy)


def _compared(connection: sqlite3.Connection) -> bool:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)")
    except sqlite_module().DatabaseError as error:
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) != sqlite_module().SQLITE_CORRUPT:
            raise
        return False
    finally:
        if connection.in_transaction:  # a full disk may have rolled it back already
            connection.execute("ROLLBACK")
    return True


def state_of(connection: sqlite3.Connection, schema: str = "main") -> FileState:
    """The state that this connection sees, in its running transaction.

    Args:
        connection: Inside a transaction, so that all figures belong together.
        schema: ``main``, or the name under which another file is attached.
    """
    names = [row[0] for row in connection.execute(_TABLES.format(schema=schema)).fetchall()]
    n_rows = {
        name: connection.execute(f'SELECT count(*) FROM {schema}."{name}"').fetchone()[0]  # noqa: S608
        for name in names
    }
    last = connection.execute(
        f"SELECT seq, chain_hash FROM {schema}.events ORDER BY seq DESC LIMIT 1"  # noqa: S608
    ).fetchone()
    number, head = last or (0, "")
    (change_seq,) = connection.execute(f"SELECT change_seq FROM {schema}.meta").fetchone()  # noqa: S608
    return FileState(change_seq, number, head, n_rows)


def tables_of(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Every table of the file but SQLite's own and the index's shadow tables, by name."""
    return tuple(row[0] for row in connection.execute(_TABLES.format(schema="main")).fetchall())
