from __future__ import annotations

import pytest

from inklings_desktop.domain.words.hidden_text import (
    hidden_characters,
    hidden_codes,
    holds_codes,
    spelled_out,
)
from tests.support.stopwatch import SLOWNESS, Stopwatch


def found(text: str) -> list[tuple[int, str]]:
    return [(one.position, one.name) for one in hidden_characters(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab\u202ecd\u202c", [(2, "right-to-left override"), (5, "pop directional formatting")]),
        ("a\u2066b", [(1, "left-to-right isolate")]),
        ("gl\u200bass", [(2, "zero width space")]),
        ("e\u200dx", [(1, "zero width joiner")]),
        ("a\u2060b", [(1, "word joiner")]),
        ("soft\u00adhyphen", [(4, "soft hyphen")]),
        ("\ufeffhead", [(0, "zero width no-break space")]),
        ("hi\U000e0041", [(2, "tag latin capital letter a")]),
        ("a\ufe0f", [(1, "variation selector-16")]),
        ("\ufe0fa", [(0, "variation selector-16")]),
        ("\U000e0100a", [(0, "variation selector-17")]),
        ("a\u200b\u0e02", [(1, "zero width space")]),
        ("\u0e02\u200ba", [(1, "zero width space")]),
        ("a\x07b\x7f", [(1, "U+0007"), (3, "U+007F")]),
        ("\u3164", [(0, "hangul filler")]),
        ("a\ufdd0", [(1, "U+FDD0")]),
        ("a\u2068b\u2069", [(1, "first strong isolate"), (3, "pop directional isolate")]),
        ("\u05d0 \u2068b", [(2, "first strong isolate")]),
        ("a\u200fb", [(1, "right-to-left mark")]),
        ("\u05d0\u200f\u200e", [(1, "right-to-left mark"), (2, "left-to-right mark")]),
        ("\u0627\u200c\u200d", [(1, "zero width non-joiner"), (2, "zero width joiner")]),
        ("\U0001f469\u200d", [(1, "zero width joiner")]),
        ("\u05d0 \u2067b\u2069", [(2, "right-to-left isolate"), (4, "pop directional isolate")]),
    ],
)
def test_what_a_reader_cannot_see_is_found_and_named(
    text: str, expected: list[tuple[int, str]]
) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, \u201cquoted\u201d \u2014 caf\u00e9, na\u00efve.",
        "tab\tand\r\nlines\n",
        "no-break\u00a0space and thin\u2009space",
        "\u2028\u2029",
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f 1\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\u845b\U000e0100",
        "\u845b\U000e01ef",
        "on the flag: \u2068\u0627\u0644\u0645\u062f\u2069, and so on",
        "\u05e9\u05dc\u05d5\u05dd!\u200f",
        "C++\u200e \u05d4\u05d9\u05d0",
        "\u0661\u0664\u0660\u0660 \u0647\u200d.",
        "\u062e\u0627\u0646\u0647\u200c\u0647\u0627\u06cc \u0645\u0627",
        "\u0d28\u0d4d\u200d \u0d0e",
        "\u0936\u094d\u0930\u0940\u092e\u0924\u0940",
        "\u0e01\u0e34\u0e19\u200b\u0e02\u0e49\u0e32\u0e27",
        "\u2764\ufe0f\u200d\U0001f525 \U0001f3f3\ufe0f\u200d\U0001f308 \u203c\ufe0f \u2139\ufe0f",
        "\U0001f9d1\U0001f3fd\u200d\U0001f33e \U0001f1eb\U0001f1f7 \U0001f44d\U0001f3fb",
        "\u3086\u3063\u304f\u308a \u0441\u043b\u043e\u0432\u043e \u05e9\u05dc\u05d5\u05dd",
    ],
)
def test_what_shows_or_what_a_script_needs_is_not_hidden(text: str) -> None:
    assert found(text) == []


def test_a_message_in_tags_after_a_flag_is_still_found() -> None:
    message = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    assert len(found(f"\U0001f3f4{message} and on")) == len(message)


@pytest.mark.parametrize(
    "text",
    [
        "\u6d77\u306e\u4e0a don\u2019t \u2014 " * 5_000,
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f" * 2_300,
        "\u05d0\u200f \u2068b\u2069 " * 10_000,
    ],
    ids=["words", "flags", "directions"],
)
def test_a_long_text_is_read_in_a_moment(text: str) -> None:
    watch = Stopwatch()
    assert hidden_characters(text) == ()
    assert watch.seconds < 0.3 * SLOWNESS


def test_codes_tell_which_and_how_often_and_are_known_again() -> None:
    texts = ["a\u202eb\u200b\u200b", "\U000e0041\U000e0041c\U000e0041"]
    assert hidden_codes(texts) == ["U+200B \u00d72", "U+202E", "U+E0041 \u00d73"]
    assert [spelled_out(one) for one in texts] == [
        "a\u2039U+202E\u203ab\u2039U+200B \u00d72\u203a",
        "\u2039U+E0041 \u00d72\u203ac\u2039U+E0041\u203a",
    ]
    assert all(holds_codes(spelled_out(one)) for one in texts)
    assert not any(map(holds_codes, [*texts, "U+202E", "\u2039quoted\u203a"]))
