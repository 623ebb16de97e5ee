"""Conversations that nobody ended: what is heard in them, and what the author decides of them.

One that was silent for long rests, and keeps what it holds until the author has looked at it; a
sign of life wakes it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_management,
    authorize_some,
)
from inklings_desktop.domain.errors import IllegalTransitionError, StorageError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.usecases.rooms.conversations import forget_tier_of
from inklings_desktop.usecases.rooms.rooms import conversation_for
from inklings_desktop.usecases.steps.recording import record_room

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.ports.store import Clock, Store

HEARD_EVERY = timedelta(hours=1)
"""A silence of days is not measured more closely; each sign of life would be a write."""


@dataclass(frozen=True, slots=True)
class SilentConversation:
    """A conversation that the author has to decide about.

    Attributes:
        conversation: It rests since it was found silent.
        memories: What it holds, and what closing it would forget.
    """

    conversation: Conversation
    memories: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class HearConversation:
    """One conversation that an agent speaks in now."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, workspace_id: str, key: str, action: Action = Action.READ
    ) -> Conversation:
        """The conversation by id or ref code; one that had fallen silent is awake again.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent that may not do this there, or there is none.
        """
        authorize_some(caller, action, Tier.CONVERSATION, workspace_id)
        now = self.clock()
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, action, workspace_id, key)
        if not _is_news(room, now):
            return room
        # A disk that cannot be written to costs no answer; it is heard the next time.
        with (
            suppress(StorageError),
            self.store.write(workspace_id, initiator=caller.name) as unit,
        ):
            room = unit.conversations.get(room.id)
            if _is_news(room, now):  # nobody ended it meanwhile
                room = room.heard(now)
                unit.conversations.save(room)
                unit.commit()
        return room


@dataclass(frozen=True, slots=True)
class ListSilentConversations:
    """What fell silent and holds something."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str) -> tuple[SilentConversation, ...]:
        """Each with what would be forgotten, the latest started first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
            rooms = view.conversations.conversations(channel_id=None, include_archived=False)
            found = [
                SilentConversation(
                    one,
                    tuple(
                        view.memories.active_of_conversation(
                            ScopeKey.conversation(workspace_id, one.id)
                        )
                    ),
                )
                for one in rooms
                if one.waits_for_review
            ]
        return tuple(one for one in found if one.memories)


@dataclass(frozen=True, slots=True)
class SettleSilentConversation:
    """Decide about a conversation that fell silent."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, workspace_id: str, key: str, *, keeps: bool
    ) -> tuple[Conversation, int]:
        """The conversation as it is now, and how many of its memories were forgotten.

        Args:
            caller: Who asks.
            workspace_id: The workspace.
            key: Id or ref code.
            keeps: Whether what it holds stays, and is asked about no more; otherwise it is closed.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
            IllegalTransitionError: It does not wait for a decision.
        """
        authorize_management(caller)
        now = self.clock()
        with self.store.write(workspace_id, initiator=caller.name) as unit:
            room = unit.conversations.get(key)
            if not room.waits_for_review:
                raise IllegalTransitionError(room.state.value, ConversationState.IDLE.value)
            n_forgotten = 0
            if keeps:
                settled = replace(room, heard_at=None)
            else:
                scope = ScopeKey.conversation(workspace_id, room.id)
                n_forgotten = forget_tier_of(unit, caller, scope, now)
                settled = replace(room, ended_at=now)
                counts = {"kept": 0, "forgotten": n_forgotten}
                record_room(unit, caller, EventKind.CONVERSATION_IDLED, scope, now, counts)
            unit.conversations.save(settled)
            unit.commit()
        return settled, n_forgotten


def _is_news(room: Conversation, now: datetime) -> bool:
    """Whether a sign of life changes anything: it was not ended, and silent for a while."""
    if room.ended_at is not None:
        return False
    return room.is_abandoned or now - room.silent_since >= HEARD_EVERY
