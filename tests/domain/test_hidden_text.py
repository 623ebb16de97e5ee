from __future__ import annotations

import pytest

from inklings_desktop.domain.hidden_text import hidden_characters
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
        ("a\x07b\x7f", [(1, "U+0007"), (3, "U+007F")]),
        ("\u3164", [(0, "hangul filler")]),
        ("a\ufdd0", [(1, "U+FDD0")]),
        ("a\u2068b\u2069", [(1, "first strong isolate"), (3, "pop directional isolate")]),
        ("\u05d0 \u2068b", [(2, "first strong isolate")]),
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
        "on the flag: \u2068\u0627\u0644\u0645\u062f\u2069, and so on",
        "\u3086\u3063\u304f\u308a \u0441\u043b\u043e\u0432\u043e \u05e9\u05dc\u05d5\u05dd",
    ],
)
def test_what_shows_or_what_a_script_needs_is_not_hidden(text: str) -> None:
    assert found(text) == []


def test_a_message_in_tags_after_a_flag_is_still_found() -> None:
    message = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    assert len(found(f"\U0001f3f4{message} and on")) == len(message)


def test_a_long_text_is_read_in_a_moment() -> None:
    text = "\u6d77\u306e\u4e0a don\u2019t \u2014 " * 5_000
    watch = Stopwatch()
    assert hidden_characters(text) == ()
    assert watch.seconds < 0.3 * SLOWNESS
