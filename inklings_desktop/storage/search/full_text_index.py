"""Keyword search of one file: BM25 over body, subject and context, weighted 1, .5 and .4."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.hits import Hits
from inklings_desktop.storage.rows.snapshot import WALL
from inklings_desktop.storage.search.search_text import joined_by_or, match_terms, terms_of
from inklings_desktop.storage.search.side_file.side_file import NONSENSE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.figures import FiguresIndex
    from inklings_desktop.storage.search.kept_selection import KeptSelection
    from inklings_desktop.storage.search.postings import Doubles, Integers, Postings
    from inklings_desktop.storage.search.word_arrays import WordArrays

    Match = tuple[float, str, int]
    """Rank, lower is better, memory id and sequence: matches sort by them."""
    Groups = dict[tuple[str, str], list[Match]]
    """Matches of each scope key."""

SPARE = 40
DECIMALS = 9
"""Scores nearer to each other than this are equal: sums may differ in their last digits."""

_FOUND = "SELECT rowid, rank FROM memory_fts WHERE memory_fts MATCH ?"
# Ordered by two columns: then SQLite keeps only the best in a heap, where the index alone would
# sort every match (measured: three quarters of the time at 10,000 memories).
_BEST = f"{_FOUND} ORDER BY rank, rowid DESC LIMIT ?"
_BEHIND_OTHER_WALLS = (
    "SELECT 1 FROM memories WHERE forgotten_at IS NULL AND paused = 0"  # noqa: S608
    f" AND {WALL} NOT IN (SELECT value FROM json_each(?)) LIMIT 1"
)
_WHOSE = (
    f"SELECT sequence, id, tier, scope_key, {WALL}"  # noqa: S608
    " FROM memories"
    " WHERE sequence IN (SELECT value FROM json_each(?)) AND forgotten_at IS NULL AND paused = 0"
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a search asks of every scope key."""

    terms: tuple[str, ...]
    where: MemoryFilter
    visible_to: frozenset[str] | None
    limit: int

    @property
    def match(self) -> str:
        """All of its terms at once."""
        return joined_by_or(self.terms)


