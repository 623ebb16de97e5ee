"""What a search comes upon: two short lists, and what ranking weighs of what is in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, overload

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.explanation import Column, together

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inklings_desktop.domain.memory import ScopeKey

Columns = TypeVar("Columns", "Candidates", "Traits")

RRF_K = 60
LIST_LENGTH = 60
"""How many of the nearest are candidates: weak neighbours beyond them drown the strong hit."""
WORDS_LENGTH = 100
"""How many of the best matches are: a match far down may be near in meaning, or named."""
OF_SEVERAL = 2
"""So many times as many matches are looked at of several scope keys. Beside looking at the best of
each key, of 3,000 hits over four keys 18 are others, and 48 by words alone; never the first. With
as many as of one key it were 115 and 322 (measured)."""


class Hit(NamedTuple):
    """What an index found: memory id, how good it is, and the memory's sequence.

    The figure is a BM25 score or, of a vector, a cosine in [-1, 1]; higher is better.
    """

    id: str
    figure: float
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """What an index found under one scope key, best first, column by column as ``Hit`` names them.

    Columns, since a search has some 160 hits and most of them only to be counted in.
    """

    ids: Sequence[str] = ()
    figures: Sequence[float] = ()
    sequences: Sequence[int] = ()

    @classmethod
    def of(cls, hits: Iterable[tuple[str, float, int]]) -> Self:
        """These hits."""
        rows = list(hits)
        return cls(*map(list, zip(*rows, strict=True))) if rows else cls()

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> Hits: ...
    def __getitem__(self, place: int | slice) -> Hit | Hits:
        if isinstance(place, slice):
            return Hits(self.ids[place], self.figures[place], self.sequences[place])
        return Hit(self.ids[place], self.figures[place], self.sequences[place])

    def at(self, places: Sequence[int]) -> Hits:
        """Those at some places."""
        return Hits.of(map(self.__getitem__, places))


NO_HITS = Hits()


@dataclass(frozen=True, slots=True)
class Candidates:
    """The memories in at least one of two lists, each once, column by column.

    Attributes:
        ids: Of the memories; all that follows is in the same order.
        sequences: Theirs.
        keyword_ranks: Place in the keyword list from 1, equal scores sharing the better one; None
            for one that is not in it.
        semantic_ranks: Place in the meaning list likewise.
        scores: BM25; 0 for one that is not in the keyword list.
        cosines: To the query; None for one that is not in the meaning list.
    """

    ids: Sequence[str] = ()
    sequences: Sequence[int] = ()
    keyword_ranks: Sequence[int | None] = ()
    semantic_ranks: Sequence[int | None] = ()
    scores: Sequence[float] = ()
    cosines: Sequence[float | None] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def fused(self, place: int) -> float:
        """The reciprocal rank fusion score of one: ``1/(60+rank)`` summed over both lists.

        Source: Cormack, Clarke and Büttcher 2009. It is told, and orders nothing.
        """
        ranks = (self.keyword_ranks[place], self.semantic_ranks[place])
        return sum(1.0 / (RRF_K + rank) for rank in ranks if rank is not None)


class Trait(NamedTuple):
    """What ranking weighs of a memory besides its places in the lists.

    Attributes:
        tags: What it is about.
        conversation: Where it was written, if that is known.
        touched: Milliseconds since 1970 from which its hours count.
        access_count: Reads by agents.
        pinned: Never fades.
        said: Key of its content; those that say the same share one.
        cosine: To the query; None where meaning is not compared, or it has no vector.
    """

    scope: ScopeKey
    tags: tuple[str, ...]
    conversation: str | None
    importance: float
    touched: int
    access_count: int = 0
    pinned: bool = False
    said: bytes = b""
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of some memories, column by column; each column as ``Trait`` names it.

    Figures of importance and age are lists or arrays.

    Attributes:
        ids: Of the memories; all that follows is in the same order.
    """

    ids: Sequence[str] = ()
    scopes: Sequence[ScopeKey] = ()
    tags: Sequence[tuple[str, ...]] = ()
    conversations: Sequence[str | None] = ()
    importances: Column = ()
    touched: Column = ()
    access_counts: Column = ()
    pinned: Sequence[bool] = ()
    said: Sequence[bytes] = ()
    cosines: Sequence[float | None] = ()

    @classmethod
    def of(cls, traits: Mapping[str, Trait]) -> Self:
        """The traits of these memories."""
        return cls(list(traits), *zip(*traits.values(), strict=True)) if traits else cls()

    def __len__(self) -> int:
        return len(self.ids)

    def by_id(self) -> dict[str, Trait]:
        """Each memory's own."""
        return {id_: Trait._make(row) for id_, *row in zip(*_columns(self), strict=True)}

    def repeating(self) -> list[str]:
        """Those of these memories that may say the same as another."""
        times = Counter(self.said)
        if len(times) == len(self):
            return []
        return [id_ for id_, said in zip(self.ids, self.said, strict=True) if times[said] > 1]


