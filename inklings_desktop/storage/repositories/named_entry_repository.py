"""Named entries and their revisions in one file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.entries.named_entry import EntryRevision
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.storage.rows.entry_rows import (
    named_entry_of,
    named_entry_values,
    revision_head_of,
    revision_of,
    revision_values,
)
from inklings_desktop.storage.schema.entry_schema import named_entries, named_entry_revisions

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import (
        EntryAction,
        NamedEntry,
        RevisionHead,
    )
    from inklings_desktop.storage.rows.transaction import Transaction

_ENTRIES = select(named_entries)
_BY_ID = _ENTRIES.where(named_entries.c.id == bindparam("wanted"))
_THERE = _ENTRIES.where(named_entries.c.deleted_at.is_(None))
_BY_NAME = _THERE.where(named_entries.c.name == bindparam("wanted"))
_IN_ORDER = _THERE.order_by(named_entries.c.is_built_in.desc(), named_entries.c.name)
_DELETED = _ENTRIES.where(named_entries.c.deleted_at.is_not(None)).order_by(
    named_entries.c.deleted_at.desc(), named_entries.c.changed_seq.desc(), named_entries.c.id
)
_INSERT = insert(named_entries)
_SAVED = ("curator", "is_template", "version", "edited_at", "deleted_at", "changed_seq", "body")
_UPDATE = (
    update(named_entries)
    .where(named_entries.c.id == bindparam("whose"))
    .values({name: bindparam(f"new_{name}") for name in _SAVED})
)
_INSERT_REVISION = insert(named_entry_revisions)
_HEADS = (
    select(*[column for column in named_entry_revisions.c if column.name != "body"])
    .where(named_entry_revisions.c.entry_id == bindparam("wanted"))
    .order_by(named_entry_revisions.c.number.desc())
)
_REVISION = select(named_entry_revisions).where(
    named_entry_revisions.c.entry_id == bindparam("wanted"),
    named_entry_revisions.c.number == bindparam("which"),
)


class SqliteNamedEntryRepository:
    """The ``NamedEntryRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection
        self._workspace_id = transaction.workspace_id

    def entries(self, *, deleted: bool = False) -> tuple[NamedEntry, ...]:
        rows = self._connection.execute(_DELETED if deleted else _IN_ORDER)
        return tuple(named_entry_of(row, self._workspace_id) for row in rows)

    def get(self, entry_id: str) -> NamedEntry:
        row = self._connection.execute(_BY_ID, {"wanted": entry_id}).one_or_none()
        if row is None:
            raise NotFoundError("named_entry", entry_id)
        return named_entry_of(row, self._workspace_id)

    def find(self, name: str) -> NamedEntry:
        row = self._connection.execute(_BY_NAME, {"wanted": name}).one_or_none()
        if row is None:
            raise NotFoundError("named_entry", name)
        return named_entry_of(row, self._workspace_id)

    def add(
        self, entry: NamedEntry, *, action: EntryAction, saved_by: str, door: str
    ) -> NamedEntry:
        if entry.workspace_id != self._workspace_id:
            raise InvalidValueError("scope", "other_file")
        fresh = replace(entry, version=1)
        values = named_entry_values(fresh, self._transaction.change_seq)
        try:
            self._connection.execute(_INSERT, values)
        except IntegrityError as error:
            if not self._is_taken(entry):
                raise
            raise ConflictError("named_entry", entry.name) from error
        self._append(fresh, action, saved_by, door, entry.edited_at or entry.created_at)
        return self.get(entry.id)

    def save(
        self,
        entry: NamedEntry,
        *,
        expected_version: int,
        action: EntryAction,
        saved_by: str,
        door: str,
        saved_at: datetime,
    ) -> NamedEntry:
        found = self.get(entry.id).version
        if found != expected_version:
            raise ConflictError("named_entry", entry.id, expected_version, found)
        after = replace(entry, version=found + 1)
        values = named_entry_values(after, self._transaction.change_seq)
        parameters = {f"new_{name}": values[name] for name in _SAVED}
        try:
            self._connection.execute(_UPDATE, {"whose": entry.id, **parameters})
        except IntegrityError as error:
            if not self._is_taken(entry):
                raise
            raise ConflictError("named_entry", entry.name) from error
        self._append(after, action, saved_by, door, saved_at)
        return self.get(entry.id)

    def revisions(self, entry_id: str) -> tuple[RevisionHead, ...]:
        rows = self._connection.execute(_HEADS, {"wanted": entry_id})
        return tuple(revision_head_of(row) for row in rows)

    def revision(self, entry_id: str, number: int) -> EntryRevision:
        parameters = {"wanted": entry_id, "which": number}
        row = self._connection.execute(_REVISION, parameters).one_or_none()
        if row is None:
            raise NotFoundError("revision", str(number))
        return revision_of(row)

    def _is_taken(self, entry: NamedEntry) -> bool:
        """Whether another entry stands in the way of this one's name or id."""
        taken = self._connection.execute(_BY_NAME, {"wanted": entry.name}).first()
        same_id = self._connection.execute(_BY_ID, {"wanted": entry.id}).first()
        return taken is not None or same_id is not None

    def _append(
        self, entry: NamedEntry, action: EntryAction, saved_by: str, door: str, saved_at: datetime
    ) -> None:
        revision = EntryRevision(
            entry.id, entry.version, entry.body, saved_at, saved_by, door, entry.curator, action
        )
        self._connection.execute(_INSERT_REVISION, revision_values(revision))
        self._transaction.entry_changed(entry.id)
