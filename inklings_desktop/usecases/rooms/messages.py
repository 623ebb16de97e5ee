"""What is said in a conversation: kept for the person and for replay, never searched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_management,
    authorize_some,
)
from inklings_desktop.domain.errors import (
    IllegalTransitionError,
    InvalidValueError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.rooms.messages import (
    Message,
    MessageDraft,
    MessageRole,
    ProducedBy,
    TalkDay,
)
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.text_rules import whole_characters
from inklings_desktop.usecases.rooms.rooms import conversation_for, own_conversation_for
from inklings_desktop.usecases.steps.recording import keep_request, record_room
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from inklings_desktop.domain.access.requests import KeptRequest
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.domain.rooms.messages import Allowance, TalkHead
    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, StoreView

MAX_PAGE = 100
LATEST = 20
APPENDED = "message.appended"
"""Word under which a repeatable request keeps its message; talk itself is no event."""


@dataclass(frozen=True, slots=True)
class AppendMessage:
    """Keep what was said."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(self, caller: Caller, workspace_id: str, key: str, draft: MessageDraft) -> Message:
        """The message with its number; it is durable when this returns.

        A person says one thing in a turn: it is stored once, whoever hands it in again.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: An agent that takes no part in it, or one that the author did not
                name their World Agent and that hands in a person's words.
            InvalidValueError: The message cannot be kept, or the conversation is archived.
        """
        attempt = Attempt("message.append", Tier.CONVERSATION, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            if caller.is_agent and not caller.is_own and draft.role is MessageRole.USER:
                raise ScopeDeniedError(Action.WRITE.value, Tier.CONVERSATION.value)
            checked = draft.checked()
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                room = own_conversation_for(unit, caller, workspace_id, key)
                if room.state is ConversationState.ARCHIVED:
                    raise InvalidValueError("conversation", "archived")
                now = self.clock()
                is_persons = checked.role is MessageRole.USER
                stored = (_said_in(unit, room.id, checked.turn) if is_persons else None) or (
                    unit.messages.append(
                        Message(
                            self.new_id(),
                            room.id,
                            0,
                            checked.turn,
                            checked.role,
                            checked.state,
                            checked.parts_json,
                            caller.name,
                            ProducedBy.PERSON if is_persons else checked.produced_by,
                            now,
                            None if is_persons else checked.model,
                        )
                    )
                )
                if not room.is_over:
                    unit.conversations.save(room.heard(now))
                keep_request(unit, caller, APPENDED, (stored.id,), now)
                unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class KeepSaid:
    """Keep what the person says before an agent is asked, so that none can lose it."""

    append: AppendMessage

    def __call__(
        self,
        caller: Caller,
        workspace_id: str,
        key: str,
        turn: str,
        said: Sequence[Mapping[str, Any]],
    ) -> Message:
        """The message of this turn; half of a character, which none can store, is a mark.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: As for ``AppendMessage``.
            InvalidValueError: It is too long, or the conversation is archived.
        """
        parts = whole_characters(json.dumps(list(map(dict, said)), ensure_ascii=False))
        return self.append(caller, workspace_id, key, MessageDraft(MessageRole.USER, parts, turn))


def _said_in(view: StoreView, conversation_id: str, turn: str) -> Message | None:
    """What the person said in a turn, if that is among the latest messages."""
    latest = view.messages.page(conversation_id, None, LATEST)
    said = (one for one in latest if one.role is MessageRole.USER and one.turn == turn)
    return next(said, None)


@dataclass(frozen=True, slots=True)
class ListMessages:
    """What was said in a conversation, a page at a time."""

    store: Store

    def __call__(
        self,
        caller: Caller,
        workspace_id: str,
        key: str,
        *,
        before: int | None = None,
        limit: int = MAX_PAGE,
    ) -> tuple[tuple[Message, ...], bool]:
        """The latest messages before a number, newest last; and whether there are earlier ones.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: An agent that takes no part in it.
            InvalidValueError: More than 100 were asked for, or fewer than one.
        """
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        if not 1 <= limit <= MAX_PAGE:
            raise InvalidValueError("limit", "range", MAX_PAGE)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, Action.READ, workspace_id, key)
            found = view.messages.page(room.id, before, limit)
        return found, bool(found) and found[0].number > 1


