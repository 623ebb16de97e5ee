"""Finds rows of a damaged database that can be read and mean nothing.

No sum tells that a byte was changed. A row in which it made a value that no import would take is
left out here: otherwise the whole file that it stands in would be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.entries.named_entry import checked_body, checked_entry_name
from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import (
    BASE62,
    checked_name,
    checked_note_key,
    checked_title,
    parse_note_value,
)
from inklings_desktop.domain.transfer import transfer_talk
from inklings_desktop.domain.transfer.document import MemoryRecord, is_id
from inklings_desktop.domain.transfer.transfer_fields import Fields
from inklings_desktop.domain.transfer.transfer_memories import memory_of
from inklings_desktop.domain.transfer.transfer_writing import memory_row, message_row
from inklings_desktop.storage.repositories.message_repository import MESSAGE_COLUMNS, message_of
from inklings_desktop.storage.rows.entry_rows import named_entry_of
from inklings_desktop.storage.rows.memories import (
    channel_of,
    conversation_of,
    entry_of,
    note_of,
    version_of,
)
from inklings_desktop.storage.schema.marks import FileKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

_NONSENSE = (InklingsError, ValueError, KeyError, TypeError, ArithmeticError)
_OF_ROOMS = (Tier.CHANNEL, Tier.CONVERSATION)


def drop_senseless(target: sqlite3.Connection, workspace_id: str | None, kind: FileKind) -> int:
    """Take such rows out, inside the running transaction; how many.

    Args:
        target: The copy of what could be read, without its triggers.
        workspace_id: Whose file it is; None for the account's.
    """
    readings: list[tuple[str, str, Callable[[Any], object]]] = [
        ("memories", "*, NULL", lambda row: _read_memory(row, workspace_id)),
        ("memory_versions", "*", version_of),
        ("named_entries", "*", lambda row: _read_entry(row, workspace_id)),
    ]
    if kind is FileKind.WORKSPACE:
        readings += [
            ("channels", "id, name, description, created_at, archived_at", _read_channel),
            (
                "conversations",
                "id, ref_code, channel_id, title, state, started_at, ended_at, heard_at",
                _read_conversation,
            ),
            ("messages", ", ".join(MESSAGE_COLUMNS), _read_message),
            ("notes", "conversation_id, key, value_json, created_at, updated_at", _read_note),
        ]
    n_dropped = 0
    for table, columns, read in readings:
        found = target.execute(f'SELECT rowid, {columns} FROM "{table}"').fetchall()  # noqa: S608 - names of ours
        for row in found:
            try:
                read(row[1:])
            except _NONSENSE:
                target.execute(f'DELETE FROM "{table}" WHERE rowid = ?', row[:1])  # noqa: S608 - as above
                n_dropped += 1
    return n_dropped


def _read_memory(row: tuple[Any, ...], workspace_id: str | None) -> None:
    """Read it as the import does that takes it back."""
    entry = entry_of(row, workspace_id)
    room = (entry.scope.tier, entry.scope.key)
    if entry.scope.tier in _OF_ROOMS:
        _require_ids(entry.scope.key)
    fields = Fields(memory_row(MemoryRecord(entry, None, ())), "")
    memory_of(fields, workspace_id, {room}, set())


def _read_entry(row: Any, workspace_id: str | None) -> None:
    entry = named_entry_of(row, workspace_id)
    _require_ids(entry.id)
    checked_entry_name(entry.name)
    checked_body(entry.body)


def _read_channel(row: Any) -> None:
    channel = channel_of(row)
    _require_ids(channel.id)
    checked_name(channel.name)


def _read_conversation(row: Any) -> None:
    conversation = conversation_of(row)
    _require_ids(conversation.id, conversation.channel_id)
    checked_title(conversation.title)
    if not set(conversation.ref_code) <= set(BASE62):
        raise InvalidValueError("ref_code", "characters")


def _read_message(row: Any) -> None:
    """Read it as the import does that takes it back."""
    message = message_of(row)
    fields = Fields(message_row(message), "")
    transfer_talk.message_of(fields, {message.conversation_id}, set())


def _read_note(row: Any) -> None:
    note = note_of(row)
    _require_ids(note.conversation_id)
    checked_note_key(note.key)
    parse_note_value(note.value_json)


def _require_ids(*values: str) -> None:
    if not all(map(is_id, values)):
        raise InvalidValueError("id", "characters")
