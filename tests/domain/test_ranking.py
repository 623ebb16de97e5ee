from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.search.explanation import Placing
from inklings_desktop.domain.search.hits import (
    NO_HITS,
    WORDS_LENGTH,
    Candidates,
    Hit,
    Hits,
    Trait,
    Traits,
    best_of_all,
    candidates,
    joined,
)
from inklings_desktop.domain.search.ranking import Meaning, ranked
from inklings_desktop.domain.words.query_text import keyword_query
from tests.support.builders import NOON, WORKSPACE_ID

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
KEYWORD = Hits.of([Hit("a", 8.0), Hit("b", 4.0), Hit("c", 2.0)])
SEMANTIC = Hits.of([Hit("c", 0.9), Hit("d", 0.5), Hit("b", 0.1)])
STEADY = DecayConfig(channel=1.0, workspace=1.0, account=1.0)


def traits(
    *,
    cosine: float | None = None,
    tags: tuple[str, ...] = (),
    conversation: str | None = None,
    scope: ScopeKey = SCOPE,
    importance: float = 1.0,
    touched_at: datetime = NOON,
    access_count: int = 0,
    pinned: bool = False,
) -> Trait:
    touched = round(touched_at.timestamp() * 1000)
    return Trait(
        scope, tags, conversation, importance, touched, access_count, pinned, cosine=cosine
    )


def placed(
    found: Candidates,
    known: Mapping[str, Trait],
    *,
    texts: Mapping[str, str] | None = None,
    text: str = "harbour",
    decay: DecayConfig = STEADY,
    now: datetime = NOON,
) -> dict[str, Placing]:
    query = keyword_query(text)
    own = Traits.of(known)
    placings = ranked(found, own, texts or {}, query, Meaning(), decay=decay, now=now)
    scores = [one.explanation.score for one in placings]
    assert scores == sorted(scores, reverse=True)
    return {one.id: one for one in placings}


def by_words(**scores: float) -> Candidates:
    hits = sorted(scores.items(), key=lambda one: -one[1])
    return candidates(Hits.of(Hit(*one) for one in hits), NO_HITS)


# candidates


def test_nothing_found_is_no_candidate() -> None:
    assert len(candidates(NO_HITS, NO_HITS)) == 0
    assert not ranked(
        Candidates(), Traits(), {}, keyword_query("x"), Meaning(), decay=STEADY, now=NOON
    )


def test_both_lists_are_fused_by_reciprocal_rank() -> None:
    found = candidates(KEYWORD, SEMANTIC)
    fused = {id_: found.fused(place) for place, id_ in enumerate(found.ids)}
    assert fused == pytest.approx(
        {"a": 1 / 61, "b": 1 / 62 + 1 / 63, "c": 1 / 63 + 1 / 61, "d": 1 / 62}
    )


def test_equal_scores_share_a_rank() -> None:
    keyword = Hits.of([Hit("b", 1.0), Hit("a", 1.0), Hit("c", 0.5)])
    found = candidates(keyword, NO_HITS)
    assert (found.ids, found.keyword_ranks) == (["b", "a", "c"], [1, 1, 3])


def test_a_near_memory_is_credited_with_a_match_far_down_the_list() -> None:
    keyword = Hits.of(Hit(f"k{n:03}", 100.0 - n) for n in range(WORDS_LENGTH))
    deep = keyword[-1]
    found = candidates(keyword, Hits.of([Hit(deep.id, 0.8)]))
    place = found.ids.index(deep.id)
    assert (found.scores[place], found.keyword_ranks[place]) == (deep.figure, WORDS_LENGTH)
    assert (found.semantic_ranks[place], found.cosines[place]) == (1, 0.8)


def test_matches_far_down_among_all_scope_keys_are_no_candidates() -> None:
    strong = candidates(Hits.of(Hit(f"s{n}", 9.0 - n) for n in range(5)), NO_HITS)
    weak = candidates(
        Hits.of([Hit("match", 7.0), Hit("near", 0.5), Hit("far", 0.4)]),
        Hits.of([Hit("near", 0.8), Hit("other", 0.7)]),
    )
    first, second = best_of_all([strong, weak], 2)
    assert first.ids == ["s0", "s1", "s2"]
    assert second.ids == ["match", "near", "other"]
    assert (second.scores, second.keyword_ranks) == ([7.0, 0.5, 0.0], [1, 2, None])
    assert (second.cosines, second.semantic_ranks) == ([None, 0.8, 0.7], [None, 1, 2])
    assert [part.ids for part in best_of_all([strong, weak], 4)] == [strong.ids, weak.ids]


# the blend


