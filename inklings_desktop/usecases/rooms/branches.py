"""Go on from an earlier point of a conversation, in another one; the first stays as it is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    Conversation,
    ConversationState,
    checked_title,
    new_ref_code,
)
from inklings_desktop.domain.rooms.messages import (
    Message,
    MessageRole,
    MessageState,
    ProducedBy,
    words_alone,
)
from inklings_desktop.usecases.steps.recording import record_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, StoreView

_PAGE = 100
BRANCHED = "branched"
"""Word of the notice that says where the talk before it was said."""


@dataclass(frozen=True, slots=True)
class BranchConversation:
    """Begin a conversation with what was said in another, up to a turn or all of it."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        workspace_id: str,
        key: str,
        turn: str | None = None,
        *,
        title: str = "",
    ) -> Conversation:
        """The new conversation, in the channel of the other, which stays as it is.

        Args:
            caller: Who asks.
            workspace_id: Where.
            key: Id or ref code of the other conversation.
            turn: The turn that it is asked again from; None: it goes on after the last one.
            title: Of the new one.

        The words of the author and of agents are there as they were said, when and by whom; what
        was done to memory belongs to the other conversation, and is not told again. A notice says
        which one it was. Turns get ids of their own: each belongs to one conversation.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation, or no such turn in it.
            InvalidValueError: The title is no single line of text, or the channel is archived.
        """
        authorize_management(caller)
        name = checked_title(title)
        with self.store.write(workspace_id, initiator=caller.name) as unit:
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
                unit.messages.append(self._notice(made, room, caller))
            scope = ScopeKey.conversation(workspace_id, made.id)
            record_room(unit, caller, EventKind.CONVERSATION_STARTED, scope, now)
            unit.commit()
        return made

    def _notice(self, made: Conversation, source: Conversation, caller: Caller) -> Message:
        part = {
            "kind": "notice",
            "word": BRANCHED,
            "values": {"from": source.ref_code, "title": source.title},
        }
        return Message(
            self.new_id(),
            made.id,
            0,
            f"b0-{self.new_id()[:8]}",
            MessageRole.NOTICE,
            MessageState.COMPLETE,
            json.dumps([part], separators=(",", ":")),
            caller.name,
            ProducedBy.PERSON,
            made.started_at,
        )


def _said_before(view: StoreView, conversation_id: str, turn: str | None) -> Sequence[Message]:
    """What the author and agents said before a turn, or ever; oldest first.

    Raises:
        NotFoundError: There is no such turn.
    """
    found: list[Message] = []
    before: int | None = None
    while page := view.messages.page(conversation_id, before, _PAGE):
        found += reversed(page)
        before = page[0].number
    found.reverse()
    places = [place for place, one in enumerate(found) if one.turn == turn]
    if turn is not None and not places:
        raise NotFoundError("turn", turn)
    until = found[: places[0]] if places else found
    return [one for one in until if one.role is not MessageRole.NOTICE]
