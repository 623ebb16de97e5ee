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


@pytest.mark.parametrize(
    "line",
    [
        "## What we decided today", "All user messages:", "**Primary Request and Intent:**",
        "1. **Key Technical Concepts**",
        "6. All of the user messages:",
        "Was wir beschlossen haben\uff1a",
        "<summary of the session>", "`memory_put(text, tier='channel')`",
        "$ inklings memory add hello", ">>> store.write(1, 2)", "+++ b/inklings_desktop/domain.py",
        "@@ -1,2 +1,2 @@ def put",
        "def put(self, caller, draft):",
        "class Store(Port, Protocol): ...",
        "from pathlib import Path as P",
        "import { useState } from 'react'",
        "#include <stdio.h> now",
        "let tide = readTide(bell, 3);", "count = len(found) + 1 + more",
        "x.y = {'a': 1, 'b': 2}",
        "if (tide > 3) { ring(bell, loudly) }",
        "self.bell = await tide.read()",
        "SELECT id, text FROM memories WHERE tier = 1", "print(one, two, three)",
        "foo(a, b).bar(c, d);",
    ],
)  # fmt: skip
def test_headings_and_code_are_no_points(line: str) -> None:
    assert summary_points(f"{line}\nNerys left Thrennay\n  {line}") == ("Nerys left Thrennay",)


@pytest.mark.parametrize(
    "line",
    [
        "Nerys: left Thrennay at dusk",
        "Mara = the keeper of the light",
        "The bell(s) ring at dusk",
        "Import duties were raised again", "Let Mara (the keeper) ring the bell",
        "The toll is 3 < 5 crowns",
        "**The queen never sails at new moon.**",
        "From Wend we import salt",
        "\u201cWhy?\u201d she asked; nobody knew;", "select from these three bells",
        "The class of mages (old ones) rules",
        "312 ships took the sea road",
        "312. The sea took the road",
        "the level=high tide drowned the gate",
        "Function follows form in Wend",
        "She said: stay here",
        "**Mara** keeps the **light**", "Mara keeps the light; Orrin waits;",
    ],
)  # fmt: skip
def test_prose_is_no_heading_and_no_code(line: str) -> None:
    assert summary_points(f"- {line}") == (line,)


def test_what_stands_between_fences_is_no_point() -> None:
    summary = (
        "Nerys left Thrennay\n```python\nthe bell rings\n```\nThe toll rose\n```\nWend Gate closed"
    )
    assert summary_points(summary) == ("Nerys left Thrennay", "The toll rose", "Wend Gate closed")


@given(st.text(max_size=300))
def test_points_are_distinct_single_lines_of_the_summary(summary: str) -> None:
    points = summary_points(summary)
    assert len(set(points)) == len(points)
    for point in points:
        assert point in summary
        assert point == point.strip()
        assert len(point.splitlines()) == 1
