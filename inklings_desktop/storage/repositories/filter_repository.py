"""Saved filters: row and domain object, and the repository of one transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import (
    EVERYTHING,
    MemoryFilter,
    MemorySort,
    MemoryState,
)
from inklings_desktop.domain.memories.saved_filters import FilterWords, SavedFilter
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryKind, Tier
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
)
from inklings_desktop.storage.schema.filter_schema import ALL_ROOMS, saved_filters

if TYPE_CHECKING:
    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

_VALUES = ("tier", "scope_key", "name", "name_key", "query", "mode", "sort", "asks", "created_at")
_INSERT = insert(saved_filters)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=["id"], set_={name: _INSERT.excluded[name] for name in _VALUES}
)
_ALL = select(saved_filters).order_by(saved_filters.c.sequence)


class SqliteFilterRepository:
    """The ``FilterRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._connection = transaction.connection
        self._workspace_id = transaction.workspace_id

    def put(self, saved: SavedFilter) -> None:
        words = saved.words
        self._connection.execute(
            _PUT,
            {
                **columns_of(saved, "id tier name created_at"),
                "scope_key": saved.room or ALL_ROOMS,
                "name_key": name_key(saved.name),
                **columns_of(words, "query=text mode sort"),
                "asks": asks_json(words.where),
            },
        )

    def all(self) -> tuple[SavedFilter, ...]:
        return tuple(sensible(self._connection.execute(_ALL), self._filter_of))

    def delete(self, filter_id: str) -> None:
        statement = delete(saved_filters).where(saved_filters.c.id == filter_id)
        if self._connection.execute(statement).rowcount == 0:
            raise NotFoundError("saved_filter", filter_id)

    @of_sensible_rows
    def _filter_of(self, row: Row[*tuple[Any, ...]]) -> SavedFilter:
        try:
            words = FilterWords(
                filter_of(row.asks), row.query, SearchMode(row.mode), MemorySort(row.sort)
            )
        except (InvalidValueError, KeyError, TypeError, ValueError, OverflowError):
            # Another program wrote it, or damage did: the others stay of use.
            words = None
        return SavedFilter(
            row.id,
            self._workspace_id,
            Tier(row.tier),
            row.scope_key or None,
            row.name,
            words or FilterWords(EVERYTHING),
            from_ms(row.created_at),
            is_readable=words is not None,
        )


def asks_json(where: MemoryFilter) -> str:
    """What a filter asks of a memory, as a JSON object; its looked-up ids are left out."""
    return json.dumps(
        {
            **row_of(
                where,
                "sources curators writers lifetimes tags phrases importance_min importance_max",
            ),
            **columns_of(where, "written_since written_before"),
            **row_of(where, "state without_embedding attention kinds"),
        },
        ensure_ascii=False,
    )


def filter_of(asks: str) -> MemoryFilter:
    """The filter that ``asks_json`` wrote down."""
    found = json.loads(asks)
    attention = found["attention"]
    return MemoryFilter(
        sources=frozenset(found["sources"]),
        curators=frozenset(map(Curator, found["curators"])),
        writers=frozenset(found["writers"]),
        lifetimes=frozenset(map(Lifetime, found["lifetimes"])),
        tags=frozenset(found["tags"]),
        importance_min=found["importance_min"],
        importance_max=found["importance_max"],
        written_since=from_ms_or_none(found["written_since"]),
        written_before=from_ms_or_none(found["written_before"]),
        phrases=frozenset(found["phrases"]),
        state=MemoryState(found["state"]),
        without_embedding=found["without_embedding"],
        attention=None if attention is None else AttentionKind(attention),
        kinds=frozenset(map(MemoryKind, found.get("kinds", ()))),
    )