def test_words_and_meaning_weigh_the_same_each_against_the_best_of_its_kind() -> None:
    found = candidates(
        Hits.of([Hit("a", 8.0), Hit("b", 4.0)]), Hits.of([Hit("c", 0.8), Hit("a", 0.4)])
    )
    known = {
        "a": traits(cosine=0.4),
        "b": traits(cosine=-0.4),
        "c": traits(cosine=0.8),
    }
    blends = {key: one.explanation.blend for key, one in placed(found, known).items()}
    assert (blends["a"].words, blends["a"].meaning) == pytest.approx((0.32, 0.16), abs=1e-6)
    assert (blends["b"].words, blends["b"].meaning) == pytest.approx((0.16, 0.0), abs=1e-6)
    assert (blends["c"].words, blends["c"].meaning) == pytest.approx((0.0, 0.32), abs=1e-6)


def test_a_keyword_match_is_compared_by_meaning_though_it_is_not_among_the_nearest() -> None:
    known = {"a": traits(cosine=0.7)}
    (one,) = placed(by_words(a=1.0), known).values()
    assert one.explanation.semantic_rank is None
    assert one.explanation.cosine == pytest.approx(0.7, abs=1e-6)
    assert one.explanation.blend.meaning == pytest.approx(0.32)


def test_without_meaning_words_stand_for_it_and_the_subject_weighs_more() -> None:
    hits = placed(by_words(a=2.0, b=1.0), {"a": traits(), "b": traits()})
    assert hits["a"].explanation.blend.words == pytest.approx(0.56)
    assert hits["b"].explanation.blend.words == pytest.approx(0.28)
    assert all(one.explanation.cosine is None for one in hits.values())


def test_a_memory_that_is_not_embedded_yet_is_judged_by_its_words() -> None:
    known = {"a": traits(), "b": traits(cosine=0.9)}
    hits = placed(by_words(a=2.0, b=1.0), known)
    assert list(hits) == ["a", "b"]
    assert hits["a"].explanation.blend.meaning == 0.0


def test_a_named_subject_lifts_a_memory() -> None:
    known = {
        "a": traits(tags=("Low Quay",)),
        "b": traits(tags=("other", "Nerys Vale")),
        "c": traits(),
    }
    found = by_words(a=1.0, b=1.0, c=1.0)
    hits = placed(found, known, text="What does Nerys say of the Low Quays?")
    subjects = {key: one.explanation.blend.subject for key, one in hits.items()}
    assert subjects == pytest.approx({"a": 0.24, "b": 0.12, "c": 0.0})
    assert list(hits) == ["a", "b", "c"]


def test_a_conversation_with_several_good_candidates_lifts_each_of_them() -> None:
    known = {
        "a": traits(conversation="c1"),
        "b": traits(conversation="c1"),
        "c": traits(conversation="c2"),
        "d": traits(),
    }
    hits = placed(by_words(a=1.0, b=1.0, c=1.0, d=1.0), known)
    sessions = {key: one.explanation.blend.session for key, one in hits.items()}
    assert sessions["a"] == sessions["b"] == pytest.approx(0.2 * 2 * 0.7 / 3)
    assert sessions["c"] == sessions["d"] == pytest.approx(0.2 * 0.7 / 3)


def test_a_perfect_hit_has_a_blend_of_one() -> None:
    known = {key: traits(cosine=1.0, tags=("harbour",), conversation="c1") for key in "abc"}
    hits = placed(by_words(a=1.0, b=1.0, c=1.0), known)
    assert all(one.explanation.blend.total == pytest.approx(1.0) for one in hits.values())


def test_keyword_scores_and_cosines_of_zero_divide_nothing() -> None:
    known = {"a": traits(cosine=0.0)}
    (one,) = placed(by_words(a=0.0), known).values()
    assert one.explanation.score == 0.0


