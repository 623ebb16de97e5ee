"""One event of the log: its details, its place in the list, the check of its chain."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.log.events import EventKind, LogFault, LogVerdict
from inklings_desktop.ui.events.state import (
    EventRequest,
    LogChoice,
)
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.scenes import scene
from tests.ui.event_log_bench import Opening, at_the_log
from tests.ui.fake_log import FakeLog

pytestmark = pytest.mark.usefixtures("qapp")


@scene(at_the_log)
async def test_what_was_scrubbed_leaves_rows_and_details(opened: Opening, /) -> None:
    log = FakeLog()
    log.names["m1"] = "The salt remembers."
    log.append(ids=("m1",), counts={"memories": 1})
    tab = await opened(log)
    await tab.choose(1)
    assert tab.content.rows[0].what == "The salt remembers."
    assert "The salt remembers." in tab.facts.values()
    del log.names["m1"]
    await tab.change(reload=True)
    assert tab.content.rows[0].what == "1 memory, workspace"
    assert "no longer there, m1" in tab.facts.values()


@scene(at_the_log)
async def test_details_name_the_scrub_that_a_check_belongs_to(opened: Opening, /) -> None:
    log = FakeLog()
    log.append(EventKind.SCRUB_EXECUTED, counts={"removed": 3})
    log.append(EventKind.SCRUB_VERIFIED, counts={"scrub": 1, "hits": 0})
    log.append(EventKind.SCRUB_EXECUTED, counts={"removed": 1})
    tab = await opened(log)
    for number, relatives in ((2, [1]), (1, [2]), (3, [])):
        await tab.choose(number)
        assert tab.detail is not None
        assert tab.detail.number == number
        assert tab.links == relatives
        last = tab.detail
    assert last.reference.startswith("Saltglass, event 3, scrub.executed, ")
    await tab.choose(None)
    assert tab.detail is None


@scene(at_the_log)
async def test_copied_scrubs_name_each_other_by_their_old_numbers(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(1)
    for workspace_id in ("w1", "w2"):
        for kind, number, counts in (
            (EventKind.SCRUB_EXECUTED, "7", {"removed": 3}),
            (EventKind.SCRUB_VERIFIED, "8", {"scrub": 7}),
        ):
            marks = {"workspace": workspace_id, "number": number, "at": NOON.isoformat()}
            log.append(kind, log=None, counts=counts, marks=marks)
    tab = await opened(log)
    await tab.ask(EventRequest(LogChoice.ACCOUNT))
    for chosen, relative in ((1, 2), (2, 1), (3, 4), (4, 3)):
        await tab.choose(chosen)
        assert tab.links == [relative]
    assert tab.facts["Copied from"].startswith("event 8 of workspace w2, ")


@scene(at_the_log)
async def test_an_event_is_revealed_beyond_the_loaded_pages_and_behind_filters(
    opened: Opening, /
) -> None:
    log = FakeLog()
    log.fill(1_500)
    tab = await opened(log)
    assert await tab.page.reveal(LogChoice.WORKSPACE, 300)
    assert 300 in tab.numbers()
    await tab.ask(EventRequest(kinds=frozenset({EventKind.DENIED})))
    assert tab.numbers() == []
    assert await tab.page.reveal(LogChoice.WORKSPACE, 1_400)
    assert tab.page.request == EventRequest()
    assert 1_400 in tab.numbers()
    assert not await tab.page.reveal(LogChoice.WORKSPACE, 9_999)
    log.append(EventKind.DENIED, log=None)
    assert await tab.page.reveal(LogChoice.ACCOUNT, 1)
    assert tab.page.request.log is LogChoice.ACCOUNT


@scene(at_the_log)
async def test_only_logs_at_hand_can_be_shown(opened: Opening, /) -> None:
    tab = await opened(FakeLog())
    assert tab.page.log_of(WORKSPACE_ID) is LogChoice.WORKSPACE
    assert tab.page.log_of(None) is LogChoice.ACCOUNT
    assert tab.page.log_of(OTHER_WORKSPACE_ID) is None


@scene(at_the_log)
async def test_ages_of_all_that_is_loaded_move_on_with_a_reading_of_the_first_page(
    opened: Opening, /
) -> None:
    log = FakeLog()
    log.append(minutes_ago=60 * 24 * 400)
    for _ in range(250):
        log.append(minutes_ago=3)
    tab = await opened(log)
    await tab.more()
    ages = [row.age for row in tab.page.view.rows]
    assert (ages[0], ages[249], ages[250]) == ("3 min ago", "3 min ago", "1.0 y ago")
    log.calls.clear()
    log.clock.now = NOON + timedelta(minutes=2)
    tab.page.read_again()
    await tab.page.settled()
    ages = [row.age for row in tab.page.view.rows]
    assert (ages[0], ages[249], ages[250]) == ("5 min ago", "5 min ago", "1.0 y ago")
    assert log.calls == ["facets", "list 200 before None", "describe"]


@scene(at_the_log)
async def test_the_check_of_the_chain_says_what_it_found(opened: Opening, /) -> None:
    log = FakeLog()
    log.fill(8)
    tab = await opened(log)
    log.verdicts = (LogVerdict(None, "", 2), LogVerdict(WORKSPACE_ID, "Saltglass", 8))
    log.gate.clear()
    tab.page.check_chain()
    await asyncio.sleep(0)
    tab.page.check_chain()
    await asyncio.sleep(0)
    assert tab.page.chain.is_running
    log.gate.set()
    await tab.page.settled()
    assert log.calls.count("verify") == 1
    assert tab.page.chain.text == ("Verified: 10 events in 2 logs, nothing altered.")
    log.verdicts = (LogVerdict(WORKSPACE_ID, "Saltglass", 8, 5, LogFault.EDITED),)
    tab.page.check_chain()
    await tab.page.settled()
    assert tab.page.chain.broken_number == 5
    log.fails_with = DatabaseBusyError()
    tab.page.check_chain()
    await tab.page.settled()
    assert tab.page.chain.text == ""
    assert len(tab.said.messages) == 1
