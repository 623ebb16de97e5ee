"""What the append-only log records: that something happened, never what it said."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class EventKind(StrEnum):
    """Kinds of events; new kinds are added with the feature that makes them."""

    MEMORY_CREATED = "memory.created"
    MEMORY_EDITED = "memory.edited"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_CONFIRMED = "memory.confirmed"
    ENTRY_SAVED = "named_entry.saved"
    ENTRY_DELETED = "named_entry.deleted"
    ENTRY_RESTORED = "named_entry.restored"
    PROPOSAL_MADE = "proposal.made"
    PROPOSAL_DECIDED = "proposal.decided"
    CONVERSATION_STARTED = "conversation.started"
    CONVERSATION_IDLED = "conversation.idled"
    CONVERSATION_ARCHIVED = "conversation.archived"
    NOTES_CLEARED = "notes.cleared"
    DENIED = "access.denied"
    SCRUB_EXECUTED = "scrub.executed"
    SCRUB_VERIFIED = "scrub.verified"
    WORKSPACE_DELETED = "workspace.deleted"
    BACKUP_RESTORED = "backup.restored"
    INDEX_REPAIRED = "index.repaired"
    LOG_ADOPTED = "log.adopted"


TERMINAL_KINDS = frozenset({EventKind.SCRUB_EXECUTED, EventKind.SCRUB_VERIFIED})
"""Records that stay for ever, marked with a lock wherever they are shown."""


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event about to be appended.

    Attributes:
        kind: What happened.
        actor: Name of the caller.
        actor_kind: person, agent or clock.
        door: window, cli, mcp or clock.
        tier: Tier it is about, or None.
        scope_key: Key inside the tier, or None.
        ids: Ids it is about, at most a hundred; content is never part of an event.
        counts: Figures, for example how many.
        marks: Words of the program's own and hashes, for example a mode or a manifest's digest.
    """

    kind: EventKind
    actor: str
    actor_kind: str
    door: str
    tier: str | None = None
    scope_key: str | None = None
    ids: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event(EventDraft):
    """An event in the log.

    Attributes:
        number: Place in the chain, from 1.
        at: When it was appended.
        chain_hash: Keyed hash over this event and the one before, hexadecimal.
    """

    number: int = 0
    at: datetime | None = None
    chain_hash: str = ""


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events a list holds; empty sets and None do not filter.

    Attributes:
        kinds: One of these kinds.
        actors: One of these names.
        tiers: About one of these tiers.
        since: Not older than this.
        text: Every word occurs in number, kind, actor, door, tier, scope key or ids,
            regardless of case.
    """

    kinds: frozenset[EventKind] = frozenset()
    actors: frozenset[str] = frozenset()
    tiers: frozenset[str] = frozenset()
    since: datetime | None = None
    text: str = ""


ALL_EVENTS = EventFilter()


@dataclass(frozen=True, slots=True)
class EventFacets:
    """Values in use in one log, with how many events carry each; most used first."""

    kinds: tuple[tuple[str, int], ...]
    actors: tuple[tuple[str, int], ...]
    tiers: tuple[tuple[str, int], ...]
    total: int
