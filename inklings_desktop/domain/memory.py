"""Memory entries: what is remembered, where it belongs, and what always holds of it.

Source: the product's rules for tiers, lifetimes and curators; limits on text from the fault
study (a 64 KiB bound keeps search and rendering fast, one encoding keeps every door equal).
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory_values import (
    checked_agent,
    checked_content,
    checked_importance,
    checked_source,
    checked_tags,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import checked_label

if TYPE_CHECKING:
    from datetime import datetime

MAX_DERIVATIONS = 64
MAX_REFERENCE_CHARACTERS = 256
ACCOUNT_KEY = "account"

DEFAULT_IMPORTANCE = 0.5

ROLES = frozenset({
    "agent", "author", "consolidation", "import", "orchestrator", "summary", "system", "user",
})  # fmt: skip
"""Sources that name a part that every world has: they tell no memory from another."""


class Tier(StrEnum):
    """The level a memory belongs to; fixed when it is written, never inherited."""

    CONVERSATION = "conversation"
    CHANNEL = "channel"
    WORKSPACE = "workspace"
    ACCOUNT = "account"


class Lifetime(StrEnum):
    """How long a memory is meant to matter."""

    LONG_TERM = "long_term"
    SHORT_TERM = "short_term"
    CONVERSATION = "conversation"


class Curator(StrEnum):
    """Who vouches for a memory; set by the door, never by an argument."""

    AGENT = "agent"
    AUTHOR = "author"
    IMPORT = "import"


class MemoryKind(StrEnum):
    """What a memory is for the one who reads it; fixed when it is written."""

    NOTE = "note"
    FACT = "fact"
    """One settled statement in a domain under a topic."""
    POLICY = "policy"
    """A house rule: what agents have to do, or to leave, in a domain."""


AUTHOR = "author"
"""By whom the person's own texts are written."""
MERGED_SOURCE = "consolidation"
"""Source of what was merged, and its writer where several had written the texts."""

OWN_SOURCE = {Curator.AGENT: "orchestrator", Curator.AUTHOR: "user", Curator.IMPORT: "import"}
"""Who produced a memory when nobody says."""


@dataclass(frozen=True, slots=True, order=True)
class ScopeKey:
    """Which conversation, channel, workspace or account: the full address of one scope.

    Attributes:
        workspace_id: The workspace whose file holds it; None for the account.
        key: Conversation id, channel id, workspace id, or ``account``.
    """

    tier: Tier
    workspace_id: str | None
    key: str

    def __post_init__(self) -> None:
        """Refuse addresses that cannot exist.

        Raises:
            InvalidValueError: Tier and workspace do not fit, the key is empty, or it is not the
                only one that its tier has.
        """
        if (self.tier is Tier.ACCOUNT) != (self.workspace_id is None):
            raise InvalidValueError("scope", "workspace")
        if not self.key or self.workspace_id == "":
            raise InvalidValueError("scope", "empty")
        only = {Tier.ACCOUNT: ACCOUNT_KEY, Tier.WORKSPACE: self.workspace_id}
        if self.key != only.get(self.tier, self.key):
            raise InvalidValueError("scope", "key")

    @classmethod
    def conversation(cls, workspace_id: str, conversation_id: str) -> Self:
        """The conversation tier of one conversation."""
        return cls(Tier.CONVERSATION, workspace_id, conversation_id)

    @classmethod
    def channel(cls, workspace_id: str, channel_id: str) -> Self:
        """The channel tier of one channel."""
        return cls(Tier.CHANNEL, workspace_id, channel_id)

    @classmethod
    def workspace(cls, workspace_id: str) -> Self:
        """The workspace tier of one workspace."""
        return cls(Tier.WORKSPACE, workspace_id, workspace_id)

    @classmethod
    def account(cls) -> Self:
        """The account tier."""
        return cls(Tier.ACCOUNT, None, ACCOUNT_KEY)


@dataclass(frozen=True, slots=True, order=True)
class MemoryRef:
    """Names one memory with its scope, so that no caller reaches past it by id alone."""

    scope: ScopeKey
    id: str


