"""What an export file holds, and what an import would do with each of its rows.

Source: interfaces of the export file (schema version 1); statuses and decisions of the import
preview; the fault study's bounds for files that somebody else wrote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion, ScopeKey, Tier

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.conversation import Channel, Conversation, WorkingNote
    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.domain.named_entry import EntryRevision, NamedEntry
    from inklings_desktop.domain.workspace import Workspace

FORMAT = "inklings-export"
SCHEMA_VERSION = 1
FILE_SUFFIX = ".inklings.json"
MAX_FILE_BYTES = 50 * 1024 * 1024
WITHDRAWN_REASON = "import_withdrawn"

SAME_COSINE = 0.95
"""Above it a row says the same as one of ours; the bound at which consolidation merges."""
ALIKE_COSINE = 0.9
"""Above it the two are close enough that a person decides."""
GUARDED_FROM = 10
MAX_REPLACED_SHARE = 0.9
"""An import that would replace more of a file than this is refused, from ten memories on."""

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class ImportRefusedError(InklingsError):
    """A file cannot be imported; nothing was changed.

    Attributes:
        reason: A stable word, for example ``not_json`` or ``newer``.
        where: The part of the file, in the file's own field names; never its text.
        limit: The bound that was broken, where there is one.
    """

    def __init__(self, reason: str, where: str = "", limit: float | None = None) -> None:
        super().__init__(reason, where, limit)
        self.reason = reason
        self.where = where
        self.limit = limit


@dataclass(frozen=True, slots=True)
class StoredVector:
    """A vector as it lies in the store.

    Attributes:
        model_id: The model that made it.
        blob: Little-endian float32, four bytes for each dimension.
    """

    model_id: str
    blob: bytes

    @property
    def dimension(self) -> int:
        """Length of the vector."""
        return len(self.blob) // 4


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """A memory with everything that belongs to it.

    Attributes:
        entry: The memory; in a file its scope names the file's own workspace and rooms.
        vector: Its vector, if it has one and it was asked for.
        history: Earlier states, the oldest first.
    """

    entry: MemoryEntry
    vector: StoredVector | None = None
    history: tuple[MemoryVersion, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one row cannot be imported: a field and the rule it breaks."""

    field: str
    rule: str


