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
from tests.ui.event_log_bench import Tab, play
from tests.ui.fake_log import FakeLog

pytestmark = pytest.mark.usefixtures("qapp")


def test_what_was_scrubbed_leaves_rows_and_details() -> None:
    log = FakeLog()
    log.names["m1"] = "The salt remembers."
    log.append(ids=("m1",), counts={"memories": 1})

    async def scene(tab: Tab) -> None:
        tab.presenter.choose(1)
        await tab.presenter.settled()
        assert tab.content.rows[0].what == "The salt remembers."
        assert "The salt remembers." in [fact.text for fact in tab.details.last.facts]
        del log.names["m1"]
        await tab.change(reload=True)
        assert tab.content.rows[0].what == "1 memory, workspace"
        assert "no longer there, m1" in [fact.text for fact in tab.details.last.facts]

    play(log, scene)


def test_details_name_the_scrub_that_a_check_belongs_to() -> None:
    log = FakeLog()
    log.append(EventKind.SCRUB_EXECUTED, counts={"removed": 3})
    log.append(EventKind.SCRUB_VERIFIED, counts={"scrub": 1, "hits": 0})
    log.append(EventKind.SCRUB_EXECUTED, counts={"removed": 1})

    async def scene(tab: Tab) -> None:
        for number, relatives in ((2, [1]), (1, [2]), (3, [])):
            tab.presenter.choose(number)
            await tab.presenter.settled()
            detail = tab.details.last
            assert detail.number == number
            assert [link.number for link in detail.links] == relatives
        assert tab.details.last.reference.startswith("Saltglass, event 3, scrub.executed, ")
        tab.presenter.choose(None)
        assert tab.details.last is None

    play(log, scene)


def test_copied_scrubs_name_each_other_by_their_old_numbers() -> None:
    log = FakeLog()
    log.fill(1)
    for workspace_id in ("w1", "w2"):
        for kind, number, counts in (
            (EventKind.SCRUB_EXECUTED, "7", {"removed": 3}),
            (EventKind.SCRUB_VERIFIED, "8", {"scrub": 7}),
        ):
            marks = {"workspace": workspace_id, "number": number, "at": NOON.isoformat()}
            log.append(kind, log=None, counts=counts, marks=marks)

    async def scene(tab: Tab) -> None:
        await tab.ask(EventRequest(LogChoice.ACCOUNT))
        for number, relative in ((1, 2), (2, 1), (3, 4), (4, 3)):
            tab.presenter.choose(number)
            await tab.presenter.settled()
            assert [link.number for link in tab.details.last.links] == [relative]
        facts = {fact.name: fact.text for fact in tab.details.last.facts}
        assert facts["Copied from"].startswith("event 8 of workspace w2, ")

    play(log, scene)


def test_an_event_is_revealed_beyond_the_loaded_pages_and_behind_filters() -> None:
    log = FakeLog()
    log.fill(1_500)

    async def scene(tab: Tab) -> None:
        assert await tab.presenter.reveal(LogChoice.WORKSPACE, 300)
        assert 300 in tab.numbers()
        await tab.ask(EventRequest(kinds=frozenset({EventKind.DENIED})))
        assert tab.numbers() == []
        assert await tab.presenter.reveal(LogChoice.WORKSPACE, 1_400)
        assert tab.presenter.request == EventRequest()
        assert 1_400 in tab.numbers()
        assert not await tab.presenter.reveal(LogChoice.WORKSPACE, 9_999)
        log.append(EventKind.DENIED, log=None)
        assert await tab.presenter.reveal(LogChoice.ACCOUNT, 1)
        assert tab.presenter.request.log is LogChoice.ACCOUNT

    play(log, scene)


def test_only_logs_at_hand_can_be_shown() -> None:
    async def scene(tab: Tab) -> None:
        assert tab.presenter.log_of(WORKSPACE_ID) is LogChoice.WORKSPACE
        assert tab.presenter.log_of(None) is LogChoice.ACCOUNT
        assert tab.presenter.log_of(OTHER_WORKSPACE_ID) is None

    play(FakeLog(), scene)


def test_ages_move_on_without_a_reading() -> None:
    log = FakeLog()
    log.append(minutes_ago=60 * 24 * 400)
    log.append(minutes_ago=3)

    async def scene(tab: Tab) -> None:
        assert [row.age for row in tab.content.rows] == ["3 min ago", "1.0 y ago"]
        log.calls.clear()
        n_contents = len(tab.contents.payloads)
        tab.presenter.refresh_ages()
        assert len(tab.contents.payloads) == n_contents
        log.clock.now = NOON + timedelta(minutes=2)
        tab.presenter.refresh_ages()
        assert [row.age for row in tab.content.rows] == ["5 min ago", "1.0 y ago"]
        assert log.calls == []

    play(log, scene)


def test_the_check_of_the_chain_says_what_it_found() -> None:
    log = FakeLog()
    log.fill(8)

    async def scene(tab: Tab) -> None:
        log.verdicts = (LogVerdict(None, "", 2), LogVerdict(WORKSPACE_ID, "Saltglass", 8))
        log.gate.clear()
        tab.presenter.check_chain()
        await asyncio.sleep(0)
        tab.presenter.check_chain()
        await asyncio.sleep(0)
        assert tab.chains.last.is_running
        log.gate.set()
        await tab.presenter.settled()
        assert log.calls.count("verify") == 1
        assert tab.chains.last.text == (
            "The chain is whole: 10 events in 2 logs are what was written."
        )
        log.verdicts = (LogVerdict(WORKSPACE_ID, "Saltglass", 8, 5, LogFault.EDITED),)
        tab.presenter.check_chain()
        await tab.presenter.settled()
        assert tab.chains.last.broken_number == 5
        log.fails_with = DatabaseBusyError()
        tab.presenter.check_chain()
        await tab.presenter.settled()
        assert tab.chains.last.text == ""
        assert len(tab.messages.payloads) == 1

    play(log, scene)
