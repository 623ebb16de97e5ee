"""How the hits of one search are ordered, and why.

Two short lists, keywords and meaning, are fused by reciprocal rank fusion (Cormack, Clarke and
Büttcher 2009) to collect the candidates; a blend of both scores orders them; relevance weighs in
gently, so that it breaks near ties and never buries the right answer; near-duplicates are folded
into the better hit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.query_text import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry

RRF_K = 60
MEANINGFUL_COSINE = 0.25
RELEVANCE_FLOOR = 0.9


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """A full-text match: memory id and BM25 score, higher is better."""

    id: str
    bm25: float


@dataclass(frozen=True, slots=True)
class SemanticHit:
    """A near vector: memory id and cosine in [-1, 1]."""

    id: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it stands.

    Attributes:
        keyword_rank: Place in the keyword list from 1; None if it was not in it.
        semantic_rank: Place in the meaning list from 1; None if it was not in it.
        bm25: Keyword score, 0 without a match.
        cosine: Likeness of meaning; None without vectors.
        fused: Reciprocal rank fusion score, ``1/(60+rank)`` summed over both lists.
        blend: Half scaled cosine, half scaled BM25, 0 to 1.
        relevance: Importance after decay and reads.
        relevance_factor: ``0.9 + 0.1 · min(1, relevance)``.
    """

    keyword_rank: int | None
    semantic_rank: int | None
    bm25: float
    cosine: float | None
    fused: float
    blend: float
    relevance: float
    relevance_factor: float


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One hit in final order.

    Attributes:
        entry: The memory.
        score: What ordered the list: blend times relevance factor.
        explanation: How the score came about.
    """

    entry: MemoryEntry
    score: float
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory in at least one list, before its relevance is known."""

    id: str
    keyword_rank: int | None
    semantic_rank: int | None
    bm25: float
    cosine: float | None
    fused: float
    blend: float


def candidates(
    keyword: Sequence[KeywordHit], semantic: Sequence[SemanticHit]
) -> tuple[Candidate, ...]:
    """Every memory of both lists with its fused score and blend; best fused score first.

    Args:
        keyword: Best match first.
        semantic: Nearest first; empty without a model.

    Returns:
        Equal scores fall back to the id, so the same lists always give the same order.
    """
    keyword_ranks = {hit.id: rank for rank, hit in enumerate(keyword, start=1)}
    semantic_ranks = {hit.id: rank for rank, hit in enumerate(semantic, start=1)}
    bm25 = {hit.id: hit.bm25 for hit in keyword}
    cosine = {hit.id: hit.cosine for hit in semantic}
    best_bm25 = max(bm25.values(), default=0.0)
    low, high = min(cosine.values(), default=0.0), max(cosine.values(), default=0.0)
    weight = 0.5 if keyword and semantic else 1.0

    def blended(memory_id: str) -> float:
        by_words = bm25.get(memory_id, 0.0) / best_bm25 if best_bm25 > 0 else 0.0
        by_meaning = _scaled(cosine.get(memory_id), low, high)
        return weight * by_words + (weight * by_meaning if semantic else 0.0)

    found = [
        Candidate(
            memory_id,
            keyword_ranks.get(memory_id),
            semantic_ranks.get(memory_id),
            bm25.get(memory_id, 0.0),
            cosine.get(memory_id),
            sum(
                1.0 / (RRF_K + ranks[memory_id])
                for ranks in (keyword_ranks, semantic_ranks)
                if memory_id in ranks
            ),
            blended(memory_id),
        )
        for memory_id in keyword_ranks | semantic_ranks
    ]
    return tuple(sorted(found, key=lambda one: (-one.fused, one.id)))


def ranked(
    found: Sequence[Candidate],
    entries: Mapping[str, MemoryEntry],
    relevance: Mapping[str, float],
) -> tuple[RankedHit, ...]:
    """The candidates as hits, best score first, exact repeats folded into the better one.

    Args:
        found: What ``candidates`` returned.
        entries: Memories by id; a candidate without its memory is left out.
        relevance: Relevance by id.
    """
    hits = []
    for one in found:
        entry = entries.get(one.id)
        if entry is None:
            continue
        factor = RELEVANCE_FLOOR + (1.0 - RELEVANCE_FLOOR) * min(1.0, relevance[one.id])
        hits.append(
            RankedHit(
                entry,
                one.blend * factor,
                Explanation(
                    one.keyword_rank,
                    one.semantic_rank,
                    one.bm25,
                    one.cosine,
                    one.fused,
                    one.blend,
                    relevance[one.id],
                    factor,
                ),
            )
        )
    hits.sort(key=lambda hit: (-hit.score, -hit.explanation.fused, hit.entry.id))
    return _folded_repeats(hits)


def _folded_repeats(hits: Sequence[RankedHit]) -> tuple[RankedHit, ...]:
    seen: set[tuple[str, str]] = set()
    kept = []
    for hit in hits:
        text = (hit.entry.scope.key, " ".join(folded(hit.entry.content).split()))
        if text not in seen:
            seen.add(text)
            kept.append(hit)
    return tuple(kept)


def _scaled(cosine: float | None, low: float, high: float) -> float:
    if cosine is None:
        return 0.0
    return 1.0 if high <= low else (cosine - low) / (high - low)
