"""Managed backups: which have done their service, and what a check of the data finds.

A backup is a whole, verified copy of one database file, kept below the data root. A check looks
at every file, says what it found by kind and count, and never repeats a memory's text.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.log.events import LostWrites


class BackupFault(StrEnum):
    """Why a backup cannot be restored."""

    DAMAGED = "damaged"
    FOREIGN = "foreign"
    NEWER = "newer"


class BackupReason(StrEnum):
    """Why a backup was made."""

    DAILY = "daily"
    BY_HAND = "by_hand"
    BEFORE_IMPORT = "before_import"
    BEFORE_CONSOLIDATION = "before_consolidation"
    BEFORE_RESTORE = "before_restore"
    BEFORE_UPDATE = "before_update"
    BEFORE_REPAIR = "before_repair"
    FROM_FILE = "from_file"
    UNKNOWN = "unknown"
    """Nobody noted it: made before reasons were, or its note is gone. Never removed unasked."""


@dataclass(frozen=True, slots=True)
class BackupHoldings:
    """What a backup holds, as its own file says.

    Attributes:
        n_memories: Active memories.
        change_seq: How far its database had come: equal numbers mean equal contents.
    """

    n_memories: int
    n_entries: int
    change_seq: int


@dataclass(frozen=True, slots=True)
class Backup:
    """One managed backup.

    Attributes:
        name: Unique under the data root: its place below ``backups``, with ``/`` between.
        workspace_id: Whose it is; None for the account's.
        fault: Why it cannot be restored; None when nothing speaks against it.
        is_pinned: Whether a person said that it stays.
        holdings: What it holds; None where its file does not say.
    """

    name: str
    workspace_id: str | None
    created_at: datetime
    n_bytes: int
    fault: BackupFault | None = None
    reason: BackupReason = BackupReason.UNKNOWN
    is_pinned: bool = False
    holdings: BackupHoldings | None = None

    @property
    def stays(self) -> bool:
        """Whether only a person removes it."""
        return self.is_pinned or self.reason in ALWAYS_KEPT


ALWAYS_KEPT = frozenset({BackupReason.BY_HAND, BackupReason.FROM_FILE, BackupReason.UNKNOWN})
"""What a person asked for, or nobody knows why it is there."""


@dataclass(frozen=True, slots=True)
class Restoration:
    """What restoring a backup did.

    Attributes:
        backup: What was restored.
        safety: The state before, kept as a backup of its own; None when there was no readable one.
        set_aside: The damaged file that stood in the way, kept under this name; else None.
        n_memories: Memories in the file now, forgotten ones included.
        n_events_lost: Events of the log that neither the file nor the backup had any more.
        event_number: Number of the event that records it.
    """

    backup: Backup
    safety: Backup | None
    set_aside: str | None
    n_memories: int
    n_events_lost: int
    event_number: int


class FindingKind(StrEnum):
    """What a check can find, in the order it looks."""

    UNREADABLE = "unreadable"
    PAGES = "pages"
    INDEX_PAGES = "index_pages"
    REFERENCES = "references"
    TEXT = "text"
    FULL_TEXT = "full_text"
    SEARCH_ROWS = "search_rows"
    VECTORS = "vectors"
    COUNTS = "counts"
    LOST_WRITES = "lost_writes"
    EVENT_CHAIN = "event_chain"
    EVENT_ANCHOR = "event_anchor"
    PURGE = "purge"
    BACKUP = "backup"
    LEFT_OVER = "left_over"
    LOOSENED = "loosened"
    LINK = "link"
    SIDE_FILE = "side_file"
    STRAY = "stray_copy"


DAMAGE = frozenset(
    {
        FindingKind.UNREADABLE,
        FindingKind.PAGES,
        FindingKind.REFERENCES,
        FindingKind.TEXT,
        FindingKind.LOST_WRITES,
        FindingKind.EVENT_CHAIN,
    }
)
"""What no repair brings back; a backup may."""

UNREADABLE = frozenset(
    {
        FindingKind.UNREADABLE,
        FindingKind.PAGES,
        FindingKind.INDEX_PAGES,
        FindingKind.REFERENCES,
        FindingKind.FULL_TEXT,
    }
)
"""What lets a read or a write fail that has nothing to do with it."""

REBUILT = frozenset(
    {
        FindingKind.INDEX_PAGES,
        FindingKind.FULL_TEXT,
        FindingKind.SEARCH_ROWS,
        FindingKind.VECTORS,
        FindingKind.COUNTS,
    }
)
"""What is derived from the memories, so that a repair makes it again."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        workspace_id: In whose file; None for the account's and for the data root itself.
        count: How often.
        detail: A stable word, a number or a file name; never memory text.
        is_repaired: Whether the same check put it right.
        lost: Of lost writes, which; else None.
    """

    kind: FindingKind
    workspace_id: str | None
    count: int
    detail: str = ""
    is_repaired: bool = False
    lost: LostWrites | None = None

    @property
    def is_damage(self) -> bool:
        """Whether something was lost that cannot be made again from the rest."""
        return self.kind in DAMAGE and not self.is_repaired


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What a look at one database file found.

    Attributes:
        n_memories: Memories in it, forgotten ones included.
    """

    n_memories: int
    n_events: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class PlaceHealth:
    """How the database of one workspace, or of the account, was found.

    Attributes:
        workspace_id: Whose it is; None for the account's.
        is_damaged: Whether part of it cannot be read.
        stamp: Another one once the file was replaced or written to; empty when it is gone.
        copy: The latest backup of it that is whole; None when there is none.
        is_repairable: Whether only what follows from the rest is damaged, so that a repair loses
            nothing.
    """

    workspace_id: str | None
    is_damaged: bool
    stamp: tuple[int, ...]
    copy: Backup | None = None
    is_repairable: bool = False


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What making a database again from everything that was written did.

    Attributes:
        kept: The damaged database, kept under this name among the backups.
        n_memories: Memories in the file, forgotten ones included: as many as before.
        n_to_embed: Memories whose vector could not be read or was of no use.
        event_number: Number of the event that records it.
    """

    kept: str
    n_memories: int
    n_to_embed: int
    event_number: int


@dataclass(frozen=True, slots=True)
class PlaceRepair:
    """What repairing the database of one workspace, or of the account, did.

    Attributes:
        workspace_id: Whose it is; None for the account's.
        kept: The state before, kept under this name among the backups; empty when nothing was
            wrong any more.
        is_whole_file: Whether every index was made again, and not the search index alone.
        n_memories: Memories in the file, forgotten ones included.
        n_to_embed: Memories whose embedding is to be computed again.
    """

    workspace_id: str | None
    kept: str
    is_whole_file: bool
    n_memories: int
    n_to_embed: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check of every file found.

    Attributes:
        findings: What is wrong, file by file; empty when all is well.
    """

    n_files: int
    n_memories: int
    n_events: int
    n_backups: int
    findings: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong any more."""
        return all(one.is_repaired for one in self.findings)

    @property
    def is_damaged(self) -> bool:
        """Whether something is lost that no repair makes again."""
        return any(one.is_damage for one in self.findings)


@dataclass(frozen=True, slots=True)
class WorkspaceDeletion:
    """What deleting a workspace removes, or has removed.

    Attributes:
        phrase: What the person types to confirm.
        n_memories: Memories in it, forgotten ones included.
        event_number: Number of the event in the account's log; None while nothing is deleted.
        is_damaged: Whether its file cannot be read, so that its contents are not counted.
    """

    workspace_id: str
    name: str
    phrase: str
    n_memories: int
    n_named_entries: int
    n_conversations: int
    n_events: int
    n_backups: int
    event_number: int | None = None
    is_damaged: bool = False


def deletion_phrase(name: str) -> str:
    """What a person types to delete the workspace of this name."""
    return f"delete {name}"


FRESH = timedelta(days=1)
"""So long every backup stays."""
DAYS, WEEKS, MONTHS = 12, 10, 9
"""Of so many days, weeks and months with a backup the newest one stays."""
KEPT_BEFORE_A_CHANGE = 5
"""Of those made before a change, so many of each kind stay: the newest."""


def done_with(backups: Sequence[Backup], now: datetime) -> tuple[Backup, ...]:
    """Those that may go, the oldest first.

    Never one that a person made or keeps, the newest sound one, or one that cannot be restored:
    what is wrong with that is for a person to see.

    Args:
        backups: Every one of one database.
    """
    found = sorted(
        (one for one in backups if one.fault is None), key=lambda one: one.created_at, reverse=True
    )
    staying = {one.name for one in found[:1]}
    staying |= {one.name for one in found if one.stays or now - one.created_at < FRESH}
    daily = [one for one in found if one.reason is BackupReason.DAILY]
    for limit, period in ((DAYS, _day), (WEEKS, _week), (MONTHS, _month)):
        staying |= _newest_of_each(daily, limit, period)
    for reason in BackupReason:
        if reason is not BackupReason.DAILY:
            alike = [one.name for one in found if one.reason is reason]
            staying |= set(alike[:KEPT_BEFORE_A_CHANGE])
    return tuple(one for one in reversed(found) if one.name not in staying)


def _newest_of_each(
    newest_first: Sequence[Backup], limit: int, period: Callable[[datetime], Hashable]
) -> set[str]:
    chosen: dict[Hashable, str] = {}
    for one in newest_first:
        chosen.setdefault(period(on_the_wall(one.created_at)), one.name)
    return set(list(chosen.values())[:limit])


def _day(at: datetime) -> Hashable:
    return at.date()


def _week(at: datetime) -> Hashable:
    return at.isocalendar()[:2]


def _month(at: datetime) -> Hashable:
    return at.year, at.month
