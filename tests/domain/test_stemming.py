from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.stemming import stem


@pytest.mark.parametrize(
    "family",
    [
        ("walk", "walks", "walked", "walking"),
        ("dragon", "dragons"),
        ("princess", "princesses"),
        ("glass", "glasses"),
        ("city", "cities"),
        ("story", "stories", "storied"),
        ("stop", "stops", "stopped", "stopping"),
        ("hope", "hopes", "hoped", "hoping"),
        ("fall", "falls", "falling"),
        ("speed", "speeds", "speeding"),
        ("agree", "agreed", "agrees", "agreeing"),
        ("relate", "relational", "relates"),
        ("hopeful", "hopefulness"),
        ("control", "controlled", "controls"),
        ("marry", "married", "marries"),
        ("elarinde", "elarindes"),
    ],
)
def test_the_forms_of_one_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("string", "stry"), ("sing", "s"), ("spring", "spry"), ("need", "ne"), ("king", "kin")],
)
def test_words_that_only_look_inflected_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("sized", "size"),
        ("conflated", "conflat"),
        ("conditional", "condit"),
        ("vietnamization", "vietnam"),
        ("adjustable", "adjust"),
        ("adoption", "adopt"),
        ("probate", "probat"),
        ("rate", "rate"),
        ("cease", "ceas"),
        ("rolling", "roll"),
        ("sky", "sky"),
        ("syzygies", "syzygi"),
    ],
)
def test_stems_are_those_of_the_index(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "is", "字", "é", "überall", "w" * 65, "123"])
def test_what_is_no_english_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word


@given(st.text("abcdeiglnosty'", max_size=30))
def test_a_stem_is_never_longer_and_never_nothing(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) is bool(word)
