"""Working notes: the agent's scratchpad in one conversation; people only look, or clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_some
from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import WorkingNote, checked_note_key, note_json
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.steps.changing_memories import hear_new
from inklings_desktop.usecases.steps.holding import refuse_secret
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.rooms import conversation_for, own_conversation_for

if TYPE_CHECKING:
    from collections.abc import Sequence


class Notes(Asked):
    """Working notes of conversations."""

    def write(self, workspace_id: str, conversation: str, key: str, value: object) -> WorkingNote:
        """Keeps a value under a key of one conversation; for agents that take part in it.

        Raises:
            ScopeDeniedError: The caller is no agent, does not take part, or there is no such
                conversation.
            InvalidValueError: The conversation is over, or the key or value cannot be kept or
                looks like a key or a password: notes are nothing that could wait for the author.
        """
        caller = self.caller
        with self.attempt("note.write", Tier.CONVERSATION, workspace_id, (conversation,)):
            if not caller.is_agent:
                raise ScopeDeniedError(Action.WRITE.value, Tier.CONVERSATION.value)
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            name, text = checked_note_key(key), note_json(value)
            refuse_secret(caller, "value", name, text)
            with self.writing(workspace_id) as unit:
                room = own_conversation_for(unit, caller, workspace_id, conversation)
                now = self.clock()
                hear_new(unit, room, now)
                note = unit.notes.write(WorkingNote(room.id, name, text, now, now))
                unit.commit()
        return note

    def read(self, workspace_id: str, conversation: str, key: str) -> WorkingNote:
        """One note of one conversation.

        Raises:
            ScopeDeniedError: An agent that does not take part.
            NotFoundError: No such conversation, or no such key in it.
        """
        authorize_some(self.caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, self.caller, Action.READ, workspace_id, conversation)
            return view.notes.read(room.id, key)

    def list(self, scopes: Sequence[ScopeKey]) -> tuple[WorkingNote, ...]:
        """The notes of conversations of one workspace, latest written first.

        Raises:
            ScopeDeniedError: An agent that does not take part in one of them.
            InvalidValueError: The scopes are not conversations of one workspace.
        """
        authorize(self.caller, Action.READ, *scopes)
        if not scopes:
            return ()
        workspace_id = one_file_of(scopes)
        if scopes[0].tier is not Tier.CONVERSATION:
            raise InvalidValueError("scope", "conversation_only")
        with self.store.read(workspace_id) as view:
            return view.notes.notes([scope.key for scope in scopes])

    def clear(self, workspace_id: str, conversation: str) -> int:
        """Removes every note of one conversation; how many there were.

        Raises:
            ScopeDeniedError: An agent that does not take part.
            NotFoundError: There is no such conversation.
        """
        caller = self.caller
        with self.attempt("note.clear", Tier.CONVERSATION, workspace_id, (conversation,)):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            with self.writing(workspace_id) as unit:
                room = own_conversation_for(unit, caller, workspace_id, conversation)
                scope = ScopeKey.conversation(workspace_id, room.id)
                n_notes = unit.notes.clear(room.id)
                if n_notes:
                    counts = {"notes": n_notes}
                    record_room(unit, caller, EventKind.NOTES_CLEARED, scope, self.clock(), counts)
                    unit.commit()
        return n_notes
