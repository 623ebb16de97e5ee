"""The programs that agents come in by, and what the author lets each of them do.

A client that came by itself is unknown until the author lets it in: nothing is open to it. Let in,
it is external until the author says otherwise: it reads one workspace and knows nothing of the
account. Conversation and channel rights hold only where the client takes part, or in a channel
that was granted by itself.
Source: the product's rules for callers; least privilege of the protocol's security guidance.
"""

from __future__ import annotations

from dataclasses import field, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.knowledge.domains import NO_GATE, OTHER_ROLE, OWN_ROLE, Gate
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

MAX_CLIENTS = 200
MAX_CALLS_KEPT = 200
WRITES_COUNTED_FOR = timedelta(minutes=1)
"""The stretch of time that a limit of writes speaks of."""

ARRIVED = "connect"
"""What stands in place of a tool where a client opened its memory, or knocked."""
SCRUB_ACTIONS = frozenset({Action.SCRUB_PREVIEW, Action.SCRUB_KEEP_NAMED, Action.SCRUB_FULL})
WORLD_ACTIONS = frozenset({Action.WORLD_READ, Action.WORLD_PROPOSE})
"""What is done with the author's pages; they belong to a workspace, so no other tier has these."""


class ClientKind(StrEnum):
    """What the author takes a client for."""

    WORLD_AGENT = "world_agent"
    EXTERNAL = "external"
    UNKNOWN = "unknown"
    """It came, and the author has not said anything about it yet."""


NO_CLIENT = ("author", "you", "user", "person", "import", "consolidation", "VOICE", "SOUL")
"""Whom a program could pass itself off as: the person, what binds, and the program's own work."""


@dataclass(frozen=True, slots=True)
class Right:
    """One thing a client may do in one tier.

    Attributes:
        workspace_id: The workspace; None for the account tier.
        action: What it may do.
        channel_id: Only in this channel, whether it takes part or not; None follows taking part.

    Raises:
        InvalidValueError: Tier and workspace do not fit, a channel is named elsewhere, or the
            action is of another tier.
    """

    tier: Tier
    workspace_id: str | None
    action: Action
    channel_id: str | None = None

    def __post_init__(self) -> None:
        if (self.tier is Tier.ACCOUNT) != (self.workspace_id is None):
            raise InvalidValueError("scope", "workspace")
        if self.channel_id is not None and self.tier is not Tier.CHANNEL:
            raise InvalidValueError("channel", "tier")
        if self.action is Action.MANAGE:
            raise InvalidValueError("action", "never_granted")
        if self.action in WORLD_ACTIONS and self.tier is not Tier.WORKSPACE:
            raise InvalidValueError("action", "workspace_only")

    @property
    def sort_key(self) -> tuple[str, str, str, str]:
        """Workspace, tier, action, channel, for lists that never change their order."""
        return (self.workspace_id or "", self.tier.value, self.action.value, self.channel_id or "")


@dataclass(frozen=True, slots=True)
class Client:
    """One program that agents come in by.

    Attributes:
        name: As it is configured; stamps everything that comes in by it.
        kind: What the author takes it for.
        created_at: When it was first seen or granted something.
        rights: What it may do; empty once everything was revoked.
    """

    name: str
    kind: ClientKind
    created_at: datetime
    rights: frozenset[Right] = frozenset()

    def with_rights(self, added: Iterable[Right]) -> Self:
        """This client with more rights; the author knows it now."""
        kind = ClientKind.EXTERNAL if self.kind is ClientKind.UNKNOWN else self.kind
        return replace(self, kind=kind, rights=self.rights | frozenset(added))

    def without_rights(self, removed: Iterable[Right]) -> Self:
        """This client with fewer rights."""
        return replace(self, rights=self.rights - frozenset(removed))

    def rights_in(self, workspace_id: str | None) -> frozenset[Right]:
        """Rights in one workspace; in the account for None."""
        return frozenset(one for one in self.rights if one.workspace_id == workspace_id)


