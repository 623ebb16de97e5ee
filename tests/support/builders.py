"""Domain objects with sensible values, a clock that stands still and ids that repeat."""

from __future__ import annotations

import json
import random
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.entries.named_entry import NamedEntry
from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryDraft,
    MemoryEntry,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.rooms.conversation import Channel, Conversation, ConversationState
from inklings_desktop.domain.rooms.messages import Message, MessageRole, MessageState, ProducedBy
from inklings_desktop.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from inklings_desktop.usecases.ports.store import SettingsSource

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
WORKSPACE_ID = "0b8f4c1e-6a1d-4f0a-9c63-0d6e1c1f7a01"
OTHER_WORKSPACE_ID = "5d2f9a7c-3b0e-4c58-8f2a-7f4b9c3d6e02"
READ_AND_WRITE = frozenset({Action.READ, Action.WRITE})


@dataclass(slots=True)
class FixedClock:
    """Stands still until it is told to go on."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        """The instant at which it stands."""
        return self.now

    def advance(self, *, hours: float = 0.0, days: float = 0.0) -> datetime:
        """Go on, or back when negative; the new instant."""
        self.now += timedelta(hours=hours, days=days)
        return self.now


@dataclass(slots=True)
class SeededIds:
    """The same UUIDs in every run."""

    seed: int = 0
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Begin the sequence."""
        self._random = random.Random(self.seed)  # noqa: S311  ids of tests guard nothing

    def __call__(self) -> str:
        """The next id."""
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


_ids = SeededIds(seed=1)


def a_memory(
    content: str = "Nerys confuses left and right.",
    *,
    scope: ScopeKey | None = None,
    memory_id: str | None = None,
    sequence: int = 1,
    version: int = 1,
    lifetime: Lifetime | None = None,
    source: str = "user",
    curator: Curator = Curator.AGENT,
    importance: float = 0.5,
    tags: tuple[str, ...] = (),
    created_at: datetime = NOON,
    agent_id: str | None = None,
    source_conversation: str | None = None,
    edited_at: datetime | None = None,
    accessed_at: datetime | None = None,
    access_count: int = 0,
    confirmed_at: datetime | None = None,
    imported_at: datetime | None = None,
    pinned: bool = False,
    paused: bool = False,
    locked: bool | None = None,
    forgotten_at: datetime | None = None,
    forgotten_reason: str | None = None,
    embedding_model: str | None = None,
    is_unreadable: bool = False,
) -> MemoryEntry:
    """A memory of the workspace tier unless told otherwise; author-made ones are locked."""
    where = scope or ScopeKey.workspace(WORKSPACE_ID)
    own = Lifetime.CONVERSATION if where.tier is Tier.CONVERSATION else Lifetime.SHORT_TERM
    return MemoryEntry(
        id=memory_id or _ids(),
        sequence=sequence,
        version=version,
        scope=where,
        content=content,
        lifetime=lifetime or own,
        source=source,
        curator=curator,
        importance=importance,
        tags=tags,
        created_at=created_at,
        agent_id=agent_id,
        source_conversation=source_conversation,
        edited_at=edited_at,
        accessed_at=accessed_at,
        access_count=access_count,
        confirmed_at=confirmed_at,
        imported_at=imported_at,
        pinned=pinned,
        paused=paused,
        locked=curator is Curator.AUTHOR if locked is None else locked,
        forgotten_at=forgotten_at,
        forgotten_reason=forgotten_reason,
        embedding_model=embedding_model,
        is_unreadable=is_unreadable,
    )


def a_draft(
    content: str = "Nerys confuses left and right.",
    *,
    scope: ScopeKey | None = None,
    importance: float = 0.5,
    lifetime: Lifetime | None = None,
    tags: tuple[str, ...] = (),
    private_to: str | None = None,
) -> MemoryDraft:
    """A draft for the workspace tier unless told otherwise."""
    return MemoryDraft(
        scope=scope or ScopeKey.workspace(WORKSPACE_ID),
        content=content,
        importance=importance,
        lifetime=lifetime,
        tags=tags,
        private_to=private_to,
    )


