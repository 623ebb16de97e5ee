from __future__ import annotations

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.words.text_rules import (
    checked_label,
    has_controls,
    hides_characters,
    is_visible,
    says_nothing,
)


@pytest.mark.parametrize(
    "character",
    [
        *"a7ßé字あ가שسहไ😀☂©$+_|¡¿֏",
        "\U0001fae8",  # an emoji of Unicode 15, unassigned in Python 3.11
        "\U0001fadf",  # an emoji of Unicode 16
        "\ue000",  # private use: fonts of invented scripts
        "\u0301",  # shown on a dotted circle
    ],
)
def test_letters_signs_and_emoji_are_visible(character: str) -> None:
    assert is_visible(character)


@pytest.mark.parametrize(
    "character",
    [
        *" \t\n\r\x0b\x00\x1b\x7f\x85\u00a0\u2003\u3000\u2028\u2029",
        *"\u200b\u200c\u200d\u200e\u200f\u202e\u2060\u2066\ufeff\u00ad\u061c\u180e",
        *"\u115f\u1160\u3164\uffa0\u2800\u034f\ufe0f\ufe00",
        "\U000e0001",
        "\U000e0041",
        "\U000e0100",
        "\ud800",
        "\ufdd0",
        "\ufffe",
        "\U0010ffff",
    ],
)
def test_blanks_and_hidden_characters_are_not_visible(character: str) -> None:
    assert not is_visible(character)


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u2060", "\u3164 \u2800", "\ufe0f\u200d"])
def test_a_text_of_hidden_characters_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["x", " . ", "\u200bא", "👩‍👩‍👧"])
def test_a_text_with_one_visible_character_says_something(text: str) -> None:
    assert not says_nothing(text)


def test_a_label_loses_the_blanks_at_its_ends() -> None:
    assert checked_label(" \u3000 Map room\n", "name", 20) == "Map room"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ("\u200b", "empty"),
        ("x" * 21, "too_long"),
        ("a\nb", "control_characters"),
        ("a\x00b", "control_characters"),
        ("a\u2028b", "control_characters"),
        ("a\ud800", "control_characters"),
    ],
)
def test_a_label_that_is_no_line_of_text_is_refused(text: str, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_label(text, "name", 20)
    assert (caught.value.field, caught.value.rule) == ("name", rule)


def test_joiners_do_not_count_as_hidden() -> None:
    assert not hides_characters("👩‍👩‍👧 می‌خواهم")
    assert hides_characters("gen\u200beral")
    assert hides_characters("abc\u202edef")


def test_controls_are_seen_anywhere() -> None:
    assert has_controls("key\n")
    assert not has_controls(" key ")
