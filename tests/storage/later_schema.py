"""A program two schema versions ahead of the one in use, for tests of migrations.

Version 2 adds a table with a trigger and a column, and makes the table of memories anew; version
3 adds an index.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from inklings_desktop.storage.driver import sqlite_module
from inklings_desktop.storage.migrations.lineage import LINEAGE, Lineage, Migration, rebuilt
from inklings_desktop.storage.schema import SCHEMA_VERSION, memories
from inklings_desktop.storage.schema_rules import (
    FINGERPRINTS,
    FileKind,
    fingerprint,
    schema_statements,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEXT, AFTER_NEXT = SCHEMA_VERSION + 1, SCHEMA_VERSION + 2

WEATHER = (
    "CREATE TABLE weather (day INTEGER PRIMARY KEY, said TEXT NOT NULL)",
    "CREATE TRIGGER weather_stays BEFORE DELETE ON weather BEGIN"
    " SELECT RAISE(ABORT, 'what was is never taken back'); END",
    "ALTER TABLE saved_filters ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'",
)
INDEXED = ("CREATE INDEX weather_by_words ON weather (said)",)


def with_mood(kind: FileKind) -> tuple[str, ...]:
    """The statements for the table of memories as version 2 has it."""
    table, *indexes = (
        one
        for one in schema_statements(kind)
        if one.startswith("CREATE TABLE memories (") or " ON memories (" in one.split("\n")[0]
        if not one.startswith("CREATE TRIGGER")
    )
    first, rest = table.split("\tsequence", 1)
    return (f"{first}\tmood TEXT DEFAULT 'calm' NOT NULL, \n\tsequence{rest}", *indexes)


def _fresh(kind: FileKind, *more: str) -> str:
    """Fingerprint of a file that is made in a later version from the start."""
    with closing(sqlite_module().connect(":memory:", isolation_level=None)) as connection:
        for statement in schema_statements(kind):
            is_table = statement.startswith("CREATE TABLE memories (")
            connection.execute(with_mood(kind)[0] if is_table else statement)
        for statement in more:
            connection.execute(statement)
        return fingerprint(connection)


def _of_both(statements: Iterable[str]) -> Mapping[FileKind, tuple[str, ...]]:
    return {kind: tuple(statements) for kind in FileKind}


_SECOND = {kind: _fresh(kind, *WEATHER) for kind in FileKind}
_THIRD = {kind: _fresh(kind, *WEATHER, *INDEXED) for kind in FileKind}
_COLUMNS = {"mood": "'calm'", **{column.name: column.name for column in memories.c}}

TO_NEXT = Migration(
    NEXT,
    "weather and moods",
    FINGERPRINTS,
    {kind: (*WEATHER, *rebuilt("memories", with_mood(kind), _COLUMNS)) for kind in FileKind},
)
LATER = Lineage(
    (
        *LINEAGE.migrations,
        TO_NEXT,
        Migration(AFTER_NEXT, "weather by words", _SECOND, _of_both(INDEXED)),
    ),
    lambda kind, found: found == _THIRD[kind],
)
"""Every version there is, and two more."""


def a_lineage(*statements: str) -> Lineage:
    """One version more, to which these statements of both kinds of file shall lead."""
    step = Migration(NEXT, "of a test", FINGERPRINTS, _of_both(statements))
    return Lineage((*LINEAGE.migrations, step), lambda kind, found: found == _SECOND[kind])
