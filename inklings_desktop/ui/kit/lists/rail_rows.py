"""The rows of the rail: pages, the channels section, channels and their conversations."""

from dataclasses import dataclass
from typing import Literal

ConversationState = Literal["active", "idle", "archived"]


@dataclass(frozen=True, slots=True)
class RailConversation:
    """One conversation under its channel.

    Attributes:
        id: Its own.
        name: Title or code.
        state: Where it stands.
        accessible_description: Read aloud after the name.
        is_unread: Whether an agent wrote since it was last opened.
        activity: What the agent does: ``working``, ``waiting`` for the person, or nothing.
    """

    id: str
    name: str
    state: ConversationState
    accessible_description: str = ""
    is_unread: bool = False
    activity: str = ""


@dataclass(frozen=True, slots=True)
class RailChannel:
    """One channel; the open one carries its recent conversations."""

    id: str
    name: str
    count: int
    conversations: tuple[RailConversation, ...] = ()
    accessible_description: str = ""
    is_archived: bool = False
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class RailSection:
    """A heading over channels; ``has_archived`` says whether rooms are out of the list."""

    id: str
    name: str
    channels: tuple[RailChannel, ...] = ()
    has_archived: bool = False


@dataclass(frozen=True, slots=True)
class RailPage:
    """One page of the window; ``count`` and ``key_hint`` are left out where there are none.

    Where the name has no room beside ``key_hint``, ``short_hint`` stands in its place.
    """

    id: str
    name: str
    icon: str
    count: int | None = None
    key_hint: str = ""
    short_hint: str = ""
    accessible_description: str = ""


RailRow = RailPage | RailSection | RailChannel | RailConversation
RailTop = RailPage | RailSection
