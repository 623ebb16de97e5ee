"""Makes a table anew with its rows: for whatever SQLite cannot alter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def rebuilt(table: str, create: Iterable[str], columns: Mapping[str, str]) -> tuple[str, ...]:
    """Statements that make a table anew with its rows: for whatever SQLite cannot alter.

    Args:
        table: Its name.
        create: The statements of the new version for the table and its indexes, word for word.
        columns: For each column of the new table, what the old row holds for it.
    """
    old = f"{table}_before"
    names, sources = ", ".join(columns), ", ".join(columns.values())
    create_table, *create_indexes = create
    return (
        f'ALTER TABLE "{table}" RENAME TO "{old}"',
        create_table,
        f'INSERT INTO "{table}" ({names}) SELECT {sources} FROM "{old}"',  # noqa: S608  our own
        f'DROP TABLE "{old}"',
        *create_indexes,
    )