@dataclass(frozen=True, slots=True)
class ListDays:
    """The days on which something was said in a conversation."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> tuple[TalkDay, ...]:
        """The first one first.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: An agent that takes no part in it.
        """
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, Action.READ, workspace_id, key)
            moments = view.messages.moments(room.id)
        found: dict[date, TalkDay] = {}
        for number, at in moments:
            day = on_the_wall(at).date()
            known = found.get(day) or TalkDay(day, number, 0)
            found[day] = replace(known, n_messages=known.n_messages + 1)
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class GetMessage:
    """One message."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, key: str, id_: str) -> Message:
        """The message of a conversation with this id.

        Raises:
            NotFoundError: There is no such conversation, or no such message in it.
            ScopeDeniedError: An agent that takes no part in it.
        """
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, Action.READ, workspace_id, key)
            return view.messages.get(room.id, id_)


@dataclass(frozen=True, slots=True)
class FindRequest:
    """What a write did that the caller may send again."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> KeptRequest | None:
        """What the caller's own write under this key did; None if it was never carried out."""
        for file in (workspace_id, None):
            with self.store.read(file) as view:
                if found := view.requests.find(caller.name, key):
                    return found
        return None


@dataclass(frozen=True, slots=True)
class TalkHeads:
    """Of every conversation of a workspace in which something was said: how it stands."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str) -> dict[str, TalkHead]:
        """By conversation.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
            return {one.conversation_id: one for one in view.messages.heads(self.clock())}


@dataclass(frozen=True, slots=True)
class MarkRead:
    """The person has seen the answers of a conversation."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> int:
        """How many of them were new.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
        """
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
            room = view.conversations.get(key)
            heads = view.messages.heads(self.clock())
            head = next((one for one in heads if one.conversation_id == room.id), None)
        if head is None or not head.n_unread:
            return 0
        with self.store.write(workspace_id, initiator=caller.name) as unit:
            n_read = unit.messages.mark_read(room.id, self.clock())
            unit.commit()
        return n_read


@dataclass(frozen=True, slots=True)
class ListAllowances:
    """What an agent may do in a conversation without asking again."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> tuple[Allowance, ...]:
        """By tool.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
        """
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
            return view.messages.allowances(view.conversations.get(key).id)


@dataclass(frozen=True, slots=True)
class TakeBackAllowance:
    """Let the author be asked again from the agent's next call on."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, key: str, allowance: Allowance) -> bool:
        """Whether it was allowed until now.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
        """
        authorize_management(caller)
        with self.store.write(workspace_id, initiator=caller.name) as unit:
            was_allowed = unit.messages.take_back(unit.conversations.get(key).id, allowance)
            if was_allowed:
                unit.commit()
        return was_allowed


@dataclass(frozen=True, slots=True)
class ResumeConversation:
    """Go on with a conversation that rests; what was forgotten when it ended stays forgotten."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> Conversation:
        """The active conversation; one that is active already is answered as it is.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent that takes no part in it.
            IllegalTransitionError: It is archived.
        """
        attempt = Attempt("conversation.resume", Tier.CONVERSATION, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                room = own_conversation_for(unit, caller, workspace_id, key)
                if room.state is ConversationState.ACTIVE:
                    return room
                if room.state is ConversationState.ARCHIVED:
                    active = ConversationState.ACTIVE.value
                    raise IllegalTransitionError(room.state.value, active)
                now = self.clock()
                awake = replace(room, state=ConversationState.ACTIVE, ended_at=None, heard_at=now)
                unit.conversations.save(awake)
                scope = ScopeKey.conversation(workspace_id, room.id)
                record_room(unit, caller, EventKind.CONVERSATION_RESUMED, scope, now)
                unit.commit()
        return awake


@dataclass(frozen=True, slots=True)
class InviteClient:
    """Let a client take part in a conversation that it did not start."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str, client: str) -> None:
        """Nothing changes for one that takes part already.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
            InvalidValueError: No client can have this name.
        """
        authorize_management(caller)
        name = checked_agent(client)
        with self.store.write(workspace_id, initiator=caller.name) as unit:
            room = unit.conversations.get(key)
            if name not in unit.conversations.participants(room.id):
                unit.conversations.add_participant(room.id, name, self.clock())
                unit.commit()
