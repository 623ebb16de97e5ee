"""Two texts say the same only when no word, number or sign of theirs differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.sameness import key_of, says_the_same
from tests.support.said_twice import DIFFERENT, SAME

_DIFFERENT = [pair for pairs in DIFFERENT.values() for pair in pairs]
_SAME = [pair for pairs in SAME.values() for pair in pairs]


def test_there_are_enough_pairs_in_eleven_languages() -> None:
    assert set(DIFFERENT) == set(SAME)
    assert len(DIFFERENT) == 11
    assert len(_DIFFERENT) >= 60
    assert len(_SAME) >= 30


@pytest.mark.parametrize(("one", "other"), _DIFFERENT)
def test_what_differs_never_says_the_same(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), _SAME)
def test_what_says_the_same_is_known_and_found_by_its_key(one: str, other: str) -> None:
    assert says_the_same(one, other)
    assert says_the_same(other, one)
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It is -5 degrees.", "It is 5 degrees."),
        ("Open at 10:30.", "Open at 1030."),
        ("The area is x\u00b2.", "The area is x2."),
        ("\u00bd cup", "12 cup"),
        ("1\u00bd cups", "11/2 cups"),
        ("50 % of it", "50 of it"),
        ("It costs $5.", "It costs 5."),
        ("~~Mira is dead~~", "Mira is dead"),
        ("Mira \U0001f44d", "Mira \U0001f44e"),
        ("nowhere to go", "now here to go"),
        ("\uc544\ubc84\uc9c0\uac00 \ubc29\uc5d0", "\uc544\ubc84\uc9c0 \uac00\ubc29\uc5d0"),
        ("the second sword of a king", "the sword of a king"),
        ("He found a second sword.", "He found second sword."),
        ("In 1990-1995 she ruled.", "In 1990 1995 she ruled."),
        ("#general is closed", "general is closed"),
        ("...", "!!!"),
        ("The", "A"),
        ("", "The"),
    ],
)
def test_numbers_and_signs_count(one: str, other: str) -> None:
    assert not says_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- Mira is old", "Mira is old."),
        ("# Wend\nA town.", "Wend: a town"),
        ("Mira\u200b is\u00a0old", "Mira is old"),
        ("well-known", "well known"),
        ("The \u201cGull\u201d, a ship", "The Gull (a ship)"),
    ],
)
def test_marks_and_blanks_do_not_count(one: str, other: str) -> None:
    assert says_the_same(one, other)
    assert key_of(one) == key_of(other)


def test_a_long_unbroken_word_is_compared_whole() -> None:
    word = "x" * 60_000
    assert says_the_same(word, f"{word}.")
    assert not says_the_same(word, f"{word[:-1]}y")


@given(st.text())
def test_every_text_says_the_same_as_itself(text: str) -> None:
    assert says_the_same(text, text)
    assert key_of(text) == key_of(text)


@given(st.text(), st.text())
def test_both_ways_round_give_one_answer_and_the_same_key(one: str, other: str) -> None:
    is_same = says_the_same(one, other)
    assert is_same == says_the_same(other, one)
    assert not is_same or key_of(one) == key_of(other)


@given(st.text(alphabet="ABab \u0130\u0131Ii.,'\u00df\u1e9e", max_size=12))
def test_what_is_written_in_capitals_keeps_its_key(text: str) -> None:
    assert not says_the_same(text, text.upper()) or key_of(text) == key_of(text.upper())
