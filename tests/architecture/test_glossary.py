"""The glossary is short, and leads to files that exist."""

from __future__ import annotations

import re

from tests.architecture.contract_report import REPOSITORY

PAGE = (REPOSITORY / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [row for row in re.findall(r"^\| (.+) \|$", PAGE, re.MULTILINE) if row[:4] != "word"]
MOST_WORDS = 33


def test_it_can_be_read_in_one_sitting() -> None:
    words = [row.split(" | ")[0] for row in ROWS]
    assert 20 < len(words) <= MOST_WORDS
    assert len(set(words)) == len(words)


def test_every_word_leads_to_a_file() -> None:
    named = [re.findall(r"`([\w/.]+)`", row.split(" | ")[2]) for row in ROWS]
    assert all(named)
    assert [one for row in named for one in row if not (REPOSITORY / one).exists()] == []
