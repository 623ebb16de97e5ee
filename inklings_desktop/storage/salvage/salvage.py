"""Reads what a damaged database still gives into one sound copy that an export can be made of.

The copy stands among the unfinished backups of its place while it is needed: there a scrub and a
check find it, should the program be killed meanwhile. The damaged file is only read.
"""

from __future__ import annotations

import os
import secrets
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.entries.named_entry import (
    EntryAction,
    checked_body,
    checked_entry_name,
)
from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseReadOnlyError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import (
    BASE62,
    ConversationState,
    checked_name,
    checked_note_key,
    checked_title,
    new_ref_code,
    parse_note_value,
)
from inklings_desktop.domain.transfer import transfer_beside
from inklings_desktop.domain.transfer.document import MemoryRecord, is_id
from inklings_desktop.domain.transfer.transfer_fields import Fields
from inklings_desktop.domain.transfer.transfer_memories import memory_of
from inklings_desktop.domain.transfer.transfer_writing import memory_row, message_row
from inklings_desktop.storage.backups.backup_making import (
    only_one_keeper,
    require_room,
    size_with_wal,
)
from inklings_desktop.storage.backups.backups import (
    UNFINISHED_PREFIX,
    backup_folder,
    remove_unfinished,
)
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    make_folder,
    require_writable,
    write_private,
)
from inklings_desktop.storage.engine.driver import sqlite_module, translated
from inklings_desktop.storage.engine.maintenance import LossyText, sealed_view, take_triggers_off
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.repositories.activity_repository import SqliteActivityRepository
from inklings_desktop.storage.repositories.filter_repository import SqliteFilterRepository
from inklings_desktop.storage.repositories.golden_repository import SqliteGoldenRepository
from inklings_desktop.storage.repositories.knowledge_repository import SqliteKnowledgeRepository
from inklings_desktop.storage.repositories.message_repository import MESSAGE_COLUMNS, message_of
from inklings_desktop.storage.repositories.proposal_repository import SqliteProposalRepository
from inklings_desktop.storage.repositories.skill_repository import SqliteSkillRepository
from inklings_desktop.storage.repositories.transfer_repository import SqliteTransferRepository
from inklings_desktop.storage.repositories.world_repository import SqliteWorldRepository
from inklings_desktop.storage.rows.entry_rows import named_entry_of
from inklings_desktop.storage.rows.memories import (
    channel_of,
    conversation_of,
    entry_of,
    note_of,
    to_ms,
    version_of,
)
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.salvage.readable_rows import ReadableRows
from inklings_desktop.storage.schema.entry_schema import SHIPPED_BY, SHIPPED_THROUGH
from inklings_desktop.storage.schema.marks import FileKind
from inklings_desktop.storage.schema.schema_rules import create_schema, kind_of
from inklings_desktop.usecases.ports.keeping import Salvage

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import NoReturn

    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.usecases.ports.store import Clock

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
    if entry.domain_id is not None:
        _require_ids(entry.domain_id)
    fields = Fields(memory_row(MemoryRecord(entry, None, ())), "")
    memory_of(fields, workspace_id, {room}, (), set())


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
    transfer_beside.message_of(fields, {message.conversation_id}, set())


def _read_note(row: Any) -> None:
    note = note_of(row)
    _require_ids(note.conversation_id)
    checked_note_key(note.key)
    parse_note_value(note.value_json)


def _require_ids(*values: str) -> None:
    if not all(map(is_id, values)):
        raise InvalidValueError("id", "characters")


