"""The memories of one file, as one transaction sees or changes them."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, and_, bindparam, exists, false, func, insert, or_, select, update

from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseCorruptError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import AUTHOR, Curator, MemoryAction, Tier
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.rows.memories import (
    any_entry_of,
    as_stored,
    entry_of,
    entry_values,
    from_ms,
    sensible,
    state_values,
    to_ms,
    version_of,
    version_values,
)
from inklings_desktop.storage.rows.memory_selects import SELECT_ENTRY
from inklings_desktop.storage.schema.tables import memories, memory_versions, scope_counts
from inklings_desktop.storage.search.conditions import (
    among,
    facets_of,
    in_order,
    in_scopes,
    is_active,
    visible,
)
from inklings_desktop.storage.search.full_text_upkeep import index_added, index_changed
from inklings_desktop.storage.search.listing import (
    ListQuery,
    entries_of,
    page_by_column,
    page_by_relevance,
)
from inklings_desktop.storage.search.vector_rows import (
    clear_vector,
    n_without_vector,
    store_vectors,
    without_vector,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.listing import (
        Facets,
        MemoryFilter,
        MemoryPage,
        PageCursor,
        PageOffset,
    )
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, MemoryVersion, ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.search.figures import FiguresIndex

MIN_ID_PREFIX = 4

_LAST_SEQUENCE = Prepared(select(func.ifnull(func.max(memories.c.sequence), 0)))
_INSERT = Prepared(insert(memories))
_INSERT_VERSION = insert(memory_versions)
# What was there is copied where it lies, byte by byte: text that is none stays as it is, too.
_OF_MEMORY = memories.c.sequence == bindparam("at")
_KEEP_VERSION = insert(memory_versions).values(
    content=select(memories.c.content)
    .where(_OF_MEMORY, bindparam("is_new_text", type_=Integer) == 1)
    .scalar_subquery(),
    tags=select(memories.c.tags).where(_OF_MEMORY).scalar_subquery(),
)
_BY_ID = SELECT_ENTRY.where(memories.c.id == bindparam("wanted"))
_BY_IDS = SELECT_ENTRY.where(among(memories.c.id, "wanted"))
_HISTORY = (
    select(memory_versions)
    .where(memory_versions.c.memory_id == bindparam("wanted"))
    .order_by(memory_versions.c.version.desc())
)
_COUNTS = select(scope_counts).where(scope_counts.c.active > 0)
_COUNT = Prepared(
    select(scope_counts.c.active).where(
        scope_counts.c.tier == bindparam("tier"), scope_counts.c.scope_key == bindparam("key")
    )
)
_SAID_LIKE = Prepared(
    SELECT_ENTRY.where(
        memories.c.tier == bindparam("tier"),
        memories.c.scope_key == bindparam("key"),
        memories.c.said == bindparam("said"),
        is_active,
    ).order_by(in_order)
)
_FORGOTTEN_LIKE = Prepared(
    SELECT_ENTRY.where(
        memories.c.tier == bindparam("tier"),
        memories.c.scope_key == bindparam("key"),
        among(func.hex(memories.c.said), "said"),
        ~is_active,
    ).order_by(memories.c.forgotten_at.desc(), memories.c.sequence.desc())
)
_COUNT_READS = (
    update(memories)
    .where(among(memories.c.id, "ids"))
    .values(
        access_count=memories.c.access_count + 1,
        accessed_at=bindparam("at"),
        read_seq=bindparam("stamp"),
    )
    .returning(memories.c.id, memories.c.tier, memories.c.scope_key)
)

# What a save may change. Place and origin are fixed, and reads are counted by SQL alone: an
# editor's older copy must not take counts back.
_FIXED = frozenset({
    "sequence", "id", "tier", "scope_key", "agent_id", "source_conversation", "created_at",
    "accessed_at", "access_count", "read_seq", "kind", "domain_id",
})  # fmt: skip
_EVERY_ROW = SELECT_ENTRY.order_by(memories.c.sequence)
_PAUSE = (
    update(memories)
    .where(memories.c.sequence == bindparam("at"))
    .values(paused=1, changed_seq=bindparam("stamp"))
)
_EDITS = frozenset({
    MemoryAction.EDITED, MemoryAction.RETAGGED, MemoryAction.REWEIGHTED, MemoryAction.RELABELLED,
    MemoryAction.REVERTED,
})  # fmt: skip


class SqliteMemoryRepository:
    """The ``MemoryRepository`` of one transaction."""

    def __init__(self, transaction: Transaction, figures: Callable[[], FiguresIndex]) -> None:
        self._transaction = transaction
        self._connection = transaction.connection
        self._workspace_id = transaction.workspace_id
        self._figures = figures

    def add(self, entries: Sequence[MemoryEntry]) -> tuple[MemoryEntry, ...]:
        """Store new memories and index their text; they come back with their sequence.

        Raises:
            ConflictError: One of the ids is taken.
        """
        if not entries:
            return ()
        stamp = self._transaction.change_seq
        last: int = _LAST_SEQUENCE.scalar(self._connection)
        values = [
            entry_values(entry, stamp) | {"sequence": sequence}
            for sequence, entry in enumerate(entries, start=last + 1)
        ]
        self._require_own_file(entries)
        try:
            _INSERT.insert(self._connection, values)
        except sqlite_module().IntegrityError as error:
            taken = self._taken_id(entries)
            if taken is None:
                raise
            raise ConflictError("memory", taken) from error
        stored = tuple(map(as_stored, entries, values))
        index_added(self._connection, stored)
        for scope, group in groupby(stored, key=lambda one: one.scope):
            self._transaction.added(scope, [one.id for one in group])
        return stored

    def get(self, ref: MemoryRef, visible_to: frozenset[str] | None) -> MemoryEntry:
        """One memory of one scope, forgotten ones included.

        Raises:
            NotFoundError: Not in this scope, or another agent's own.
        """
        entry = self._find(ref.id)
        if entry is None or entry.scope != ref.scope:
            raise NotFoundError("memory", ref.id)
        if not (visible_to is None or entry.wall is None or entry.wall in visible_to):
            raise NotFoundError("memory", ref.id)
        return entry

    def locate(self, id_prefix: str) -> MemoryEntry:
        if len(id_prefix) < MIN_ID_PREFIX:
            raise InvalidValueError("id", "too_short", MIN_ID_PREFIX)
        entries = self.beginning_with(id_prefix, limit=2)
        if not entries:
            raise NotFoundError("memory", id_prefix)
        if len(entries) > 1 and entries[0].id != id_prefix:
            raise InvalidValueError("id", "ambiguous")
        return entries[0]

    def beginning_with(self, id_prefix: str, *, limit: int) -> tuple[MemoryEntry, ...]:
        begins_so = (memories.c.id >= id_prefix, memories.c.id < f"{id_prefix}\U0010ffff")
        statement = SELECT_ENTRY.where(*begins_so).order_by(memories.c.id).limit(limit)
        rows = self._connection.execute(statement)
        return tuple(entry_of(row, self._workspace_id) for row in rows)

    def get_many(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        if not ids:
            return {}
        rows = self._connection.execute(_BY_IDS, {"wanted": json.dumps(list(ids))}).all()
        entries = (entry_of(row, self._workspace_id) for row in rows)
        return {entry.id: entry for entry in entries}

    def save(
        self,
        entry: MemoryEntry,
        *,
        expected_version: int,
        action: MemoryAction,
        changed_by: str,
        door: str,
        changed_at: datetime,
        extra: str = "{}",
    ) -> MemoryEntry:
        """Replace a memory's state and keep the earlier one as a version.

        Place, origin and read counters stay as they are stored, whatever ``entry`` says.

        Raises:
            NotFoundError: It is not there.
            ConflictError: Its version is no longer the expected one.
        """
        before = self._find(entry.id, any_entry_of)
        if before is None or before.scope != entry.scope:
            raise NotFoundError("memory", entry.id)
        if before.version != expected_version:
            raise ConflictError("memory", entry.id, expected_version, before.version)
        is_new_text = before.content != entry.content
        at = from_ms(to_ms(changed_at))
        after = replace(
            entry,
            sequence=before.sequence,
            version=before.version + 1,
            agent_id=before.agent_id,
            kind=before.kind,
            domain_id=before.domain_id,
            source_conversation=before.source_conversation,
            created_at=before.created_at,
            edited_at=at if action in _EDITS else before.edited_at,
            accessed_at=before.accessed_at,
            access_count=before.access_count,
            embedding_model=None if is_new_text else before.embedding_model,
        )
        self._connection.execute(
            _KEEP_VERSION,
            {
                "memory_id": before.id,
                "version": before.version,
                "importance": float(before.importance),
                "lifetime": before.lifetime.value,
                "action": action.value,
                "changed_at": to_ms(at),
                "changed_by": changed_by,
                "door": door,
                "written_by": before.written_by,
                "extra": extra,
                "at": before.sequence,
                "is_new_text": int(is_new_text),
            },
        )
        values_of = entry_values if is_new_text else state_values
        values = values_of(after, self._transaction.change_seq)
        # Whoever writes it anew has seen the rest, marks and all. Any other change leaves what it
        # does not touch as it lies there: nothing that cannot be read is lost by it.
        held = {} if is_new_text else state_values(before, 0)
        self._connection.execute(
            update(memories).where(memories.c.sequence == before.sequence),
            {
                name: value
                for name, value in values.items()
                if name not in _FIXED and not (held and held[name] == value)
            },
        )
        if is_new_text:
            clear_vector(self._transaction, before.sequence)
        stored = (
            self._written(before.sequence) if before.is_unreadable else as_stored(after, values)
        )
        index_changed(self._connection, before, stored)
        if stored.is_forgotten and not before.is_forgotten:
            self._transaction.forgotten(stored.scope, stored.id, stored.successor_id)
        else:
            self._transaction.updated(stored.scope, [stored.id])
        return stored

    def set_unreadable_aside(self) -> tuple[MemoryEntry, ...]:
        """Pause every memory that cannot be read, and nothing else about it; those that were not.

        A read transaction changes nothing, and only tells.
        """
        found: list[MemoryEntry] = []
        for row in self._connection.execute(_EVERY_ROW):
            with suppress(DatabaseCorruptError):  # not even where it belongs can be read
                entry = any_entry_of(row, self._workspace_id)
                if entry.is_unreadable and not entry.paused:
                    found.append(entry)
        for one in found if self._transaction.is_write else ():
            stamp = self._transaction.change_seq
            self._connection.execute(_PAUSE, {"at": one.sequence, "stamp": stamp})
            index_changed(self._connection, one, replace(one, paused=True))
            self._transaction.updated(one.scope, [one.id])
        return tuple(found)

    def history(self, memory_id: str) -> tuple[MemoryVersion, ...]:
        return tuple(map(version_of, self._connection.execute(_HISTORY, {"wanted": memory_id})))

    def add_history(self, versions: Sequence[MemoryVersion]) -> None:
        if versions:
            self._transaction.take_number()
            self._connection.execute(_INSERT_VERSION, [version_values(one) for one in versions])

    def page(
        self,
        scopes: Sequence[ScopeKey],
        *,
        where: MemoryFilter,
        sort: MemorySort,
        limit: int,
        after: PageCursor | PageOffset | None,
        decay: DecayConfig,
        as_of: datetime,
        visible_to: frozenset[str] | None,
    ) -> MemoryPage:
        query = ListQuery(scopes, where, sort, decay, as_of, visible_to)
        if sort is MemorySort.RELEVANCE:
            return page_by_relevance(self._transaction, self._figures(), query, limit, after)
        return page_by_column(self._transaction, query, limit, after)

    def facets(self, scopes: Sequence[ScopeKey], visible_to: frozenset[str] | None) -> Facets:
        return facets_of(self._transaction, scopes, visible_to)

    def active_counts(self) -> Mapping[ScopeKey, int]:
        rows = self._connection.execute(_COUNTS)
        of = self._transaction.scope
        return dict(sensible(rows, lambda row: (of(row.tier, row.scope_key), row.active)))

    def active_count(self, scope: ScopeKey) -> int:
        if scope.workspace_id != self._workspace_id:
            return 0
        parameters = {"tier": scope.tier.value, "key": scope.key}
        active: int | None = _COUNT.scalar(self._connection, parameters)
        return active or 0

    def note_count(self, scope: ScopeKey) -> int:
        has_settled = scope.tier is Tier.WORKSPACE
        return self._figures().n_notes(scope) if has_settled else self.active_count(scope)

    def least_relevant(
        self, scope: ScopeKey, limit: int, decay: DecayConfig, as_of: datetime
    ) -> tuple[MemoryEntry, ...]:
        chosen = self._figures().least_relevant(scope, limit, decay, as_of)
        return tuple(entries_of(self._transaction, chosen))

    def set_aside(
        self, scopes: Sequence[ScopeKey], *, paused: bool, limit: int
    ) -> tuple[MemoryEntry, ...]:
        chosen = self._figures().set_aside(scopes, paused=paused, limit=limit)
        return tuple(entries_of(self._transaction, chosen))

    def latest_changed(
        self, scopes: Sequence[ScopeKey], limit: int, visible_to: frozenset[str] | None
    ) -> tuple[MemoryEntry, ...]:
        tier = memories.c.tier.concat("")  # by the bare column, whole scopes are read and sorted
        places = [
            and_(tier == scope.tier.value, memories.c.scope_key == scope.key)
            for scope in scopes
            if scope.workspace_id == self._workspace_id
        ]
        statement = (
            SELECT_ENTRY.where(or_(false(), *places), *visible(visible_to))
            .order_by(memories.c.changed_seq.desc(), memories.c.sequence.desc())
            .limit(limit)
        )
        rows = self._connection.execute(statement)
        return tuple(entry_of(row, self._workspace_id) for row in rows)

    def active_of_conversation(self, scope: ScopeKey) -> tuple[MemoryEntry, ...]:
        statement = SELECT_ENTRY.where(in_scopes([scope], self._workspace_id), is_active).order_by(
            memories.c.sequence
        )
        rows = self._connection.execute(statement)
        return tuple(entry_of(row, self._workspace_id) for row in rows)

    def by_writer(self, name: str) -> tuple[MemoryEntry, ...]:
        statement = SELECT_ENTRY.where(
            memories.c.written_by == name,
            memories.c.curator == Curator.AGENT.value,
            is_active,
        ).order_by(memories.c.sequence)
        rows = self._connection.execute(statement)
        return tuple(entry_of(row, self._workspace_id) for row in rows)

    def count_rewritten(self, name: str) -> int:
        was_its = exists().where(
            memory_versions.c.memory_id == memories.c.id, memory_versions.c.written_by == name
        )
        statement = select(func.count()).where(memories.c.written_by == AUTHOR, is_active, was_its)
        return int(self._connection.execute(statement).scalar_one())

    def said_like(self, scope: ScopeKey, text: str) -> tuple[MemoryEntry, ...]:
        found = _SAID_LIKE.rows(
            self._connection,
            {"tier": scope.tier.value, "key": scope.key, "said": key_of(text)},
        )
        if scope.workspace_id != self._workspace_id:
            return ()
        return tuple(entry_of(row, self._workspace_id) for row in found)

    def forgotten_like(self, scope: ScopeKey, texts: Sequence[str]) -> tuple[MemoryEntry, ...]:
        if scope.workspace_id != self._workspace_id:
            return ()
        said = json.dumps([key_of(one).hex().upper() for one in texts])
        found = _FORGOTTEN_LIKE.rows(
            self._connection, {"tier": scope.tier.value, "key": scope.key, "said": said}
        )
        return tuple(entry_of(row, self._workspace_id) for row in found)

    def count_reads(self, ids: Sequence[str], at: datetime) -> None:
        if not ids:
            return
        parameters: dict[str, Any] = {
            "ids": json.dumps(list(ids)),
            "at": to_ms(at),
            "stamp": self._transaction.change_seq,
        }
        for row in self._connection.execute(_COUNT_READS, parameters):
            self._transaction.updated(self._transaction.scope(row.tier, row.scope_key), [row.id])

    def without_vector(
        self, model_id: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        return without_vector(self._transaction, model_id, limit, ids)

    def n_without_vector(self, model_id: str) -> int:
        return n_without_vector(self._transaction, model_id)

    def put_vectors(self, model_id: str, vectors: Sequence[tuple[str, str, FloatVector]]) -> int:
        """Store vectors for memories whose text is still what was embedded; how many.

        Raises:
            InvalidValueError: A vector is not finite or not of unit length.
        """
        return store_vectors(self._transaction, model_id, vectors)

    def _written(self, sequence: int) -> MemoryEntry:
        rows = self._connection.execute(SELECT_ENTRY.where(memories.c.sequence == sequence))
        return any_entry_of(rows.one(), self._workspace_id)

    def _find(
        self, memory_id: str, read: Callable[..., MemoryEntry] = entry_of
    ) -> MemoryEntry | None:
        row = self._connection.execute(_BY_ID, {"wanted": memory_id}).one_or_none()
        return None if row is None else read(row, self._workspace_id)

    def _require_own_file(self, entries: Sequence[MemoryEntry]) -> None:
        for entry in entries:
            if entry.scope.workspace_id != self._workspace_id:
                raise InvalidValueError("scope", "other_file")

    def _taken_id(self, entries: Sequence[MemoryEntry]) -> str | None:
        stored = self.get_many([entry.id for entry in entries])
        met = set(stored)
        for entry in entries:
            if entry.id in met:
                return entry.id
            met.add(entry.id)
        return None