class SqliteFullTextIndex:
    """The ``FullTextIndex`` of one transaction."""

    def __init__(
        self,
        transaction: Snapshot,
        arrays: WordArrays,
        selection: KeptSelection,
        figures: Callable[[], FiguresIndex],
    ) -> None:
        self._transaction = transaction
        self._arrays = arrays
        self._selection = selection
        self._figures = figures

    def search(
        self,
        scopes: Sequence[ScopeKey],
        query: KeywordQuery,
        *,
        where: MemoryFilter,
        visible_to: frozenset[str] | None,
        limit: int,
    ) -> dict[ScopeKey, Hits]:
        """Each scope key's matches, best first; ties by id.

        The best matches of the file are found first and then asked whose they are: joining some
        dozen rows costs little, joining every match costs more than finding them. Where that is
        not enough every match is compared with what the scope keys hold. What lies behind
        another's wall bears on no score: else figures would tell an agent which words it says.
        """
        own = [
            scope
            for scope in dict.fromkeys(scopes)
            if scope.workspace_id == self._transaction.workspace_id
        ]
        if not own or where.state is not MemoryState.ACTIVE:
            return {}
        postings = self._arrays.at_hand(self._transaction)
        if postings is None and self._hides_some(visible_to):
            postings = self._arrays.whole(self._transaction)
        if postings is not None:
            fitting = None
            if where.selects_by_value:
                from inklings_desktop.storage.search.kept_selection import allowed

                fitting = allowed(self._transaction, self._selection, own, where)
            try:
                return self._in_arrays(postings, own, query, fitting, visible_to, limit)
            except NONSENSE:
                self._arrays.refuse()
        terms = match_terms(query)
        if not terms:
            return {}
        asked = _Asked(terms, where, visible_to, limit)
        look = (limit + SPARE) * len(own)
        best, groups = self._best(own, asked, look)
        unsettled = [
            scope
            for scope in own
            if len(best) == look and not _is_settled(groups[_key(scope)], limit, best[-1][1])
        ]
        if unsettled:
            groups |= self._among_all(unsettled, asked)
        return {
            scope: Hits.of((id_, -rank, sequence) for rank, id_, sequence in sorted(group)[:limit])
            for scope in own
            if (group := groups[_key(scope)])
        }

    def _hides_some(self, visible_to: frozenset[str] | None) -> bool:
        """Whether rows are counted by the index that who asks may not learn of."""
        if visible_to is None:
            return False
        return bool(self._transaction.rows(_BEHIND_OTHER_WALLS, (json.dumps(list(visible_to)),)))

    def _in_arrays(
        self,
        postings: Postings,
        own: Sequence[ScopeKey],
        query: KeywordQuery,
        fitting: Integers | None,
        visible_to: frozenset[str] | None,
        limit: int,
    ) -> dict[ScopeKey, Hits]:
        from inklings_desktop.storage.search.postings import Term

        words, postings = self._arrays.words, postings.seen_by(visible_to)
        scores = postings.scores([Term(words(text), one) for text, one in terms_of(query)])
        hits = {
            scope: postings.best(scores, _key(scope), limit, visible_to=visible_to, allowed=fitting)
            for scope in own
        }
        return {scope: found for scope, found in hits.items() if found}

    def _best(
        self, own: Sequence[ScopeKey], asked: _Asked, look: int
    ) -> tuple[Sequence[tuple[int, float]], Groups]:
        """The best matches of the file, and those of each scope key among them."""
        best = self._transaction.rows(_BEST, (asked.match, look))
        groups: Groups = {_key(scope): [] for scope in own}
        begun, step = 0, asked.limit * len(own) + SPARE
        while begun < len(best):
            part = best[begun : begun + step]
            self._assign(groups, dict(part), asked)
            begun, step = begun + len(part), len(best)
            if all(_is_settled(group, asked.limit, part[-1][1]) for group in groups.values()):
                break
        return best, groups

    def _assign(self, groups: Groups, ranks: Mapping[int, float], asked: _Asked) -> None:
        """Put each match to its scope key, if it may be found there."""
        text, values = _WHOSE, (json.dumps(list(ranks)),)
        if asked.where.selects_by_value:
            from inklings_desktop.storage.search.matches import whose

            text, values = whose(ranks, asked.where)
        for sequence, id_, tier, scope_key, wall in self._transaction.rows(text, values):
            if wall is None or asked.visible_to is None or wall in asked.visible_to:
                group = groups.get((tier, scope_key))
                if group is not None:
                    group.append((round(ranks[sequence], DECIMALS), id_, sequence))

    def _among_all(self, scopes: Sequence[ScopeKey], asked: _Asked) -> Groups:
        """The best of each of these scope keys among every match of the file."""
        if asked.where.selects_by_value:
            return {_key(scope): self._joined(scope, asked) for scope in scopes}
        import numpy as np

        held = [self._figures().of_scopes([scope]).sequences for scope in scopes]
        ranks = self._ranks(asked.match, max(int(one.max(initial=0)) for one in held))
        # Of an agent's matches some may be private to others: more are looked at for it.
        n_wanted = asked.limit if asked.visible_to is None else 2 * asked.limit
        groups: Groups = {_key(scope): [] for scope in scopes}
        best: dict[int, float] = {}
        n_found: list[int] = []
        for sequences in held:
            # The index holds what is retrievable: only whose it is has to be asked.
            own = ranks[sequences]
            matched = np.flatnonzero(own)
            n_found.append(len(matched))
            if len(matched) > n_wanted:
                cut = np.partition(own[matched], n_wanted - 1)[n_wanted - 1]
                matched = np.flatnonzero(own <= cut)
            best.update(zip(sequences[matched].tolist(), own[matched].tolist(), strict=True))
        self._assign(groups, best, asked)
        for scope, n_matched in zip(scopes, n_found, strict=True):
            if len(groups[_key(scope)]) < min(asked.limit, n_matched):
                groups[_key(scope)] = self._joined(scope, asked)  # others' private ones in between
        return groups

    def _ranks(self, match: str, last_sequence: int) -> Doubles:
        """The rank of every memory of the file by sequence, at least to this one; 0 for others."""
        import numpy as np

        rows = self._transaction.rows(_FOUND, (match,))
        flat = np.fromiter(chain.from_iterable(rows), np.float64, 2 * len(rows)).reshape(-1, 2)
        sequences = flat[:, 0].astype(np.int64)
        ranks = np.zeros(1 + max(int(sequences.max(initial=0)), last_sequence))
        ranks[sequences] = flat[:, 1]
        return ranks

    def _joined(self, scope: ScopeKey, asked: _Asked) -> list[Match]:
        from inklings_desktop.storage.search.matches import best_matches

        text, values = best_matches(
            asked.match, scope, asked.where, visible_to=asked.visible_to, limit=asked.limit
        )
        rows = self._transaction.rows(text, values)
        return [(round(rank, DECIMALS), id_, sequence) for rank, id_, sequence in rows]


def _key(scope: ScopeKey) -> tuple[str, str]:
    """A scope key as the rows of its file name it."""
    return scope.tier.value, scope.key


def _is_settled(group: Sequence[Match], limit: int, last_rank: float) -> bool:
    """Whether no match ranked from ``last_rank`` on can belong to the best of this group."""
    return len(group) >= limit and sorted(group)[limit - 1][0] < last_rank
