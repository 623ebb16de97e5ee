"""Makes one whole of what was read of a damaged database, so that an import takes it back.

What a row leans on may be what could not be read. Nothing readable is thrown away for that: a
room whose name is lost gets a name, and an entry whose revisions have a hole keeps its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.rooms.conversation import ConversationState, new_ref_code
from inklings_desktop.storage.salvage.salvage_sense import drop_senseless
from inklings_desktop.storage.schema.entry_schema import SHIPPED_BY, SHIPPED_THROUGH
from inklings_desktop.storage.schema.marks import FileKind
from inklings_desktop.storage.schema.schema_rules import kind_of

if TYPE_CHECKING:
    import sqlite3

_ORPHANS = (
    "DELETE FROM memory_versions WHERE memory_id NOT IN (SELECT id FROM memories)",
    "DELETE FROM memory_vectors WHERE sequence NOT IN (SELECT sequence FROM memories)",
    "DELETE FROM named_entry_revisions WHERE entry_id NOT IN (SELECT id FROM named_entries)",
)
_LOST_CONVERSATIONS = (
    "SELECT scope_key FROM memories WHERE tier = 'conversation'"
    " UNION SELECT conversation_id FROM notes"
    " UNION SELECT conversation_id FROM messages"
    " UNION SELECT conversation_id FROM conversation_participants"
    " EXCEPT SELECT id FROM conversations"
)
_LOST_CHANNELS = (
    "SELECT scope_key FROM memories WHERE tier = 'channel'"
    " UNION SELECT channel_id FROM conversations EXCEPT SELECT id FROM channels"
)
_HOLED_ENTRIES = (
    "SELECT id FROM named_entries AS entry WHERE version <> (SELECT count(*) FROM"
    " named_entry_revisions WHERE entry_id = entry.id) OR body IS NOT (SELECT body FROM"
    " named_entry_revisions WHERE entry_id = entry.id AND number = entry.version)"
)
_ONE_REVISION = (
    "INSERT INTO named_entry_revisions (entry_id, number, saved_at, saved_by, door, curator,"
    " action, n_characters, body) SELECT id, 1, ifnull(edited_at, created_at), ?, ?, curator, ?,"
    " length(body), body FROM named_entries WHERE id = ?"
)


def mend_salvage(target: sqlite3.Connection, workspace_id: str | None, now: int) -> int:
    """Make up what is leant on and missing, inside the running transaction.

    Args:
        target: The copy, without its triggers.
        workspace_id: Whose file it is; None for the account's.
        now: Milliseconds since 1970, UTC: when a room begins whose beginning is lost.

    Returns:
        How many rows had to be left out, because damage made nonsense of them.
    """
    kind = kind_of(workspace_id)
    n_senseless = drop_senseless(target, workspace_id, kind)
    for statement in _ORPHANS:
        target.execute(statement)
    if kind is FileKind.WORKSPACE:
        _name_lost_rooms(target, now)
    for (entry_id,) in target.execute(_HOLED_ENTRIES).fetchall():
        target.execute("DELETE FROM named_entry_revisions WHERE entry_id = ?", (entry_id,))
        target.execute("UPDATE named_entries SET version = 1 WHERE id = ?", (entry_id,))
        values = (SHIPPED_BY, SHIPPED_THROUGH, EntryAction.SAVED.value, entry_id)
        target.execute(_ONE_REVISION, values)
    return n_senseless


def _name_lost_rooms(target: sqlite3.Connection, now: int) -> None:
    lost = [row[0] for row in target.execute(_LOST_CONVERSATIONS).fetchall()]
    for conversation_id in lost:
        target.execute(
            "INSERT INTO conversations (id, ref_code, channel_id, title, state, started_at,"
            " changed_seq, notes_seq) VALUES (?, ?, ?, '', ?, ?, 0, 0)",
            (
                conversation_id,
                new_ref_code(),
                # A channel that is there, or else the one that is made up below.
                _some_channel(target) or conversation_id,
                ConversationState.IDLE.value,
                now,
            ),
        )
    taken = {row[0] for row in target.execute("SELECT name_key FROM channels").fetchall()}
    number = 1
    for (channel_id,) in target.execute(_LOST_CHANNELS).fetchall():
        while (name := f"recovered-{number}") in taken:
            number += 1
        taken.add(name)
        target.execute(
            "INSERT INTO channels (id, name, name_key, description, created_at, changed_seq)"
            " VALUES (?, ?, ?, '', ?, 0)",
            (channel_id, name, name, now),
        )


def _some_channel(target: sqlite3.Connection) -> str | None:
    row = target.execute("SELECT id FROM channels ORDER BY sequence LIMIT 1").fetchone()
    return None if row is None else str(row[0])
