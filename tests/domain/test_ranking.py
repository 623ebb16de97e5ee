from __future__ import annotations

import math

import pytest

from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.domain.ranking import (
    KeywordHit,
    RankedHit,
    SemanticHit,
    candidates,
    ranked,
)
from tests.support.builders import WORKSPACE_ID, a_memory

KEYWORD = (KeywordHit("a", 8.0), KeywordHit("b", 4.0), KeywordHit("c", 2.0))
SEMANTIC = (SemanticHit("c", 0.9), SemanticHit("d", 0.5), SemanticHit("b", 0.1))


def entries_of(*contents: str) -> dict[str, MemoryEntry]:
    return {
        key: a_memory(content, memory_id=key, sequence=number)
        for number, (key, content) in enumerate(zip("abcdefgh", contents, strict=False), start=1)
    }


def ids(hits: tuple[RankedHit, ...]) -> list[str]:
    return [hit.entry.id for hit in hits]


def test_nothing_found_is_no_candidate() -> None:
    assert candidates((), ()) == ()
    assert ranked((), {}, {}) == ()


def test_both_lists_are_fused_by_reciprocal_rank() -> None:
    fused = {one.id: one.fused for one in candidates(KEYWORD, SEMANTIC)}
    assert fused == pytest.approx(
        {"a": 1 / 61, "b": 1 / 62 + 1 / 63, "c": 1 / 63 + 1 / 61, "d": 1 / 62}
    )
    assert [one.id for one in candidates(KEYWORD, SEMANTIC)] == ["c", "b", "a", "d"]


def test_the_blend_is_half_words_and_half_meaning() -> None:
    blend = {one.id: one.blend for one in candidates(KEYWORD, SEMANTIC)}
    assert blend == pytest.approx(
        {"a": 0.5, "b": 0.25 + 0.0, "c": 0.125 + 0.5, "d": 0.5 * (0.5 - 0.1) / 0.8}
    )


def test_words_alone_are_scaled_by_the_best_match() -> None:
    found = candidates(KEYWORD, ())
    assert [(one.id, one.blend) for one in found] == [("a", 1.0), ("b", 0.5), ("c", 0.25)]
    assert all(one.cosine is None and one.semantic_rank is None for one in found)
    assert [one.keyword_rank for one in found] == [1, 2, 3]


def test_meaning_alone_is_scaled_to_its_range() -> None:
    found = candidates((), SEMANTIC)
    assert [(one.id, one.blend) for one in found] == [
        ("c", 1.0),
        ("d", pytest.approx(0.5)),
        ("b", 0.0),
    ]
    assert all(one.keyword_rank is None and one.bm25 == 0.0 for one in found)


def test_a_single_or_equal_cosine_counts_in_full() -> None:
    assert candidates((), (SemanticHit("a", 0.3),))[0].blend == 1.0
    equal = candidates((), (SemanticHit("a", 0.3), SemanticHit("b", 0.3)))
    assert [one.blend for one in equal] == [1.0, 1.0]


def test_keyword_scores_of_zero_divide_nothing() -> None:
    assert [one.blend for one in candidates((KeywordHit("a", 0.0),), ())] == [0.0]


def test_equal_scores_fall_back_to_the_id() -> None:
    keyword, semantic = (KeywordHit("b", 1.0),), (SemanticHit("a", 1.0),)
    assert [one.id for one in candidates(keyword, semantic)] == ["a", "b"]
    entries = entries_of("one", "two")
    assert ids(ranked(candidates(keyword, semantic), entries, {"a": 0.5, "b": 0.5})) == ["a", "b"]


def test_relevance_only_breaks_near_ties() -> None:
    entries = entries_of("one", "two", "three")
    near = candidates((KeywordHit("a", 1.00), KeywordHit("b", 0.95)), ())
    assert ids(ranked(near, entries, {"a": 0.0, "b": 1.0})) == ["b", "a"]
    far = candidates((KeywordHit("a", 1.0), KeywordHit("b", 0.5)), ())
    assert ids(ranked(far, entries, {"a": 0.0, "b": 5.0})) == ["a", "b"]


@pytest.mark.parametrize(("relevance", "factor"), [(0.0, 0.9), (0.5, 0.95), (1.0, 1.0), (7.5, 1.0)])
def test_the_relevance_factor_stays_between_nine_tenths_and_one(
    relevance: float, factor: float
) -> None:
    (hit,) = ranked(candidates((KeywordHit("a", 1.0),), ()), entries_of("x"), {"a": relevance})
    assert hit.explanation.relevance_factor == pytest.approx(factor)
    assert hit.explanation.relevance == relevance
    assert hit.score == pytest.approx(hit.explanation.blend * factor)


def test_every_hit_explains_itself() -> None:
    entries = entries_of("one", "two", "three", "four")
    hits = {
        hit.entry.id: hit.explanation
        for hit in ranked(candidates(KEYWORD, SEMANTIC), entries, dict.fromkeys("abcd", 0.5))
    }
    assert (hits["c"].keyword_rank, hits["c"].semantic_rank) == (3, 1)
    assert (hits["c"].bm25, hits["c"].cosine) == (2.0, 0.9)
    assert (hits["a"].semantic_rank, hits["a"].cosine) == (None, None)
    assert all(math.isfinite(one.fused) for one in hits.values())


def test_a_candidate_without_its_memory_is_left_out() -> None:
    entries = entries_of("one")
    assert ids(ranked(candidates(KEYWORD, ()), entries, {"a": 1.0})) == ["a"]


def test_repeats_of_one_text_are_folded_into_the_better_hit() -> None:
    entries = entries_of("The dragon sleeps", "the  DRAGON\nsleeps", "Another text")
    hits = ranked(candidates(KEYWORD, ()), entries, dict.fromkeys("abc", 0.5))
    assert ids(hits) == ["a", "c"]


def test_repeats_under_different_scope_keys_both_stay() -> None:
    entries = {
        "a": a_memory("Same", memory_id="a", scope=ScopeKey.channel(WORKSPACE_ID, "one")),
        "b": a_memory("Same", memory_id="b", scope=ScopeKey.channel(WORKSPACE_ID, "two")),
    }
    assert ids(ranked(candidates(KEYWORD[:2], ()), entries, {"a": 0.5, "b": 0.5})) == ["a", "b"]
