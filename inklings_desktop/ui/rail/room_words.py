"""What may be done with a room, and what it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, ConversationState
from inklings_desktop.ui.rail.room_actions import RoomAction, RoomOffer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.ui.kit.words.places import Surroundings


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


def title_of(talk: Conversation) -> str:
    """What a conversation is called: its title, or else its ref code."""
    return talk.title or talk.ref_code


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
    yield RoomAction.RENAME
    if talk.state is ConversationState.ACTIVE:
        yield RoomAction.END
    if talk.state is not ConversationState.ARCHIVED:
        yield RoomAction.ARCHIVE
