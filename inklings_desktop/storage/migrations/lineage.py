"""The schema versions that ever were, and the steps from each to the next.

Version 1 is the first release's. A change of a table adds one ``Migration`` to ``MIGRATIONS`` and
nothing is ever taken away from it: a file of any age goes through every step after its own.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.migrations import version_2, version_3, version_4, version_5
from inklings_desktop.storage.migrations.version_2 import rebuilt
from inklings_desktop.storage.schema.marks import FileKind
from inklings_desktop.storage.schema.schema_rules import is_expected_schema, schema_statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping

EARLY = {
    FileKind.ACCOUNT: {
        "af6bd38ef3460ec9b54c52c71bfc7d014d1f5fe03bf433477c0752abf00eb7c3": "the first window",
        "959681825a6646fbc1f1edcfb0396c24e7fcbe964db896612058fbfc7e681462": "23 November 2026",
        "ff6fa40278cf036cab93ab7c7254213bf46faf9de80cdbcab0fa76e3257425d1": "23 November 2026",
        "29d0720d961c07916c78db4d920959aa651c3d0270c2806708eba204b884bcd1": "24 November 2026",
        "813d76072a92f03ae5f273ff5043fa7a6be89ca86c630c8f51a5ec3e9d4c6981": "26 November 2026",
    },
    FileKind.WORKSPACE: {
        "3af3e4cccf1f1fda9a955e4219be45af80dc88002e70b15add6b77ea49f42af1": "the first window",
        "9414b8a6ee712997e47a860995094ba7192cf912f41e3064ec63bfba1e5afdd0": "23 November 2026",
        "033ea0d34ecefba194297daa909e717647c4eeaedd7e097b58c310df59201741": "23 November 2026",
        "f94d8ab2faba51328f558ee0bb641b7c2435a69698e8cfa3c9299d28fda50fe4": "24 November 2026",
        "85e77d42d4de04390bf2c14fc3fe7822fdfe97c416b9f4064bef8f84ab088d12": "26 November 2026",
    },
}
"""Fingerprints of the files of versions before the first release, and which version wrote each.

Their tables changed while their number did not, so they are told by their tables and brought to the
present schema in one step. From schema 2 on a number never changes its tables.
"""
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


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from a schema version to the next.

    Its statements run in one transaction without triggers; those of the version before are put
    back at the end, except where a statement has made one of the same name.

    Attributes:
        to_version: The version it leads to.
        name: What it does, in a few words; the event that records it says so.
        starts_from: Fingerprint of each kind of file before it.
        statements: What it runs on each kind of file, in order.
    """

    to_version: int
    name: str
    starts_from: Mapping[FileKind, str]
    statements: Mapping[FileKind, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Lineage:
    """Which files a program understands.

    Attributes:
        migrations: Every step, the first one leads to version 2.
        is_current: Whether this is the fingerprint of a file of the newest version.
    """

    migrations: tuple[Migration, ...]
    is_current: Callable[[FileKind, str], bool]

    @property
    def version(self) -> int:
        """The newest version, which is the one in use."""
        return 1 + len(self.migrations)

    def after(self, version: int) -> tuple[Migration, ...]:
        """The steps that a file of this version has before it."""
        return self.migrations[version - 1 :]

    def is_expected(self, kind: FileKind, version: int, found: str) -> bool:
        """Whether this is the fingerprint of a file of this kind and version."""
        if version == self.version:
            return self.is_current(kind, found)
        return found == self.migrations[version - 1].starts_from[kind]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(2, "messages and runs", version_2.STARTS_FROM, version_2.STATEMENTS),
    Migration(3, "pages of the world", version_3.STARTS_FROM, version_3.STATEMENTS),
    Migration(4, "facts and house rules", version_4.STARTS_FROM, version_4.STATEMENTS),
    Migration(5, "skills and activities", version_5.STARTS_FROM, version_5.STATEMENTS),
)

LINEAGE = Lineage(MIGRATIONS, is_expected_schema)
