from __future__ import annotations

import pytest

from inklings_desktop.ui.markdown.preview import (
    LONGEST_WORD,
    MOST_CHARACTERS,
    block_of_line,
    block_starts,
    preview_source,
)


def test_an_ordinary_text_is_rendered_whole_and_as_it_is() -> None:
    text = "# Title\n\n" + "Words of **some** weight, [linked](x) and `coded`.\n\n" * 400
    source = preview_source(text)
    assert source.markdown == text
    assert source.n_left_out == 0


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("a b\n" * 40_000, MOST_CHARACTERS),
        ("- item\n" * 20_000, 1_600 * 7),
        ("1. " * 20_000, 2_300 * 3),
        ("|a|b|\n|-|-|\n" + "|x|y|\n" * 8_000, 600 * 6),
        ("|a" * 1_000 + "|\n" + "|b|\n" * 1_000, 10_000),
        ("*a* " * 12_000, 10_000),
        ("[a](b) " * 8_000, 4_500 * 7),
        ("a@b.c " * 8_000, 4_500 * 6),
        ("http://a.b " * 5_000, 2_250 * 11),
        ("```\n" + "a\n" * 20_000, 2_600 * 2),
        ("a\u05e9 " * 16_000, 4_500 * 3),
        ("\U0001f469\u200d\U0001f467 " * 10_000, 4_500 * 4),
    ],
    ids=[
        "long",
        "items",
        "nested items",
        "table",
        "wide table",
        "marks",
        "links",
        "addresses of mail",
        "addresses",
        "lines of code",
        "writing that turns round",
        "joined emoji",
    ],
)
def test_what_would_take_too_long_is_cut_and_counted(text: str, most: int) -> None:
    source = preview_source(text)
    shown = source.markdown.replace("\u200b", "")
    assert len(shown) <= most
    assert text.startswith(shown)
    assert source.n_left_out == len(text) - len(shown)


def test_an_endless_word_may_wrap() -> None:
    words = preview_source("a" * 3_500).markdown.split("\u200b")
    assert [len(word) for word in words] == [LONGEST_WORD] * 3 + [500]


def test_characters_that_do_not_show_are_spelled_out() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    source = preview_source(f"a\u202eb\u202c glass{tags}")
    assert (
        source.markdown == "a\u2039U+202E\u203ab\u2039U+202C\u203a glass\u2039U+E006F \u00d74\u203a"
    )


def test_every_block_of_the_rendered_text_has_its_line() -> None:
    text = (
        "# Title\n\none\nstill one\n\n- a\n- b\n  - c\n> said\n\n```\ncode\n\nmore\n```\n***\nend"
    )
    assert block_starts(text) == (0, 2, 5, 6, 7, 11, 12, 13, 15, 16)


@pytest.mark.parametrize(
    ("line", "n_blocks", "block"),
    [(0, 3, 0), (4, 3, 1), (5, 3, 1), (9, 3, 2), (9, 6, 4), (4, 0, 0), (50, 3, 2)],
)
def test_a_line_is_found_in_the_rendered_text(line: int, n_blocks: int, block: int) -> None:
    assert block_of_line((0, 4, 8), line, n_blocks) == block


def test_an_empty_text_has_no_place() -> None:
    assert block_of_line((), 3, 1) == 0
