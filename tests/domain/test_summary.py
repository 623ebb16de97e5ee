from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.summary import summary_points


@pytest.mark.parametrize(
    ("summary", "points"),
    [
        ("", ()),
        ("\n \n", ()),
        ("Two words", ()),
        ("Three small words", ("Three small words",)),
        ("- Nerys left Thrennay\n* The toll rose\n+ Wend Gate closed early", (
            "Nerys left Thrennay", "The toll rose", "Wend Gate closed early")),
        ("1. Nerys left Thrennay\n12) The toll rose", ("Nerys left Thrennay", "The toll rose")),
        ("\u2022 Nerys left Thrennay", ("Nerys left Thrennay",)),
        ("\u2013 The toll rose", ("The toll rose",)),
        ("  - indented bullet kept\r\n\ttabbed line kept", (
            "indented bullet kept", "tabbed line kept")),
        ("- too short\n- long enough now", ("long enough now",)),
        ("The toll rose\n- The toll rose", ("The toll rose",)),
        ("-5 degrees at night", ("-5 degrees at night",)),
        ("1984 was the year", ("1984 was the year",)),
        ("* * * *\n---\n| - | - | - |", ()),
        ("ドラゴンは北の塔に住んでいる", ("ドラゴンは北の塔に住んでいる",)),
        ("東京", ()),
        ("Нерис покинула город", ("Нерис покинула город",)),
    ],
)  # fmt: skip
def test_lines_of_at_least_three_words_are_kept(summary: str, points: tuple[str, ...]) -> None:
    assert summary_points(summary) == points


@given(st.text(max_size=300))
def test_points_are_distinct_single_lines_of_the_summary(summary: str) -> None:
    points = summary_points(summary)
    assert len(set(points)) == len(points)
    for point in points:
        assert point in summary
        assert point == point.strip()
        assert len(point.splitlines()) == 1
