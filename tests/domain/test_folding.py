from __future__ import annotations

import pytest

from inklings_desktop.domain.world.folding import DIGEST_BYTES, digest_of, folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The toll is 5 marks.", "the toll  is\n5 MARKS"),
        ("**Nerys** keeps the _oath_", "Nerys keeps the oath"),
        ("- one\n- two", "* one\n* two"),
        ("> Don\u2019t go", "don't go!"),
        ("She swore it. ^oath", "She swore it."),
        ("years 5\u20137", "years 5-7"),
        ("\u9f8d\u306f\u4e94\u6b73\u3002", "\u9f8d\u306f\u4e94\u6b73"),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_layout_case_and_punctuation_say_nothing(one: str, other: str) -> None:
    assert folded(one) == folded(other)
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("He is dead.", "He is dead?"),
        ("3.5 leagues", "35 leagues"),
        ("-5 degrees", "5 degrees"),
        ("5 % of it", "5 of it"),
        ("the queen", "a queen"),
        ("caf\u00e9", "cafe"),
        ("\u0915\u0940", "\u0915\u093f"),
        ("***", "---"),
        ("\U0001f600", "\U0001f62d"),
    ],
)
def test_what_says_something_stays(one: str, other: str) -> None:
    assert digest_of(one) != digest_of(other)


def test_a_digest_is_16_bytes_for_any_text() -> None:
    for text in ("", "\ud800", "a\x00b", "\u200b", " "):
        assert len(digest_of(text)) == DIGEST_BYTES
        assert folded(folded(text)) == folded(text)
