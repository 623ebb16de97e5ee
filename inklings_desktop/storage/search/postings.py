"""The words of a file's memories as arrays: FTS5's own scores, several times as fast.

A segment never changes. Rows that change are dead in the segments that hold them, and live on in a
new one; counts run over the living of all segments, so scores stay those of the index itself.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.hits import NO_HITS, Hits
from inklings_desktop.storage.search.vector_base import coded_ids, passing, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from inklings_desktop.storage.search.tokens import Tokenizer

    Integers = npt.NDArray[np.integer[Any]]
    Places = npt.NDArray[np.uint32]
    Doubles = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

WEIGHTS = np.array([1.0, 0.5, 0.4])
"""Of body, subject and context, as the index has them."""
K1, B = 1.2, 0.75
LEAST_IDF = 1e-6
BEFORE_ALL = 100_000
"""Where the line of words begins: further than any phrase reaches back from its last word."""
LAST_SIGN = chr(0x10FFFF)
DECIMALS = 9
"""Scores nearer to each other than this are equal: sums may differ in their last digits."""


class Row(NamedTuple):
    """One row of the index, and whose it is."""

    sequence: int
    texts: tuple[str, str, str]
    id: str
    tier: str
    scope_key: str
    agent_id: str | None

    @property
    def digest(self) -> int:
        """Tells a row that says something else, or is somebody else's, from this one."""
        said = "\0".join((*self.texts, self.agent_id or "")).encode(errors="surrogatepass")
        return int.from_bytes(blake2b(said, digest_size=8).digest(), "little", signed=True)


class Term(NamedTuple):
    """What a question looks for: words that follow each other, the last maybe unfinished."""

    words: tuple[str, ...]
    is_open: bool = False


