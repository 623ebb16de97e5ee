"""Keyword search of one file: BM25 over body, subject and context, weighted 1, .5 and .4."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from sqlalchemy import Float, Integer, bindparam, column, literal_column, select, table

from inklings_desktop.domain.listing import MemoryState
from inklings_desktop.domain.ranking import KeywordHit
from inklings_desktop.storage.conditions import among, in_scopes, is_retrievable, matching, visible
from inklings_desktop.storage.schema import memories
from inklings_desktop.storage.search_text import match_expression

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from sqlalchemy import ColumnElement, Row

    from inklings_desktop.domain.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.query_text import KeywordQuery
    from inklings_desktop.storage.transaction import Transaction

    Match = tuple[float, str]
    """Rank, lower is better, and memory id: matches sort by them."""
    Groups = dict[tuple[str, str], list[Match]]
    """Matches of each scope key."""

SPARE = 40
WIDER = 4
MAX_KNOWN = 1_000
MAX_LOOK = 4_000
"""Best matches of the whole file that are looked at before every match is joined."""

_index = table("memory_fts", column("rowid", Integer), column("rank", Float))
_FOUND = select(_index.c.rowid.label("sequence"), _index.c.rank).where(
    literal_column("memory_fts").op("MATCH")(bindparam("match"))
)
# Ordered by two columns: then SQLite keeps only the best in a heap, where the index alone would
# sort every match (measured: three quarters of the time at 10,000 memories).
_BEST = _FOUND.order_by(_index.c.rank, _index.c.rowid.desc()).limit(bindparam("look"))
_EVERY_MATCH = _FOUND.subquery("found")
_WHOSE = select(
    memories.c.sequence, memories.c.id, memories.c.tier, memories.c.scope_key, memories.c.agent_id
).where(among(memories.c.sequence, "wanted"), is_retrievable)


class Looks:
    """How many of a file's best matches had to be looked at before; safe from any thread.

    The fewer the faster; but where the best matches lie in other scope keys of the file, looking
    again costs more than having looked far enough at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Hashable, int] = {}

    def of(self, key: Hashable, least: int) -> int:
        """How many to look at; never fewer than are needed."""
        with self._lock:
            return max(least, self._known.get(key, 0))

    def learn(self, key: Hashable, look: int) -> None:
        """Remember that fewer left a scope key without its share."""
        with self._lock:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[key] = max(look, self._known.get(key, 0))


class SqliteFullTextIndex:
    """The ``FullTextIndex`` of one transaction."""

    def __init__(self, transaction: Transaction, looks: Looks) -> None:
        """Search as this transaction sees the file, with what earlier searches of it learned."""
        self._transaction = transaction
        self._looks = looks

    def search(
        self,
        scopes: Sequence[ScopeKey],
        query: KeywordQuery,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> dict[ScopeKey, tuple[KeywordHit, ...]]:
        """Each scope key's matches, best first; ties by id.

        The best matches of the file are found first and then asked whose they are: joining some
        dozen rows costs little, joining every match costs more than finding them.
        """
        match = match_expression(query)
        own = [
            scope
            for scope in dict.fromkeys(scopes)
            if scope.workspace_id == self._transaction.workspace_id
        ]
        if match is None or not own or where.state is not MemoryState.ACTIVE:
            return {}
        key = tuple(map(_key, own))
        look = self._looks.of(key, (limit + SPARE) * len(own))
        while True:
            best, groups = self._best(own, match, where, visible_to, limit, look)
            unsettled = [
                scope
                for scope in own
                if len(best) == look and not _is_settled(groups[_key(scope)], limit, best[-1].rank)
            ]
            if not unsettled or look >= MAX_LOOK:
                break
            look = min(look * WIDER, MAX_LOOK)
            if any(len(groups[_key(scope)]) < limit for scope in unsettled):
                self._looks.learn(key, look)
        for scope in unsettled:
            groups[_key(scope)] = self._every(scope, match, where, visible_to, limit)
        return {
            scope: tuple(KeywordHit(id_, -rank) for rank, id_ in sorted(group)[:limit])
            for scope in own
            if (group := groups[_key(scope)])
        }

    def _best(
        self,
        own: Sequence[ScopeKey],
        match: str,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
        look: int,
    ) -> tuple[Sequence[Row[int, float]], Groups]:
        """The best matches of the file, and those of each scope key among them."""
        best = self._transaction.connection.execute(_BEST, {"match": match, "look": look}).all()
        groups: Groups = {_key(scope): [] for scope in own}
        begun, step = 0, limit * len(own) + SPARE
        while begun < len(best):
            part = best[begun : begun + step]
            self._assign(groups, part, where, visible_to)
            begun, step = begun + len(part), len(best)
            if all(_is_settled(group, limit, part[-1].rank) for group in groups.values()):
                break
        return best, groups

    def _assign(
        self,
        groups: Groups,
        best: Sequence[Row[int, float]],
        where: MemoryFilter,
        visible_to: str | None,
    ) -> None:
        """Put each match to its scope key, if it may be found there."""
        ranks: dict[int, float] = {sequence: rank for sequence, rank in best}  # noqa: C416 rows
        statement = _WHOSE.where(*matching(where)) if where.selects_by_value else _WHOSE
        wanted = {"wanted": json.dumps(list(ranks))}
        rows = self._transaction.connection.execute(statement, wanted).all()
        for sequence, id_, tier, scope_key, agent_id in rows:
            if visible_to is None or agent_id in {None, visible_to}:
                group = groups.get((tier, scope_key))
                if group is not None:
                    group.append((ranks[sequence], id_))

    def _every(
        self,
        scope: ScopeKey,
        match: str,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> list[Match]:
        held: list[ColumnElement[bool]] = [
            in_scopes([scope], self._transaction.workspace_id),
            is_retrievable,
            *visible(visible_to),
            *matching(where),
        ]
        statement = (
            select(_EVERY_MATCH.c.rank, memories.c.id)
            .join_from(_EVERY_MATCH, memories, memories.c.sequence == _EVERY_MATCH.c.sequence)
            .where(*held)
            .order_by(_EVERY_MATCH.c.rank, memories.c.id)
            .limit(limit)
        )
        rows = self._transaction.connection.execute(statement, {"match": match})
        return [(rank, id_) for rank, id_ in rows]


def _key(scope: ScopeKey) -> tuple[str, str]:
    """A scope key as the rows of its file name it."""
    return scope.tier.value, scope.key


def _is_settled(group: Sequence[Match], limit: int, last_rank: float) -> bool:
    """Whether no match ranked from ``last_rank`` on can belong to the best of this group."""
    return len(group) >= limit and sorted(group)[limit - 1][0] < last_rank
