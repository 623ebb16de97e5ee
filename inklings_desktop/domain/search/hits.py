"""What a search comes upon: two short lists, and what ranking weighs of what is in them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.memory import ScopeKey

RRF_K = 60
LIST_LENGTH = 60
"""How many of the nearest are candidates: weak neighbours beyond them drown the strong hit."""
WORDS_LENGTH = 100
"""How many of the best matches are: a match far down may be near in meaning, or named."""


class KeywordHit(NamedTuple):
    """A full-text match: memory id, BM25 score, higher is better, and the memory's sequence."""

    id: str
    bm25: float
    sequence: int = 0


class SemanticHit(NamedTuple):
    """A near vector: memory id, cosine in [-1, 1] and the memory's sequence."""

    id: str
    cosine: float
    sequence: int = 0


class Candidate(NamedTuple):
    """A memory in at least one list, before anything is known of it but its places there."""

    id: str
    keyword_rank: int | None
    semantic_rank: int | None
    bm25: float
    sequence: int = 0

    @property
    def fused(self) -> float:
        """Its reciprocal rank fusion score: ``1/(60+rank)`` summed over both lists.

        Source: Cormack, Clarke and Büttcher 2009. It is told, and orders nothing.
        """
        ranks = (self.keyword_rank, self.semantic_rank)
        return sum(1.0 / (RRF_K + rank) for rank in ranks if rank is not None)


class Traits(NamedTuple):
    """What ranking weighs of a memory besides its places in the lists.

    Attributes:
        scope: Where it belongs.
        tags: What it is about.
        conversation: Where it was written, if that is known.
        importance: 0 to 1.
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


def repeating(traits: Mapping[str, Traits]) -> list[str]:
    """Those of these memories that may say the same as another."""
    times = Counter([one.said for one in traits.values()])
    if len(times) == len(traits):
        return []
    return [key for key, one in traits.items() if times[one.said] > 1]


def candidates(keyword: Sequence[KeywordHit], semantic: Sequence[SemanticHit]) -> list[Candidate]:
    """The memories that are in either list, each once.

    Args:
        keyword: Best match first, of one scope key.
        semantic: Nearest first, of the same scope key; empty without a model.
    """
    by_words = _ranks([hit.bm25 for hit in keyword])
    by_meaning = dict(
        zip([hit.id for hit in semantic], _ranks([hit.cosine for hit in semantic]), strict=True)
    )
    found = [
        Candidate(id_, rank, by_meaning.pop(id_, None), bm25, sequence)
        for (id_, bm25, sequence), rank in zip(keyword, by_words, strict=True)
    ]
    found += [
        Candidate(id_, None, by_meaning[id_], 0.0, sequence)
        for id_, _, sequence in semantic
        if id_ in by_meaning
    ]
    return found


def _ranks(scores: Sequence[float]) -> list[int]:
    """Places from 1; equal scores share the better place, so their order does not matter."""
    places = list(range(1, len(scores) + 1))
    for number in range(1, len(scores)):
        if scores[number] == scores[number - 1]:
            places[number] = places[number - 1]
    return places
