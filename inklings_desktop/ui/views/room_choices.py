"""Conversations and channels as lines of a picker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.conversation import ConversationState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.views.scope_picker import ScopeChoice

if TYPE_CHECKING:
    from inklings_desktop.domain.conversation import Conversation
    from inklings_desktop.ui.presenters.places import Surroundings

_STATE_ICONS = {
    ConversationState.ACTIVE: "chat-circle",
    ConversationState.IDLE: "moon",
    ConversationState.ARCHIVED: "clock-counter-clockwise",
}


def tier_choices(here: Surroundings, tier: Tier) -> list[ScopeChoice]:
    """Every room of a tier, and all of them together."""
    if tier is Tier.CHANNEL:
        every = ScopeChoice(None, _tr("All channels"), "hash")
        return [every, *(ScopeChoice(one.id, one.name, "hash") for one in here.channels)]
    choices = [ScopeChoice(None, _tr("All conversations"), "chats-circle"), *_open_rooms(here)]
    archived = [one for one in here.conversations if one.state is ConversationState.ARCHIVED]
    if archived:
        choices.append(ScopeChoice(None, _tr("Archived"), is_title=True))
        choices += map(_room, archived)
    return choices


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


def _room(room: Conversation) -> ScopeChoice:
    return ScopeChoice(room.id, room.title or room.ref_code, _STATE_ICONS[room.state])


def _tr(text: str) -> str:
    return QCoreApplication.translate("rooms", text)
