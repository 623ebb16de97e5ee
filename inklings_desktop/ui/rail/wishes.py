"""What a person may want of channels, conversations and workspaces, and what they are called."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    DEFAULT_CHANNEL,
    Channel,
    Conversation,
    ConversationState,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.kit.words.places import Surroundings


class RoomAction(Enum):
    """What a person may want of a room."""

    START = "start a conversation in the channel"
    TALK = "talk in an empty conversation, in the channel on show"
    COPY_CODE = "take along what names the conversation to an agent"
    RENAME = "give the room another name"
    END = "let an active conversation rest"
    ARCHIVE = "take the room out of the lists"
    UNARCHIVE = "put an archived channel back into the lists"
    NEW_CHANNEL = "open a new channel"
    ARCHIVED = "show the archived rooms"
    ROOMS = "show all rooms, where the rail is too narrow for them"


@dataclass(frozen=True, slots=True)
class RoomOffer:
    """What can be done with one room, or with none.

    Attributes:
        actions: In the order in which they are offered.
        room_id: Channel or conversation; empty where no room is meant.
    """

    actions: tuple[RoomAction, ...]
    room_id: str = ""


def offer_for(here: Surroundings, room_id: str) -> RoomOffer:
    """What can be done with the room of this id; with another row only what needs no room."""
    channel, talk = here.channel(room_id), here.conversation(room_id)
    is_room = channel is not None or talk is not None
    actions = (
        *(_of_channel(channel) if channel is not None else ()),
        *(_of_conversation(talk) if talk is not None else ()),
        RoomAction.NEW_CHANNEL,
        *((RoomAction.ARCHIVED,) if here.has_archived_rooms else ()),
    )
    return RoomOffer(actions, room_id if is_room else "")


def _of_channel(channel: Channel) -> Iterator[RoomAction]:
    if channel.archived_at is not None:
        yield RoomAction.RENAME
        yield RoomAction.UNARCHIVE
        return
    yield RoomAction.START
    # Conversations fall back to the default channel, so it keeps its name and stays open.
    if channel.name.casefold() != DEFAULT_CHANNEL:
        yield RoomAction.RENAME
        yield RoomAction.ARCHIVE


def _of_conversation(talk: Conversation) -> Iterator[RoomAction]:
    if talk.state is not ConversationState.ARCHIVED:
        yield RoomAction.COPY_CODE
    yield RoomAction.RENAME
    if talk.state is ConversationState.ACTIVE:
        yield RoomAction.END
    if talk.state is not ConversationState.ARCHIVED:
        yield RoomAction.ARCHIVE


class WorkspaceWish(Enum):
    """What a person may want in the switcher; the last three are about none in particular."""

    OPEN = "open it"
    RENAME = "give it another name"
    FOLDER = "show its folder"
    DELETE = "delete it"
    NEW = "make a new one"
    ADOPT = "open one that lies elsewhere"
    SAMPLE = "open the sample world"


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """A workspace in the switcher.

    Attributes:
        id: Which one.
        name: As the author wrote it.
        detail: How much it holds, or why it cannot be opened; empty while that is being found out.
        is_readable: Whether it can be opened.
    """

    id: str
    name: str
    detail: str = ""
    is_readable: bool = True
