"""Who may do what to which tier and scope key, and which write was sent before.

Every use case names its caller and calls ``authorize`` first; no door checks rights itself, and
no default means "all". Unknown and forbidden scopes answer alike.
Source: least privilege with one mandatory boundary (the field's tenant leaks came from callers
that skipped a filter).
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.knowledge.domains import NO_GATE, Gate
from inklings_desktop.domain.memory import (
    AUTHOR,
    MERGED_SOURCE,
    Curator,
    MemoryKind,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import is_own_name

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

MAX_REQUEST_KEY_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class RequestMark:
    """Makes a write repeatable: sent again, it is answered with what it did the first time.

    Attributes:
        key: The client's own name for it, at most 64 of ``A-Za-z0-9._:-``.
        digest: SHA-256 of its arguments, hexadecimal.
    """

    key: str
    tool: str
    digest: str


@dataclass(frozen=True, slots=True)
class KeptRequest:
    """What a write did that a client sent with a key.

    Attributes:
        mark: The write.
        outcome: For each thing it did the word of the log and the ids it was about.
    """

    mark: RequestMark
    outcome: tuple[tuple[str, tuple[str, ...]], ...]

    def ids(self, kind: str) -> tuple[str, ...]:
        """Ids of what was done under this word."""
        return tuple(id_ for word, ids in self.outcome if word == kind for id_ in ids)


def checked_request_key(key: str) -> str:
    """The key of a repeatable write.

    Raises:
        InvalidValueError: It is empty, over 64 characters, or has others than allowed.
    """
    if not is_own_name(key, MAX_REQUEST_KEY_CHARACTERS):
        raise InvalidValueError("request_key", "format")
    return key


ANOTHER_AGENT = "another agent"
"""What an agent is told of every other one: who else the author lets in is not its business."""
_NO_AGENTS = frozenset({*Curator, MERGED_SOURCE})


class CallerKind(StrEnum):
    """The three kinds of caller."""

    PERSON = "person"
    AGENT = "agent"
    CLOCK = "clock"


class Door(StrEnum):
    """Through which door a caller came; events and history say so."""

    WINDOW = "window"
    CLI = "cli"
    MCP = "mcp"
    CLOCK = "clock"


class Action(StrEnum):
    """What a caller wants to do with a scope."""

    READ = "read"
    WRITE = "write"
    PROPOSE = "propose"
    MANAGE = "manage"
    SCRUB_PREVIEW = "scrub:preview"
    SCRUB_KEEP_NAMED = "scrub:keep_named"
    SCRUB_FULL = "scrub:full"
    WORLD_READ = "world:read"
    WORLD_PROPOSE = "world:propose"


@dataclass(frozen=True, slots=True)
class Grant:
    """A right that the author gave to one agent.

    Attributes:
        tier: In this tier only.
        workspace_id: In this workspace; None for the account tier.
        actions: What is allowed.
        keys: The conversations or channels it takes part in; None for every key of the tier.
    """

    tier: Tier
    workspace_id: str | None
    actions: frozenset[Action]
    keys: frozenset[str] | None = None

    def allows(self, action: Action, scope: ScopeKey) -> bool:
        """Whether this grant covers the action on this scope."""
        return (
            scope.tier is self.tier
            and scope.workspace_id == self.workspace_id
            and action in self.actions
            and (self.keys is None or scope.key in self.keys)
        )


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking, as the door established it.

    Attributes:
        kind: Person, agent or clock.
        name: Display name of the person, client name of the agent, task name of the clock.
        door: How the caller came in.
        grants: Rights of an agent; a person and the clock need none.
        is_own: Whether it is an agent that the author named their World Agent.
        request: The write in hand, where the caller may send it again; None for any other.
        gate: What the role that it acts under may do in each domain of its workspace.
        other_gates: The same of further roles that it holds.
    """

    kind: CallerKind
    name: str
    door: Door
    grants: tuple[Grant, ...] = ()
    is_own: bool = False
    request: RequestMark | None = None
    gate: Gate = NO_GATE
    other_gates: tuple[Gate, ...] = ()

    @property
    def is_agent(self) -> bool:
        """Whether reads count and private entries of others stay hidden."""
        return self.kind is CallerKind.AGENT

    @property
    def curator(self) -> Curator:
        """The curator that this caller's writes carry."""
        return Curator.AUTHOR if self.kind is CallerKind.PERSON else Curator.AGENT

    @property
    def signs_as(self) -> str:
        """The name that the texts it writes carry."""
        return AUTHOR if self.kind is CallerKind.PERSON else self.name

    def known_name(self, writer: str) -> str:
        """The name of who wrote something, as far as this caller learns it."""
        is_known = not self.is_agent or writer == self.name or writer in _NO_AGENTS
        return writer if is_known else ANOTHER_AGENT

    def may(self, action: Action, scope: ScopeKey) -> bool:
        """Whether this caller may do this to the scope."""
        return not self.is_agent or any(grant.allows(action, scope) for grant in self.grants)

    def actions_in(self, scope: ScopeKey) -> frozenset[Action]:
        """Everything that this caller may do to the scope."""
        return frozenset(action for action in Action if self.may(action, scope))

    def may_somewhere(self, action: Action, tier: Tier, workspace_id: str | None) -> bool:
        """Whether this caller may do this under at least one scope key of the tier."""
        return not self.is_agent or any(
            grant.tier is tier and grant.workspace_id == workspace_id and action in grant.actions
            for grant in self.grants
        )

    def may_in_all_of(self, action: Action, tier: Tier, workspace_id: str) -> bool:
        """Whether this caller may do this under every scope key of the tier."""
        return not self.is_agent or any(
            grant.tier is tier
            and grant.workspace_id == workspace_id
            and action in grant.actions
            and grant.keys is None
            for grant in self.grants
        )

    def may_read_in(self, workspace_id: str) -> bool:
        """Whether anything at all of this workspace may be shown to this caller."""
        return not self.is_agent or any(
            grant.workspace_id == workspace_id and Action.READ in grant.actions
            for grant in self.grants
        )

    def only_reading(self) -> Self:
        """The same agent with nothing but its rights to read: to see what it sees."""
        return self.without(frozenset(Action) - {Action.READ, Action.WORLD_READ})

    def without(self, actions: frozenset[Action]) -> Self:
        """The same agent without some rights."""
        kept = (replace(one, actions=one.actions - actions) for one in self.grants)
        return replace(self, grants=tuple(one for one in kept if one.actions))

    def acting_as(self, role: str) -> Self:
        """The same agent under another of its roles; a person acts under none.

        Raises:
            NotFoundError: It does not hold it.
        """
        if not self.is_agent or role in {"", self.gate.role}:
            return self
        found = [one for one in self.other_gates if one.role == role]
        if not found:
            raise NotFoundError("role", role)
        rest = tuple(one for one in self.other_gates if one.role != role)
        return replace(self, gate=found[0], other_gates=(self.gate, *rest))

    @property
    def walls(self) -> frozenset[str] | None:
        """Behind which walls it sees, beside what is open to all; None sees everything."""
        return self.gate.walls | {self.name} if self.is_agent else None

    def may_know_of(self, entry: MemoryEntry) -> bool:
        """Whether a memory of a readable scope may be shown.

        Neither another agent's private one, nor a fact or rule of a domain that is closed to it.
        """
        wall = entry.wall
        return wall is None or not self.is_agent or wall in self.gate.walls | {self.name}

    def may_keep_for(self, agent: str | None) -> bool:
        """Whether an entry may be made private to this agent: never by another one."""
        return not self.is_agent or agent in {None, self.name}

    def has_to_ask_before_adding(self, scope: ScopeKey) -> bool:
        """Whether a new memory waits for the author: an agent's, in the account tier.

        A grant to write there lifts it; without the right to propose it is refused like any other.
        """
        return (
            scope.tier is Tier.ACCOUNT
            and not self.may(Action.WRITE, scope)
            and self.may(Action.PROPOSE, scope)
        )

    def has_to_ask_before_changing(self, entry: MemoryEntry) -> bool:
        """Whether a memory is guarded from this caller: from an agent, locked or the author's.

        A house rule is, whoever worded it: the author switched it on for every agent.
        In the account tier every one is, as long as only proposing is granted there.
        """
        is_rule = entry.kind is MemoryKind.POLICY
        is_guarded = entry.locked or entry.is_authors or is_rule
        return self.is_agent and (is_guarded or self.has_to_ask_before_adding(entry.scope))

    @classmethod
    def person(cls, name: str, door: Door) -> Caller:
        """The author at one of the person's doors."""
        return cls(CallerKind.PERSON, name, door)