def test_several_scope_keys_are_measured_against_the_best_of_them_all() -> None:
    rooms = [ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two")]
    found = joined(
        [
            candidates(Hits.of([Hit("strong", 8.0), Hit("middling", 4.0)]), NO_HITS),
            candidates(Hits.of([Hit("weak", 1.0)]), NO_HITS),
        ]
    )
    known = {
        "strong": traits(scope=rooms[0]),
        "middling": traits(scope=rooms[0]),
        "weak": traits(scope=rooms[1]),
    }
    assert list(placed(found, known)) == ["strong", "middling", "weak"]


# relevance


def test_relevance_only_breaks_near_ties() -> None:
    faint, vivid = traits(importance=0.0), traits(importance=1.0, access_count=50)
    assert list(placed(by_words(a=1.0, b=0.95), {"a": faint, "b": vivid})) == ["b", "a"]
    assert list(placed(by_words(a=1.0, b=0.5), {"a": faint, "b": vivid})) == ["a", "b"]


@pytest.mark.parametrize(
    ("importance", "hours", "reads", "factor"),
    [(0.0, 0, 0, 0.9), (0.5, 0, 0, 0.95), (1.0, 0, 0, 1.0), (1.0, 0, 9, 1.0), (1.0, 1e6, 0, 0.9)],
)
def test_the_relevance_factor_stays_between_nine_tenths_and_one(
    importance: float, hours: float, reads: int, factor: float
) -> None:
    known = {"a": traits(importance=importance, access_count=reads)}
    later = NOON + timedelta(hours=hours)
    (one,) = placed(by_words(a=1.0), known, decay=DecayConfig(), now=later).values()
    fading = one.explanation.fading
    assert fading.factor == pytest.approx(factor)
    assert (fading.importance, fading.hours, fading.reads) == (importance, hours, reads)
    assert one.explanation.score == pytest.approx(one.explanation.blend.total * factor)


def test_a_pinned_memory_does_not_fade() -> None:
    known = {"a": traits(pinned=True)}
    later = NOON + timedelta(days=900)
    (one,) = placed(by_words(a=1.0), known, decay=DecayConfig(), now=later).values()
    assert (one.explanation.fading.rate, one.explanation.fading.relevance) == (1.0, 1.0)


# explanation


def test_every_hit_explains_itself() -> None:
    cosines = {"a": 0.2, "b": 0.1, "c": 0.9, "d": 0.5}
    known = {key: traits(cosine=cosine) for key, cosine in cosines.items()}
    hits = placed(candidates(KEYWORD, SEMANTIC), known)
    best = hits["c"].explanation
    assert (best.keyword_rank, best.semantic_rank, best.bm25) == (3, 1, 2.0)
    assert best.cosine == pytest.approx(0.9, abs=1e-6)
    assert best.fused == pytest.approx(1 / 63 + 1 / 61)
    parts = best.blend
    assert parts.total == parts.words + parts.meaning + parts.subject + parts.session
    assert (hits["a"].explanation.semantic_rank, hits["d"].explanation.keyword_rank) == (None, None)


def test_a_candidate_whose_memory_is_gone_is_left_out() -> None:
    assert list(placed(candidates(KEYWORD, NO_HITS), {"a": traits()})) == ["a"]


# folding


def test_what_says_the_same_is_folded_into_the_better_hit() -> None:
    texts = {"a": "The dragon sleeps", "b": "the  DRAGON\nsleeps.", "c": "The dragon wakes"}
    hits = placed(by_words(a=3.0, b=2.0, c=1.0), {key: traits() for key in "abcd"}, texts=texts)
    assert {key: one.folded_into for key, one in hits.items()} == {"a": None, "b": "a", "c": None}
    assert hits["a"].explanation.folded == ("b",)
    assert hits["b"].explanation.folded == hits["c"].explanation.folded == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Corvin trusts his brother.", "Corvin does not trust his brother."),
        ("The queen betrayed the regent.", "The regent betrayed the queen."),
        ("Mira lives in Oslo.", "Mira lives in Olso."),
        ("Mira was born in 1981.", "Mira was born in 1982."),
        ("The gate opens on Monday.", "The gate opens on Sunday."),
    ],
)
def test_fold_keeps_negation_name_number_swap(one: str, other: str) -> None:
    known = {key: traits(cosine=1.0) for key in ("a", "b")}
    hits = placed(by_words(a=2.0, b=1.0), known, texts={"a": one, "b": other})
    assert [hit.folded_into for hit in hits.values()] == [None, None]


def test_what_differs_is_never_folded_however_alike() -> None:
    texts = {"a": "He trusts his brother.", "b": "He does not trust his brother."}
    known = {key: traits(cosine=1.0) for key in "ab"}
    hits = placed(by_words(a=2.0, b=1.0), known, texts=texts)
    assert [one.folded_into for one in hits.values()] == [None, None]


def test_whoever_says_the_same_as_two_hits_stands_behind_the_better_one() -> None:
    texts = {"a": "The heir of Wend.", "b": "An heir of Wend.", "c": "Heir of Wend"}
    hits = placed(by_words(a=3.0, b=2.0, c=1.0), {key: traits() for key in "abc"}, texts=texts)
    assert (hits["b"].folded_into, hits["c"].folded_into) == (None, "a")


def test_duplicates_under_different_scope_keys_both_stay() -> None:
    known = {key: traits(scope=ScopeKey.channel(WORKSPACE_ID, key)) for key in "ab"}
    hits = placed(by_words(a=2.0, b=1.0), known, texts=dict.fromkeys("ab", "Same"))
    assert [one.folded_into for one in hits.values()] == [None, None]


def test_two_that_differ_by_age_alone_keep_their_order_as_time_goes_on() -> None:
    found = by_words(older=8.0, later=8.0)
    written = {"older": NOON, "later": NOON + timedelta(milliseconds=3)}
    known = {key: traits(importance=0.5, touched_at=at) for key, at in written.items()}
    firsts = set()
    for seconds in range(0, 4_000, 7):
        now = NOON + timedelta(days=1, seconds=seconds, microseconds=seconds * 131)
        firsts.add(next(iter(placed(found, known, decay=DecayConfig(), now=now))))
    assert firsts == {"later"}