_ORPHANS = (
    "DELETE FROM memory_versions WHERE memory_id NOT IN (SELECT id FROM memories)",
    "DELETE FROM memory_vectors WHERE sequence NOT IN (SELECT sequence FROM memories)",
    "DELETE FROM named_entry_revisions WHERE entry_id NOT IN (SELECT id FROM named_entries)",
    "DELETE FROM skill_artifacts WHERE skill_id NOT IN (SELECT id FROM skills)",
    "DELETE FROM skill_versions WHERE skill_id NOT IN (SELECT id FROM skills)",
)
_ORPHANS_OF_WORKSPACE = (
    "DELETE FROM facts WHERE memory_sequence NOT IN (SELECT sequence FROM memories)",
    "DELETE FROM policies WHERE memory_sequence NOT IN (SELECT sequence FROM memories)",
    "DELETE FROM derivations WHERE memory_sequence NOT IN (SELECT sequence FROM memories)",
    "DELETE FROM role_grants WHERE domain_id NOT IN (SELECT id FROM domains)",
)
_LOST_DOMAINS = (
    "INSERT INTO domains SELECT domain_id, 'Domain ' || domain_id, 'domain ' || domain_id, '', 1,"
    " '', 'clock', ?, NULL, 0 FROM memories WHERE domain_id IS NOT NULL"
    " AND domain_id NOT IN (SELECT id FROM domains) GROUP BY domain_id"
)
"""A domain whose row is lost is made closed: who might read it is not known any more."""
_LOST_CONVERSATIONS = (
    "SELECT scope_key FROM memories WHERE tier = 'conversation'"
    " UNION SELECT conversation_id FROM notes"
    " UNION SELECT conversation_id FROM messages"
    " UNION SELECT conversation_id FROM conversation_participants"
    " EXCEPT SELECT id FROM conversations"
)
_LOST_CHANNELS = (
    "SELECT scope_key FROM memories WHERE tier = 'channel'"
    " UNION SELECT channel_id FROM conversations UNION SELECT channel_id FROM scheduled_activities"
    " EXCEPT SELECT id FROM channels"
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
        for statement in _ORPHANS_OF_WORKSPACE:
            target.execute(statement)
        target.execute(_LOST_DOMAINS, (now,))
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


_MEMORY_TABLES = (
    "memories",
    "memory_versions",
    "memory_vectors",
    "named_entries",
    "named_entry_revisions",
    "golden_questions",
    "saved_filters",
    "proposals",
    "skills",
    "skill_artifacts",
    "skill_versions",
    "skill_execution_traces",
)
_ROOM_TABLES = (
    "channels", "conversations", "conversation_participants", "messages", "notes", "world_folders",
    "derivations", "derivation_bases", "domains", "facts", "policies", "roles", "role_grants",
    "agent_working_memory", "scheduled_activities",
)  # fmt: skip
_LATER_TABLES = frozenset({
    "world_folders", "derivations", "derivation_bases", "domains", "facts", "policies", "roles",
    "role_grants", "agent_working_memory", "skills", "skill_artifacts", "skill_versions",
    "skill_execution_traces", "scheduled_activities",
})  # fmt: skip
_LATER_COLUMNS: Mapping[str, Mapping[str, str | None]] = {
    "memories": {"kind": "note", "domain_id": None, "topic": ""},
    "memory_versions": {"extra": "{}"},
}
"""What a file of an earlier version lacks, and what that means there."""
_ACTIVE = "SELECT count(*) FROM memories WHERE forgotten_at IS NULL"
_COPIES = 2


class SqliteSalvager:
    """The ``Salvager`` of one data root."""

    def __init__(self, databases: Databases, clock: Clock) -> None:
        """Read the files of these databases.

        Args:
            databases: The files under the data root; damaged ones are not opened through it.
            clock: For what has to be made up because it cannot be read.
        """
        self._databases = databases
        self._clock = clock

    @contextmanager
    def readable(self, workspace_id: str | None) -> Iterator[Salvage]:
        root = self._databases.root
        place = root if workspace_id is None else self._databases.workspace_folder(workspace_id)
        path = place / DATABASE_NAME
        if not path.is_file():
            raise NotFoundError("workspace", workspace_id or "account")
        with only_one_keeper(root):
            folder = backup_folder(root, workspace_id)
            make_folder(folder)
            require_writable(folder)
            remove_unfinished(folder)
            require_room(folder, _COPIES * size_with_wal(path))
            fresh = folder / f"{UNFINISHED_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
            write_private(fresh, b"")
            try:
                n_missing, is_whole = self._salvaged(path, fresh, workspace_id)
                yield Salvage(_SalvagedStore(fresh, workspace_id), n_missing, is_whole)
            finally:
                remove_unfinished(folder)

    def _salvaged(
        self, path: Path, fresh: Path, workspace_id: str | None
    ) -> tuple[int | None, bool]:
        """Fill the copy; memories that are missing if that is known, and whether all is there."""
        kind, now = kind_of(workspace_id), to_ms(self._clock())
        with translated(fresh), closing(connect_raw(fresh)) as target:
            create_schema(target, kind, workspace_id or "", now)
            target.execute("BEGIN IMMEDIATE")
            take_triggers_off(target)
            target.execute("DELETE FROM named_entry_revisions")
            target.execute("DELETE FROM named_entries")
            with closing(connect_raw(path, read_only=True)) as source:
                source.execute("PRAGMA cell_size_check = ON")
                # Where a line of the schema is damaged, or the end of the file is gone, SQLite
                # gives up what it still can read; with this it does not.
                source.execute("PRAGMA writable_schema = ON")
                rooms = _ROOM_TABLES if kind is FileKind.WORKSPACE else ()
                copied = [copy_table(source, target, one) for one in (*rooms, *_MEMORY_TABLES)]
                n_active = _counted(source)
            if not any(n for n, _ in copied):
                raise DatabaseCorruptError(path, "nothing readable")
            n_senseless = mend_salvage(target, workspace_id, now)
            n_kept = int(target.execute(_ACTIVE).fetchone()[0])
            target.execute("COMMIT")
        n_missing = None if n_active is None else max(0, n_active - n_kept)
        is_whole = all(is_whole for _, is_whole in copied) and not n_senseless
        return n_missing, is_whole and not n_missing


class _SalvagedStore:
    """The ``TransferStore`` over a copy of what could be read; whole rows are all it gives."""

    def __init__(self, path: Path, workspace_id: str | None) -> None:
        self._path = path
        self._workspace_id = workspace_id

    @contextmanager
    def read(self, workspace_id: str | None) -> Iterator[Any]:
        """The rows of the one place that was salvaged.

        Raises:
            NotFoundError: It is not this one.
        """
        if workspace_id != self._workspace_id:
            raise NotFoundError("workspace", workspace_id or "account")
        with sealed_view(self._path) as connection:
            yield _SalvagedView(Transaction(connection, workspace_id))

    find = read

    def write(self, _workspace_id: str | None, *, initiator: str, durable: bool = True) -> NoReturn:
        """Refuse: what is written to the copy goes with it.

        Raises:
            DatabaseReadOnlyError: Always.
        """
        raise DatabaseReadOnlyError(self._path, f"{initiator} {durable}")


class _SalvagedView:
    """What an export asks a view for."""

    def __init__(self, transaction: Transaction) -> None:
        self.transfers = SqliteTransferRepository(transaction)
        self.golden = SqliteGoldenRepository(transaction)
        self.filters = SqliteFilterRepository(transaction)
        self.proposals = SqliteProposalRepository(transaction)
        self.world = SqliteWorldRepository(transaction)
        self.knowledge = SqliteKnowledgeRepository(transaction)
        self.activities = SqliteActivityRepository(transaction)
        self.skills = SqliteSkillRepository(transaction)


def copy_table(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str
) -> tuple[int, bool]:
    """Copy the rows that can be read and that a sound file could hold; how many, and if all."""
    ask = f'PRAGMA table_info("{table}")'
    every, there = ([row[1] for row in one.execute(ask)] for one in (target, source))
    if not there and table in _LATER_TABLES:
        return 0, True
    later = _LATER_COLUMNS.get(table, {})
    columns = [one for one in every if one in there or one not in later]
    added = {name: value for name, value in later.items() if name not in columns}
    names = ", ".join(f'"{one}"' for one in (*columns, *added))
    into = f'INSERT INTO "{table}" ({names}) VALUES'
    rows = ReadableRows(source, table, columns)
    n_copied = 0
    is_whole = True
    for row in rows:
        try:
            # Text that is none goes over as the bytes that it is.
            whole = (*row, *added.values())
            places = ("CAST(? AS TEXT)" if type(one) is LossyText else "?" for one in whole)
            values = [one.stored if type(one) is LossyText else one for one in whole]
            target.execute(f"{into} ({', '.join(places)})", values)
            n_copied += 1
        except sqlite_module().IntegrityError:
            is_whole = False  # damage made values of it that no file of ours holds
    return n_copied, is_whole and rows.are_whole


def _counted(source: sqlite3.Connection) -> int | None:
    """How many active memories the file says it holds; None when it no longer tells."""
    try:
        (number,) = source.execute("SELECT ifnull(sum(active), 0) FROM scope_counts").fetchone()
    except (sqlite_module().Error, UnicodeDecodeError):  # damage that is quoted is met twice
        return None
    return number if isinstance(number, int) else None
