"""The canary drill: markers in every place, and what a client may be told of them.

The rule for what may be told is written down here once more, apart from ``authorize`` and from the
repositories: a drill that asked the same code would never find it wrong.
Source: the practice of seeding a store with unique strings to find out where data crosses.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import WORLD_ACTIONS, ClientKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection

    from inklings_desktop.domain.access.clients import Right


class CanaryKind(StrEnum):
    """What carries a marker."""

    MEMORY = "memory"
    NOTE = "note"
    MESSAGE = "message"
    ENTRY = "entry"
    CHANNEL = "channel"
    CONVERSATION = "conversation"
    WORKSPACE = "workspace"
    PROPOSAL = "proposal"
    TYPING = "typing"
    SAVED_FILTER = "saved_filter"
    GOLDEN_QUESTION = "golden_question"
    PAGE = "page"


class CanaryState(StrEnum):
    """What has become of it; all but the first two are nobody's business but the author's."""

    PLAIN = "plain"
    PRIVATE_OWN = "private_own"
    PRIVATE_OTHER = "private_other"
    PAUSED = "paused"
    FORGOTTEN = "forgotten"
    EARLIER = "earlier"
    DELETED = "deleted"
    AUTHOR_ONLY = "author_only"


class Room(StrEnum):
    """How the client stands to the channel or conversation that a marker is in."""

    NONE = "none"
    OWN = "own"
    GRANTED = "granted"
    STRANGE = "strange"


@dataclass(frozen=True, slots=True)
class Canary:
    """One marker.

    Attributes:
        traces: Texts that would betray it: the marker itself, ids.
        kind: What carries it.
        is_elsewhere: Whether it lies in a workspace that the client is not bound to.
        room: How the client stands to its room.
        channel_id: The channel, where the client was granted that channel by itself.
        state: What has become of it.
    """

    traces: tuple[str, ...]
    kind: CanaryKind
    tier: Tier
    is_elsewhere: bool = False
    room: Room = Room.NONE
    channel_id: str | None = None
    state: CanaryState = CanaryState.PLAIN

    def is_in(self, text: str) -> bool:
        """Whether a text betrays it."""
        return any(trace in text for trace in self.traces)


@dataclass(frozen=True, slots=True)
class Allowed:
    """What one client may be told.

    Attributes:
        kind: What the author takes it for.
        rights: Its rights where it is bound, and in the account.
    """

    kind: ClientKind
    rights: Collection[Right]

    def may_hear(self, canary: Canary) -> bool:
        """Whether a client with these rights may be told this."""
        if canary.is_elsewhere or canary.state not in {CanaryState.PLAIN, CanaryState.PRIVATE_OWN}:
            return False
        match canary.kind:
            case CanaryKind.WORKSPACE:
                return any(
                    one.action is Action.READ and one.tier is not Tier.ACCOUNT
                    for one in self.rights
                )
            case CanaryKind.PAGE:
                return any(one.action is Action.WORLD_READ for one in self.rights)
            case CanaryKind.CHANNEL if canary.room is Room.OWN:
                # Who takes part in a conversation knows which channel that is in.
                return self._reads(Tier.CONVERSATION) or self._has_any_right_in(canary)
            case CanaryKind.CHANNEL:
                # Who may do anything there has to be able to name it.
                return self._has_any_right_in(canary)
            case _:
                return self._may_read(canary)

    def may_hear_earlier(self, canary: Canary) -> bool:
        """Whether it may be told this where it asks what a memory said before it was changed."""
        is_earlier = canary.state is CanaryState.EARLIER and not canary.is_elsewhere
        return is_earlier and self.kind is ClientKind.WORLD_AGENT and self._may_read(canary)

    def may_meet(self, canary: Canary) -> bool:
        """Whether it may find out that this exists: who may write there can try every id."""
        if canary.kind is CanaryKind.PAGE and not canary.is_elsewhere:
            return any(one.action in WORLD_ACTIONS for one in self.rights)
        as_writer = Allowed(self.kind, [replace(one, action=Action.READ) for one in self._writes()])
        return self.may_hear(canary) or as_writer.may_hear(canary)

    def has_to_hear(self, canary: Canary) -> bool:
        """Whether a drill that never heard this has proved nothing about its place."""
        told = {CanaryKind.MEMORY, CanaryKind.ENTRY, CanaryKind.NOTE, CanaryKind.MESSAGE}
        return canary.kind in told | {CanaryKind.PAGE} and self.may_hear(canary)

    def _has_any_right_in(self, canary: Canary) -> bool:
        reading = [replace(one, action=Action.READ) for one in self.rights]
        return Allowed(self.kind, reading)._may_read(canary)  # noqa: SLF001 - the same class

    def _may_read(self, canary: Canary) -> bool:
        match canary.tier:
            case Tier.CONVERSATION:
                return canary.room is Room.OWN and self._reads(Tier.CONVERSATION)
            case Tier.CHANNEL if canary.room is Room.GRANTED and self._was_granted(canary):
                return True
            case Tier.CHANNEL:
                is_open = canary.room is Room.OWN or self.kind is ClientKind.WORLD_AGENT
                return is_open and self._reads(Tier.CHANNEL)
            case _:
                return self._reads(canary.tier)

    def _writes(self) -> list[Right]:
        return [one for one in self.rights if one.action in {Action.WRITE, Action.PROPOSE}]

    def _reads(self, tier: Tier) -> bool:
        return any(
            one.tier is tier and one.action is Action.READ and one.channel_id is None
            for one in self.rights
        )

    def _was_granted(self, canary: Canary) -> bool:
        return any(
            one.action is Action.READ and one.channel_id == canary.channel_id
            for one in self.rights
            if one.channel_id is not None
        )


class DrillDoor(StrEnum):
    """By which door the client asked."""

    USE_CASES = "use_cases"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True)
class PathResult:
    """What came of one way to ask.

    Attributes:
        door: By which door.
        path: Name of the use case, tool or resource.
        n_asked: How often it was asked.
        n_refused: How often that was refused.
        crossed: Markers in an answer that may not hear of them.
        told_apart: Markers whose place was answered otherwise than one that does not exist.
    """

    door: DrillDoor
    path: str
    n_asked: int
    n_refused: int
    crossed: tuple[Canary, ...] = ()
    told_apart: tuple[Canary, ...] = ()

    @property
    def is_tight(self) -> bool:
        """Whether nothing crossed here."""
        return not self.crossed and not self.told_apart


@dataclass(frozen=True, slots=True)
class DrillReport:
    """What a drill came to.

    Attributes:
        client: Whose rights were tried.
        canaries: Every marker that was planted.
        n_open: How many of them the client may hear of.
        paths: Every way that was tried, in order.
        unheard: Markers that had to be heard of and were not: that place was not proved.
        has_meaning: Whether a model compared meaning as well as words.
    """

    client: str
    canaries: tuple[Canary, ...]
    n_open: int
    paths: tuple[PathResult, ...]
    unheard: tuple[Canary, ...]
    has_meaning: bool

    @property
    def crossed(self) -> tuple[PathResult, ...]:
        """The ways on which something crossed."""
        return tuple(one for one in self.paths if not one.is_tight)

    @property
    def is_passed(self) -> bool:
        """Whether nothing crossed, and everything open was heard of."""
        return not self.crossed and not self.unheard

    @property
    def n_asked(self) -> int:
        """Questions altogether."""
        return sum(one.n_asked for one in self.paths)
