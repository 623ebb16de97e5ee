"""Working notes: the agent's scratchpad in one conversation; people only look, or clear."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize, authorize_some
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    SUMMARY_NOTE,
    WorkingNote,
    checked_note_key,
    note_json,
)
from inklings_desktop.domain.words.summary import summary_points
from inklings_desktop.usecases.rooms.rooms import conversation_for, own_conversation_for
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.steps.changing_memories import hear_new
from inklings_desktop.usecases.steps.holding import refuse_secret
from inklings_desktop.usecases.steps.put_away import put_away
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.usecases.ports.store import Clock, Store


@dataclass(frozen=True, slots=True)
class WriteNote:
    """Keep a value under a key of one conversation; for agents that take part in it."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, workspace_id: str, conversation: str, key: str, value: object
    ) -> WorkingNote:
        """The note as stored.

        Raises:
            ScopeDeniedError: The caller is no agent, does not take part, or there is no such
                conversation.
            InvalidValueError: The conversation is over, or the key or value cannot be kept or
                looks like a key or a password: notes are nothing that could wait for the author.
        """
        attempt = Attempt("note.write", Tier.CONVERSATION, workspace_id, (conversation,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            if not caller.is_agent:
                raise ScopeDeniedError(Action.WRITE.value, Tier.CONVERSATION.value)
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            name, text = checked_note_key(key), note_json(value)
            refuse_secret(caller, "value", name, text)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                room = own_conversation_for(unit, caller, workspace_id, conversation)
                now = self.clock()
                hear_new(unit, room, now)
                note = unit.notes.write(WorkingNote(room.id, name, text, now, now))
                unit.commit()
        return note


@dataclass(frozen=True, slots=True)
class ReadNote:
    """One note of one conversation."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str, conversation: str, key: str
    ) -> WorkingNote:
        """The note.

        Raises:
            ScopeDeniedError: An agent that does not take part.
            NotFoundError: No such conversation, or no such key in it.
        """
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, Action.READ, workspace_id, conversation)
            return view.notes.read(room.id, key)


@dataclass(frozen=True, slots=True)
class ProposeSummary:
    """What the agent that takes part would keep of a conversation if it ended now."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, conversation: str) -> tuple[str, ...]:
        """Line by line, each as the memory that it would become; empty for nothing.

        Not what the author forgot in the channel: a summary does not bring it back.

        Raises:
            ScopeDeniedError: An agent that does not take part.
            NotFoundError: There is no such conversation.
        """
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, Action.READ, workspace_id, conversation)
            try:
                kept = json.loads(view.notes.read(room.id, SUMMARY_NOTE).value_json)
            except NotFoundError:
                return ()
            points = summary_points(kept) if isinstance(kept, str) else ()
            channel = ScopeKey.channel(workspace_id, room.channel_id)
            gone = put_away(view, caller, channel, points)
        return tuple(one for one in points if one not in gone)


@dataclass(frozen=True, slots=True)
class ListNotes:
    """The notes of conversations."""

    store: Store

    def __call__(self, caller: Caller, scopes: Sequence[ScopeKey]) -> tuple[WorkingNote, ...]:
        """Latest written first.

        Args:
            caller: Who asks.
            scopes: Conversation scope keys of one workspace.

        Raises:
            ScopeDeniedError: An agent that does not take part in one of them.
            InvalidValueError: The scopes are not conversations of one workspace.
        """
        authorize(caller, Action.READ, *scopes)
        if not scopes:
            return ()
        workspace_id = one_file_of(scopes)
        if scopes[0].tier is not Tier.CONVERSATION:
            raise InvalidValueError("scope", "conversation_only")
        with self.store.read(workspace_id) as view:
            return view.notes.notes([scope.key for scope in scopes])


@dataclass(frozen=True, slots=True)
class ClearNotes:
    """Remove every note of one conversation, on explicit request."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, conversation: str) -> int:
        """How many notes were removed.

        Raises:
            ScopeDeniedError: An agent that does not take part.
            NotFoundError: There is no such conversation.
        """
        attempt = Attempt("note.clear", Tier.CONVERSATION, workspace_id, (conversation,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                room = own_conversation_for(unit, caller, workspace_id, conversation)
                scope = ScopeKey.conversation(workspace_id, room.id)
                n_notes = unit.notes.clear(room.id)
                if n_notes:
                    counts = {"notes": n_notes}
                    record_room(unit, caller, EventKind.NOTES_CLEARED, scope, self.clock(), counts)
                    unit.commit()
        return n_notes