@dataclass(frozen=True, eq=False)
class Segment:
    """Some rows of the index; its arrays may lie in a file.

    Attributes:
        ids: Of the memories, in order of the row.
        scopes: int32, shape (n_rows,): the number of each row's scope key.
        agents: int32, shape (n_rows,): the number of the agent that it is private to; 0 for shared.
        sequences: int64, shape (n_rows,), rising.
        digests: int64, shape (n_rows,): tell whether a row still says the same.
        begins: uint32, shape (3 * n_rows,): where the columns of each row begin in the long line of
            all words; between two columns there is a gap.
        lengths: uint32, shape (n_rows,): words of each row.
        words: Sorted.
        places: uint32: where each word stands in the line, word by word.
        bounds: int64, shape (n_words + 1,): where the places of each word begin.
        docs: int32: the rows that have each word, word by word.
        codes: Beside them, how often a row has the word, as a place in ``weights``.
        doc_bounds: int64, shape (n_words + 1,): where the rows of each word begin.
        weights: float64: how often, by the weights of the columns.
    """

    ids: Sequence[str]
    scopes: Integers
    agents: Integers
    sequences: Integers
    digests: Integers
    begins: Places
    lengths: Places
    words: Sequence[str]
    places: Places
    bounds: Integers
    docs: Integers
    codes: Integers
    doc_bounds: Integers
    weights: Doubles

    @classmethod
    def of(cls, blocks: Iterable[Sequence[Row]], tokenizer: Tokenizer, numbers: Numbers) -> Self:
        """These rows, taken block by block, so that their texts need not be held together.

        Args:
            blocks: Rows in order of their sequences.
            tokenizer: Cuts their texts.
            numbers: Of scope keys and agents.
        """
        known: dict[str, int] = {}
        ids: list[str] = []
        heads: list[tuple[int, int, int, int]] = []
        parts: list[npt.NDArray[np.int32]] = [np.empty((3, 0), np.int32)]
        for block in blocks:
            instances = tokenizer.instances([row.texts for row in block])
            if instances:
                words, texts, columns, offsets = zip(*instances, strict=True)
                codes = [known.setdefault(word, len(known)) for word in words]
                fields = 3 * (np.array(texts, np.int32) + len(ids)) + columns
                parts.append(np.array([codes, fields, offsets], np.int32))
            ids += [row.id for row in block]
            heads += [
                (
                    numbers.of_scope(row.tier, row.scope_key),
                    numbers.of_agent(row.agent_id),
                    row.sequence,
                    row.digest,
                )
                for row in block
            ]
        codes, fields, offsets = np.concatenate(parts, axis=1)
        counts = np.bincount(fields, minlength=3 * len(ids))
        begins = BEFORE_ALL + np.cumsum(counts + 1) - (counts + 1)
        in_order = sorted(known)
        renamed = np.empty(len(known), np.int32)
        renamed[[known[word] for word in in_order]] = np.arange(len(known))
        codes = renamed[codes]
        places = (begins[fields] + offsets).astype(np.uint32)
        order = np.lexsort((places, codes))
        codes, fields, places = codes[order], fields[order], places[order]
        rows, columns = np.divmod(fields, 3)
        is_first = np.ones(len(codes), np.bool_)
        is_first[1:] = (codes[1:] != codes[:-1]) | (rows[1:] != rows[:-1])
        starts = np.flatnonzero(is_first)
        often = np.add.reduceat(WEIGHTS[columns], starts) if len(starts) else _NO_WEIGHTS
        weights, weight_codes = np.unique(often, return_inverse=True)
        scopes, agents, sequences, digests = np.array(heads, np.int64).reshape(-1, 4).T
        return cls(
            ids,
            scopes.astype(np.int32),
            agents.astype(np.int32),
            sequences.copy(),
            digests.copy(),
            begins.astype(np.uint32),
            counts.reshape(-1, 3).sum(axis=1).astype(np.uint32),
            in_order,
            places,
            _bounds(codes, len(known)),
            rows[starts].astype(np.int32),
            weight_codes.astype(np.uint16 if len(weights) <= 1 << 16 else np.uint32),
            _bounds(codes[starts], len(known)),
            weights,
        )

    def rows_of(self, sequences: Integers) -> Integers:
        """The rows of those of these memories that are here."""
        if not len(self.sequences):
            return _NO_ROWS
        rows = np.minimum(self.sequences.searchsorted(sequences), len(self.sequences) - 1)
        found: Integers = rows[self.sequences[rows] == sequences]
        return found

    def without(self, sequences: Integers, alive: Mask) -> Mask:
        """Which of these rows are left without some memories."""
        gone = self.rows_of(sequences)
        if not len(gone):
            return alive
        left = alive.copy()
        left[gone] = False
        return left

    def places_of(self, term: Term) -> Places:
        """Where a term begins."""
        *before, last = term.words
        found = self._places(last, is_open=term.is_open)
        for back, word in enumerate(reversed(before), start=1):
            if not len(found):
                return found
            # The rarer one is looked for in the other.
            other = self._places(word, is_open=False)
            wanted = found - np.uint32(back)
            if len(other) < len(wanted):
                found = other[_among(other, wanted)] + np.uint32(back)
            else:
                found = found[_among(wanted, other)]
        return found

    def weighted(self, term: Term) -> tuple[Integers, Doubles]:
        """Rows with a term, and how often each has it, by the weights of the columns."""
        if len(term.words) > 1 or term.is_open:
            return self._counted(self.places_of(term))
        word = term.words[0]
        known = self._weighted.get(word)
        if known is None:
            known = self._weighted[word] = self._of_word(word)
        return known

    @cached_property
    def _weighted(self) -> dict[str, tuple[Integers, Doubles]]:
        return {}

    @cached_property
    def _numbers(self) -> dict[str, int | None]:
        return {}

    def _of_word(self, word: str) -> tuple[Integers, Doubles]:
        number = self._number(word)
        if number is None:
            return _NO_ROWS, _NO_WEIGHTS
        here = slice(self.doc_bounds[number], self.doc_bounds[number + 1])
        return self.docs[here], self.weights[self.codes[here]]

    def _counted(self, places: Places) -> tuple[Integers, Doubles]:
        if not len(places):
            return _NO_ROWS, _NO_WEIGHTS
        columns = self.begins.searchsorted(places, side="right") - 1
        rows, columns = np.divmod(columns, 3)
        is_first = np.ones(len(rows), np.bool_)
        np.not_equal(rows[1:], rows[:-1], out=is_first[1:])
        starts = is_first.nonzero()[0]
        return rows[starts], np.add.reduceat(WEIGHTS[columns], starts)

    def _places(self, word: str, *, is_open: bool) -> Places:
        if not is_open:
            number = self._number(word)
            if number is None:
                return self.places[:0]
            return self.places[self.bounds[number] : self.bounds[number + 1]]
        first = bisect_left(self.words, word)
        last = bisect_left(self.words, f"{word}{LAST_SIGN}", lo=first)
        return np.sort(self.places[self.bounds[first] : self.bounds[last]])

    def _number(self, word: str) -> int | None:
        """The place of a word among all words; None for one that no row has."""
        if word not in self._numbers:
            at = bisect_left(self.words, word)
            is_here = at < len(self.words) and self.words[at] == word
            self._numbers[word] = at if is_here else None
        return self._numbers[word]


