"""How a backup differs from what is there now, and what setting one difference back does."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MemoryEntry
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.backup import Backup

MOST_LISTED = 2_000
"""Differences that are looked at one by one; of more, only how many there are is said."""
SET_BACK_REASON = "set back to a backup"


class Side(StrEnum):
    """Where a difference stands."""

    ONLY_NOW = "only_now"
    ONLY_THEN = "only_then"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Difference:
    """One memory or named entry that is not the same in both.

    Attributes:
        now: As it is; None when nothing has this id. What is forgotten or deleted counts as gone.
        then: As the backup holds it.
    """

    now: MemoryEntry | NamedEntry | None
    then: MemoryEntry | NamedEntry | None

    @property
    def shown(self) -> MemoryEntry | NamedEntry:
        """What there is to show: as it is now where it is there, else as it was."""
        found = self.then if self.side is Side.ONLY_THEN else self.now
        assert found is not None
        return found

    @property
    def id(self) -> str:
        """Of the memory or the named entry."""
        return self.shown.id

    @property
    def side(self) -> Side:
        """Where it is there."""
        if is_there(self.now) and is_there(self.then):
            return Side.DIFFERS
        return Side.ONLY_NOW if is_there(self.now) else Side.ONLY_THEN

    @property
    def is_entry(self) -> bool:
        """Whether it is a named entry."""
        return not isinstance(self.shown, MemoryEntry)


@dataclass(frozen=True, slots=True)
class ScrubbedSince:
    """What was scrubbed after the backup was made, and no restore brings back.

    Attributes:
        event_number: Of the scrub in the log.
        n_removed: Memories, named entries and notes that went.
        ids: Of the memories, where chosen ones went; else none.
    """

    event_number: int
    at: datetime | None
    tier: str
    scope_key: str
    n_removed: int
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """A backup beside what is there now.

    Attributes:
        backup: Which; it was verified.
        differences: Named entries first, then memories, the latest written first.
        n_unlisted: Differences beyond those that are listed.
        n_same_memories: Memories that are the same in both.
        n_same_entries: Named entries that are.
        scrubbed: Scrubs since it was made.
    """

    backup: Backup
    differences: tuple[Difference, ...]
    n_unlisted: int
    n_same_memories: int
    n_same_entries: int
    scrubbed: tuple[ScrubbedSince, ...] = ()

    def count(self, side: Side) -> int:
        return sum(one.side is side for one in self.differences)

    @property
    def is_same(self) -> bool:
        """Whether both hold the same."""
        return not self.differences and not self.n_unlisted


@dataclass(frozen=True, slots=True)
class SetBackDone:
    """What setting differences back did.

    Attributes:
        backup: What they were set back to.
        safety: The state before, kept as a backup.
        n_gone: What was only there now, and is forgotten or deleted.
        n_returned: What was only there then, and is there again.
        n_changed: What says again what it said then.
        left: Ids of what was changed since it was looked at, or has no place any more: as it was.
        event_number: Number of the event that records it; None when nothing was set back.
    """

    backup: Backup
    safety: Backup
    n_gone: int
    n_returned: int
    n_changed: int
    left: tuple[str, ...]
    event_number: int | None


def is_there(one: MemoryEntry | NamedEntry | None) -> bool:
    """Whether it is neither gone, nor forgotten, nor deleted."""
    if one is None:
        return False
    return not (one.is_forgotten if isinstance(one, MemoryEntry) else one.is_deleted)
