"""Names the rows of a file that hold text that is none."""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.lossy_text import LossyText
from inklings_desktop.storage.soundness import tables_of

if TYPE_CHECKING:
    import sqlite3

_IDS = ("id", "memory_id", "entry_id", "conversation_id")


def unreadable_rows(connection: sqlite3.Connection) -> tuple[str, ...]:
    """One line for each such row: its table, its id and the columns that cannot be read.

    A row of a table without ids is told by its number in the table.

    Args:
        connection: For upkeep, so that such text is read with marks.
    """
    return tuple(
        f"{table} {name} {' '.join(columns)}"
        for table in tables_of(connection)
        for name, columns in _of_table(connection, table)
    )


def _of_table(connection: sqlite3.Connection, table: str) -> list[tuple[object, list[str]]]:
    cursor = connection.execute(f'SELECT rowid, * FROM "{table}" ORDER BY rowid')
    names = [one[0] for one in cursor.description]
    place = next((names.index(one) for one in _IDS if one in names), 0)
    return [
        (
            row[place],
            [name for name, value in zip(names, row, strict=True) if type(value) is LossyText],
        )
        for row in cursor
        if LossyText in map(type, row)
    ]
