"""Everything about one event, and what a check of the chain says."""

from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.log.events import (
    DescribedEvent,
    Event,
    EventKind,
    EventPlace,
    EventThing,
    LogFault,
    LogVerdict,
)
from inklings_desktop.ui.events.details import chain_state, event_detail
from inklings_desktop.ui.events.state import EventDetail, LogChoice
from tests.support.builders import NOON, WORKSPACE_ID

EXECUTED = Event(
    EventKind.SCRUB_EXECUTED,
    "you",
    "person",
    "window",
    "channel",
    "0e8f2a4c-1111",
    (),
    {
        "removed": 143,
        "forgotten_before": 12,
        "proposals": 0,
        "kept": 2,
        "kind:memory": 140,
        "kind:working_note": 3,
        "tier:channel": 143,
        "source:user": 16,
        "source:orchestrator": 127,
    },
    {"mode": "keep_named", "manifest": "7f3ac21e" * 8, "operator": "Ottoline Marsh"},
    number=48112,
    at=NOON,
    chain_hash="cd" * 32,
)
VERIFIED = Event(
    EventKind.SCRUB_VERIFIED,
    "you",
    "person",
    "cli",
    "channel",
    "0e8f2a4c-1111",
    (),
    {
        "scrub": 48112,
        "files": 14,
        "bytes": 12_401_232,
        "needles": 512,
        "hits": 0,
        "backups_rewritten": 2,
        "backups_deleted": 1,
        "remaining": 0,
    },
    {"receipt": "9c1f44d2" * 8},
    number=48113,
    at=NOON + timedelta(minutes=3),
)
PLACE = EventPlace("channel", "0e8f2a4c-1111", "first-draft-ideas")


def detail_of(found: DescribedEvent, *relatives: Event) -> EventDetail:
    return event_detail(found, LogChoice.WORKSPACE, "Saltglass", relatives, NOON)


def facts(detail: EventDetail) -> dict[str, str]:
    return {fact.name: fact.text for fact in detail.facts}


def test_a_scrub_shows_what_it_counted_and_removed() -> None:
    detail = detail_of(DescribedEvent(EXECUTED, PLACE), VERIFIED)
    assert detail.title == "Event 48,112"
    assert detail.is_permanent
    found = facts(detail)
    assert found["By"] == "Ottoline Marsh"
    assert found["Scope"] == "#first-draft-ideas"
    assert (found["Mode"], found["Counted"], found["Removed"]) == ("keep_named", "143", "143")
    assert found["Manifest"] == "7f3a-c21e"
    assert found["Through"] == "Window"
    assert detail.summary == (
        "kind      memory       140",
        "          working_note 3",
        "tier      channel 143",
        "source    orchestrator 127",
        "          user         16",
        "forgotten 12 before",
        "named     2 kept",
    )
    assert detail.note == "This record is permanent."
    (link,) = detail.links
    assert (link.title, link.text, link.number) == (
        "After this",
        "Check, 3 minutes later",
        48113,
    )


def test_the_manifest_is_copied_whole() -> None:
    detail = detail_of(DescribedEvent(EXECUTED, PLACE))
    manifest = next(fact for fact in detail.facts if fact.name == "Manifest")
    assert manifest.copies == "7f3ac21e" * 8


def test_a_check_shows_its_receipt_and_leads_back() -> None:
    detail = detail_of(DescribedEvent(VERIFIED, PLACE), EXECUTED)
    assert {fact.name: fact.text for fact in detail.receipt} == {
        "Files searched": "14",
        "Bytes": "12,401,232",
        "Pieces looked for": "512",
        "Hits": "0",
        "Backups": "2 rewritten, 1 deleted",
        "Receipt code": "9c1f-44d2",
    }
    assert detail.receipt[-1].copies == "9c1f44d2" * 8
    assert detail.summary == ()
    assert detail.links[0].title == "Before this"
    assert detail.links[0].text == "Scrub, 3 minutes earlier"


def test_a_reference_names_an_event_for_good() -> None:
    reference = detail_of(DescribedEvent(EXECUTED, PLACE)).reference
    assert reference == (
        f"Saltglass, event 48112, scrub.executed, {NOON:%Y-%m-%d %H:%M:%S} UTC, chain {'cd' * 32}"
    )


