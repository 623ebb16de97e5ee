"""Memories and notes as rows: headings, excerpts, marks and ages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, MemoryRow, NoteRow
from inklings_desktop.ui.kit.words.memory_lines import (
    RowStyle,
    excerpt,
    memory_rows,
    note_rows,
)

NOW = datetime(2026, 3, 14, 10, 42, tzinfo=UTC)
DAY = timedelta(days=1)


def an_entry(
    memory_id: str,
    content: str = "The tide turns.",
    *,
    age: timedelta = DAY,
    importance: float = 0.5,
) -> MemoryEntry:
    return MemoryEntry(
        id=memory_id,
        sequence=1,
        version=1,
        scope=ScopeKey.workspace("w"),
        content=content,
        lifetime=Lifetime.SHORT_TERM,
        source="user",
        curator=Curator.AUTHOR,
        importance=importance,
        tags=("sea",),
        created_at=NOW - age,
    )


def a_style(sort: MemorySort = MemorySort.NEWEST, **changes: object) -> RowStyle:
    values: dict[str, object] = {
        "sort": sort,
        "decay": DecayConfig(),
        "as_of": NOW,
        "tier": Tier.WORKSPACE,
    }
    return RowStyle(**(values | changes))  # type: ignore[arg-type]  # a builder of examples


def test_a_heading_stands_above_each_month_with_the_count_of_the_whole_list() -> None:
    style = a_style(group_counts={"2026-03": 7, "2026-02": 1})
    rows = memory_rows([an_entry("a"), an_entry("b", age=30 * DAY)], style)
    headings = [row for row in rows if isinstance(row, HeadingRow)]
    assert [(row.text, row.detail) for row in headings] == [
        ("March 2026", "7"),
        ("February 2026", "1"),
    ]
    assert [row.captions for row in headings] == [True, False]


def test_bands_name_their_range() -> None:
    style = a_style(MemorySort.RELEVANCE, group_counts={"steady": 1})
    rows = memory_rows([an_entry("a", importance=0.5)], style)
    assert isinstance(rows[0], HeadingRow)
    assert (rows[0].text, rows[0].detail) == ("Steady", "0.30 to 1.00, 1")


def test_a_search_has_no_headings_and_marks_its_words() -> None:
    style = a_style(query=keyword_query("tides"))
    rows = memory_rows([an_entry("a")], style)
    (row,) = rows
    assert isinstance(row, MemoryRow)
    assert [row.excerpt[start : start + length] for start, length in row.highlights] == ["tide"]


def test_a_match_deep_inside_a_long_text_is_shown() -> None:
    content = "Salt and rope. " * 40 + "The lighthouse keeper waits."
    rows = memory_rows([an_entry("a", content)], a_style(query=keyword_query("lighthouse")))
    (row,) = rows
    assert isinstance(row, MemoryRow)
    assert row.excerpt.startswith("\u2026 ")
    ((start, length),) = row.highlights
    assert row.excerpt[start : start + length] == "lighthouse"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("# Heading\n\nBody **bold** and _soft_.", "Heading \u00b7 Body bold and soft."),
        ("- one\n- two", "one \u00b7 two"),
        ("snake_case stays", "snake_case stays"),
        ("a   b\tc", "a b c"),
        ("[the gate](page.md) opens", "the gate opens"),
        ("5 * 3 = 15", "5 * 3 = 15"),
        ("---", "---"),
    ],
)
def test_an_excerpt_is_one_plain_line(content: str, shown: str) -> None:
    assert excerpt(content) == shown


def test_age_follows_the_order_of_the_list() -> None:
    def label(sort: MemorySort) -> str:
        rows = memory_rows([an_entry("a", age=13 * DAY)], a_style(sort))
        row = rows[-1]
        assert isinstance(row, MemoryRow)
        return row.age_label

    assert label(MemorySort.NEWEST) == "13 d old"
    assert label(MemorySort.LAST_READ) == "never read"


def test_working_notes_stand_under_their_own_heading() -> None:
    note = WorkingNote("c", "pages", '{"n": 3}', NOW, NOW - timedelta(minutes=6))
    heading, row = note_rows([note], NOW)
    assert isinstance(heading, HeadingRow)
    assert (heading.text, heading.detail) == (
        "Working Notes",
        "1, kept by the agent while it works",
    )
    assert isinstance(row, NoteRow)
    assert (row.key, row.value_line, row.age_label) == ("pages", '{"n": 3}', "written 6 min ago")


def test_no_notes_no_heading() -> None:
    assert note_rows([], NOW) == ()


def test_a_heading_that_was_not_counted_has_no_figure() -> None:
    """A list whose dates lie more than 200 years apart counts its oldest months as one."""
    rows = memory_rows([an_entry("a")], a_style(group_counts={"9999-12": 1}))
    assert isinstance(rows[0], HeadingRow)
    assert (rows[0].text, rows[0].detail) == ("March 2026", "")
