"""Whole rows in and out of one file, as export and restore need them."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, exists, func, insert, or_, select
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, name_key
from inklings_desktop.domain.transfer.document import (
    RESTORED_FILE,
    ChannelRecord,
    ConversationRecord,
    EntryRecord,
    ExportNote,
    MemoryRecord,
    NoteRecord,
    StoredVector,
)
from inklings_desktop.domain.transfer.import_plan import (
    ImportRun,
    ImportStep,
    StepKind,
)
from inklings_desktop.storage.log.event_chain import document_of
from inklings_desktop.storage.repositories.message_repository import SqliteMessageRepository
from inklings_desktop.storage.rows.entry_rows import (
    named_entry_of,
    named_entry_values,
    revision_of,
    revision_values,
)
from inklings_desktop.storage.rows.memories import (
    channel_of,
    columns_of,
    conversation_of,
    entry_of,
    entry_values,
    from_ms,
    note_of,
    of_sensible_rows,
    sensible,
    to_ms,
    vectors_of,
    version_of,
    version_values,
)
from inklings_desktop.storage.schema.entry_schema import (
    drafts,
    memory_drafts,
    named_entries,
    named_entry_revisions,
    proposals,
)
from inklings_desktop.storage.schema.filter_schema import saved_filters
from inklings_desktop.storage.schema.skill_schema import skills
from inklings_desktop.storage.schema.tables import (
    channels,
    conversation_participants,
    conversations,
    events,
    memories,
    memory_vectors,
    memory_versions,
    notes,
)
from inklings_desktop.storage.schema.task_schema import golden_questions
from inklings_desktop.storage.schema.transfer_schema import exports, import_steps, imports
from inklings_desktop.storage.schema.world_schema import world_folders
from inklings_desktop.storage.search.conditions import among, in_scopes, is_active
from inklings_desktop.storage.search.full_text_upkeep import index_added

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Row, Select, Table

    from inklings_desktop.domain.memory import MemoryVersion, ScopeKey
    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.storage.rows.transaction import Transaction

_WITH_VECTOR = select(
    *memories.c, memory_vectors.c.model_id, memory_vectors.c.dimension, memory_vectors.c.vector
).select_from(memories.outerjoin(memory_vectors, memory_vectors.c.sequence == memories.c.sequence))
_N_VECTOR_COLUMNS = 3
_HISTORIES = (
    select(memory_versions)
    .where(among(memory_versions.c.memory_id, "ids"))
    .order_by(memory_versions.c.memory_id, memory_versions.c.version)
)


def _columns(table: Table, names: str) -> Select[*tuple[Any, ...]]:
    return select(*(table.c[one] for one in names.split()))


_CHANNELS = _columns(channels, "sequence id name description created_at archived_at").order_by(
    channels.c.sequence
)
_CONVERSATIONS = _columns(
    conversations,
    "sequence id ref_code channel_id title state started_at ended_at heard_at",
).order_by(conversations.c.sequence)
_PARTICIPANTS = _columns(conversation_participants, "conversation_id client joined_at").order_by(
    conversation_participants.c.conversation_id, conversation_participants.c.client
)
_LAST_EVENT = select(events.c.kind, events.c.marks).order_by(events.c.seq.desc()).limit(1)
_NOTES = _columns(notes, "sequence conversation_id key value_json created_at updated_at").order_by(
    notes.c.sequence
)
_ENTRIES = select(named_entries).order_by(
    named_entries.c.is_built_in.desc(), named_entries.c.name, named_entries.c.id
)
_REVISIONS = (
    select(named_entry_revisions)
    .where(named_entry_revisions.c.entry_id == bindparam("wanted"))
    .order_by(named_entry_revisions.c.number)
)
_PUT_IMPORT = upsert(imports)
_PUT_IMPORT = _PUT_IMPORT.on_conflict_do_update(
    index_elements=[imports.c.id],
    set_={name: _PUT_IMPORT.excluded[name] for name in ("n_added", "n_taken", "is_withdrawn")},
)


class SqliteTransferRepository:
    """The ``TransferRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection
        self._workspace_id = transaction.workspace_id

    def memories(
        self,
        *,
        scopes: Sequence[ScopeKey] | None,
        ids: Sequence[str] | None,
        forgotten: bool,
        after: int,
        limit: int,
    ) -> tuple[MemoryRecord, ...]:
        conditions, parameters = self._wanted(scopes, ids, forgotten=forgotten)
        statement = (
            _WITH_VECTOR.where(memories.c.sequence > after, *conditions)
            .order_by(memories.c.sequence)
            .limit(limit)
        )
        rows = self._connection.execute(statement, parameters).all()
        # What cannot be trusted is left out here: no file of ours holds what we would refuse.
        sound = vectors_of([(row[-2] or 0, row[-1]) for row in rows])
        return tuple(
            MemoryRecord(
                entry_of(row, self._workspace_id),
                None if vector is None else StoredVector(row[-_N_VECTOR_COLUMNS], row[-1]),
            )
            for row, vector in zip(rows, sound, strict=True)
        )

    def n_memories(
        self, *, scopes: Sequence[ScopeKey] | None, ids: Sequence[str] | None, forgotten: bool
    ) -> int:
        conditions, parameters = self._wanted(scopes, ids, forgotten=forgotten)
        statement = select(func.count()).select_from(memories).where(*conditions)
        return int(self._connection.execute(statement, parameters).scalar_one())

    def histories(self, ids: Sequence[str]) -> Mapping[str, tuple[MemoryVersion, ...]]:
        rows = self._connection.execute(_HISTORIES, {"ids": json.dumps(list(ids))})
        versions = map(version_of, rows)
        return {key: tuple(group) for key, group in groupby(versions, key=_whose)}

    def channels(self) -> tuple[ChannelRecord, ...]:
        if self._workspace_id is None:
            return ()
        rows = self._connection.execute(_CHANNELS)
        return tuple(ChannelRecord(channel_of(row[1:]), row[0]) for row in rows)  # type: ignore[arg-type]

    def conversations(self) -> tuple[ConversationRecord, ...]:
        if self._workspace_id is None:
            return ()
        present: dict[str, list[tuple[str, Any]]] = {}
        for whose, client, joined in self._connection.execute(_PARTICIPANTS):
            present.setdefault(whose, []).append((client, from_ms(joined)))
        rows = self._connection.execute(_CONVERSATIONS).all()
        return tuple(
            ConversationRecord(
                conversation_of(row[1:]),  # type: ignore[arg-type]
                row[0],
                tuple(present.get(row.id, ())),
            )
            for row in rows
        )

    def notes(self) -> tuple[NoteRecord, ...]:
        if self._workspace_id is None:
            return ()
        rows = self._connection.execute(_NOTES)
        return tuple(sensible(rows, lambda row: NoteRecord(note_of(row[1:]), row[0])))  # type: ignore[arg-type]

    def messages(self) -> tuple[Message, ...]:
        if self._workspace_id is None:
            return ()
        return SqliteMessageRepository(self._transaction).every()

    def entries(self) -> tuple[EntryRecord, ...]:
        found = [
            named_entry_of(row, self._workspace_id) for row in self._connection.execute(_ENTRIES)
        ]
        return tuple(
            EntryRecord(
                entry,
                tuple(map(revision_of, self._connection.execute(_REVISIONS, {"wanted": entry.id}))),
            )
            for entry in found
        )

    def restored_last(self) -> str | None:
        last = self._connection.execute(_LAST_EVENT).one_or_none()
        if last is None or last.kind != EventKind.IMPORTED.value:
            return None
        digest: str | None = document_of(last.marks, dict).get(RESTORED_FILE)
        return digest

    def is_empty(self) -> bool:
        touched = select(named_entries.c.id).where(
            or_(named_entries.c.is_template == 0, named_entries.c.version > 1)
        )
        written = [
            select(memories.c.id),
            touched,
            select(drafts.c.entry_id),
            select(memory_drafts.c.memory_id),
            select(proposals.c.id),
            select(golden_questions.c.id),
            select(saved_filters.c.id),
            select(skills.c.id).where(skills.c.origin != "system"),
            # What was scrubbed comes back as imported, never as if nothing had happened.
            select(events.c.seq).where(events.c.kind == EventKind.SCRUB_EXECUTED.value),
        ]
        if self._workspace_id is not None:
            written += [
                select(conversations.c.id),
                select(channels.c.id).where(channels.c.name_key != DEFAULT_CHANNEL),
                select(world_folders.c.id),
            ]
        return not any(
            self._connection.execute(select(exists(one))).scalar_one() for one in written
        )

    def restore_memories(self, records: Sequence[MemoryRecord]) -> None:
        if not records:
            return
        stamp = self._transaction.change_seq
        entries = [one.entry for one in records]
        self._connection.execute(insert(memories), [entry_values(one, stamp) for one in entries])
        versions = [version_values(version) for one in records for version in one.history]
        if versions:
            self._connection.execute(insert(memory_versions), versions)
        vectors = [
            columns_of(
                one,
                "sequence=entry.sequence model_id=vector.model_id dimension=vector.dimension"
                " vector=vector.blob",
            )
            for one in records
            if one.vector is not None
        ]
        if vectors:
            self._connection.execute(insert(memory_vectors), vectors)
        index_added(self._connection, entries)
        for one in entries:
            self._transaction.added(one.scope, [one.id])

    def restore_rooms(
        self, rooms: Sequence[ChannelRecord], talks: Sequence[ConversationRecord]
    ) -> None:
        """Store channels and conversations exactly as they were; the default channel gives way."""
        stamp = self._transaction.change_seq
        if any(name_key(one.channel.name) == DEFAULT_CHANNEL for one in rooms):
            self._connection.execute(delete(channels).where(channels.c.name_key == DEFAULT_CHANNEL))
        for one in rooms:
            channel = one.channel
            values = {
                "sequence": one.sequence,
                **columns_of(channel, "id name description created_at archived_at"),
                "name_key": name_key(channel.name),
                "changed_seq": stamp,
            }
            self._connection.execute(insert(channels), values)
        for talk in talks:
            conversation = talk.conversation
            values = {
                "sequence": talk.sequence,
                **columns_of(
                    conversation,
                    "id ref_code channel_id title state started_at ended_at heard_at",
                ),
                "changed_seq": stamp,
                "notes_seq": 0,
            }
            self._connection.execute(insert(conversations), values)
            for client, joined in talk.participants:
                self._connection.execute(
                    insert(conversation_participants),
                    {
                        "conversation_id": conversation.id,
                        "client": client,
                        "joined_at": to_ms(joined),
                    },
                )
        self._transaction.rooms_changed()

    def restore_notes(self, kept: Sequence[NoteRecord]) -> None:
        self._transaction.take_number()
        for one in kept:
            note = one.note
            values = {
                "sequence": one.sequence,
                **columns_of(note, "conversation_id key value_json created_at updated_at"),
            }
            self._connection.execute(insert(notes), values)
            self._transaction.notes_changed(note.conversation_id)

    def restore_messages(self, messages: Sequence[Message]) -> None:
        into = SqliteMessageRepository(self._transaction)
        for message in messages:
            into.put(message)

    def restore_entry(self, record: EntryRecord) -> None:
        untouched = select(named_entries.c.id).where(
            named_entries.c.name == record.entry.name,
            named_entries.c.is_template == 1,
            named_entries.c.version == 1,
        )
        for gone in self._connection.execute(untouched).scalars().all():
            self._connection.execute(delete(named_entries).where(named_entries.c.id == gone))
            self._connection.execute(
                delete(named_entry_revisions).where(named_entry_revisions.c.entry_id == gone)
            )
        values = named_entry_values(record.entry, self._transaction.change_seq)
        self._connection.execute(insert(named_entries), values)
        for revision in record.revisions:
            self._connection.execute(insert(named_entry_revisions), revision_values(revision))
        self._transaction.entry_changed(record.entry.id)

    def note_export(self, note: ExportNote) -> None:
        self._connection.execute(insert(exports), columns_of(note, "path at scope n_memories"))

    def exports(self) -> tuple[ExportNote, ...]:
        rows = self._connection.execute(select(exports).order_by(exports.c.sequence.desc()))
        return tuple(
            ExportNote(row.path, from_ms(row.at), row.scope, row.n_memories) for row in rows
        )

    def put_import(self, run: ImportRun, steps: Iterable[ImportStep] = ()) -> None:
        names = "id at n_added n_taken is_withdrawn"
        self._connection.execute(_PUT_IMPORT, columns_of(run, names))
        values = [
            {"import_id": run.id, **columns_of(one, "kind target_id=id version before")}
            for one in steps
        ]
        if values:
            self._connection.execute(insert(import_steps), values)

    def imports(self) -> tuple[ImportRun, ...]:
        rows = self._connection.execute(select(imports).order_by(imports.c.sequence.desc()))
        return tuple(
            ImportRun(row.id, from_ms(row.at), row.n_added, row.n_taken, bool(row.is_withdrawn))
            for row in rows
        )

    def import_steps(self, import_id: str) -> tuple[ImportStep, ...]:
        statement = select(import_steps).where(import_steps.c.import_id == import_id)
        return tuple(sensible(self._connection.execute(statement), _step_of))

    def reload(self) -> None:
        self._transaction.require_reload()

    def _wanted(
        self, scopes: Sequence[ScopeKey] | None, ids: Sequence[str] | None, *, forgotten: bool
    ) -> tuple[list[ColumnElement[bool]], dict[str, str]]:
        found: list[ColumnElement[bool]] = [] if forgotten else [is_active]
        parameters: dict[str, str] = {}
        if scopes is not None:
            found.append(in_scopes(scopes, self._workspace_id))
        if ids is not None:
            found.append(among(memories.c.id, "ids"))
            parameters["ids"] = json.dumps(list(ids))
        return found, parameters


@of_sensible_rows
def _step_of(row: Row[*tuple[Any, ...]]) -> ImportStep:
    return ImportStep(StepKind(row.kind), row.target_id, row.version, row.before)


def _whose(version: MemoryVersion) -> str:
    return version.memory_id
