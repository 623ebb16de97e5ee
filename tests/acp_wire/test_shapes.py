from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.acp_wire.shapes import bounded, call_outcome, line_of, number_of, text_of


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("  two\n lines ", "two lines"),
        ("Allow \u202eeruces\u202c\x1b[2J", "Allow eruces [2J"),
        ("x" * 900, "x" * 500),
        (None, ""),
        (5, ""),
        (["a"], ""),
    ],
)
def test_a_line_is_one_line_that_hides_nothing(told: object, line: str) -> None:
    assert line_of(told) == line


def test_text_keeps_its_lines_and_loses_what_turns_it() -> None:
    assert text_of("a\n\tb\u202ec\x00\x1b[0m") == "a\n\tbc[0m"


@pytest.mark.parametrize("told", [True, -1, "1", None, float("nan"), float("inf"), 2**60])
def test_what_is_no_number_is_none(told: object) -> None:
    assert number_of(told) is None


def test_arguments_that_are_too_large_keep_their_names() -> None:
    assert bounded({"text": "x" * 100_000, "tier": "workspace"}) == {"text": "…", "tier": "…"}
    deep: dict[str, Any] = {}
    inner = deep
    for _ in range(5000):
        inner["a"] = inner = {}
    assert bounded(deep) == {"a": "…"}
    assert bounded("no object") == {}


def test_the_outcome_of_a_call_is_its_text() -> None:
    content: list[object] = [
        {"type": "content", "content": {"type": "text", "text": "done"}},
        {"type": "diff", "path": "a.md", "newText": "x"},
        {"type": "hologram"},
        7,
    ]
    assert call_outcome({"content": content}) == "done\na.md"
