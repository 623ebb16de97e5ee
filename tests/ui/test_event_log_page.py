"""The event log keeps up, page by page, whatever is asked meanwhile."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.ui.events.state import (
    EventRequest,
    LogChoice,
    LogEmptiness,
    Period,
)
from tests.support.builders import OTHER_WORKSPACE_ID
from tests.support.scenes import scene
from tests.ui.event_log_bench import Opening, at_the_log
from tests.ui.fake_log import FakeLog

pytestmark = pytest.mark.usefixtures("qapp")


@scene(at_the_log)
async def test_the_newest_page_comes_first_and_the_whole_log_is_counted(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(450)
    tab = await opened(log)
    assert tab.numbers() == list(range(450, 250, -1))
    assert tab.content.total == "Newest first, 450 events"
    for n_rows in (400, 450):
        assert tab.content.has_more
        await tab.more()
        assert len(tab.numbers()) == n_rows
    assert tab.numbers() == list(range(450, 0, -1))
    log.calls.clear()
    await tab.more()
    assert log.calls == []


@scene(at_the_log)
async def test_nothing_is_read_while_nobody_looks(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(3)
    tab = await opened(log, watched=False)
    tab.page.on_changes(log.changes())
    await tab.page.settled()
    assert log.calls == []
    tab.page.on_shown(is_shown=True)
    await tab.page.settled()
    assert tab.numbers() == [3, 2, 1]
    tab.page.on_shown(is_shown=False)
    log.fill(1)
    n_calls = len(log.calls)
    tab.page.on_changes(log.changes())
    await tab.page.settled()
    assert len(log.calls) == n_calls
    tab.page.on_shown(is_shown=True)
    await tab.page.settled()
    assert tab.numbers() == [4, 3, 2, 1]


@scene(at_the_log)
async def test_filters_are_asked_of_the_store(opened: Opening, /) -> None:
    log = FakeLog()
    log.append(EventKind.SCRUB_EXECUTED, actor="Ada", minutes_ago=60 * 24 * 40)
    log.append(EventKind.DENIED, actor="Dice Relay", tier="account", scope_key="account")
    log.append(EventKind.MEMORY_CREATED, actor="orchestrator")
    tab = await opened(log)
    for request, numbers in (
        (EventRequest(kinds=frozenset({EventKind.DENIED})), [2]),
        (EventRequest(actors=frozenset({"Ada", "orchestrator"})), [3, 1]),
        (EventRequest(tiers=frozenset({"account"})), [2]),
        (EventRequest(period=Period.MONTH), [3, 2]),
        (EventRequest(period=Period.TWO_MONTHS), [3, 2, 1]),
        (EventRequest(text="  dice "), [2]),
    ):
        await tab.ask(request)
        assert tab.numbers() == numbers, request
        assert tab.content.facets.total == 3
    await tab.ask(EventRequest(text="nowhere"))
    assert tab.content.emptiness is LogEmptiness.NO_MATCH
    assert tab.content.total == "No events"


@scene(at_the_log)
async def test_how_many_match_is_not_claimed_before_all_are_read(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(250)
    tab = await opened(log)
    await tab.ask(EventRequest(actors=frozenset({"orchestrator"})))
    assert tab.content.total == "Newest first, more than 200 events"
    await tab.more()
    assert tab.content.total == "Newest first, 250 events"


@scene(at_the_log)
async def test_an_empty_log_says_so_whatever_it_is_narrowed_to(opened: Opening, /) -> None:
    tab = await opened(FakeLog())
    assert tab.content.emptiness is LogEmptiness.NOTHING_YET
    await tab.ask(EventRequest(period=Period.DAY))
    assert tab.content.emptiness is LogEmptiness.NOTHING_YET


@scene(at_the_log)
async def test_a_late_answer_to_an_older_question_is_dropped(opened: Opening, /) -> None:
    log = FakeLog()
    log.append(actor="Ada")
    log.append(actor="orchestrator")
    tab = await opened(log)
    log.gate.clear()
    tab.page.ask(EventRequest(text="ada"))
    await asyncio.sleep(0)
    tab.page.ask(EventRequest(text="orchestrator"))
    await asyncio.sleep(0)
    log.gate.set()
    await tab.page.settled()
    assert tab.numbers() == [2]
    assert tab.page.view.bar.request == EventRequest(text="orchestrator")


@scene(at_the_log)
async def test_new_events_come_on_top_of_what_was_scrolled_to(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(300)
    tab = await opened(log)
    await tab.more()
    before = tab.content.rows
    log.append(EventKind.DENIED, actor="Dice Relay")
    log.calls.clear()
    await tab.change()
    assert tab.numbers()[:2] == [301, 300]
    assert tab.content.rows[1:] == before
    assert tab.content.total == "Newest first, 301 events"
    assert ("Dice Relay", 1) in tab.content.facets.actors
    assert log.calls == ["facets", "list 200 before None", "describe"]


@scene(at_the_log)
async def test_a_burst_of_commits_costs_a_few_readings(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(5)
    tab = await opened(log)
    log.calls.clear()
    for _ in range(50):
        log.append()
        tab.page.on_changes(log.changes())
    tab.page.on_shown(is_shown=False)
    tab.page.on_shown(is_shown=True)
    await asyncio.sleep(0)
    for _ in range(50):
        log.append()
        tab.page.on_changes(log.changes())
    await tab.page.settled()  # a reading that has begun need not have met the last of them
    await tab.look()
    assert tab.numbers() == list(range(105, 0, -1))
    assert sum(call.startswith("list") for call in log.calls) <= 3


@scene(at_the_log)
async def test_more_news_than_a_page_leave_no_gap(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(10)
    tab = await opened(log)
    log.fill(350)
    await tab.change()
    assert tab.numbers() == list(range(360, 160, -1))
    assert tab.content.has_more


@scene(at_the_log)
async def test_commits_elsewhere_and_without_events_are_not_asked_about(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(2)
    tab = await opened(log)
    log.calls.clear()
    for workspace_id in (OTHER_WORKSPACE_ID, None):
        tab.page.on_changes(MemoryChanges(workspace_id, events=True))
    await tab.change(events=False, proposals=True)
    assert log.calls == []


@scene(at_the_log)
async def test_a_renamed_channel_is_called_by_its_new_name(opened: Opening, /) -> None:
    log = FakeLog()
    log.names["c1"] = "map-room"
    log.append(tier="channel", scope_key="c1", counts={"memories": 2})
    log.fill(250)
    tab = await opened(log)
    await tab.more()
    assert tab.content.rows[-1].what == "2 memories, #map-room"
    log.names["c1"] = "chart-room"
    await tab.change(rooms=True)
    assert tab.numbers() == list(range(251, 0, -1))
    assert tab.content.rows[-1].what == "2 memories, #chart-room"


@scene(at_the_log)
async def test_the_account_has_a_log_of_its_own(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(3)
    log.append(EventKind.WORKSPACE_DELETED, log=None, counts={})
    tab = await opened(log)
    await tab.choose(3)
    await tab.ask(EventRequest(LogChoice.ACCOUNT))
    assert tab.numbers() == [1]
    assert tab.detail is not None
    assert tab.detail.log is LogChoice.ACCOUNT
    log.append(EventKind.DENIED, log=None)
    tab.page.on_changes(MemoryChanges(None, events=True))
    await tab.look()
    assert tab.numbers() == [2, 1]


@scene(at_the_log)
async def test_a_log_that_cannot_be_read_says_why_and_comes_back(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(2)
    tab = await opened(log)
    log.fails_with = DatabaseBusyError()
    await tab.ask(tab.page.request)
    assert tab.page.content is None
    texts = [label.text() for label in tab.page.view.empty.findChildren(QLabel)]
    assert any("Another program is writing just now" in text for text in texts)
    assert tab.numbers() == []
    log.fails_with = None
    await tab.look()
    assert tab.numbers() == [2, 1]


@scene(at_the_log)
async def test_a_failure_to_keep_up_or_to_read_on_leaves_what_is_on_show(
    opened: Opening, /
) -> None:
    log = FakeLog()
    log.fill(250)
    tab = await opened(log)
    log.fails_with = DatabaseBusyError()
    await tab.change()
    await tab.more()
    assert len(tab.said.messages) == 2
    assert len(tab.numbers()) == 200
    log.fails_with = None
    log.append()
    await tab.change()
    assert tab.numbers()[0] == 251


@scene(at_the_log)
async def test_another_workspace_begins_anew(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(3)
    log.logs[OTHER_WORKSPACE_ID] = []
    tab = await opened(log)
    await tab.choose(2)
    await tab.ask(EventRequest(text="orchestrator"))
    await tab.page.open(OTHER_WORKSPACE_ID)
    assert tab.page.request == EventRequest()
    assert tab.content.rows == ()
    assert tab.detail is None
