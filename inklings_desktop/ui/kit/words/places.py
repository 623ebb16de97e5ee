"""Where in the memory a person is looking, and what lies there."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.browse_memories import MemoryCounts


@dataclass(frozen=True, slots=True)
class Place:
    """One tier, or one conversation or channel in it.

    Attributes:
        tier: Which tab.
        room: Conversation or channel id; None for all of them, and for the other tiers.
    """

    tier: Tier
    room: str | None = None


BEGINNING = Place(Tier.WORKSPACE)
"""Where a person looks in a workspace that was just opened."""


def place_of(scope: ScopeKey) -> Place:
    """Where memories of a scope key are looked at."""
    is_room = scope.tier in {Tier.CONVERSATION, Tier.CHANNEL}
    return Place(scope.tier, scope.key if is_room else None)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What one open workspace holds, for tabs, rail and pickers.

    Attributes:
        workspace: The open workspace.
        workspaces: All of them, oldest first.
        channels: Open channels.
        conversations: All conversations, archived ones included, latest start first.
        counts: Active memories per scope key, the account's included.
        archived_channels: Channels that are out of the lists and still reachable.
        closed: Tiers of which nothing may be shown to whoever looks.
        is_looking: Whether somebody only looks through a client's eyes.
        unread: Conversations in which an agent wrote since they were last opened.
    """

    workspace: Workspace
    workspaces: tuple[Workspace, ...]
    channels: tuple[Channel, ...]
    conversations: tuple[Conversation, ...]
    counts: MemoryCounts
    archived_channels: tuple[Channel, ...] = ()
    closed: frozenset[Tier] = field(default=frozenset())
    is_looking: bool = False
    unread: frozenset[str] = field(default=frozenset())

    def has_unread(self, channel_id: str) -> bool:
        """Whether an agent wrote in one of the conversations of a channel."""
        return any(
            one.id in self.unread for one in self.conversations if one.channel_id == channel_id
        )

    def scopes(self, place: Place) -> tuple[ScopeKey, ...]:
        """The scope keys that a place shows; archived conversations only when named."""
        if place.tier in self.closed:
            return ()
        if place.tier is Tier.ACCOUNT:
            return (ScopeKey.account(),)
        if place.tier is Tier.WORKSPACE:
            return (ScopeKey.workspace(self.workspace.id),)
        if place.room:
            return (ScopeKey(place.tier, self.workspace.id, place.room),)
        rooms = self.channels if place.tier is Tier.CHANNEL else self.open_conversations
        return tuple(ScopeKey(place.tier, self.workspace.id, one.id) for one in rooms)

    def other_tiers(self, place: Place) -> tuple[tuple[ScopeKey, ...], ...]:
        """What a search of all tiers looks through beside this place: a tuple for each tier."""
        elsewhere = (self.scopes(Place(tier)) for tier in Tier if tier is not place.tier)
        return tuple(scopes for scopes in elsewhere if scopes)

    @property
    def open_conversations(self) -> tuple[Conversation, ...]:
        """Conversations that are not archived."""
        return tuple(
            one for one in self.conversations if one.state is not ConversationState.ARCHIVED
        )

    def writing_scope(self, place: Place) -> ScopeKey | None:
        """Where a new memory goes from this place; None when a room must be chosen first."""
        if self.is_looking:
            return None
        if place.tier is Tier.CHANNEL and place.room is None and self.channels:
            return ScopeKey.channel(self.workspace.id, self.channels[0].id)
        if place.tier is Tier.CONVERSATION and place.room is None:
            active = [one for one in self.conversations if one.state is ConversationState.ACTIVE]
            if not active:
                return None
            return ScopeKey.conversation(self.workspace.id, active[0].id)
        scopes = self.scopes(place)
        return scopes[0] if scopes else None

    def count(self, place: Place) -> int:
        return self.counts.of(*self.scopes(place))

    def is_listed(self, place: Place) -> bool:
        """Whether its tier as a whole shows this place, too; an archived room only on its own."""
        return set(self.scopes(place)) <= set(self.scopes(Place(place.tier)))

    def conversation(self, conversation_id: str) -> Conversation | None:
        """The conversation with this id."""
        return next((one for one in self.conversations if one.id == conversation_id), None)

    def talk_at(self, place: Place) -> Conversation | None:
        """The one conversation on show at a place, if an agent can still take part in it."""
        found = (one for one in self.open_conversations if one.id == place.room)
        return None if self.is_looking else next(found, None)

    def channel(self, channel_id: str) -> Channel | None:
        """The channel with this id, open or archived."""
        known = (*self.channels, *self.archived_channels)
        return next((one for one in known if one.id == channel_id), None)

    @property
    def archived_conversations(self) -> tuple[Conversation, ...]:
        """Conversations that are archived."""
        return tuple(one for one in self.conversations if one.state is ConversationState.ARCHIVED)

    @property
    def has_archived_rooms(self) -> bool:
        """Whether anything is out of the lists."""
        return bool(self.archived_channels or self.archived_conversations)

    def channel_of(self, place: Place) -> str | None:
        """The channel whose conversations the rail should show for this place."""
        if place.tier is Tier.CHANNEL:
            return place.room
        if place.tier is Tier.CONVERSATION and place.room is not None:
            found = self.conversation(place.room)
            return found.channel_id if found else None
        return None

    def holds(self, place: Place) -> bool:
        """Whether a place still exists here."""
        if place.room is None:
            return True
        if place.tier is Tier.CHANNEL:
            return self.channel(place.room) is not None
        return self.conversation(place.room) is not None


def place_name(inklings: Inklings, scope: ScopeKey) -> str:
    """What the person calls a scope; empty if it cannot be told."""
    workspace_id = scope.workspace_id
    if workspace_id is None:
        return tr("Every workspace")
    try:
        if scope.tier is Tier.CONVERSATION:
            room = inklings.conversations.get(workspace_id, scope.key)
            return talk_name(room)
        if scope.tier is Tier.WORKSPACE:
            return inklings.workspaces.find(workspace_id).name
        channels = inklings.places.channels(workspace_id, include_archived=True)
    except InklingsError:
        return ""
    return next((f"#{channel.name}" for channel in channels if channel.id == scope.key), "")


def talk_name(talk: Conversation) -> str:
    """What a conversation is called; its code is for agents alone."""
    return talk.title or tr("New conversation")


def room_state(state: str) -> str:
    """What a conversation is doing, in a word."""
    return {
        ConversationState.ACTIVE.value: tr("active"),
        ConversationState.IDLE.value: tr("idle"),
        ConversationState.ARCHIVED.value: tr("archived"),
    }.get(state, state)


def copy_code(talk: Conversation) -> str:
    """Put a conversation's code on the clipboard; what is said of it then."""
    QGuiApplication.clipboard().setText(talk.ref_code)
    return tr("Copied {code}. Paste it to your agent: it names this conversation.").format(
        code=talk.ref_code
    )
