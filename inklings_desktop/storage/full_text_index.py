"""Keyword search of one file: BM25 over body, subject and context, weighted 1, .5 and .4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Float, Integer, bindparam, column, literal_column, select, table

from inklings_desktop.domain.listing import MemoryState
from inklings_desktop.domain.ranking import KeywordHit
from inklings_desktop.storage.conditions import in_scopes, is_retrievable, matching, visible
from inklings_desktop.storage.schema import memories
from inklings_desktop.storage.search_text import match_expression

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Row, Subquery

    from inklings_desktop.domain.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.query_text import KeywordQuery
    from inklings_desktop.storage.transaction import Transaction

FIRST_LOOK = 400
"""Best matches of the whole file that are looked at before every match is joined."""

_index = table("memory_fts", column("rowid", Integer), column("rank", Float))
_FOUND = select(_index.c.rowid.label("sequence"), _index.c.rank).where(
    literal_column("memory_fts").op("MATCH")(bindparam("match"))
)
_EVERY_MATCH = _FOUND.subquery("found")


def _best_of_file(look: int) -> Subquery:
    """The best matches of the whole file.

    Joining some hundred rows costs little; joining every match costs more than finding them.
    """
    return _FOUND.order_by(_index.c.rank, _index.c.rowid.desc()).limit(look).subquery("found")


class SqliteFullTextIndex:
    """The ``FullTextIndex`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        """Search as this transaction sees the file."""
        self._transaction = transaction

    def search(
        self,
        scopes: Sequence[ScopeKey],
        query: KeywordQuery,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> tuple[KeywordHit, ...]:
        """Best matches first; ties by the later written."""
        match = match_expression(query)
        if match is None or not scopes or where.state is not MemoryState.ACTIVE:
            return ()
        held = [
            in_scopes(scopes, self._transaction.workspace_id),
            is_retrievable,
            *visible(visible_to),
            *matching(where),
        ]
        rows = self._rows(_best_of_file(max(FIRST_LOOK, 2 * limit)), match, held, limit)
        if len(rows) < limit:
            # Few matches at all, or the best ones lie in other scope keys of this file.
            rows = self._rows(_EVERY_MATCH, match, held, limit)
        return tuple(KeywordHit(row.id, -row.rank) for row in rows)

    def _rows(
        self, matches: Subquery, match: str, held: Sequence[ColumnElement[bool]], limit: int
    ) -> Sequence[Row[str, float]]:
        statement = (
            select(memories.c.id, matches.c.rank)
            .join_from(matches, memories, memories.c.sequence == matches.c.sequence)
            .where(*held)
            .order_by(matches.c.rank, memories.c.sequence.desc())
            .limit(limit)
        )
        return self._transaction.connection.execute(statement, {"match": match}).all()
