from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.log.events import DescribedEvent, Event, EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState
from inklings_desktop.ui.events.details import event_detail
from inklings_desktop.ui.events.state import LogChoice
from inklings_desktop.ui.scrub.notices import (
    asked_by_text,
    asking_notice,
    asking_text,
    clock_time,
    ended_notice,
)
from inklings_desktop.ui.window.banners.words import knock_banner
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.scrub_asking import a_request


def test_the_band_says_what_would_go_from_where_and_until_when() -> None:
    until = clock_time(a_request().expires_at)
    assert asking_text(a_request(), "Saltglass", 0) == (
        f"43 entries from Workspace, Saltglass, keeping named entries. Lapses at {until}."
    )
    of_account = a_request(scope=ScopeKey.account(), mode=ScrubMode.FULL, n_removed=1)
    assert asking_text(of_account, "", 2) == (
        f"1 entry from Account, named entries included. Lapses at {until}. 2 more requests wait."
    )
    of_channel = a_request(scope=ScopeKey.channel(WORKSPACE_ID, "ch1"))
    assert "Channel, #map-room, everything in it" in asking_text(of_channel, "#map-room", 0)


def test_the_dialog_names_who_asks_and_when_it_lapses() -> None:
    request = a_request()
    assert asking_notice(request).title == "loom asks you to delete memories for good."
    assert clock_time(request.expires_at) in asking_notice(request).text
    assert asked_by_text(request).startswith("loom, at ")


def test_our_own_agent_is_called_by_its_name_wherever_it_asks() -> None:
    ours = replace(a_request(), client="world-agent")
    event = Event(EventKind.DENIED, "world-agent", "agent", "mcp", at=NOON)
    log = LogChoice.ACCOUNT
    detail = event_detail(DescribedEvent(event, None), log, "account", (), NOON)
    told = [
        asking_notice(ours).title,
        asked_by_text(ours),
        ended_notice(replace(ours, state=ScrubRequestState.EXPIRED)).title,
        knock_banner("world-agent", "Saltglass").title,
        next(one.text for one in detail.facts if one.name == "By"),
    ]
    assert all("World Agent" in one and "world-agent" not in one for one in told), told


@pytest.mark.parametrize(
    ("state", "title"),
    [
        (ScrubRequestState.CHANGED, "Memory changed since loom asked."),
        (ScrubRequestState.EXPIRED, "The request of loom has lapsed."),
        (ScrubRequestState.WITHDRAWN, "loom may no longer ask for this."),
        (ScrubRequestState.EXECUTED, "This was carried out already."),
        (ScrubRequestState.DECLINED, "This request was answered in another window."),
    ],
)
def test_a_request_that_ended_says_why(state: ScrubRequestState, title: str) -> None:
    ended = a_request(state=state)
    assert ended_notice(ended).title == title
    assert asking_notice(ended) == ended_notice(ended)