@dataclass(frozen=True, slots=True)
class ForgottenAs:
    """What is kept of a forgotten memory besides its values.

    Attributes:
        reason: Why, a phrase; None when none was given.
        successor_id: The memory that took its place; None if none did.
    """

    reason: str | None = None
    successor_id: str | None = None


JUST_FORGOTTEN = ForgottenAs()
"""Nobody said why, and nothing took its place."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A reference to what a memory was derived from; a pointer only, never its content.

    Attributes:
        target: Page title or id.
        block: Part of the page, as its own program names it.
    """

    target: str
    block: str = ""


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One memory as it is stored.

    Attributes:
        id: Random UUID.
        sequence: Order of writing within its file; the clock never decides.
        version: Counts saved changes from 1; reads do not change it.
        content: The text exactly as written, at most 64 KiB in UTF-8.
        lifetime: Long-term, short-term, or conversation (exactly the conversation tier).
        source: Who produced it, free text; provenance, never access.
        curator: Who vouches for it.
        written_by: Who wrote its present text: a client's name, ``author``, or
            ``consolidation`` where it was merged from texts of several; empty when nobody said.
        importance: As given, 0 to 1, both included.
        tags: Distinct, in the order given.
        agent_id: Set when the entry is private to one agent.
        source_conversation: Conversation in which it was written, if any.
        derived_from: References to its sources.
        edited_at: When its text or figures last changed, None if never.
        accessed_at: Last read by an agent, None if never.
        access_count: Reads by agents.
        confirmed_at: Last *still true* by a person, or last written again by anybody.
        imported_at: When it came in through an import.
        imported_curator: The curator its export file named.
        paused: Kept, never retrieved until resumed.
        locked: Agents may only propose changes.
        forgotten_at: When it was forgotten; None while active.
        forgotten_reason: Why, a short phrase.
        successor_id: The entry that took its place: merged from it, or written to replace it.
        run_id: The background run that forgot or wrote it.
        embedding_model: Model of its stored vector; None while it has none.
        is_unreadable: Whether damage made bytes of it that are no text; U+FFFD stands for them.
        kind: What it is; facts and house rules belong to the workspace tier alone.
        domain_id: The domain of a fact or a rule; None of a note.
        topic: Of what a fact is, inside its domain; empty of any other.
    """

    id: str
    sequence: int
    version: int
    scope: ScopeKey
    content: str
    lifetime: Lifetime
    source: str
    curator: Curator
    importance: float
    tags: tuple[str, ...]
    created_at: datetime
    written_by: str = ""
    agent_id: str | None = None
    source_conversation: str | None = None
    derived_from: tuple[Derivation, ...] = ()
    edited_at: datetime | None = None
    accessed_at: datetime | None = None
    access_count: int = 0
    confirmed_at: datetime | None = None
    imported_at: datetime | None = None
    imported_curator: Curator | None = None
    pinned: bool = False
    paused: bool = False
    locked: bool = False
    forgotten_at: datetime | None = None
    forgotten_reason: str | None = None
    successor_id: str | None = None
    run_id: str | None = None
    embedding_model: str | None = None
    is_unreadable: bool = False
    kind: MemoryKind = MemoryKind.NOTE
    domain_id: str | None = None
    topic: str = ""

    @property
    def ref(self) -> MemoryRef:
        """Its scope and id."""
        return MemoryRef(self.scope, self.id)

    @property
    def is_forgotten(self) -> bool:
        """Whether it is marked inactive."""
        return self.forgotten_at is not None

    @property
    def is_retrievable(self) -> bool:
        """Whether search may find it at all."""
        return self.forgotten_at is None and not self.paused

    @property
    def wall(self) -> str | None:
        """What a caller has to pass to know of it: a private agent's, a domain's; None is open."""
        return self.agent_id if self.domain_id is None else wall_of(self.domain_id)

    @property
    def is_authors(self) -> bool:
        """Whether it is the author's: made by the author, or in the author's own words by now.

        A file that is imported may claim so; the worst of that is a memory guarded needlessly.
        """
        return AUTHOR in {self.curator, self.written_by}

    @property
    def by(self) -> str:
        """Who wrote it, by name; the curator where nobody said, and of what was imported.

        An import vouches for no name: whoever wrote that file could claim to be the author.
        """
        return named_writer(self.written_by, self.curator)

    @property
    def origin(self) -> tuple[str, ...]:
        """The names by which one may ask where it comes from; none when they are everybody's."""
        return origin_of(self.source, self.agent_id, self.topic)

    def patched(self, patch: MemoryPatch) -> Self:
        """This entry with the patch's values in place; version and times are the store's."""
        return replace(
            self,
            content=self.content if patch.content is None else patch.content,
            importance=self.importance if patch.importance is None else patch.importance,
            lifetime=self.lifetime if patch.lifetime is None else patch.lifetime,
            tags=self.tags if patch.tags is None else patch.tags,
        )


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """What a caller hands in to be remembered; checked when made.

    Attributes are those of ``MemoryEntry``. ``lifetime`` and ``source`` None mean what the writing
    of its curator has of its own, see ``completed``. ``private_to`` names the one agent that may
    find it; None shares it with every agent of the scope.

    Raises:
        InvalidValueError: A value breaks an invariant; ``field`` says which.
    """

    scope: ScopeKey
    content: str
    importance: float = DEFAULT_IMPORTANCE
    lifetime: Lifetime | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    source_conversation: str | None = None
    derived_from: tuple[Derivation, ...] = ()
    private_to: str | None = None
    kind: MemoryKind = MemoryKind.NOTE
    domain_id: str | None = None
    topic: str = ""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "content", checked_content(self.content))
        put(self, "importance", checked_importance(self.importance))
        if self.source is not None:
            put(self, "source", checked_source(self.source))
        put(self, "tags", checked_tags(self.tags))
        if self.lifetime is not None:
            put(self, "lifetime", checked_lifetime(self.lifetime, self.scope.tier))
        put(self, "derived_from", checked_derivations(self.derived_from))
        if self.private_to is not None:
            put(self, "private_to", checked_agent(self.private_to))
        has_origin = self.source_conversation is not None or self.derived_from
        if self.scope.tier is Tier.ACCOUNT and has_origin:
            raise InvalidValueError("scope", "account_holds_preferences_only")
        is_note, is_fact = self.kind is MemoryKind.NOTE, self.kind is MemoryKind.FACT
        if is_note is not (self.domain_id is None) or is_fact is not bool(self.topic):
            raise InvalidValueError("kind", "domain")
        is_elsewhere = self.scope.tier is not Tier.WORKSPACE or self.private_to is not None
        if not is_note and (is_elsewhere or self.source_conversation is not None):
            raise InvalidValueError("kind", "tier")

    def completed(self, curator: Curator) -> Self:
        """This draft with the lifetime and source of its curator where it names none."""
        return replace(
            self,
            lifetime=(
                self.lifetime or own_lifetime(self.scope.tier, curator)
                if self.kind is MemoryKind.NOTE
                else Lifetime.LONG_TERM
            ),
            source=self.source or OWN_SOURCE[curator],
        )


