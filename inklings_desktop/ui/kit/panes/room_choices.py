"""Conversations and channels as lines of a picker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.ui.kit.words.places import Surroundings

_STATE_ICONS = {
    ConversationState.ACTIVE: "chat-circle",
    ConversationState.IDLE: "moon",
    ConversationState.ARCHIVED: "archive",
}


def tier_choices(here: Surroundings, tier: Tier) -> list[ScopeChoice]:
    """Every room of a tier, and all of them together."""
    if tier is Tier.CHANNEL:
        every = ScopeChoice(None, _tr("All channels"), "hash")
        return [every, *map(_channel, here.channels), *_archived(here.archived_channels)]
    choices = [ScopeChoice(None, _tr("All conversations"), "chats-circle"), *_open_rooms(here)]
    choices += _in_archived_channels(here)
    if here.archived_conversations:
        choices.append(ScopeChoice(None, _tr("Archived"), is_title=True))
        choices += map(_room, here.archived_conversations)
    return choices


def rail_choices(here: Surroundings) -> list[ScopeChoice]:
    """What the narrow rail has no room for: every channel and every open conversation."""
    channels = [ScopeChoice(None, _tr("Channels"), is_title=True), *map(_channel, here.channels)]
    return [*channels, *_open_rooms(here), *archived_choices(here)]


def archived_choices(here: Surroundings) -> list[ScopeChoice]:
    """Channels and conversations that no list holds."""
    talks = [_room(one) for one in here.archived_conversations]
    if talks:
        talks.insert(0, ScopeChoice(None, _tr("Archived conversations"), is_title=True))
    return [*_archived(here.archived_channels), *_in_archived_channels(here), *talks]


def turn_choices(here: Surroundings) -> list[ScopeChoice]:
    """The conversations that can have a next turn, and a turn before any of them."""
    before = ScopeChoice(None, _tr("Before any conversation"), "chat-circle-dots")
    return [before, *_open_rooms(here)]


def _open_rooms(here: Surroundings) -> list[ScopeChoice]:
    choices = []
    for channel in here.channels:
        rooms = [one for one in here.open_conversations if one.channel_id == channel.id]
        if rooms:
            choices.append(ScopeChoice(None, f"#{channel.name}", is_title=True))
            choices += map(_room, rooms)
    return choices


def _in_archived_channels(here: Surroundings) -> list[ScopeChoice]:
    """Conversations that were never archived themselves, under the channel that was."""
    choices = []
    for channel in here.archived_channels:
        rooms = [one for one in here.open_conversations if one.channel_id == channel.id]
        if rooms:
            title = _tr("#{channel}, archived").format(channel=channel.name)
            choices.append(ScopeChoice(None, title, is_title=True))
            choices += map(_room, rooms)
    return choices


def _archived(channels: Sequence[Channel]) -> list[ScopeChoice]:
    if not channels:
        return []
    title = ScopeChoice(None, _tr("Archived channels"), is_title=True)
    return [title, *(ScopeChoice(one.id, one.name, "archive") for one in channels)]


def _channel(channel: Channel) -> ScopeChoice:
    return ScopeChoice(channel.id, channel.name, "hash")


def _room(room: Conversation) -> ScopeChoice:
    return ScopeChoice(room.id, room.title or room.ref_code, _STATE_ICONS[room.state])


def _tr(text: str) -> str:
    return QCoreApplication.translate("rooms", text)