def _bounds(codes: npt.NDArray[np.int32], n_words: int) -> Integers:
    """Where each word begins among codes that rise; int64, shape (n_words + 1,)."""
    return np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n_words))])


_NO_ROWS = np.empty(0, np.int64)
_NO_WEIGHTS = np.empty(0, np.float64)


class Numbers:
    """Numbers that stand for scope keys and agents of a file; once given they stay."""

    def __init__(self, scopes: Iterable[tuple[str, str]] = (), agents: Iterable[str] = ()) -> None:
        """Know those that were given before.

        Args:
            scopes: Tier and scope key, in the order of their numbers.
            agents: In the order of theirs, from 1.
        """
        self._scopes = {scope: number for number, scope in enumerate(scopes)}
        self._agents: dict[str | None, int] = {None: 0}
        for agent in agents:
            self.of_agent(agent)

    @property
    def scopes(self) -> tuple[tuple[str, str], ...]:
        """Tier and scope key by number."""
        return tuple(self._scopes)

    @property
    def agents(self) -> tuple[str, ...]:
        """Agents by number, from 1."""
        # Copied at one stroke: another search may be giving one its number.
        return tuple(one for one in list(self._agents) if one is not None)

    def of_scope(self, tier: str, scope_key: str) -> int:
        """The number of a scope key."""
        return self._scopes.setdefault((tier, scope_key), len(self._scopes))

    def scope(self, tier: str, scope_key: str) -> int | None:
        """The number of a scope key, if any row has it."""
        return self._scopes.get((tier, scope_key))

    def of_agent(self, agent_id: str | None) -> int:
        """The number of an agent; 0 for nobody."""
        return self._agents.setdefault(agent_id, len(self._agents))