@dataclass(frozen=True, slots=True)
class MemoryPatch:
    """A change to one memory; None leaves a value as it is. Checked when made.

    Raises:
        InvalidValueError: A value breaks an invariant; ``field`` says which.
    """

    content: str | None = None
    importance: float | None = None
    lifetime: Lifetime | None = None
    tags: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.content is not None:
            put(self, "content", checked_content(self.content))
        if self.importance is not None:
            put(self, "importance", checked_importance(self.importance))
        if self.tags is not None:
            put(self, "tags", checked_tags(self.tags))


class MemoryAction(StrEnum):
    """What one saved change did, for the history."""

    EDITED = "edited"
    RETAGGED = "retagged"
    REWEIGHTED = "reweighted"
    RELABELLED = "relabelled"
    REVERTED = "reverted"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    CONFIRMED = "confirmed"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    PAUSED = "paused"
    RESUMED = "resumed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"


NOTHING_MORE = "{}"
"""What a note had besides what every memory has."""


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """One earlier state of a memory, and the change that replaced it.

    Attributes:
        version: Its version number before the change.
        content: Its text before the change; None when the change left the text alone.
        importance: Before the change.
        lifetime: Before the change.
        tags: Before the change.
        action: What the change did.
        door: Through which door: ``window``, ``cli``, ``mcp``, ``clock``.
        written_by: Who had written its text before the change.
        extra: What else a fact or a rule had before the change, as a JSON object.
    """

    memory_id: str
    version: int
    content: str | None
    importance: float
    lifetime: Lifetime
    tags: tuple[str, ...]
    action: MemoryAction
    changed_at: datetime
    changed_by: str
    door: str
    written_by: str = ""
    extra: str = NOTHING_MORE


