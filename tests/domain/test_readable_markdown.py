from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from inklings_desktop.domain.memories.readable_markdown import below, list_item
from tests.support.builders import a_memory
from tests.support.time_zones import standing_in


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("# One\n\ntext\n## Two", "### One\n\ntext\n#### Two"),
        ("##### Five", "###### Five"),
        ("#tag is no heading", "#tag is no heading"),
        ("#", "###"),
        ("a\r\n# b\r\n", "a\n### b"),
        ("```\n# a comment\n```\n# One", "```\n# a comment\n```\n### One"),
        ("~~~ sh\n# a\n```\n# b\n~~~~\n# c", "~~~ sh\n# a\n```\n# b\n~~~~\n### c"),
        ("```\nnever closed\n# a", "```\nnever closed\n# a\n```"),
        ("", ""),
    ],
)
def test_headings_stand_below_the_one_above_them(body: str, wanted: str) -> None:
    assert below(body, 2) == wanted


def test_a_memory_of_one_line_is_one_item() -> None:
    entry = a_memory("Salt is money.", tags=("salt",), source="user")
    day = f"{entry.created_at.astimezone():%Y-%m-%d}"
    about = f"{entry.curator.value} \u00b7 user \u00b7 {day} \u00b7 #salt"
    assert list_item(entry) == f"- Salt is money.\n  <sub>{about}</sub>\n"


def test_the_date_is_that_of_the_wall_clock() -> None:
    entry = a_memory("Salt is money.", created_at=datetime(2025, 12, 31, 23, 30, tzinfo=UTC))
    with standing_in("Europe/Berlin"):
        assert "2026-01-01" in list_item(entry)


def test_what_is_said_about_a_memory_ends_no_table_of_it() -> None:
    lines = list_item(a_memory("House style\r\n\n| a |\n|---|\n| b |")).split("\n")
    assert lines[:6] == ["- House style", "", "  | a |", "  |---|", "  | b |", ""]
    assert lines[6].startswith("  <sub>")


def test_states_are_said() -> None:
    entry = replace(a_memory("x"), pinned=True, paused=True, agent_id="researcher")
    assert "private to researcher \u00b7 pinned \u00b7 paused" in list_item(entry)
