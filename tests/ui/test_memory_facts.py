from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from inklings_desktop.domain.memories.listing import BAND_FLOORS
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, ScopeKey, Tier
from inklings_desktop.ui.kit.words.memory_facts import (
    accessible_description,
    band_label,
    curator_label,
    exact_time,
    forgotten_reason_label,
    importance_figure,
    lifetime_label,
    memory_title,
    new_memory_title,
    reads_label,
    relative_age,
    relevance_figure,
    spoken_age,
    tier_title,
    writer_label,
)
from tests.support.time_zones import standing_in

NOW = datetime(2026, 3, 14, 10, 42, tzinfo=UTC)


def a_timeline_memory() -> MemoryEntry:
    return MemoryEntry(
        id="0203373e-0000-4000-8000-000000000000",
        sequence=1,
        version=1,
        scope=ScopeKey.workspace("w"),
        content="The story is set nine years after the Wend Gate flood.",
        lifetime=Lifetime.SHORT_TERM,
        source="orchestrator",
        curator=Curator.AGENT,
        importance=0.55,
        tags=("timeline",),
        created_at=NOW - timedelta(days=25),
        accessed_at=NOW - timedelta(hours=264),
        access_count=2,
        embedding_model="a-model",
    )


@pytest.mark.parametrize(
    ("delta", "text"),
    [
        (timedelta(seconds=-5), "<1 min"),
        (timedelta(seconds=59), "<1 min"),
        (timedelta(minutes=6, seconds=50), "6 min"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=5, minutes=40), "5 h"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(days=13, hours=20), "13 d"),
        (timedelta(days=59), "59 d"),
        (timedelta(days=60), "1 mo"),
        (timedelta(days=215), "7 mo"),
        (timedelta(days=365), "11 mo"),
        (timedelta(days=366), "1.0 y"),
        (timedelta(days=440), "1.2 y"),
        (timedelta(days=4000), "10.9 y"),
    ],
)
def test_an_age_has_one_figure_and_one_unit_and_is_rounded_down(
    delta: timedelta, text: str
) -> None:
    assert relative_age(delta) == text


@pytest.mark.parametrize(
    ("delta", "text"),
    [
        (timedelta(), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=5), "5 hours"),
        (timedelta(days=25), "25 days"),
        (timedelta(days=215), "7 months"),
        (timedelta(days=440), "1.2 years"),
    ],
)
def test_a_spoken_age_is_in_whole_words(delta: timedelta, text: str) -> None:
    assert spoken_age(delta) == text


def test_an_exact_time_is_on_the_wall_clock_of_this_machine() -> None:
    at = datetime(2026, 3, 14, 10, 36).astimezone()

    assert exact_time(at.astimezone(UTC)) == "14 Mar 2026, 10:36"


def test_the_last_minute_of_the_calendar_has_a_time() -> None:
    with standing_in("Pacific/Auckland"):
        assert exact_time(datetime(9999, 12, 31, 23, 59, tzinfo=UTC)) == "31 Dec 9999, 23:59"


@pytest.mark.parametrize(
    ("relevance", "figure"),
    [(0.0, "<0.01"), (0.0099, "<0.01"), (0.01, "0.01"), (0.309, "0.31"), (2.0, "2.00")],
)
def test_a_relevance_has_two_decimals(relevance: float, figure: str) -> None:
    assert relevance_figure(relevance) == figure


def test_a_relevance_beyond_the_scale_says_so() -> None:
    assert relevance_figure(12.3) == "9.99+"


def test_an_importance_has_two_decimals() -> None:
    assert importance_figure(0.5) == "0.50"


def test_every_tier_lifetime_curator_and_band_has_its_own_words() -> None:
    tiers = [tier_title(tier) for tier in Tier]
    assert tiers == ["Conversation", "Channel", "Workspace", "Account"]
    assert [memory_title(tier) for tier in Tier] == [f"{name} memory" for name in tiers]
    assert [new_memory_title(tier) for tier in Tier] == [
        f"New {name.lower()} memory" for name in tiers
    ]
    assert [lifetime_label(one) for one in Lifetime] == [
        "Long-term",
        "Short-term",
        "This conversation",
    ]
    assert [curator_label(one) for one in Curator] == ["Agent", "Author", "Import"]
    assert [band_label(band) for band in BAND_FLOORS] == [
        "Vivid",
        "Steady",
        "Fading",
        "Nearly gone",
    ]


def test_a_row_names_the_client_that_wrote_it_and_no_name_that_an_import_claims() -> None:
    entry = a_timeline_memory()
    assert writer_label(entry) == "Agent"
    assert writer_label(replace(entry, written_by="loom")) == "loom"
    assert writer_label(replace(entry, written_by="author")) == "Author"
    claimed = replace(entry, written_by="author", curator=Curator.IMPORT)
    assert writer_label(claimed) == "Import"


def test_reads_are_counted_in_words() -> None:
    assert [reads_label(n) for n in (0, 1, 2)] == ["0 reads", "1 read", "2 reads"]


def test_reasons_set_by_the_program_become_phrases_and_a_persons_own_stay() -> None:
    assert forgotten_reason_label("cap") == "to make room for a newer one"
    assert forgotten_reason_label("said twice") == "said twice"
    assert forgotten_reason_label(None) == ""


def test_a_row_is_described_in_the_order_it_is_read() -> None:
    assert accessible_description(a_timeline_memory(), 0.31, NOW) == (
        "Agent, orchestrator, short-term, relevance 0.31 steady, importance 0.55, "
        "read 2 times, 25 days old, tags timeline"
    )


def test_what_is_unusual_about_a_row_is_described_too() -> None:
    unusual = replace(
        a_timeline_memory(),
        agent_id="Reader",
        access_count=0,
        accessed_at=None,
        tags=(),
        embedding_model=None,
        forgotten_at=NOW - timedelta(days=3),
        pinned=True,
        paused=True,
    )

    assert accessible_description(unusual, 0.001, NOW) == (
        "Agent, orchestrator, private to agent Reader, short-term, relevance <0.01 nearly gone, "
        "importance 0.55, never read, 25 days old, found by words only, pinned, paused, "
        "forgotten 3 days ago"
    )
