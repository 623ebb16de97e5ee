"""What is said in a conversation: kept for the person and for replay, never searched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Action, authorize_management, authorize_some
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.rooms.conversation import (
    Conversation,
    ConversationState,
    checked_title,
    new_ref_code,
)
from inklings_desktop.domain.rooms.messages import (
    Message,
    MessageDraft,
    MessageRole,
    MessageState,
    ProducedBy,
    TalkDay,
    words_alone,
)
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.text_rules import whole_characters
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.recording import keep_request, record_room
from inklings_desktop.usecases.steps.rooms import conversation_for, own_conversation_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from inklings_desktop.domain.access.access import KeptRequest
    from inklings_desktop.domain.rooms.messages import Allowance, TalkHead
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork

MAX_PAGE = 100
LATEST = 20
APPENDED = "message.appended"
"""Word under which a repeatable request keeps its message; talk itself is no event."""
BRANCHED = "branched"
"""Word of the notice that says where the talk before it was said."""
BOOKMARK = "bookmark"
"""Word of the notice that marks a place."""


class Messages(Asked):
    """What is said in conversations; ``key`` is the id or ref code of one."""

    def append(self, workspace_id: str, key: str, draft: MessageDraft) -> Message:
        """Keeps what was said, with its number; it is durable when this returns.

        A person says one thing in a turn: it is stored once, whoever hands it in again.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: An agent that takes no part in it, or one that the author did not
                name their World Agent and that hands in a person's words.
            InvalidValueError: The message cannot be kept, or the conversation is archived.
        """
        caller = self.caller
        with self.attempt("message.append", Tier.CONVERSATION, workspace_id, (key,)):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            if caller.is_agent and not caller.is_own and draft.role is MessageRole.USER:
                raise ScopeDeniedError(Action.WRITE.value, Tier.CONVERSATION.value)
            checked = draft.checked()
            with self.writing(workspace_id) as unit:
                room = own_conversation_for(unit, caller, workspace_id, key)
                if room.state is ConversationState.ARCHIVED:
                    raise InvalidValueError("conversation", "archived")
                now = self.clock()
                is_persons = checked.role is MessageRole.USER
                stored = (_said_in(unit, room.id, checked.turn) if is_persons else None) or (
                    unit.messages.append(self._made(room, caller.name, checked, now))
                )
                if not room.is_over:
                    unit.conversations.save(room.heard(now))
                keep_request(unit, caller, APPENDED, (stored.id,), now)
                unit.commit()
        return stored

    def keep_said(
        self, workspace_id: str, key: str, turn: str, said: Sequence[Mapping[str, Any]]
    ) -> Message:
        """Keeps what the person says before an agent is asked, so that none can lose it.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: As for ``append``.
            InvalidValueError: It is too long, or the conversation is archived.
        """
        parts = whole_characters(json.dumps(list(map(dict, said)), ensure_ascii=False))
        return self.append(workspace_id, key, MessageDraft(MessageRole.USER, parts, turn))

    def keep_answer(self, workspace_id: str, key: str, client: str, draft: MessageDraft) -> Message:
        """Keeps what another's agent said, in its name: it has no way to do that itself.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
            InvalidValueError: It cannot be kept, or no client can have this name.
        """
        authorize_management(self.caller)
        name, checked = checked_agent(client), draft.checked()
        with self.writing(workspace_id) as unit:
            room, now = unit.conversations.get(key), self.clock()
            stored = unit.messages.append(self._made(room, name, checked, now))
            if not room.is_over:
                unit.conversations.save(room.heard(now))
            unit.commit()
        return stored

    def list(
        self, workspace_id: str, key: str, *, before: int | None = None, limit: int = MAX_PAGE
    ) -> tuple[tuple[Message, ...], bool]:
        """The latest messages before a number, newest last; and whether there are earlier ones.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: An agent that takes no part in it.
            InvalidValueError: More than 100 were asked for, or fewer than one.
        """
        authorize_some(self.caller, Action.READ, Tier.CONVERSATION, workspace_id)
        if not 1 <= limit <= MAX_PAGE:
            raise InvalidValueError("limit", "range", MAX_PAGE)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, self.caller, Action.READ, workspace_id, key)
            found = view.messages.page(room.id, before, limit)
        return found, bool(found) and found[0].number > 1

    def days(self, workspace_id: str, key: str) -> tuple[TalkDay, ...]:
        """The days on which something was said, the first one first.

        Raises:
            NotFoundError: There is no such conversation.
            ScopeDeniedError: An agent that takes no part in it.
        """
        authorize_some(self.caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, self.caller, Action.READ, workspace_id, key)
            moments = view.messages.moments(room.id)
        found: dict[date, TalkDay] = {}
        for number, at in moments:
            day = on_the_wall(at).date()
            known = found.get(day) or TalkDay(day, number, 0)
            found[day] = replace(known, n_messages=known.n_messages + 1)
        return tuple(found.values())

    def get(self, workspace_id: str, key: str, id_: str) -> Message:
        """The message of a conversation with this id.

        Raises:
            NotFoundError: There is no such conversation, or no such message in it.
            ScopeDeniedError: An agent that takes no part in it.
        """
        authorize_some(self.caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, self.caller, Action.READ, workspace_id, key)
            return view.messages.get(room.id, id_)

    def kept(self, workspace_id: str, key: str) -> KeptRequest | None:
        """What the caller's own write under this key did; None if it was never carried out."""
        for file in (workspace_id, None):
            with self.store.read(file) as view:
                if found := view.requests.find(self.caller.name, key):
                    return found
        return None

    def heads(self, workspace_id: str) -> dict[str, TalkHead]:
        """How every conversation stands in which something was said.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            return {one.conversation_id: one for one in view.messages.heads(self.clock())}

    def allowances(self, workspace_id: str, key: str) -> tuple[Allowance, ...]:
        """What an agent may do in a conversation without asking again, by tool.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            return view.messages.allowances(view.conversations.get(key).id)

    def take_back(self, workspace_id: str, key: str, allowance: Allowance) -> bool:
        """Lets the author be asked again from the next call on; whether it was allowed until now.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
        """
        authorize_management(self.caller)
        with self.writing(workspace_id) as unit:
            was_allowed = unit.messages.take_back(unit.conversations.get(key).id, allowance)
            if was_allowed:
                unit.commit()
        return was_allowed

    def branch(
        self, workspace_id: str, key: str, turn: str | None = None, *, title: str = ""
    ) -> Conversation:
        """Goes on from an earlier point of a conversation, or its end, in another one.

        The words of the author and of agents are there as they were said, when and by whom; what
        was done to memory belongs to the other conversation, and is not told again. A notice says
        which one it was, and in that one a bookmark says from where it was asked again. Turns get
        ids of their own: each belongs to one conversation.

        Args:
            turn: The turn that it is asked again from; None: it goes on after the last one.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation, or no such turn in it.
            InvalidValueError: The title is no single line of text, or the channel is archived.
        """
        caller = self.caller
        authorize_management(caller)
        name = checked_title(title)
        with self.writing(workspace_id) as unit:
            room = unit.conversations.get(key)
            if unit.conversations.get_channel(room.channel_id).archived_at is not None:
                raise InvalidValueError("channel", "archived")
            said, now = _said_before(unit, room.id, turn), self.clock()
            made = Conversation(
                self.new_id(), new_ref_code(), room.channel_id, name, ConversationState.ACTIVE, now
            )
            unit.conversations.add(made, [])
            turns: dict[str, str] = {}
            for one in said:
                copied = replace(
                    one,
                    id=self.new_id(),
                    conversation_id=made.id,
                    turn=turns.setdefault(one.turn, f"b{len(turns) + 1}-{self.new_id()[:8]}"),
                    parts_json=words_alone(one.parts_json),
                    read_at=one.read_at or (now if one.role is MessageRole.ASSISTANT else None),
                )
                if copied.parts_json != "[]":
                    unit.messages.append(copied)
            if said:
                values = {"from": room.ref_code, "title": room.title}
                unit.messages.append(self._notice(made.id, BRANCHED, values, now))
            if turn is not None:
                self._mark(unit, workspace_id, room, turn, name)
            scope = ScopeKey.conversation(workspace_id, made.id)
            record_room(unit, caller, EventKind.CONVERSATION_STARTED, scope, now)
            unit.commit()
        return made

    def bookmark(
        self, workspace_id: str, key: str, turn: str | None = None, *, name: str = ""
    ) -> Message:
        """Marks a place of a conversation by a notice in it, and an event that points to it.

        Args:
            turn: The turn that it is about; None: the latest one.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation, or no such turn in it.
            InvalidValueError: The name is no single line of text.
        """
        authorize_management(self.caller)
        checked = checked_title(name)
        with self.writing(workspace_id) as unit:
            made = self._mark(unit, workspace_id, unit.conversations.get(key), turn, checked)
            unit.commit()
        return made

    def mark_read(self, workspace_id: str, key: str) -> int:
        """Says that the person has seen the answers of a conversation; how many of them were new.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            room = view.conversations.get(key)
            heads = view.messages.heads(self.clock())
            head = next((one for one in heads if one.conversation_id == room.id), None)
        if head is None or not head.n_unread:
            return 0
        with self.writing(workspace_id) as unit:
            n_read = unit.messages.mark_read(room.id, self.clock())
            unit.commit()
        return n_read

    def _made(self, room: Conversation, client: str, draft: MessageDraft, now: datetime) -> Message:
        is_persons = draft.role is MessageRole.USER
        return Message(
            self.new_id(),
            room.id,
            0,
            draft.turn,
            draft.role,
            draft.state,
            draft.parts_json,
            client,
            ProducedBy.PERSON if is_persons else draft.produced_by,
            now,
            None if is_persons else draft.model,
        )

    def _mark(
        self, unit: UnitOfWork, workspace_id: str, room: Conversation, turn: str | None, name: str
    ) -> Message:
        said = _messages_of(unit, room.id)
        if turn is not None:
            said = [one for one in said if one.turn == turn]
        if not said:
            raise NotFoundError("turn", turn or "")
        place, now = said[0] if turn is not None else said[-1], self.clock()
        at = place.created_at.isoformat()
        values = {"name": name, "turn": place.turn, "number": place.number, "at": at}
        made = unit.messages.append(self._notice(room.id, BOOKMARK, values, now))
        scope = ScopeKey.conversation(workspace_id, room.id)
        kind = EventKind.CONVERSATION_BOOKMARKED
        record_room(unit, self.caller, kind, scope, now, {"message": place.number})
        return made

    def _notice(
        self, conversation_id: str, word: str, values: Mapping[str, Any], now: datetime
    ) -> Message:
        part = {"kind": "notice", "word": word, "values": values}
        return Message(
            self.new_id(),
            conversation_id,
            0,
            f"b0-{self.new_id()[:8]}",
            MessageRole.NOTICE,
            MessageState.COMPLETE,
            json.dumps([part], separators=(",", ":"), ensure_ascii=False),
            self.caller.name,
            ProducedBy.PERSON,
            now,
        )


def _said_in(view: StoreView, conversation_id: str, turn: str) -> Message | None:
    """What the person said in a turn, if that is among the latest messages."""
    latest = view.messages.page(conversation_id, None, LATEST)
    said = (one for one in latest if one.role is MessageRole.USER and one.turn == turn)
    return next(said, None)


def _said_before(view: StoreView, conversation_id: str, turn: str | None) -> Sequence[Message]:
    """What the author and agents said before a turn, or ever; oldest first.

    Raises:
        NotFoundError: There is no such turn.
    """
    found = _messages_of(view, conversation_id)
    places = [place for place, one in enumerate(found) if one.turn == turn]
    if turn is not None and not places:
        raise NotFoundError("turn", turn)
    until = found[: places[0]] if places else found
    return [one for one in until if one.role is not MessageRole.NOTICE]


def _messages_of(view: StoreView, conversation_id: str) -> Sequence[Message]:
    """Everything that was said, oldest first."""
    found: list[Message] = []
    before: int | None = None
    while page := view.messages.page(conversation_id, before, MAX_PAGE):
        found += reversed(page)
        before = page[0].number
    return found[::-1]