def named_writer(written_by: str, curator: Curator) -> str:
    """Who wrote a text, by name where that can be vouched for, else its curator."""
    return written_by if written_by and curator is not Curator.IMPORT else curator.value


def wall_of(domain_id: str) -> str:
    """How a domain stands among the names of agents; none of them has a stroke in front."""
    return f"/{domain_id}"


def origin_of(source: str, agent_id: str | None, topic: str = "") -> tuple[str, ...]:
    """The names by which one may ask for a memory: its source, its private agent, its topic."""
    names = dict.fromkeys(one for one in (source, agent_id, topic) if one)
    return tuple(one for one in names if one.casefold() not in ROLES)


def checked_derivations(derived_from: object) -> tuple[Derivation, ...]:
    """The references, each once, in the order given.

    Raises:
        InvalidValueError: More than 64, or one names nothing, is too long or broken over lines.
    """
    if not isinstance(derived_from, tuple | list):
        raise InvalidValueError("derived_from", "type")
    tidy: dict[Derivation, None] = {}
    for one in derived_from:
        if not isinstance(one, Derivation):
            raise InvalidValueError("derived_from", "type")
        target = checked_label(one.target, "derived_from", MAX_REFERENCE_CHARACTERS)
        block = one.block.strip()
        if block:
            block = checked_label(block, "derived_from", MAX_REFERENCE_CHARACTERS)
        tidy[Derivation(target, block)] = None
    if len(tidy) > MAX_DERIVATIONS:
        raise InvalidValueError("derived_from", "too_many", MAX_DERIVATIONS)
    return tuple(tidy)


def own_lifetime(tier: Tier, curator: Curator) -> Lifetime:
    """How long a memory is meant to matter when nobody says.

    What a person writes is meant to stay, and so is what an agent decides to keep for a workspace
    or the account.
    """
    if tier is Tier.CONVERSATION:
        return Lifetime.CONVERSATION
    stays = curator is Curator.AGENT and tier in {Tier.WORKSPACE, Tier.ACCOUNT}
    return Lifetime.LONG_TERM if stays or curator is Curator.AUTHOR else Lifetime.SHORT_TERM


def checked_lifetime(lifetime: object, tier: Tier) -> Lifetime:
    """The lifetime that fits the tier.

    Raises:
        InvalidValueError: No lifetime, conversation lifetime outside the conversation tier, or
            another one inside it.
    """
    if not isinstance(lifetime, Lifetime):
        raise InvalidValueError("lifetime", "type")
    if (lifetime is Lifetime.CONVERSATION) != (tier is Tier.CONVERSATION):
        raise InvalidValueError("lifetime", "tier")
    return lifetime


def change_action(before: MemoryEntry, after: MemoryEntry) -> MemoryAction | None:
    """What kind of change lies between two states, the weightiest first; None if they are equal."""
    if before.content != after.content:
        return MemoryAction.EDITED
    if before.importance != after.importance:
        return MemoryAction.REWEIGHTED
    if before.lifetime is not after.lifetime:
        return MemoryAction.RELABELLED
    if before.tags != after.tags:
        return MemoryAction.RETAGGED
    return None
