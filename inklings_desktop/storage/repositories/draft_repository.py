"""Unsaved typing in the named entries and memories of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.memory_typing import MemoryTyping
from inklings_desktop.storage.rows.entry_rows import draft_of, draft_values
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    lifetime_of,
    of_sensible_rows,
    sensible,
    tags_of,
)
from inklings_desktop.storage.schema.entry_schema import drafts, memory_drafts
from inklings_desktop.storage.schema.tables import memories

if TYPE_CHECKING:
    from sqlalchemy import Row

    from inklings_desktop.domain.entries.named_entry import EntryDraft
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction

_DRAFTS = select(drafts).order_by(drafts.c.kept_at.desc(), drafts.c.entry_id)
_KEEP = upsert(drafts)
_KEEP = _KEEP.on_conflict_do_update(
    index_elements=[drafts.c.entry_id],
    set_={name: _KEEP.excluded[name] for name in ("base_version", "kept_at", "body")},
)
_DROP = delete(drafts).where(drafts.c.entry_id == bindparam("wanted"))

_PLACE = ("tier", "scope_key", "memory_id")
_TYPINGS = select(memory_drafts).order_by(
    memory_drafts.c.kept_at.desc(), memory_drafts.c.memory_id, memory_drafts.c.scope_key
)
_IN_PLACE = tuple(memory_drafts.c[name] == bindparam(f"of_{name}") for name in _PLACE)
_TYPING = select(memory_drafts).where(*_IN_PLACE)
_KEEP_TYPING = upsert(memory_drafts)
_KEEP_TYPING = _KEEP_TYPING.on_conflict_do_update(
    index_elements=[memory_drafts.c[name] for name in _PLACE],
    set_={
        column.name: _KEEP_TYPING.excluded[column.name]
        for column in memory_drafts.c
        if column.name not in _PLACE
    },
)
_DROP_TYPING = delete(memory_drafts).where(*_IN_PLACE)
_IS_THERE = select(memories.c.id).where(
    memories.c.id == bindparam("of_memory_id"),
    memories.c.tier == bindparam("of_tier"),
    memories.c.scope_key == bindparam("of_scope_key"),
)


class SqliteDraftRepository:
    """The ``DraftRepository`` of one transaction.

    Unsaved typing is nobody else's business: it takes no change number.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def keep(self, draft: EntryDraft) -> None:
        try:
            self._connection.execute(_KEEP, draft_values(draft))
        except IntegrityError as error:
            raise NotFoundError("named_entry", draft.entry_id) from error

    def drafts(self) -> tuple[EntryDraft, ...]:
        return tuple(draft_of(row) for row in self._connection.execute(_DRAFTS))

    def drop(self, entry_id: str) -> bool:
        return self._connection.execute(_DROP, {"wanted": entry_id}).rowcount > 0

    def keep_typing(self, typing: MemoryTyping) -> None:
        if typing.scope.workspace_id != self._transaction.workspace_id:
            raise InvalidValueError("scope", "other_file")
        place = _place(typing.scope, typing.memory_id)
        is_of_memory = not (typing.is_new or typing.is_message)
        if is_of_memory and self._connection.execute(_IS_THERE, place).first() is None:
            raise NotFoundError("memory", typing.memory_id)
        self._connection.execute(_KEEP_TYPING, _values(typing))

    def typings(self) -> tuple[MemoryTyping, ...]:
        return tuple(sensible(self._connection.execute(_TYPINGS), self._typing_of))

    def typing(self, scope: ScopeKey, memory_id: str) -> MemoryTyping | None:
        """Unsaved values of one memory; None where there are none that can be read."""
        rows = self._connection.execute(_TYPING, _place(scope, memory_id))
        return next(sensible(rows, self._typing_of), None)

    def drop_typing(self, scope: ScopeKey, memory_id: str) -> bool:
        if scope.workspace_id != self._transaction.workspace_id:
            return False
        place = _place(scope, memory_id)
        return self._connection.execute(_DROP_TYPING, place).rowcount > 0

    @of_sensible_rows
    def _typing_of(self, row: Row[*tuple[Any, ...]]) -> MemoryTyping:
        return MemoryTyping(
            self._transaction.scope(row.tier, row.scope_key),
            row.memory_id,
            row.base_version,
            row.content,
            row.importance,
            lifetime_of(row.lifetime),  # what was typed is offered all the same
            tags_of(row.tags),
            from_ms(row.kept_at),
        )


def _place(scope: ScopeKey, memory_id: str) -> dict[str, Any]:
    return {
        "of_tier": scope.tier.value,
        "of_scope_key": scope.key,
        "of_memory_id": memory_id,
    }


def _values(typing: MemoryTyping) -> dict[str, Any]:
    return columns_of(
        typing,
        "tier=scope.tier scope_key=scope.key memory_id base_version kept_at importance lifetime"
        " tags content",
    )
