"""Two texts say the same only when no word, number or sign of theirs differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.likeness.sameness import key_of, says_the_same
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
        ("Take v1.5 of it.", "Take v1 5 of it."),
        ("He came by the 3rd gate.", "He came by 3rd gate."),
        ('Er kennt nicht " die See.', 'Er kennt nicht " See.'),
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
        ("In 1990, she ruled.", "In 1990 she ruled."),
        ("She said 'hello there'.", "She said hello there."),
        ("\u0644\u0645\u0627\u0630\u0627\u061f", "\u0644\u0645\u0627\u0630\u0627?"),
        ("Er ist still. Die See ruht.", "Er ist still. See ruht."),
        ("The \u201cGull\u201d, a ship", "The Gull (a ship)"),
    ],
)
def test_marks_and_blanks_do_not_count(one: str, other: str) -> None:
    assert says_the_same(one, other)
    assert key_of(one) == key_of(other)


def test_keys_are_short_and_tell_texts_apart() -> None:
    assert len({key_of(one) for pair in _DIFFERENT for one in pair}) > len(_DIFFERENT)
    assert {len(key_of(one)) for one in ("Mira is old.", "")} == {8}


@pytest.mark.parametrize(
    "sign",
    [
        *("\u3005", "\u3007", "\u3040", "\u30ff", "\u3400", "\u4dbf", "\u4e00", "\u9fff"),
        *("\ufa0e", "\ufa29", "\U00020000", "\U0003fffd"),
        *("\u0e01", "\u0edf", "\u1000", "\u109f", "\u1780", "\u17dc"),
    ],
)
def test_where_no_blanks_stand_between_words_a_blank_says_nothing(sign: str) -> None:
    assert says_the_same(f"{sign}\u5730", f"{sign} \u5730")
    assert says_the_same(sign * 2, f"{sign} {sign}")
    assert not says_the_same(sign * 2, sign)
    assert not says_the_same("ab", "a b")


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
