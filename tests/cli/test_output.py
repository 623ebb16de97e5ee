from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from inklings_desktop.cli.output import (
    counted,
    json_text,
    local_time,
    one_line,
    table,
    visible,
)

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202egnp.exe\u2066\x7f\u2028"
NOW = datetime(2026, 3, 14, 10, 36, tzinfo=UTC)


def test_no_character_of_a_memory_acts_on_the_terminal() -> None:
    shown = visible(HOSTILE)
    assert shown == (r"\x1b]0;owned\x07\x1b[2J\x9b31m\x0d\u202egnp.exe\u2066\x7f\u2028")
    assert shown.isprintable()


def test_characters_that_do_not_show_are_spelled_out_on_the_terminal() -> None:
    hiding = "gl\u200bass\U000e0041\U000e0041"
    assert visible(hiding) == "gl\u2039U+200B\u203aass\u2039U+E0041 \u00d72\u203a"
    text = json_text({"content": hiding})
    assert r"gl\u200bass\udb40\udc41\udb40\udc41" in text
    assert json.loads(text)["content"] == hiding


@pytest.mark.parametrize(
    "text",
    ["a\tb\nc", "ναός", "港のガラス", "👩‍🚀", "\u200f\u05e6\u05e4\u05d5\u05df", "[bold]x[/bold]"],
)
def test_ordinary_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_json_is_inert_on_a_terminal_and_still_says_the_same() -> None:
    text = json_text({"content": HOSTILE + "\ud800 港"})
    assert not set(HOSTILE) & set(text) - set("]0;owned[2J31mgnp.exe")
    assert json.loads(text)["content"] == HOSTILE + "\ud800 港"


def test_json_refuses_numbers_that_are_none() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_text({"importance": float("nan")})


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("one\n two\t three", 40, "one two three"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("港のガラスの塔", 7, "港のガ…"),
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("a\x1b[2Jb", 40, r"a\x1b[2Jb"),
    ],
)
def test_an_excerpt_is_one_line_that_fits(text: str, width: int, line: str) -> None:
    assert one_line(text, width) == line


def test_columns_line_up_across_scripts() -> None:
    assert table([["港", "x"], ["abc", "y"]]) == ["港   x", "abc  y"]
    assert table([]) == []


def test_time_is_told_in_words() -> None:
    local = NOW.astimezone()
    assert local_time(NOW) == f"{local.day} {local:%b} 2026, {local:%H:%M}"


def test_numbers_carry_their_noun() -> None:
    assert [counted(n, "memory") for n in (0, 1, 1204)] == [
        "0 memories",
        "1 memory",
        "1,204 memories",
    ]
    assert counted(2, "working note") == "2 working notes"
