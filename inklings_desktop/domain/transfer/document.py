"""What an export file holds, and what an import would do with each of its rows.

Source: interfaces of the export file (schema version 1); statuses and decisions of the import
preview; the fault study's bounds for files that somebody else wrote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.activities import Activity
    from inklings_desktop.domain.background.golden import GoldenQuestion
    from inklings_desktop.domain.entries.named_entry import EntryRevision, NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
    from inklings_desktop.domain.knowledge.facts import FactDetails, PolicyDetails
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote
    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.domain.world.derivations import PageDerivation
    from inklings_desktop.domain.world.pages import WorldFolder

FORMAT = "inklings-export"
SCHEMA_VERSION = 2
FILE_SUFFIX = ".inklings.json"
MAX_FILE_BYTES = 50 * 1024 * 1024
WITHDRAWN_REASON = "import_withdrawn"
RESTORED_FILE = "file"
"""Mark of the event of a restore: the digest of the file."""

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
        blob: Little-endian float32, four bytes for each dimension.
    """

    model_id: str
    blob: bytes

    @property
    def dimension(self) -> int:
        """Length of the vector."""
        return len(self.blob) // 4


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a row of a foreign file stands.

    Attributes:
        file: As a person would name it; empty where there is one file alone.
        line: From 1; 0 where lines say nothing.
    """

    file: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A reference of a memory to a page, and what the page said there when it was made.

    Attributes:
        base: Empty where the reference is to no block.
    """

    derivation: PageDerivation
    base: str


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """A memory with everything that belongs to it.

    Attributes:
        entry: The memory; in a file its scope names the file's own workspace and rooms.
        vector: Its vector, if it has one and it was asked for.
        history: Earlier states, the oldest first.
        origin: Where it stands in a foreign file; None in an export of ours.
        sources: Where it comes from in the author's pages; only with a whole workspace.
        details: What a fact or a house rule has besides; None of a note.
    """

    entry: MemoryEntry
    vector: StoredVector | None = None
    history: tuple[MemoryVersion, ...] = ()
    origin: Origin | None = None
    sources: tuple[SourceRecord, ...] = ()
    details: FactDetails | PolicyDetails | None = None


@dataclass(frozen=True, slots=True)
class GrantRecord:
    """What a role may do in a domain."""

    role: str
    domain_id: str
    permission: Permission


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one row cannot be imported: a field and the rule it breaks."""

    field: str
    rule: str


@dataclass(frozen=True, slots=True)
class RefusedMemory:
    """A row whose values break an invariant; the rest of its file is sound.

    Attributes:
        content: The beginning of its text; may be empty.
        importance: As it stands in the file; 0 where there is none.
        origin: Where it stands in a foreign file.
    """

    tier: Tier
    scope_key: str
    content: str
    importance: float
    faults: tuple[Fault, ...]
    origin: Origin | None = None


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
        workspace: Whose; None for the account's, which has no rooms and no talk.
        memories: In the order of the file; refused ones in their place.
        proposals: What agents propose, the oldest first.
        folders: Folders of the author's pages; none of them is linked here.
        domains: Of its facts and rules; with a whole workspace all of them.
        roles: Those that the author made.
        grants: What roles may do in domains.
        kept: What agents keep between their runs.
        activities: What agents are asked at their time; off until the author switches one on.
        skills: What agents may work by; off until the author has looked at it.
    """

    workspace: Workspace | None
    memories: tuple[MemoryRecord | RefusedMemory, ...] = ()
    channels: tuple[ChannelRecord, ...] = ()
    conversations: tuple[ConversationRecord, ...] = ()
    notes: tuple[NoteRecord, ...] = ()
    entries: tuple[EntryRecord, ...] = ()
    golden: tuple[GoldenQuestion, ...] = ()
    filters: tuple[SavedFilter, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    messages: tuple[Message, ...] = ()
    folders: tuple[WorldFolder, ...] = ()
    domains: tuple[Domain, ...] = ()
    roles: tuple[Role, ...] = ()
    grants: tuple[GrantRecord, ...] = ()
    kept: tuple[WorkingMemory, ...] = ()
    activities: tuple[Activity, ...] = ()
    skills: tuple[Skill, ...] = ()

    @property
    def n_beside(self) -> int:
        """How much of it comes in by a restore alone."""
        beside = (
            *(self.golden, self.filters, self.proposals, self.messages, self.folders),
            *(self.roles, self.grants, self.kept, self.activities, self.skills),
        )
        return sum(map(len, beside))

    @property
    def workspace_id(self) -> str | None:
        """The id of its workspace in the file; None for the account's."""
        return None if self.workspace is None else self.workspace.id


@dataclass(frozen=True, slots=True)
class Left:
    """Something of a foreign file that does not become a memory.

    Attributes:
        reason: Why, a word of ``LeftOut``.
        text: What it says.
        file: Where, as a person would name it.
        line: From 1; 0 where lines say nothing.
    """

    reason: str
    text: str
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Foreign:
    """What files a document was made of that is no export of ours.

    Attributes:
        formats: Of each file, each format once.
        left_out: How often something did not become a memory, by reason.
        left: Everything that was left out, with its place.
        encodings: Those that were guessed, each once.
        columns: The headings of the tables, each once.
    """

    formats: tuple[str, ...]
    n_files: int
    left_out: Mapping[str, int]
    left: tuple[Left, ...] = ()
    encodings: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def is_guessed(self) -> bool:
        """Whether an encoding was guessed."""
        return bool(self.encodings)


@dataclass(frozen=True, slots=True)
class TransferDocument:
    """A whole export file.

    Attributes:
        app_version: By which version of the program it was written.
        decay: The rates in force where it was written; None when the file tells none.
        sections: The account's first, then the workspaces'.
        unknown: Names of fields that have no place here; they are dropped.
        digest: Of the bytes of the file, so that it is known again.
        foreign: What it was made of; None for an export of ours.
    """

    schema_version: int
    exported_at: datetime
    app_version: str
    decay: DecayConfig | None
    sections: tuple[Section, ...]
    unknown: tuple[str, ...] = ()
    digest: str = ""
    foreign: Foreign | None = None


@dataclass(frozen=True, slots=True)
class ExportNote:
    """That something was exported: where to and when, never what it said.

    Attributes:
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
