"""Working notes of one workspace's file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.storage.rows.memories import columns_of, note_of, sensible
from inklings_desktop.storage.schema.tables import conversations, notes
from inklings_desktop.storage.search.conditions import among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.storage.rows.transaction import Transaction

_NOTE = select(
    notes.c.conversation_id, notes.c.key, notes.c.value_json, notes.c.created_at, notes.c.updated_at
)
_UPSERT = upsert(notes)
_UPSERT = _UPSERT.on_conflict_do_update(
    index_elements=[notes.c.conversation_id, notes.c.key],
    set_={
        "value_json": _UPSERT.excluded.value_json,
        "updated_at": _UPSERT.excluded.updated_at,
    },
)
_STAMP = (
    update(conversations)
    .where(conversations.c.id == bindparam("whose"))
    .values(notes_seq=bindparam("stamp"))
)


class SqliteNoteRepository:
    """The ``NoteRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def write(self, note: WorkingNote) -> WorkingNote:
        """Store or replace a note; a replaced one keeps its time of creation.

        Raises:
            NotFoundError: Its conversation is not there.
        """
        self._stamp(note.conversation_id)
        names = "conversation_id key value_json created_at updated_at"
        self._connection.execute(_UPSERT, columns_of(note, names))
        return self.read(note.conversation_id, note.key)

    def read(self, conversation_id: str, key: str) -> WorkingNote:
        statement = _NOTE.where(notes.c.conversation_id == conversation_id, notes.c.key == key)
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFoundError("note", key)
        return note_of(row)

    def notes(self, conversation_ids: Sequence[str]) -> tuple[WorkingNote, ...]:
        statement = _NOTE.where(among(notes.c.conversation_id, "whose")).order_by(
            notes.c.updated_at.desc(), notes.c.sequence.desc()
        )
        rows = self._connection.execute(statement, {"whose": json.dumps(list(conversation_ids))})
        return tuple(sensible(rows, note_of))

    def clear(self, conversation_id: str) -> int:
        statement = delete(notes).where(notes.c.conversation_id == conversation_id)
        removed = self._connection.execute(statement).rowcount
        if removed:
            self._stamp(conversation_id)
        return removed

    def _stamp(self, conversation_id: str) -> None:
        """Mark the conversation: a removed note leaves no row that could tell of it."""
        parameters = {"whose": conversation_id, "stamp": self._transaction.change_seq}
        if self._connection.execute(_STAMP, parameters).rowcount == 0:
            raise NotFoundError("conversation", conversation_id)
        self._transaction.notes_changed(conversation_id)