@pytest.mark.parametrize(
    ("place", "scope", "is_gone"),
    [
        (EventPlace("channel", "c1", "map-room"), "#map-room", False),
        (EventPlace("channel", "0e8f2a4c-1111", None), "no longer there, 0e8f2a4c", True),
        (EventPlace("conversation", "r1", "The toll", "conv-7"), "The toll", False),
        (EventPlace("conversation", "r1", "", "conv-7"), "New conversation", False),
        (EventPlace("workspace", WORKSPACE_ID, "Saltglass"), "Workspace, Saltglass", False),
        (EventPlace("account", "account", ""), "Account", False),
    ],
)
def test_the_scope_is_named_as_it_is_called_now(
    place: EventPlace, scope: str, *, is_gone: bool
) -> None:
    event = Event(EventKind.NOTES_CLEARED, "Ada", "person", "cli", place.kind, place.key, at=NOON)
    fact = next(one for one in detail_of(DescribedEvent(event, place)).facts if one.name == "Scope")
    assert (fact.text, fact.is_gone) == (scope, is_gone)


def test_things_are_named_and_the_rest_is_counted() -> None:
    things = (
        EventThing("memory", "m1", "Salt remembers.", is_active=True),
        EventThing("memory", "aaaabbbb-2222", None, is_active=False),
    )
    event = Event(
        EventKind.MEMORY_FORGOTTEN,
        "orchestrator",
        "agent",
        "mcp",
        ids=("m1", "aaaabbbb-2222", "m3"),
        counts={"memories": 120},
        at=NOON,
    )
    found = facts(detail_of(DescribedEvent(event, None, things)))
    assert found["About"] == "Salt remembers.\nno longer there, aaaabbbb\nand 118 more"
    assert found["By"] == "orchestrator, agent"
    assert found["Memories"] == "120"
    assert "Scope" not in found


def test_a_kind_of_another_version_says_so() -> None:
    event = Event(
        EventKind.UNKNOWN, "Ada", "clock", "clock", marks={"why": "tide"}, number=1, at=NOON
    )
    detail = detail_of(DescribedEvent(event, None))
    assert detail.note == "This kind of event is from another version of Inklings."
    assert facts(detail)["Why"] == "tide"
    assert facts(detail)["By"] == "Ada, background work"
    assert not detail.is_permanent


WHOLE = LogVerdict(WORKSPACE_ID, "Saltglass", 18)
ACCOUNT = LogVerdict(None, "", 3)


def test_whole_logs_are_said_to_be_whole() -> None:
    state = chain_state((ACCOUNT, WHOLE), WORKSPACE_ID)
    assert state.text == "Verified: 21 events in 2 logs, nothing altered."
    assert not state.is_broken


def test_the_fault_of_the_log_on_show_is_named_first() -> None:
    edited = LogVerdict(WORKSPACE_ID, "Saltglass", 18, 1_005, LogFault.EDITED)
    cut = LogVerdict(None, "", 2, None, LogFault.CUT)
    state = chain_state((cut, edited), WORKSPACE_ID)
    assert state.text == (
        "The log of Saltglass: event 1,005 is not what was written. 1 more log is not whole."
    )
    assert (state.broken_log, state.broken_number) == (WORKSPACE_ID, 1_005)
    gap = LogVerdict(WORKSPACE_ID, "Saltglass", 18, 7, LogFault.GAP)
    assert chain_state((gap,), WORKSPACE_ID).broken_number is None, "it may not be there"
    other = chain_state((cut, WHOLE), WORKSPACE_ID)
    assert other.text == "The account\u2019s log: it is shorter than it was."
    assert other.broken_number is None


@pytest.mark.parametrize("fault", list(LogFault))
@pytest.mark.parametrize("number", [None, 7])
def test_every_fault_is_one_sentence(fault: LogFault, number: int | None) -> None:
    verdict = LogVerdict("0e8f2a4c-1111", "", 0, number, fault)
    state = chain_state((verdict,), WORKSPACE_ID)
    assert state.is_broken
    assert state.text.startswith("The log of 0e8f2a4c: ")
    assert "{" not in state.text
    assert state.text.endswith(".")
