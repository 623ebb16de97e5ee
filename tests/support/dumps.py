"""What a database file holds, row by row, whatever its pages look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from pathlib import Path

HISTORY = ("events", "meta")
"""Tables of the file itself: its log and its counters."""

Dump = dict[str, list[tuple[Any, ...]]]


def logical_dump(path: Path, *, without: tuple[str, ...] = HISTORY) -> Dump:
    """Every row of every table but these, the index's words included."""
    with raw(path) as connection:
        names = [
            row[0]
            for row in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table'"
                " AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\' ORDER BY name"
            )
        ]
        dump: Dump = {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)  # noqa: S608
            for name in names
            if name not in without
        }
        connection.execute(
            "CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memory_fts, 'instance')"
        )
        dump["words"] = connection.execute("SELECT * FROM temp.words").fetchall()
    return dump


def log_of(path: Path) -> list[tuple[Any, ...]]:
    """Every event of a file, oldest first."""
    with raw(path) as connection:
        return connection.execute("SELECT * FROM events ORDER BY seq").fetchall()
