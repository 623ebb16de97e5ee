"""What is asked about memories and answered of them: what pages are made of, without the doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import JUST_FORGOTTEN, ForgottenAs
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch, MemoryRef


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to one memory in the version that its editor saw."""

    ref: MemoryRef
    patch: MemoryPatch
    expected_version: int


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A memory before and after an earlier version of it came back.

    Restoring ``before.version`` while the memory still has ``after.version`` takes the step back;
    restoring the number that was asked for then takes it again.
    """

    before: MemoryEntry
    after: MemoryEntry

    @property
    def is_change(self) -> bool:
        """Whether anything was stored: a version that reads as the present one changes nothing."""
        return self.after.version != self.before.version


@dataclass(frozen=True, slots=True)
class Written:
    """What one client wrote and nobody has rewritten.

    Attributes:
        free: Active memories that may be forgotten with the rest.
        n_locked: How many more there are that the author locked: these are left.
        n_rewritten: How many it wrote once and the author has put own words in place of since:
            these are the author's, and none of the others.
    """

    free: tuple[MemoryEntry, ...]
    n_locked: int
    n_rewritten: int = 0

    @property
    def n_pinned(self) -> int:
        """How many of those that may be forgotten the author pinned."""
        return sum(one.pinned for one in self.free)


@dataclass(frozen=True, slots=True)
class Reversion:
    """One memory that goes from one of its versions to another.

    Attributes:
        ref: The memory.
        held: The version as which it has to stand now, whatever its number is by now.
        to: The version as which it stands then; 0 is before it was written: forgotten.
        forgotten_as: What its history does not hold of a version that was forgotten.
    """

    ref: MemoryRef
    held: int
    to: int
    forgotten_as: ForgottenAs = JUST_FORGOTTEN


@dataclass(frozen=True, slots=True)
class Known:
    """What says it already.

    Attributes:
        memory: A memory; None where a named entry says it.
        entry: A named entry, a sentence of which says it; None where a memory does.
    """

    memory: MemoryEntry | None = None
    entry: NamedEntry | None = None
