"""What agents wrote since some time: found by a chip, forgotten in one step."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtWidgets import QMenu

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import Curator, MemoryDraft, Tier
from inklings_desktop.ui.memory.list.search_words import (
    Since,
    begin_of,
    by_agents_since,
    is_by_agents_since,
    since_label,
)
from tests.support.scenes import scene
from tests.support.time_zones import standing_in
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
NOW = datetime(2026, 3, 14, 10, 36, tzinfo=UTC)


def test_days_begin_at_midnight_here_and_spans_at_the_hour() -> None:
    assert begin_of(Since.HOUR, NOW) == NOW - timedelta(hours=1)
    assert begin_of(Since.MONTH, NOW) == NOW - timedelta(days=30)
    today, yesterday = begin_of(Since.TODAY, NOW), begin_of(Since.YESTERDAY, NOW)
    assert today.astimezone().hour == 0
    assert today <= NOW < today + timedelta(days=1, hours=1)
    assert yesterday < today
    where = by_agents_since(EVERYTHING, today)
    assert (where.curators, where.written_since) == (frozenset({Curator.AGENT}), today)
    assert is_by_agents_since(where)
    assert not is_by_agents_since(EVERYTHING)


@pytest.mark.parametrize(
    ("now", "today", "yesterday"),
    [
        ("2026-03-29T10:00", "2026-03-28T23:00", "2026-03-27T23:00"),
        ("2026-03-30T10:00", "2026-03-29T22:00", "2026-03-28T23:00"),
        ("2026-10-25T23:30", "2026-10-25T23:00", "2026-10-24T22:00"),
    ],
)
def test_a_day_of_summer_time_begins_at_its_own_midnight(
    now: str, today: str, yesterday: str
) -> None:
    """Where clocks were put on or back since: in UTC."""
    with standing_in("Europe/Berlin"):
        at = datetime.fromisoformat(now).replace(tzinfo=UTC)
        begins = [begin_of(since, at) for since in (Since.TODAY, Since.YESTERDAY)]
    assert [f"{begin:%Y-%m-%dT%H:%M}" for begin in begins] == [today, yesterday]


def two_hands(bench: Bench) -> None:
    inklings, world = bench.inklings, bench.workspace
    rights = {Right(Tier.WORKSPACE, world.id, one) for one in (Action.READ, Action.WRITE)}
    inklings.clients.grant("Loom", frozenset(rights))
    agent = inklings.clients.admit("Loom", world.id)
    bench.put("The author wrote this.")
    for number in range(3):
        inklings.as_caller(agent).memories.put(
            MemoryDraft(bench.scope, f"An agent wrote {number}.")
        )


@scene(drive, two_hands)
async def test_what_agents_wrote_today_is_found_forgotten_and_taken_back(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 4)
    window, filters = bench.window, bench.window.page.filters
    assert not filters.forget_these.isVisible()
    assert not filters.agents.isVisible()
    named = {one.action.text(): one.action for one in window.menus.commands.all()}
    named[since_label(Since.TODAY)].trigger()
    await bench.until(lambda: len(bench.texts()) == 3)
    assert all("agent" in text for text in bench.texts())
    assert filters.agents.is_active
    assert not filters.curator.is_active
    menu = QMenu(filters)
    filters.fill_since(menu)
    assert [action.text() for action in menu.actions()] == list(map(since_label, Since))
    await bench.until(filters.forget_these.isVisible)
    filters.forget_these.click()
    await bench.until(lambda: bench.texts() == [])
    await bench.until(lambda: window.menus["undo"].text() == "Undo: Forgot 3 memories")
    window.menus["undo"].trigger()
    await bench.until(lambda: len(bench.texts()) == 3)
    filters.agents.clear_requested.emit()
    await bench.until(lambda: len(bench.texts()) == 4)
    assert not filters.forget_these.isVisible()