def authorize(caller: Caller, action: Action, *scopes: ScopeKey) -> None:
    """Return only if the caller may do this to every scope named.

    Raises:
        ScopeDeniedError: At least one scope is closed to this caller, or unknown to it.
    """
    for scope in scopes:
        if not caller.may(action, scope):
            raise ScopeDeniedError(action.value, scope.tier.value)


def authorize_write(caller: Caller, *scopes: ScopeKey) -> None:
    """Return only if the caller may write to every scope named, or ask the author to.

    Raises:
        ScopeDeniedError: At least one scope is closed to this caller, or unknown to it.
    """
    for scope in scopes:
        has_to_ask = caller.has_to_ask_before_adding(scope)
        authorize(caller, Action.PROPOSE if has_to_ask else Action.WRITE, scope)


def authorize_some(caller: Caller, action: Action, tier: Tier, workspace_id: str | None) -> None:
    """Return only if the caller may do this under at least one scope key of the tier.

    For doors that name a conversation by its ref code or a channel by its name: an agent without
    any right there must not learn whether the workspace exists.

    Raises:
        ScopeDeniedError: The whole tier is closed to this caller, or the workspace unknown to it.
    """
    if not caller.may_somewhere(action, tier, workspace_id):
        raise ScopeDeniedError(action.value, tier.value)


