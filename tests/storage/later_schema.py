"""A program two schema versions ahead of the one in use, for tests of migrations.

The next version adds a table with a trigger and a column, and makes the table of memories anew; the
one after it adds an index.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.migrations.lineage import LINEAGE, Lineage, Migration
from inklings_desktop.storage.migrations.version_2 import rebuilt
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.schema.marks import (
    FINGERPRINTS,
    SCHEMA_VERSION,
    SEARCH_TEXT,
    FileKind,
    fingerprint,
)
from inklings_desktop.storage.schema.schema_rules import schema_statements
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.usecases.ports.progress import upgrade_unheard
from tests.support.builders import FixedClock, a_template
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from inklings_desktop.usecases.ports.progress import UpgradeReport
    from tests.support.dumps import Dump

NEXT, AFTER_NEXT = SCHEMA_VERSION + 1, SCHEMA_VERSION + 2

WEATHER = (
    "CREATE TABLE weather (day INTEGER PRIMARY KEY, said TEXT NOT NULL)",
    "CREATE TRIGGER weather_stays BEFORE DELETE ON weather BEGIN SELECT RAISE(ABORT, 'never'); END",
    "ALTER TABLE saved_filters ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'",
)
INDEXED = ("CREATE INDEX weather_by_words ON weather (said)",)


@contextmanager
def later(
    root: Path,
    lineage: Lineage | None = None,
    *,
    is_sealed: bool = False,
    upgrading: UpgradeReport = upgrade_unheard,
) -> Iterator[Databases]:
    """A program that is ahead, over a data root."""
    databases = Databases(
        root,
        FixedClock(),
        template_of=a_template,
        lineage=lineage or LATER,
        is_sealed=is_sealed,
        upgrading=upgrading,
    )
    with closing(databases):
        yield databases


def defaults() -> dict[str, Any]:
    """With what this process opens a data root where nothing else is said: ``lineage``, ..."""
    found = Databases.__init__.__kwdefaults__
    assert found is not None
    return found


def path_of(root: Path, workspace_id: str | None) -> Path:
    """The database of a workspace below a data root, or the account's."""
    return (root if workspace_id is None else root / "workspaces" / workspace_id) / DATABASE_NAME


def version_of(path: Path) -> int:
    """The schema version in a file."""
    with raw(path) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def written(dump: Dump) -> Dump:
    """What a file holds without the rows of its full-text index, which opening it makes again."""
    kept = {name: rows for name, rows in dump.items() if name not in {"memory_search", "words"}}
    kept["task_states"] = [row for row in dump["task_states"] if row[0] != SEARCH_TEXT]
    return kept


def unmigrated(dump: Dump) -> Dump:
    """What a file of a later version holds in the words of the version in use."""
    before = {name: rows for name, rows in written(dump).items() if name != "weather"}
    before["memories"] = [row[1:] for row in dump["memories"]]
    before["saved_filters"] = [row[:-1] for row in dump["saved_filters"]]
    return before


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