def a_channel(
    name: str = "map-room",
    *,
    channel_id: str | None = None,
    description: str = "",
    created_at: datetime = NOON,
    archived_at: datetime | None = None,
) -> Channel:
    """An open channel."""
    return Channel(channel_id or _ids(), name, description, created_at, archived_at)


def a_conversation(
    channel_id: str,
    *,
    conversation_id: str | None = None,
    ref_code: str = "R8VX4ip1wNx",
    title: str = "The toll at Wend Gate",
    state: ConversationState = ConversationState.ACTIVE,
    started_at: datetime = NOON,
    ended_at: datetime | None = None,
) -> Conversation:
    """An active conversation."""
    return Conversation(
        conversation_id or _ids(), ref_code, channel_id, title, state, started_at, ended_at
    )


def a_message(
    conversation_id: str,
    text: str = "The toll is high.",
    *,
    role: str = "user",
    created_at: datetime = NOON,
) -> Message:
    """Something said, before it has a number."""
    is_persons = role == "user"
    return Message(
        _ids(),
        conversation_id,
        0,
        "t1",
        MessageRole(role),
        MessageState.COMPLETE,
        json.dumps([{"kind": "text", "text": text}]),
        "world-agent",
        ProducedBy.PERSON if is_persons else ProducedBy.MECHANICAL,
        created_at,
    )


def a_template(name: str) -> str:
    """The body that VOICE or SOUL begins with in tests."""
    return f"# {name}\r\n\r\nSay here how it should be.\n"


def a_companion(
    name: str = "PRINCIPLES",
    body: str = "# Principles\n\nThe sea does not want anything.\n",
    *,
    workspace_id: str | None = WORKSPACE_ID,
    entry_id: str | None = None,
    created_at: datetime = NOON,
    edited_at: datetime | None = None,
) -> NamedEntry:
    """A companion in the workspace tier; in the account tier without a workspace."""
    return NamedEntry(
        id=entry_id or _ids(),
        tier=Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE,
        workspace_id=workspace_id,
        name=name,
        body=body,
        curator=Curator.AUTHOR,
        is_built_in=False,
        version=1,
        created_at=created_at,
        edited_at=edited_at,
    )


def a_proposal(
    entry: NamedEntry,
    body: str = "Another body.",
    *,
    proposal_id: str | None = None,
    client: str = "researcher",
    created_at: datetime = NOON,
) -> Proposal:
    """A pending proposal of another body."""
    return Proposal(
        id=proposal_id or _ids(),
        kind=ProposalKind.NAMED_BODY,
        workspace_id=entry.workspace_id,
        tier=entry.tier,
        scope_key=entry.scope.key,
        target_id=entry.id,
        target_name=entry.name,
        base_version=entry.version,
        payload={"body": body},
        reason="It reads better.",
        client=client,
        state=ProposalState.PENDING,
        note="",
        created_at=created_at,
    )


def a_person(name: str = "Ada", door: Door = Door.WINDOW) -> Caller:
    """The author at the window."""
    return Caller.person(name, door)


def the_clock() -> Caller:
    """The scheduler."""
    return Caller(CallerKind.CLOCK, "backfill", Door.CLOCK)


def an_agent(
    name: str = "researcher",
    *,
    workspace_id: str | None = WORKSPACE_ID,
    tiers: Iterable[Tier] = (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE),
    actions: frozenset[Action] = READ_AND_WRITE,
    keys: frozenset[str] | None = None,
    grants: tuple[Grant, ...] | None = None,
) -> Caller:
    """An agent with the same rights in every tier named, or with exactly the grants given."""
    rights = tuple(
        Grant(tier, None if tier is Tier.ACCOUNT else workspace_id, actions, keys) for tier in tiers
    )
    return Caller(CallerKind.AGENT, name, Door.MCP, rights if grants is None else grants)


def set_to(**values: Any) -> SettingsSource:
    """Settings that differ in these values from the usual ones."""
    settings = Settings(**values)
    return lambda: settings


def prune_unasked(root: Path) -> None:
    """Let programs that open this data root forget what faded without asking."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "settings.toml").write_text('[background]\nfaded = "prune"\n', encoding="utf-8")
