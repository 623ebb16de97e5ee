"""What has been written into a data root, told from its rows: how many there are, how new."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.storage.engine.maintenance import upkeep_connection
from inklings_desktop.storage.places import DATABASE_NAME, WORKSPACES_FOLDER
from inklings_desktop.storage.rows.memories import to_ms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

_INSTANTS = """
SELECT held.name, field.name FROM sqlite_master AS held, pragma_table_info(held.name) AS field
WHERE held.type = 'table' AND (field.name = 'at' OR field.name LIKE '%\\_at' ESCAPE '\\')
"""
_OF_THE_CLOCK = frozenset({"task_runs", "task_states", "leases"})
_ASKED_BY_THE_CLOCK = ("golden_questions", "asked_at")
_HELD = "SELECT count(*) FROM leases WHERE taken_at <= :now AND expires_at > :now"


class Traces(NamedTuple):
    """What rows tell of those who wrote them; what the clock notes for itself is left aside.

    Attributes:
        newest: When the latest of them was written, read or decided, in milliseconds since 1970.
    """

    n_rows: int
    newest: int


def traces_in(root: Path) -> Traces:
    """What was written into the files of a data root; they stay as they are.

    Raises:
        StorageError: One of them cannot be read.
    """
    n_rows = newest = 0
    for cursor in _files(root):
        columns = defaultdict(list)
        for table, column in cursor.execute(_INSTANTS).fetchall():
            if table not in _OF_THE_CLOCK and (table, column) != _ASKED_BY_THE_CLOCK:
                columns[table].append(f"ifnull(max({column}), 0)")
        for table, instants in columns.items():
            figures = ", ".join(["count(*)", *instants])
            row = cursor.execute(f"SELECT {figures} FROM {table}").fetchone()  # noqa: S608 - our own names
            n_rows, newest = n_rows + row[0], max(newest, *row[1:])
    return Traces(n_rows, newest)


def is_held(root: Path, now: datetime) -> bool:
    """Whether a window, or work in the background, is at this data root.

    Raises:
        StorageError: It cannot be read.
    """
    return any(cursor.execute(_HELD, {"now": to_ms(now)}).fetchone()[0] for cursor in _files(root))


def _files(root: Path) -> Iterator[sqlite3.Cursor]:
    workspaces = (root / WORKSPACES_FOLDER).glob(f"*/{DATABASE_NAME}")
    for path in (root / DATABASE_NAME, *sorted(workspaces)):
        with upkeep_connection(path) as connection, closing(connection.cursor()) as cursor:
            yield cursor
