from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.search.explanation import Placing
from inklings_desktop.domain.search.hits import (
    Hit,
    Hits,
    Trait,
    Traits,
    candidates,
)
from inklings_desktop.domain.search.ranking import Meaning, ranked
from inklings_desktop.domain.words.query_text import keyword_query
from tests.support.builders import NOON, WORKSPACE_ID

IDS = [f"m{number:02}" for number in range(25)]
TEXTS = {key: ("Same", "same ", f"Text of {key}")[place % 3] for place, key in enumerate(IDS)}
QUERY = keyword_query("nerys sails to the harbour")
Lists = tuple[Hits, Hits]
Store = dict[str, Trait]
LATER = NOON + timedelta(days=9)


@st.composite
def lists(draw: st.DrawFn) -> Lists:
    by_words = draw(st.dictionaries(st.sampled_from(IDS), st.floats(0, 50, allow_subnormal=False)))
    by_meaning = draw(st.dictionaries(st.sampled_from(IDS), st.floats(-1, 1)))
    return (
        Hits.of(Hit(*one) for one in sorted(by_words.items(), key=lambda one: -one[1])),
        Hits.of(Hit(*one) for one in sorted(by_meaning.items(), key=lambda one: -one[1])),
    )


@st.composite
def stores(draw: st.DrawFn) -> Store:
    """Memories of which some are alike, some have no vector."""
    source = random.Random(draw(st.integers(0, 1_000)))  # noqa: S311  figures of a test
    found = {}
    for key in IDS:
        found[key] = Trait(
            ScopeKey.workspace(WORKSPACE_ID),
            source.choice(((), ("Nerys",), ("harbour", "ships"))),
            source.choice((None, "c1", "c2")),
            source.random(),
            round(NOON.timestamp() * 1000),
            source.randrange(5),
            pinned=False,
            said=key_of(TEXTS[key]),
            cosine=draw(st.sampled_from([1.0, 0.9, 0.9, 0.5, 0.0, -0.5, None])),
        )
    return found


def order(both: Lists, store: Store, *, vector: bool = True) -> tuple[Placing, ...]:
    if not vector:
        store = {key: one._replace(cosine=None) for key, one in store.items()}
    found = candidates(*both)
    traits = Traits.of(store)
    return tuple(ranked(found, traits, TEXTS, QUERY, Meaning(), decay=DecayConfig(), now=NOON))


@given(lists())
def test_every_hit_of_both_lists_is_a_candidate_once(both: Lists) -> None:
    keyword, semantic = both
    found = candidates(keyword, semantic)
    assert set(found.ids) == {*keyword.ids, *semantic.ids}
    assert len(set(found.ids)) == len(found)


@given(lists())
def test_the_best_of_each_list_is_never_far_down(both: Lists) -> None:
    keyword, semantic = both
    found = candidates(keyword, semantic)
    fused = {id_: found.fused(place) for place, id_ in enumerate(found.ids)}
    best = [*keyword.ids[:1], *semantic.ids[:1]]
    assert all(fused[one] >= 1 / 61 for one in best)


@given(lists(), stores(), st.integers(), st.booleans())
def test_the_order_does_not_depend_on_the_order_of_writing(
    both: Lists,
    store: Store,
    mix: int,
    with_meaning: bool,  # noqa: FBT001  hypothesis passes by position
) -> None:
    expected = order(both, store, vector=with_meaning)
    keyword, semantic = list(both[0]), list(both[1])
    source = random.Random(mix)  # noqa: S311  order of a test
    for hits in (keyword, semantic):
        source.shuffle(hits)
    again = (
        Hits.of(sorted(keyword, key=lambda hit: -hit[1])),
        Hits.of(sorted(semantic, key=lambda hit: -hit[1])),
    )
    shuffled = list(store.items())
    source.shuffle(shuffled)
    assert order(again, dict(shuffled), vector=with_meaning) == expected


@given(lists(), stores())
def test_scores_are_finite_fall_and_lie_between_nothing_and_one(both: Lists, store: Store) -> None:
    placings = order(both, store)
    scores = [one.explanation.score for one in placings]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= one <= 1.0 for one in scores)
    assert len(placings) == len(candidates(*both))


@given(lists(), stores())
def test_arrays_rank_as_lists_do(both: Lists, store: Store) -> None:
    traits = Traits.of(store)
    as_arrays = replace(
        traits,
        importances=np.array(traits.importances),
        touched=np.array(traits.touched),
        access_counts=np.array(traits.access_counts),
    )

    def ranks(traits: Traits) -> dict[str, float]:
        found = ranked(
            candidates(*both), traits, TEXTS, QUERY, Meaning(), decay=DecayConfig(), now=LATER
        )
        return {one.id: one.explanation.score for one in found}

    expected, found = ranks(traits), ranks(as_arrays)
    assert list(found) == list(expected)
    assert found == pytest.approx(expected, abs=1e-12)


@given(lists(), stores())
def test_folding_leaves_nothing_behind_what_is_folded_and_nothing_twice(
    both: Lists, store: Store
) -> None:
    placings = order(both, store)
    kept = {one.id: one for one in placings if one.folded_into is None}
    places = {one.id: place for place, one in enumerate(placings)}
    for one in placings:
        if one.folded_into is not None:
            assert one.folded_into in kept
            assert places[one.folded_into] < places[one.id]
            assert one.id in kept[one.folded_into].explanation.folded
            assert one.explanation.folded == ()
    folded = [key for one in placings for key in one.explanation.folded]
    assert sorted([*folded, *kept]) == sorted(places)


@given(lists(), stores())
def test_what_is_kept_is_not_folded_again(both: Lists, store: Store) -> None:
    kept = {one.id for one in order(both, store) if one.folded_into is None}
    again = order(
        (
            Hits.of(hit for hit in both[0] if hit.id in kept),
            Hits.of(hit for hit in both[1] if hit.id in kept),
        ),
        store,
    )
    assert {one.id for one in again if one.folded_into is None} == kept
