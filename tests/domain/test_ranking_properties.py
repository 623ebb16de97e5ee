from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.ranking import (
    Candidate,
    KeywordHit,
    SemanticHit,
    candidates,
    ranked,
)
from tests.support.builders import a_memory

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

IDS = [f"m{number:02}" for number in range(25)]
Lists = tuple[tuple[KeywordHit, ...], tuple[SemanticHit, ...]]


@st.composite
def lists(draw: st.DrawFn) -> Lists:
    by_words = draw(st.dictionaries(st.sampled_from(IDS), st.floats(0, 50, allow_subnormal=False)))
    by_meaning = draw(st.dictionaries(st.sampled_from(IDS), st.floats(-1, 1)))
    return (
        tuple(KeywordHit(*one) for one in sorted(by_words.items(), key=lambda one: -one[1])),
        tuple(SemanticHit(*one) for one in sorted(by_meaning.items(), key=lambda one: -one[1])),
    )


def store(contents: dict[str, str]) -> dict[str, MemoryEntry]:
    return {key: a_memory(contents.get(key, f"Text of {key}"), memory_id=key) for key in IDS}


def relevance_of_all(seed: int) -> dict[str, float]:
    source = random.Random(seed)  # noqa: S311  figures of a test
    return {key: source.uniform(0, 3) for key in IDS}


@given(lists())
def test_every_hit_of_both_lists_is_a_candidate_once(both: Lists) -> None:
    keyword, semantic = both
    found = candidates(keyword, semantic)
    assert {one.id for one in found} == {hit.id for hit in keyword} | {hit.id for hit in semantic}
    assert len({one.id for one in found}) == len(found)
    assert all(0.0 <= one.blend <= 1.0 + 1e-12 for one in found)
    assert [one.fused for one in found] == sorted((one.fused for one in found), reverse=True)


@given(lists())
def test_the_best_of_each_list_is_never_far_down(both: Lists) -> None:
    keyword, semantic = both
    fused = {one.id: one.fused for one in candidates(keyword, semantic)}
    best = [hit.id for hit in keyword[:1]] + [hit.id for hit in semantic[:1]]
    assert all(fused[one] >= 1 / 61 for one in best)


@given(lists(), st.integers(), st.integers())
def test_the_order_does_not_depend_on_the_order_given(both: Lists, seed: int, mix: int) -> None:
    found = list(candidates(*both))
    relevance = relevance_of_all(seed)
    expected = ranked(found, store({}), relevance)
    shuffled: list[Candidate] = list(found)
    random.Random(mix).shuffle(shuffled)  # noqa: S311  order of a test
    assert [hit.entry.id for hit in ranked(shuffled, store({}), relevance)] == [
        hit.entry.id for hit in expected
    ]
    assert len(expected) == len(found)
    scores = [hit.score for hit in expected]
    assert scores == sorted(scores, reverse=True)


@given(lists(), st.dictionaries(st.sampled_from(IDS), st.sampled_from(["Same", "same ", "Other"])))
def test_folding_repeats_again_changes_nothing(both: Lists, contents: dict[str, str]) -> None:
    found = candidates(*both)
    relevance = relevance_of_all(1)
    entries = store(contents)
    once = ranked(found, entries, relevance)
    kept = {hit.entry.id for hit in once}
    twice = ranked([one for one in found if one.id in kept], entries, relevance)
    assert [hit.entry.id for hit in twice] == [hit.entry.id for hit in once]
    texts = [" ".join(hit.entry.content.casefold().split()) for hit in once]
    assert len(set(texts)) == len(texts)
    assert {" ".join(entries[one.id].content.casefold().split()) for one in found} == set(texts)
