"""Files of versions before the first release, whose tables changed while their number did not.

Each is told by its tables and brought to the present schema in one step: a table that differs is
made anew with the columns that both have. From schema 2 on a number never changes its tables.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.migrations.version_2 import rebuilt
from inklings_desktop.storage.schema.schema_rules import schema_statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from inklings_desktop.storage.schema.marks import FileKind

_SAID = "ifnull((SELECT said FROM memories WHERE id = {}), said_key(''))"
_MADE_OF = {
    ("memories", "said"): "said_key(content)",
    # Who worded a memory was not noted then; the curator still tells what kind of writer it was.
    ("memories", "written_by"): "''",
    ("memory_versions", "written_by"): "''",
    ("memories", "kind"): "'note'",
    ("memories", "topic"): "''",
    ("memory_versions", "extra"): "'{}'",
    ("duplicate_pairs", "first_said"): _SAID.format("first"),
    ("duplicate_pairs", "second_said"): _SAID.format("second"),
}
"""What an early file has for a column that it lacks; of any other new column the default."""


def renewing_statements(connection: sqlite3.Connection, kind: FileKind) -> Iterator[str]:
    """What makes an early file one of the present schema, with its rows; its triggers are off.

    Args:
        connection: Of the file; it is given the function that the statements need.
    """
    connection.create_function("said_key", 1, key_of)
    there = dict(_schema(connection, "table"))
    yield from (f'DROP INDEX "{name}"' for name, _ in _schema(connection, "index"))
    for statement in schema_statements(kind):
        _, what, name, *_ = statement.split(maxsplit=3)
        if what == "TABLE" and name in there:
            if there[name] != statement:
                yield from rebuilt(name, [statement], _columns(there[name], statement, name))
        elif statement.startswith("CREATE ") and what != "VIRTUAL":
            yield statement


def _schema(connection: sqlite3.Connection, kind: str) -> list[tuple[str, str]]:
    return connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL", (kind,)
    ).fetchall()


def _columns(old: str, new: str, table: str) -> dict[str, str]:
    """For each column of the new table that can be filled, what the old row holds for it."""
    known = {name: source for (of, name), source in _MADE_OF.items() if of == table}
    known |= {name: f'"{name}"' for name in _names(old, table)}
    return {f'"{name}"': known[name] for name in _names(new, table) if name in known}


def _names(statement: str, table: str) -> list[str]:
    with closing(sqlite_module().connect(":memory:")) as empty:
        empty.execute(statement)
        return [row[1] for row in empty.execute(f'PRAGMA table_info("{table}")')]
