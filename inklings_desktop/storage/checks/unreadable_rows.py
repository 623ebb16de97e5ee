"""Names the rows of a file that hold text that is none, or a word or document that is none."""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.checks.row_rules import row_rules
from inklings_desktop.storage.checks.soundness import tables_of
from inklings_desktop.storage.engine.lossy_text import LossyText

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from inklings_desktop.storage.checks.row_rules import RowRule

_IDS = ("id", "memory_id", "entry_id", "conversation_id")


def unreadable_rows(connection: sqlite3.Connection) -> tuple[str, ...]:
    """One line for each such row: its table, its id and the columns that cannot be read.

    A row of a table without ids is told by its number in the table.

    Args:
        connection: For upkeep, so that such text is read with marks.
    """
    rules = [one for one in row_rules(connection) if one.words]
    found = []
    for table in tables_of(connection):
        broken = _of_texts(connection, table)
        for number, words in _of_words(connection, [one for one in rules if one.table == table]):
            broken.setdefault(number, set()).update(words)
        for number, columns in sorted(broken.items()):
            found.append(f"{table} {_name(connection, table, number)} {' '.join(sorted(columns))}")
    return tuple(found)


def _of_words(
    connection: sqlite3.Connection, rules: Sequence[RowRule]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Rows of one table that break a rule, by number, with the columns it speaks of."""
    if not rules:
        return
    broken = [f"NOT ({one.condition})" for one in rules]
    ask = f'SELECT rowid, {", ".join(broken)} FROM "{rules[0].table}" WHERE {" OR ".join(broken)}'
    for number, *breaks in connection.execute(ask):
        for rule, is_broken in zip(rules, breaks, strict=True):
            if is_broken:
                yield number, rule.words


def _of_texts(connection: sqlite3.Connection, table: str) -> dict[int, set[str]]:
    """Of every row with text that is none, by its number, the columns that hold it."""
    cursor = connection.execute(f'SELECT rowid, * FROM "{table}"')
    names = [one[0] for one in cursor.description]
    return {
        row[0]: {name for name, value in zip(names, row, strict=True) if type(value) is LossyText}
        for row in cursor
        if LossyText in map(type, row)
    }


def _name(connection: sqlite3.Connection, table: str, number: int) -> object:
    row = connection.execute(f'SELECT rowid, * FROM "{table}" WHERE rowid = ?', (number,))
    names = [one[0] for one in row.description]
    place = next((names.index(one) for one in _IDS if one in names), 0)
    return row.fetchone()[place]