def aligned(found: Candidates, traits: Traits) -> tuple[Candidates, Traits]:
    """The candidates whose traits are known, and these, in the order of the candidates."""
    if found.ids == traits.ids:
        return found, traits
    places = {id_: place for place, id_ in enumerate(traits.ids)}
    known = [place for place, id_ in enumerate(found.ids) if id_ in places]
    return _at(found, known), _at(traits, [places[found.ids[place]] for place in known])


def best_of_all(parts: Sequence[Candidates], n_words: int) -> list[Candidates]:
    """The candidates of several scope keys without matches that are far down among all of them.

    Args:
        parts: Those of each scope key; of the nearest, those that are near beside all others.
        n_words: How many of the best matches of one scope key are candidates.

    Returns:
        Of each part the nearest and the best matches, those with equal scores included.
    """
    scores = sorted([one for part in parts for one in part.scores], reverse=True)
    n_wanted = OF_SEVERAL * n_words
    least = scores[n_wanted - 1] if len(scores) > n_wanted else 0.0
    best = []
    for part in parts:
        columns = enumerate(zip(part.scores, part.cosines, strict=True))
        places = [at for at, (score, cosine) in columns if score >= least or cosine is not None]
        best.append(_at(part, places))
    return best


def joined(parts: Sequence[Columns]) -> Columns:
    """What was found under several scope keys as one; at least one part."""
    first = parts[0]
    if len(parts) == 1:
        return first
    return type(first)(*map(together, zip(*map(_columns, parts), strict=True)))


def _at(whole: Columns, places: Sequence[int]) -> Columns:
    return type(whole)(*([column[place] for place in places] for column in _columns(whole)))


def _columns(whole: Candidates | Traits) -> list[Sequence[Any]]:
    return [getattr(whole, name) for name in whole.__dataclass_fields__]


def candidates(keyword: Hits, semantic: Hits) -> Candidates:
    """The memories that are in either list, each once.

    Args:
        keyword: Best match first, of one scope key.
        semantic: Nearest first, of the same scope key; empty without a model.
    """
    n_matched = len(keyword)
    place_of = dict(zip(keyword.ids, range(n_matched), strict=True))
    places = [place_of.setdefault(id_, len(place_of)) for id_ in semantic.ids]
    n_rest = len(place_of) - n_matched
    sequences = [*keyword.sequences, *[0] * n_rest]
    by_meaning: list[int | None] = [None] * len(place_of)
    cosines: list[float | None] = [None] * len(place_of)
    ranks = _ranks(semantic.figures)
    rows = zip(places, semantic.sequences, ranks, semantic.figures, strict=True)
    for place, sequence, rank, cosine in rows:
        sequences[place], by_meaning[place], cosines[place] = sequence, rank, cosine
    return Candidates(
        list(place_of),
        sequences,
        [*_ranks(keyword.figures), *[None] * n_rest],
        by_meaning,
        [*keyword.figures, *[0.0] * n_rest],
        cosines,
    )


def _ranks(scores: Sequence[float]) -> list[int]:
    """Places from 1; equal scores share the better place, so their order does not matter."""
    places = list(range(1, len(scores) + 1))
    if len(set(scores)) < len(scores):
        for number in range(1, len(scores)):
            if scores[number] == scores[number - 1]:
                places[number] = places[number - 1]
    return places