@dataclass(frozen=True, slots=True)
class Participation:
    """Where a client takes part in one workspace.

    Attributes:
        conversations: Ids of conversations it started or was added to.
        channels: Ids of the channels of those that are not archived.
    """

    conversations: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ClientCall:
    """One request of a client, as the author sees it: never what was said or found.

    Attributes:
        tier: The tier asked about; None where there is none.
        workspace_id: The workspace it is bound to.
        answer: ``entries``, ``stored``, ``held``, ``refused``, ``failed`` or ``done``.
        n_entries: How many entries were handed out or touched.
        error: Stable word for what was refused or failed; empty otherwise.
        milliseconds: How long it took.
        is_write: Whether it counts against the limit of writes.
    """

    client: str
    at: datetime
    tool: str
    tier: Tier | None
    workspace_id: str | None
    answer: str
    n_entries: int = 0
    error: str = ""
    milliseconds: int = 0
    is_write: bool = False


@dataclass(frozen=True, slots=True)
class ClientActivity:
    """What a client did lately.

    Attributes:
        last_call_at: Its latest request; None if it never came.
        last_error: Stable word of its latest refusal or failure; empty if none is kept.
        last_error_at: When that was.
        calls: The latest requests, newest first.
    """

    last_call_at: datetime | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    calls: tuple[ClientCall, ...] = field(default=())


def preset_rights(kind: ClientKind, workspace_id: str) -> frozenset[Right]:
    """What a client of this kind may do in a workspace, and in the account.

    *My World Agent* reads all four tiers and the author's pages, writes conversation, channel and
    workspace, and may propose everywhere but in the pages. An *external client* reads, where it
    takes part and in the workspace's own tier; account and pages are closed to it. An *unknown
    client* would have the rights of an external one.
    """
    in_workspace = (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE)
    if kind is not ClientKind.WORLD_AGENT:
        return frozenset(Right(tier, workspace_id, Action.READ) for tier in in_workspace)
    own = (Action.READ, Action.WRITE, Action.PROPOSE)
    return frozenset(
        {Right(tier, workspace_id, action) for tier in in_workspace for action in own}
        | {Right(Tier.ACCOUNT, None, action) for action in (Action.READ, Action.PROPOSE)}
        | {Right(Tier.WORKSPACE, workspace_id, Action.WORLD_READ)}
    )


def own_role(client: Client) -> str:
    """The role that a client acts under where the author said nothing."""
    return OWN_ROLE if client.kind is ClientKind.WORLD_AGENT else OTHER_ROLE


def caller_of(
    client: Client,
    workspace_id: str,
    taking_part: Participation,
    gates: Sequence[Gate] = (),
) -> Caller:
    """The caller that a request of this client is, bound to one workspace.

    Args:
        client: The client.
        workspace_id: The workspace.
        taking_part: Where it takes part in it.
        gates: What each of its roles may do in the domains, that of its own role first.
    """
    # The author's own agent works in every channel; others where they take part.
    is_own = client.kind is ClientKind.WORLD_AGENT
    grants = [
        *_grants(client, Tier.CONVERSATION, workspace_id, taking_part.conversations),
        *_grants(client, Tier.CHANNEL, workspace_id, None if is_own else taking_part.channels),
        *_grants(client, Tier.WORKSPACE, workspace_id, None),
        *_grants(client, Tier.ACCOUNT, None, None),
    ]
    gate, *others = gates or (NO_GATE,)
    return Caller(
        CallerKind.AGENT,
        client.name,
        Door.MCP,
        tuple(grants),
        is_own=is_own,
        gate=gate,
        other_gates=tuple(others),
    )


def _grants(
    client: Client, tier: Tier, workspace_id: str | None, keys: Collection[str] | None
) -> list[Grant]:
    rights = [one for one in client.rights_in(workspace_id) if one.tier is tier]
    general = frozenset(one.action for one in rights if one.channel_id is None)
    grants = []
    if general:
        where = None if keys is None else frozenset(keys)
        grants.append(Grant(tier, workspace_id, general, where))
    for channel_id in sorted({one.channel_id for one in rights if one.channel_id is not None}):
        actions = frozenset(one.action for one in rights if one.channel_id == channel_id)
        grants.append(Grant(tier, workspace_id, actions, frozenset({channel_id})))
    return grants


def imitated(name: str, known: Iterable[str]) -> str | None:
    """The person or the other client that a reader could take this name for; None if there is none.

    Args:
        name: A client's name.
        known: Names of clients, this one perhaps among them.
    """
    others = (*NO_CLIENT, *(one for one in known if one != name))
    return next((one for one in others if looks_like(name, one)), None)
