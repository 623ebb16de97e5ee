"""What the append-only log records, never what was said, and writes that an older copy lost."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class LostWrites:
    """What one file had stored and does not hold any more.

    Attributes:
        n_writes: How many; as many as the witness still remembers where it was trimmed.
        since: When the first of them was stored.
        until: When the last of them was.
        n_scrubs: Scrubs among them: what they removed may be back.
        backup: The managed backup that holds most of them; None when none holds any.
        n_in_backup: How many it holds.
    """

    n_writes: int
    since: datetime
    until: datetime
    n_scrubs: int = 0
    backup: str | None = None
    n_in_backup: int = 0


class EventKind(StrEnum):
    """Kinds of events; new kinds are added with the feature that makes them."""

    MEMORY_CREATED = "memory.created"
    MEMORY_EDITED = "memory.edited"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_CONFIRMED = "memory.confirmed"
    MEMORY_SET_ASIDE = "memory.set_aside"
    ENTRY_SAVED = "named_entry.saved"
    ENTRY_DELETED = "named_entry.deleted"
    ENTRY_RESTORED = "named_entry.restored"
    PROPOSAL_MADE = "proposal.made"
    PROPOSAL_DECIDED = "proposal.decided"
    CHANNEL_CREATED = "channel.created"
    CHANNEL_RENAMED = "channel.renamed"
    CHANNEL_ARCHIVED = "channel.archived"
    CHANNEL_UNARCHIVED = "channel.unarchived"
    CONVERSATION_STARTED = "conversation.started"
    CONVERSATION_RENAMED = "conversation.renamed"
    CONVERSATION_IDLED = "conversation.idled"
    CONVERSATION_ARCHIVED = "conversation.archived"
    CONVERSATION_RESUMED = "conversation.resumed"
    CONVERSATION_BOOKMARKED = "conversation.bookmarked"
    RUN_STATE_PURGED = "run_state.purged"
    NOTES_CLEARED = "notes.cleared"
    CONSOLIDATION_RUN = "consolidation.run"
    CONSOLIDATION_UNDONE = "consolidation.undone"
    GOLDEN_BROKEN = "golden.broken"
    MODEL_CHANGED = "model.changed"
    EXPORTED = "export.made"
    IMPORTED = "import.made"
    IMPORT_WITHDRAWN = "import.withdrawn"
    DENIED = "access.denied"
    GRANTED = "access.granted"
    REVOKED = "access.revoked"
    SCRUB_REQUESTED = "scrub.requested"
    SCRUB_DECLINED = "scrub.declined"
    SCRUB_EXECUTED = "scrub.executed"
    SCRUB_VERIFIED = "scrub.verified"
    WORKSPACE_DELETED = "workspace.deleted"
    BACKUP_RESTORED = "backup.restored"
    INDEX_REPAIRED = "index.repaired"
    SCHEMA_MIGRATED = "schema.migrated"
    LOG_ADOPTED = "log.adopted"
    LOG_ANCHORED = "log.anchored"
    WORLD_LINKED = "world.linked"
    WORLD_UNLINKED = "world.unlinked"
    PAGE_CHANGED = "page.changed"
    PAGE_RESTORED = "page.restored"
    RETCON_FOUND = "retcon.found"
    RETCON_DECIDED = "retcon.decided"
    CONTRADICTION_DECIDED = "contradiction.decided"
    MEMORY_DERIVABLE = "memory.derivable"
    FACT_SUPERSEDED = "fact.superseded"
    FACT_REINSTATED = "fact.reinstated"
    POLICY_SWITCHED = "policy.switched"
    DOMAIN_CHANGED = "domain.changed"
    DOMAIN_GRANTED = "domain.granted"
    ROLE_ASSIGNED = "role.assigned"
    WORKING_MEMORY_CLEARED = "working_memory.cleared"
    ACTIVITY_SAVED = "activity.saved"
    ACTIVITY_RAN = "activity.ran"
    ACTIVITY_FAILED = "activity.failed"
    SKILL_SAVED = "skill.saved"
    SKILL_ENABLED = "skill.enabled"
    SKILL_DISABLED = "skill.disabled"
    SKILL_DELETED = "skill.deleted"
    SKILL_IMPORTED = "skill.imported"
    UNKNOWN = "unknown"
    """Stands for a word that this version does not know; never appended."""


TERMINAL_KINDS = frozenset({EventKind.SCRUB_EXECUTED, EventKind.SCRUB_VERIFIED})
"""Records that stay for ever, marked with a lock wherever they are shown."""


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event about to be appended.

    Attributes:
        kind: What happened.
        actor_kind: person, agent or clock.
        door: window, cli, mcp or clock.
        tier: Tier it is about, or None.
        scope_key: Key inside the tier, or None.
        ids: Ids it is about, at most a hundred, or every chosen memory that a scrub removed;
            content is never part of an event.
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


MAX_EVENT_WORDS = 64


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events a list holds; empty sets and None do not filter.

    Attributes:
        kinds: One of these kinds.
        actors: One of these names.
        tiers: About one of these tiers.
        since: Not older than this.
        text: Every word occurs in number, kind, actor, door, tier, scope key or ids,
            regardless of case; ``#12`` is the event with this number.
    """

    kinds: frozenset[EventKind] = frozenset()
    actors: frozenset[str] = frozenset()
    tiers: frozenset[str] = frozenset()
    since: datetime | None = None
    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The different words of the text as they are compared; ``48,112`` is a number.

        A pasted page has more than any event could hold: the first ``MAX_EVENT_WORDS`` are enough
        to find nothing, and a database refuses conditions without end.
        """
        different = dict.fromkeys(word for word in map(_compared, self.text.split()) if word)
        return tuple(islice(different, MAX_EVENT_WORDS))


ALL_EVENTS = EventFilter()


@dataclass(frozen=True, slots=True)
class EventFacets:
    """Values in use in one log, with how many events carry each; most used first."""

    kinds: tuple[tuple[str, int], ...]
    actors: tuple[tuple[str, int], ...]
    tiers: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class EventPlace:
    """Where an event took place, as it is called today.

    Attributes:
        kind: ``conversation``, ``channel``, ``workspace`` or ``account``.
        key: Its id.
        name: Its title or name; None when it is gone or nothing has this id.
        ref_code: Of a conversation; else empty.
    """

    kind: str
    key: str
    name: str | None
    ref_code: str = ""


@dataclass(frozen=True, slots=True)
class EventThing:
    """One of the things an event is about, as it is today.

    Attributes:
        kind: ``memory``, ``named_entry`` or ``proposal``.
        name: The beginning of a memory, the name of an entry, the kind of a proposal; None when
            it is gone.
        is_active: False when it is gone, forgotten or deleted.
    """

    kind: str
    id: str
    name: str | None
    is_active: bool


@dataclass(frozen=True, slots=True)
class DescribedEvent:
    """An event with the names of today; the log itself holds none.

    Attributes:
        event: As it was appended.
        place: Where; None when it is about no tier.
        things: The first of its ids, as many as were asked for.
    """

    event: Event
    place: EventPlace | None
    things: tuple[EventThing, ...] = ()


class LogFault(StrEnum):
    """What is wrong with a log."""

    EDITED = "edited"
    """An event is not what was appended."""
    GAP = "gap"
    """The numbers do not follow one another."""
    CUT = "cut"
    """The log is shorter than its noted head."""
    REPLACED = "replaced"
    """The log is another one than its noted head belongs to, for example an older copy."""
    FOREIGN = "foreign"
    """Another installation wrote all of it in the place of a log of ours."""
    ADOPTED_EDITED = "adopted_edited"
    """What another installation wrote is no longer what was adopted."""
    HEADS_EDITED = "heads_edited"
    """The file of noted heads is not what the program wrote."""
    HEAD_MISSING = "head_missing"
    """The head of this log was noted once and is no longer."""
    KEY_NEW = "key_new"
    """The key of this installation is not the one that the log was written with."""
    FILE_MISSING = "file_missing"
    """The head of a log is noted whose file is gone."""
    WRITES_LOST = "writes_lost"
    """Every event is what was appended, but the file once held writes that are gone."""
    FILE_ALTERED = "file_altered"
    """Every event is what was appended, but the file around them is not as the program made it."""
    UNREADABLE = "unreadable"
    """The file cannot be read."""


LOST_ANCHORS = frozenset({LogFault.HEADS_EDITED, LogFault.HEAD_MISSING, LogFault.KEY_NEW})
"""Faults of the noted heads or of the key alone: the chain shows nothing wrong."""


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """What a check of one log found.

    Attributes:
        workspace_id: Whose log; None for the account's.
        name: Name of the workspace; empty for the account and where it is not known.
        first_broken: Number of the first event that is not what was appended; None when the
            fault has no number.
        reason: What is wrong; None when the log is whole.
        n_segments: Installations that wrote it: one more than it was adopted times.
        lost: Writes that its file once held and that are gone, whatever else is wrong; None when
            none are known of.
    """

    workspace_id: str | None
    name: str
    n_events: int
    first_broken: int | None = None
    reason: LogFault | None = None
    n_segments: int = 1
    lost: LostWrites | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return self.reason is None


def _compared(word: str) -> str:
    plain = word.casefold()
    number = plain.replace(",", "")
    return number if number.removeprefix("#").isdecimal() else plain