@dataclass(frozen=True, slots=True)
class RefusedMemory:
    """A row whose values break an invariant; the rest of its file is sound.

    Attributes:
        tier: Where it would have gone.
        scope_key: Of which room.
        content: The beginning of its text; may be empty.
        importance: As it stands in the file; 0 where there is none.
        faults: What is wrong.
    """

    tier: Tier
    scope_key: str
    content: str
    importance: float
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """A channel and its place in the order of channels."""

    channel: Channel
    sequence: int


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """A conversation, its place in their order, and who takes part since when."""

    conversation: Conversation
    sequence: int
    participants: tuple[tuple[str, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """A working note and its place in their order."""

    note: WorkingNote
    sequence: int


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """A named entry with every revision, the oldest first."""

    entry: NamedEntry
    revisions: tuple[EntryRevision, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """What an export file holds of one database.

    Attributes:
        workspace: Whose; None for the account's.
        memories: In the order of the file; refused ones in their place.
        channels: Those of a workspace.
        conversations: Those of a workspace.
        notes: Working notes of a workspace.
        entries: Named entries.
    """

    workspace: Workspace | None
    memories: tuple[MemoryRecord | RefusedMemory, ...] = ()
    channels: tuple[ChannelRecord, ...] = ()
    conversations: tuple[ConversationRecord, ...] = ()
    notes: tuple[NoteRecord, ...] = ()
    entries: tuple[EntryRecord, ...] = ()

    @property
    def workspace_id(self) -> str | None:
        """The id of its workspace in the file; None for the account's."""
        return None if self.workspace is None else self.workspace.id


@dataclass(frozen=True, slots=True)
class TransferDocument:
    """A whole export file.

    Attributes:
        schema_version: Of the file.
        exported_at: When it was written.
        app_version: By which version of the program.
        decay: The rates in force where it was written; None when the file tells none.
        sections: The account's first, then the workspaces'.
        unknown: Names of fields that this version does not know; they are dropped.
    """

    schema_version: int
    exported_at: datetime
    app_version: str
    decay: DecayConfig | None
    sections: tuple[Section, ...]
    unknown: tuple[str, ...] = ()


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
        content: Its text.
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
        kind: Memory or named entry.
        status: What it is, seen from here.
        reason: Why.
        tier: Where it goes.
        place: Name of the channel or conversation it goes to; empty in the wider tiers.
        content: Its text; of a named entry its body.
        name: Of a named entry; else empty.
        importance: As in the file; 0 for a named entry.
        changed_at: When it was last edited in the file; None when the file's row is refused.
        mine: What it met here; None when it is new or refused.
        likeness: Cosine of the two, where meaning was compared.
        faults: Why it is refused.
        is_forgotten: Whether it is forgotten in the file; only in a restore.
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

    @property
    def choices(self) -> tuple[Decision, ...]:
        """What can be done with it."""
        match self.status:
            case ImportStatus.REFUSED:
                return (Decision.KEEP,)
            case ImportStatus.NEW:
                return (Decision.KEEP, Decision.BOTH)
            case _ if self.kind is RowKind.NAMED_ENTRY:
                # Two named entries of one name cannot stand side by side.
                return (Decision.KEEP, Decision.TAKE)
            case ImportStatus.CONFLICT:
                return (Decision.KEEP, Decision.TAKE, Decision.BOTH)
            case ImportStatus.DUPLICATE:
                return (Decision.KEEP, Decision.BOTH)

    @property
    def default(self) -> Decision:
        """What happens when nobody decides: new ones come in, mine stay as they are.

        A named entry comes in only by consent, except in a restore.
        """
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
        section: Of the file.
        target: Where it goes.
        is_restore: Whether everything comes in as it was.
        rows: One for each row that can be decided on.
        n_forgotten: Rows that are forgotten in the file and stay out.
    """

    section: Section
    target: ImportTarget
    is_restore: bool
    rows: tuple[ImportRow, ...]
    n_forgotten: int = 0

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
        document: The file.
        plans: One for each of its sections.
        into: The workspace that all of it goes to, when one was named.
    """

    document: TransferDocument
    plans: tuple[ImportPlan, ...]
    into: str | None = None

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """Every row, in the order of the file."""
        return tuple(row for plan in self.plans for row in plan.rows)

    @property
    def is_restore(self) -> bool:
        """Whether the store is empty, so that everything comes back as it was."""
        return all(plan.is_restore for plan in self.plans)

    @property
    def n_forgotten(self) -> int:
        """Rows that are forgotten in the file and stay out."""
        return sum(plan.n_forgotten for plan in self.plans)

    def count(self, status: ImportStatus) -> int:
        """Rows of this status."""
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


@dataclass(frozen=True, slots=True)
class ExportNote:
    """That something was exported: where to and when, never what it said.

    Attributes:
        path: The file that was written.
        at: When.
        scope: ``all``, or tier and scope key with ``/`` between, or ``selection``.
        n_memories: How many memories of this database went into it.
    """

    path: str
    at: datetime
    scope: str
    n_memories: int

    def may_hold(self, scope: ScopeKey) -> bool:
        """Whether it can hold text of this scope."""
        whole = scope.tier.value
        return self.scope in {"all", "selection", whole, f"{whole}/{scope.key}"}


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
        kind: What it did.
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
        at: When.
        n_added: Memories and named entries added.
        n_taken: Mine that the file's took the place of.
        is_withdrawn: Whether it was taken back.
    """

    id: str
    at: datetime
    n_added: int
    n_taken: int
    is_withdrawn: bool = False


def is_id(text: str) -> bool:
    """Whether this is an id as the program makes them: a UUID in small letters."""
    return _ID.fullmatch(text) is not None


def memory_scope(tier: Tier, workspace_id: str | None, key: str) -> ScopeKey:
    """The scope of a memory in one section.

    Raises:
        InvalidValueError: Tier and section do not fit.
    """
    match tier:
        case Tier.ACCOUNT:
            return ScopeKey(tier, workspace_id, "account")
        case Tier.WORKSPACE:
            return ScopeKey(tier, workspace_id, workspace_id or key)
        case _:
            return ScopeKey(tier, workspace_id, key)