@dataclass(frozen=True, eq=False)
class Postings:
    """Every searchable row of a file in one state.

    Attributes:
        segments: The oldest first.
        alive: For each segment, bool, shape (n_rows,): which of its rows hold.
        numbers: Of scope keys and agents; shared with later states.
    """

    segments: tuple[Segment, ...]
    alive: tuple[Mask, ...]
    numbers: Numbers

    @cached_property
    def _whole(self) -> list[bool]:
        return [bool(alive.all()) for alive in self.alive]

    @property
    def n_later(self) -> int:
        """Rows of all segments but the first."""
        return sum(len(one.ids) for one in self.segments[1:])

    @cached_property
    def _norms(self) -> tuple[int, Sequence[npt.NDArray[np.floating[Any]]]]:
        """How many rows hold; for each segment, what BM25 sets against how often a term is said."""
        pairs = list(zip(self.segments, self.alive, strict=True))
        n_rows = sum(int(alive.sum()) for _, alive in pairs)
        n_words = sum(float(one.lengths[alive].sum()) for one, alive in pairs)
        average = n_words / n_rows if n_rows and n_words else 1.0
        return n_rows, [K1 * (1.0 - B + B * one.lengths / average) for one in self.segments]

    def seen_by(self, visible_to: frozenset[str] | None) -> Self:
        """The same without the rows behind other walls: they bear on no score that is told there.

        Args:
            visible_to: Walls behind which it is asked; None sees every row.
        """
        is_passed = passing(self.numbers.agents, visible_to)
        if is_passed is None:
            return self
        pairs = zip(self.segments, self.alive, strict=True)
        return replace(self, alive=tuple(alive & is_passed[one.agents] for one, alive in pairs))

    def scores(self, terms: Sequence[Term]) -> list[Doubles]:
        """BM25 of every row of every segment, added up in the order of the terms."""
        n_rows, norms = self._norms
        hits = [[one.weighted(term) for one in self.segments] for term in terms if term.words]
        idfs: list[float] = []
        for of_term in hits:
            n_hits = sum(
                len(rows) if is_whole else int(np.count_nonzero(alive[rows]))
                for (rows, _), alive, is_whole in zip(of_term, self.alive, self._whole, strict=True)
            )
            idf = math.log((n_rows - n_hits + 0.5) / (n_hits + 0.5))
            idfs.append(max(idf, LEAST_IDF))
        found: list[Doubles] = []
        for place, (one, norm) in enumerate(zip(self.segments, norms, strict=True)):
            rows = np.concatenate([_NO_ROWS, *(of_term[place][0] for of_term in hits)])
            often = np.concatenate([_NO_WEIGHTS, *(of_term[place][1] for of_term in hits)])
            lengths = np.array([len(of_term[place][0]) for of_term in hits], np.int64)
            idf_of = np.repeat(np.array(idfs), lengths)
            # All terms at once; what a row adds up to is still added in their order.
            share = idf_of * (often * (K1 + 1.0) / (often + norm[rows]))
            scores = np.bincount(rows, share, minlength=len(one.ids))
            found.append(scores.astype(np.float64, copy=False))
        return found

    def best(
        self,
        scores: Sequence[Doubles],
        scope: tuple[str, str],
        limit: int,
        *,
        visible_to: frozenset[str] | None,
        allowed: Integers | None,
    ) -> Hits:
        """The best rows of a scope key; equal ones by id.

        Args:
            scores: What ``scores`` gave.
            scope: Tier and scope key.
            limit: Most rows wanted.
            visible_to: Walls behind which it is asked; None sees every row.
            allowed: Sequences that may come back; None allows all.
        """
        number = self.numbers.scope(*scope)
        is_passed = passing(self.numbers.agents, visible_to)
        parts: list[tuple[Doubles, npt.NDArray[np.bytes_], Integers]] = []
        for one, alive, score in zip(self.segments, self.alive, scores, strict=True):
            mask = (score > 0.0) & alive & (one.scopes == number)
            if is_passed is not None:
                mask &= is_passed[one.agents]
            rows = mask.nonzero()[0]
            if allowed is not None:
                rows = rows[np.isin(one.sequences[rows], allowed)]
            own = score[rows]
            if len(rows) > limit:
                cut = np.partition(own, len(own) - limit)[len(own) - limit]
                is_best = own >= cut - 10.0**-DECIMALS  # what may be equal to the last
                rows, own = rows[is_best], own[is_best]
            if len(rows):
                ids = coded_ids(one.ids, rows)
                parts.append((own.round(DECIMALS), ids, one.sequences[rows]))
        if not parts:
            return NO_HITS
        best, ids, sequences = map(np.concatenate, zip(*parts, strict=True))
        order = np.lexsort((ids, -best))[:limit]
        return Hits(texts_of(ids[order]), best[order].tolist(), sequences[order].tolist())

    def with_rows(self, gone: Integers, rows: Sequence[Row], tokenizer: Tokenizer) -> Self:
        """The state after these rows came, in the place of all that had their sequences.

        Args:
            gone: Sequences of rows that hold no longer, those of ``rows`` among them.
            rows: Those that came.
            tokenizer: Cuts their texts.
        """
        alive = tuple(
            one.without(gone, alive) for one, alive in zip(self.segments, self.alive, strict=True)
        )
        if not rows:
            return replace(self, alive=alive)
        in_order = sorted(rows, key=lambda row: row.sequence)
        fresh = Segment.of([in_order], tokenizer, self.numbers)
        return replace(
            self,
            segments=(*self.segments, fresh),
            alive=(*alive, np.ones(len(rows), np.bool_)),
        )

    def without_the_smallest(self) -> tuple[Self, set[int]]:
        """The state without its latest segments, and whose rows those held.

        They are to be made into one, so that there are never many: a search asks each of them.
        """
        n_kept, n_held = len(self.segments), 0
        while n_kept > 1 and len(self.segments[n_kept - 1].ids) <= max(4 * n_held, 1):
            n_kept -= 1
            n_held += len(self.segments[n_kept].ids)
        n_kept = max(1, min(n_kept, len(self.segments) - 2))
        held = {one for each in self.segments[n_kept:] for one in each.sequences.tolist()}
        return replace(self, segments=self.segments[:n_kept], alive=self.alive[:n_kept]), held

    def unchanged(self, rows: Sequence[Row]) -> set[int]:
        """Sequences of those of these rows that stand here word for word."""
        wanted = np.array([row.sequence for row in rows], np.int64)
        known: dict[int, int] = {}
        for one, alive in zip(self.segments, self.alive, strict=True):
            places = one.rows_of(wanted)
            places = places[alive[places]]
            known.update(
                zip(one.sequences[places].tolist(), one.digests[places].tolist(), strict=True)
            )
        return {row.sequence for row in rows if known.get(row.sequence) == row.digest}


def _among(sought: Places, known: Places) -> Mask:
    """Which of these places are among others, which rise."""
    at = known.searchsorted(sought)
    at[at == len(known)] = 0
    return known[at] == sought if len(known) else np.zeros(len(sought), np.bool_)
