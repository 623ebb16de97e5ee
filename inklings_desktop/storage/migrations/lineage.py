"""The schema versions that ever were, and the steps from each to the next.

Version 1 is the first release's. A change of a table adds one ``Migration`` to ``MIGRATIONS`` and
nothing is ever taken away from it: a file of any age goes through every step after its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.migrations import version_2, version_3, version_4, version_5
from inklings_desktop.storage.schema.schema_rules import is_expected_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inklings_desktop.storage.schema.marks import FileKind


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
