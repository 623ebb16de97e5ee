"""What one database file holds, in memory, and what one transaction touched."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import KeptRequest
    from inklings_desktop.domain.access.clients import Client, ClientCall
    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.domain.background.tasks import KeptPair, RunStep, TaskRun, TaskState
    from inklings_desktop.domain.entries.named_entry import EntryDraft, EntryRevision, NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.log.events import Event
    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import (
        MemoryEntry,
        MemoryVersion,
        ScopeKey,
    )
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote
    from inklings_desktop.domain.rooms.messages import Allowance, Message
    from inklings_desktop.domain.scrub.manifest import PendingScrub
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest


@dataclass(slots=True)
class FakeFile:
    """What one database file holds; every value in it is immutable."""

    memories: dict[str, MemoryEntry] = field(default_factory=dict)
    versions: dict[str, tuple[MemoryVersion, ...]] = field(default_factory=dict)
    vectors: dict[str, tuple[str, FloatVector]] = field(default_factory=dict)
    words: dict[str, tuple[str, str, bytes]] = field(default_factory=dict)
    tag_words: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    coming: dict[str, tuple[str, FloatVector]] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    participants: dict[str, frozenset[str]] = field(default_factory=dict)
    told: dict[tuple[str, str], datetime] = field(default_factory=dict)
    notes: dict[tuple[str, str], WorkingNote] = field(default_factory=dict)
    note_order: tuple[tuple[str, str], ...] = ()
    events: tuple[Event, ...] = ()
    entries: dict[str, NamedEntry] = field(default_factory=dict)
    revisions: dict[str, tuple[EntryRevision, ...]] = field(default_factory=dict)
    drafts: dict[str, EntryDraft] = field(default_factory=dict)
    typings: dict[tuple[ScopeKey, str], MemoryTyping] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    purges: dict[int, PendingScrub] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    calls: tuple[ClientCall, ...] = ()
    leases: dict[str, tuple[str, datetime, datetime]] = field(default_factory=dict)
    runs: dict[str, TaskRun] = field(default_factory=dict)
    steps: dict[tuple[str, str], RunStep] = field(default_factory=dict)
    states: dict[str, TaskState] = field(default_factory=dict)
    pairs: dict[ScopeKey, tuple[KeptPair, ...]] = field(default_factory=dict)
    questions: dict[str, GoldenQuestion] = field(default_factory=dict)
    filters: dict[str, SavedFilter] = field(default_factory=dict)
    requests: dict[str, ScrubRequest] = field(default_factory=dict)
    windows: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    records: dict[str, GoldenRecord] = field(default_factory=dict)
    messages: dict[str, tuple[Message, ...]] = field(default_factory=dict)
    repeatable: dict[tuple[str, str], tuple[KeptRequest, datetime]] = field(default_factory=dict)
    allowances: dict[str, tuple[Allowance, ...]] = field(default_factory=dict)

    def copy(self) -> FakeFile:
        """The same content, to be changed on its own."""
        return FakeFile(
            dict(self.memories),
            dict(self.versions),
            dict(self.vectors),
            dict(self.words),
            dict(self.tag_words),
            dict(self.coming),
            dict(self.channels),
            dict(self.conversations),
            dict(self.participants),
            dict(self.told),
            dict(self.notes),
            self.note_order,
            self.events,
            dict(self.entries),
            dict(self.revisions),
            dict(self.drafts),
            dict(self.typings),
            dict(self.proposals),
            dict(self.purges),
            dict(self.clients),
            self.calls,
            dict(self.leases),
            dict(self.runs),
            dict(self.steps),
            dict(self.states),
            dict(self.pairs),
            dict(self.questions),
            dict(self.filters),
            dict(self.requests),
            dict(self.windows),
            dict(self.records),
            dict(self.messages),
            dict(self.repeatable),
            dict(self.allowances),
        )


@dataclass(slots=True)
class FakeChanges:
    """What one unit of work has touched so far."""

    scopes: set[ScopeKey] = field(default_factory=set)
    memories: dict[str, str] = field(default_factory=dict)
    rooms: bool = False
    note_conversations: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)
    proposals: bool = False
    reload: bool = False
    clients: bool = False
    scrub_requests: bool = False

    def touch(self, entry: MemoryEntry, kind: str) -> None:
        """Note a memory under its last change; a new one stays new until it is forgotten."""
        self.scopes.add(entry.scope)
        if kind != "updated" or self.memories.get(entry.id) != "added":
            self.memories[entry.id] = kind

    def named(self, kind: str) -> tuple[str, ...]:
        """Ids noted under this kind."""
        return tuple(one for one, found in self.memories.items() if found == kind)


def compared(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


def answering(file: FakeFile) -> str:
    """The model whose vectors are compared in a file; empty while it has none."""
    return next((model for model, _ in file.vectors.values()), "")


def is_visible(entry: MemoryEntry, visible_to: str | None) -> bool:
    return visible_to is None or (not entry.paused and may_know_of(entry, visible_to))


def may_know_of(entry: MemoryEntry, visible_to: str | None) -> bool:
    """Whether an agent may be answered about it at all: it is shared, or its own."""
    return visible_to is None or entry.agent_id in {None, visible_to}


def matches(entry: MemoryEntry, where: MemoryFilter) -> bool:
    if where.attention is not None and where.sequences is None:
        raise InvalidValueError("attention", "not_looked_up")
    return (
        where.admits(entry)
        and (not where.phrases or entry.is_retrievable)
        and (where.sequences is None or entry.sequence in where.sequences)
    )