def authorize_any(caller: Caller, tier: Tier, workspace_id: str) -> None:
    """Return only if the caller was granted anything at all in the tier.

    Raises:
        ScopeDeniedError: The whole tier is closed to this agent, or the workspace unknown to it.
    """
    if caller.is_agent and not any(
        grant.tier is tier and grant.workspace_id == workspace_id for grant in caller.grants
    ):
        raise ScopeDeniedError(Action.READ.value, tier.value)


def authorize_workspace(caller: Caller, workspace_id: str) -> None:
    """Return only if something of the workspace may be shown to the caller.

    Raises:
        ScopeDeniedError: All of it is closed to this agent, or unknown to it.
    """
    if not caller.may_read_in(workspace_id):
        raise ScopeDeniedError(Action.READ.value, Tier.WORKSPACE.value)


def authorize_person(caller: Caller, action: Action, tier: Tier) -> None:
    """Return only for the person: what no machine may do, whatever it was granted.

    Raises:
        ScopeDeniedError: The caller is an agent or the clock.
    """
    if caller.kind is not CallerKind.PERSON:
        raise ScopeDeniedError(action.value, tier.value)


def authorize_agent(caller: Caller, action: Action, tier: Tier) -> None:
    """Return only for an agent: the person has no one to ask, the clock nothing to ask for.

    Raises:
        ScopeDeniedError: The caller is no agent.
    """
    if not caller.is_agent:
        raise ScopeDeniedError(action.value, tier.value)


def refuse_agents(caller: Caller, action: Action, tier: Tier) -> None:
    """Return for the person and the clock: what no grant opens to an agent.

    Raises:
        ScopeDeniedError: The caller is an agent.
    """
    if caller.is_agent:
        raise ScopeDeniedError(action.value, tier.value)


def authorize_management(caller: Caller) -> None:
    """Return only for the person and the clock: workspaces and channels are not an agent's.

    Raises:
        ScopeDeniedError: The caller is an agent.
    """
    refuse_agents(caller, Action.MANAGE, Tier.WORKSPACE)
