"""What an import would do, row by row, whether it fits, and what one run did."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import (
    Fault,
    ImportRefusedError,
    Origin,
    Section,
    TransferDocument,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.memory import ScopeKey, Tier


class RowKind(StrEnum):
    """What one row of a preview is about."""

    MEMORY = "memory"
    NAMED_ENTRY = "named_entry"


class ImportStatus(StrEnum):
    """What one row is, seen from here."""

    NEW = "new"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    REFUSED = "refused"


class ImportReason(StrEnum):
    """Why a row has its status."""

    NEW = "new"
    RESTORED = "restored"
    SAME_TEXT = "same_text"
    MORE_TAGS = "more_tags"
    ALIKE = "alike"
    FORGOTTEN_HERE = "forgotten_here"
    CHANGED = "changed"
    FAULTS = "faults"
    NEEDS_CONSENT = "needs_consent"


class Decision(StrEnum):
    """What a person wants done with one row."""

    KEEP = "keep"
    """Keep mine; write nothing."""
    TAKE = "take"
    """Take the file's in the place of mine."""
    BOTH = "both"
    """Add the file's beside mine; for a new row: add it."""


@dataclass(frozen=True, slots=True)
class Mine:
    """What a row of the file met here.

    Attributes:
        id: Of my memory or named entry.
        version: Its version when it was looked at.
        changed_at: When it was last edited, else when it was made.
    """

    id: str
    version: int
    content: str
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One row of a preview.

    Attributes:
        number: Place in the file, from 1.
        place: Name of the channel or conversation it goes to; empty in the wider tiers.
        content: Its text; of a named entry its body.
        name: Of a named entry; else empty.
        importance: As in the file; 0 for a named entry.
        changed_at: When it was last edited in the file; None when the file's row is refused.
        mine: What it met here; None when it is new or refused.
        likeness: Cosine of the two, where meaning was compared.
        is_forgotten: Whether it is forgotten in the file; only in a restore.
        scope: Where a memory goes here; None for a named entry and for a row that is refused.
        origin: Where it stands in a foreign file.
        is_paused: Whether it is paused in the file, and stays so.
        is_secret: Whether it looks like a key or a password.
        is_note: Whether it is a memory that the cap of its scope counts.
    """

    number: int
    kind: RowKind
    status: ImportStatus
    reason: ImportReason
    tier: Tier
    place: str
    content: str
    name: str = ""
    importance: float = 0.0
    changed_at: datetime | None = None
    mine: Mine | None = None
    likeness: float | None = None
    faults: tuple[Fault, ...] = ()
    is_forgotten: bool = False
    scope: ScopeKey | None = None
    origin: Origin | None = None
    is_paused: bool = False
    tags: tuple[str, ...] = ()
    is_secret: bool = False
    is_note: bool = False

    @property
    def choices(self) -> tuple[Decision, ...]:
        """What can be done with it."""
        match self.status:
            case ImportStatus.REFUSED:
                return (Decision.KEEP,)
            case ImportStatus.NEW:
                return (Decision.KEEP, Decision.BOTH)
            case _ if self.kind is RowKind.NAMED_ENTRY or self.reason is ImportReason.MORE_TAGS:
                # Two named entries of one name cannot be side by side; tags can be joined.
                return (Decision.KEEP, Decision.TAKE)
            case ImportStatus.CONFLICT:
                return (Decision.KEEP, Decision.TAKE, Decision.BOTH)
            case ImportStatus.DUPLICATE:
                return (Decision.KEEP, Decision.BOTH)

    @property
    def default(self) -> Decision:
        """What happens when nobody decides: new ones come in, mine stay as they are.

        A duplicate adds its tags to mine. A named entry comes in only by consent, except in a
        restore.
        """
        if self.reason is ImportReason.MORE_TAGS:
            return Decision.TAKE
        if self.status is not ImportStatus.NEW:
            return Decision.KEEP
        if self.kind is RowKind.NAMED_ENTRY and self.reason is not ImportReason.RESTORED:
            return Decision.KEEP
        return Decision.BOTH


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """Where one section goes.

    Attributes:
        id: Of the workspace; None for the account.
        name: How that is called; empty for the account.
        is_new: Whether the workspace is still to be made.
        is_copy: Whether the section's own workspace is here as well, so that nothing that comes
            in may have the id it had.
    """

    id: str | None
    name: str = ""
    is_new: bool = False
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do with one section.

    Attributes:
        is_restore: Whether everything comes in as it was.
        rows: One for each row that can be decided on.
        n_forgotten: Rows that are forgotten in the file and stay out.
        held: Active notes that each scope of the target holds already.
    """

    section: Section
    target: ImportTarget
    is_restore: bool
    rows: tuple[ImportRow, ...]
    n_forgotten: int = 0
    held: Mapping[ScopeKey, int] = field(default_factory=dict)

    @property
    def marks(self) -> tuple[tuple[object, ...], ...]:
        """What a decision rests on: when this changed, the preview is out of date."""
        return tuple(
            (row.number, row.status, row.mine and (row.mine.id, row.mine.version))
            for row in self.rows
        )


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would do; nothing was changed to find out.

    Attributes:
        plans: One for each section of the file.
        into: The workspace that all of it goes to, when one was named.
        cap: Most active memories that a scope key may hold; None where nobody asked.
        place: Where the memories of a foreign file go; None for an export of ours.
    """

    document: TransferDocument
    plans: tuple[ImportPlan, ...]
    into: str | None = None
    cap: int | None = None
    place: ScopeKey | None = None

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """Every row, in the order of the file."""
        return tuple(row for plan in self.plans for row in plan.rows)

    @property
    def is_restore(self) -> bool:
        """Whether the store is empty, so that everything comes back as it was.

        Where a restore of the same file was cut off, that goes for the rest.
        """
        return any(plan.is_restore for plan in self.plans) or not self.plans

    @property
    def n_forgotten(self) -> int:
        """Rows that are forgotten in the file and stay out."""
        return sum(plan.n_forgotten for plan in self.plans)

    @property
    def n_beside(self) -> int:
        """Talk, golden questions, filters, proposals and folders: only a restore has them."""
        return sum(plan.section.n_beside for plan in self.plans if not plan.is_restore)

    def count(self, status: ImportStatus) -> int:
        return sum(row.status is status for row in self.rows)


def decided(rows: tuple[ImportRow, ...], decisions: Mapping[int, Decision]) -> dict[int, Decision]:
    """What happens with every row: what was decided, else its default.

    Raises:
        ImportRefusedError: A decision is about no row, or not among its choices.
    """
    known = {row.number: row for row in rows}
    for number, decision in decisions.items():
        if number not in known or decision not in known[number].choices:
            raise ImportRefusedError("decision", f"row {number}")
    return {row.number: decisions.get(row.number, row.default) for row in rows}


def n_written(rows: tuple[ImportRow, ...], decisions: Mapping[int, Decision]) -> int:
    """How many rows would be written."""
    return sum(one is not Decision.KEEP for one in decided(rows, decisions).values())


class StepKind(StrEnum):
    """What an import did to one thing."""

    ADDED = "added"
    TAKEN = "taken"
    ENTRY_ADDED = "entry_added"
    ENTRY_TAKEN = "entry_taken"
    ENTRY_RESTORED = "entry_restored"
    CHANNEL = "channel"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class ImportStep:
    """One thing that an import wrote.

    Attributes:
        id: Of the memory, named entry, channel or conversation.
        version: The version it left.
        before: Marks of a memory before it was taken over; its text is in its history.
    """

    kind: StepKind
    id: str
    version: int
    before: str = "{}"


@dataclass(frozen=True, slots=True)
class ImportRun:
    """One import into one database.

    Attributes:
        id: The same in every database that the file went into.
        n_added: Memories and named entries added.
        n_taken: Mine that the file's took the place of.
    """

    id: str
    at: datetime
    n_added: int
    n_taken: int
    is_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class TightScope:
    """A scope that a file could fill beyond what it may hold.

    Attributes:
        place: Name of its channel or conversation; empty in the wider tiers.
        n_held: Active notes that are in it already.
        cap: Most that it may hold.
        numbers: The rows that could come in, by their numbers.
    """

    tier: Tier
    place: str
    n_held: int
    cap: int
    numbers: tuple[int, ...]

    def n_after(self, chosen: Mapping[int, Decision]) -> int:
        """How many active notes it would hold then."""
        return self.n_held + self._n_added(chosen)

    def n_over(self, chosen: Mapping[int, Decision]) -> int:
        """How many of the chosen rows are too many; 0 while all of them fit, or none comes in."""
        n_added = self._n_added(chosen)
        return min(n_added, max(0, self.n_held + n_added - self.cap))

    def _n_added(self, chosen: Mapping[int, Decision]) -> int:
        return sum(chosen[number] is Decision.BOTH for number in self.numbers)


def tight_scopes(preview: ImportPreview) -> tuple[TightScope, ...]:
    """The scopes that would be too full if every row came in, in the order of the file."""
    if preview.cap is None:
        return ()
    found = []
    for plan in preview.plans:
        rows: dict[ScopeKey, list[ImportRow]] = defaultdict(list)
        for row in plan.rows:
            if row.is_note and row.scope is not None and not row.is_forgotten:
                rows[row.scope].append(row)
        for scope, some in rows.items():
            n_held = plan.held.get(scope, 0)
            if n_held + len(some) > preview.cap:
                numbers = tuple(row.number for row in some)
                found.append(TightScope(scope.tier, some[0].place, n_held, preview.cap, numbers))
    return tuple(found)


def refuse_overfull(preview: ImportPreview, chosen: Mapping[int, Decision]) -> None:
    """Refuse what does not fit, before a copy is made or a row is written.

    Raises:
        ImportRefusedError: A scope would hold more than it may.
    """
    for scope in tight_scopes(preview):
        if scope.n_over(chosen):
            raise ImportRefusedError("overfull", scope.tier.value, scope.cap)
