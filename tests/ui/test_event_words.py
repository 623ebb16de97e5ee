"""What happened, in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from inklings_desktop.domain.log.events import (
    DescribedEvent,
    Event,
    EventKind,
    EventPlace,
    EventThing,
)
from inklings_desktop.ui.kit.lists.event_list_model import EventTone
from inklings_desktop.ui.kit.words.event_words import (
    door_label,
    event_row,
    tier_name,
    total_sentence,
    what_happened,
)
from tests.support.builders import NOON, WORKSPACE_ID

MAP_ROOM = EventPlace("channel", "c1", "map-room")
GONE = EventPlace("channel", "c2", None)
ROOM = EventPlace("conversation", "r1", "The toll at Wend Gate", "conv-7")
ASKING = EventPlace("conversation", "r2", "Where does Threnny stand?", "conv-8")
UNTITLED = EventPlace("conversation", "r3", "", "conv-9")
LOST = EventPlace("conversation", "r4", None)
WORLD = EventPlace("workspace", WORKSPACE_ID, "Saltglass")
ACCOUNT = EventPlace("account", "account", "")


def an_event(
    kind: EventKind,
    place: EventPlace | None = WORLD,
    things: tuple[EventThing, ...] = (),
    **values: Any,
) -> DescribedEvent:
    event = Event(
        kind,
        values.pop("actor", "Ada"),
        "person",
        "window",
        place.kind if place else None,
        place.key if place else None,
        tuple(one.id for one in things) or values.pop("ids", ()),
        values.pop("counts", {}),
        values.pop("marks", {}),
        number=48112,
        at=NOON - timedelta(days=6),
    )
    assert not values
    return DescribedEvent(event, place, things)


def a_thing(name: str | None, kind: str = "memory") -> EventThing:
    return EventThing(kind, "t1", name, is_active=name is not None)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            an_event(
                EventKind.MEMORY_CREATED,
                MAP_ROOM,
                (a_thing("Salt remembers."),),
                counts={"memories": 1},
            ),
            "Salt remembers.",
        ),
        (
            an_event(EventKind.MEMORY_EDITED, MAP_ROOM, (a_thing(None),), counts={"memories": 1}),
            "1 memory, #map-room",
        ),
        (
            an_event(EventKind.MEMORY_FORGOTTEN, WORLD, counts={"memories": 1_200}),
            "1,200 memories, workspace",
        ),
        (
            an_event(
                EventKind.ENTRY_SAVED,
                WORLD,
                (a_thing("VOICE", "named_entry"),),
                counts={"version": 4, "characters": 758},
            ),
            "VOICE, 758 characters",
        ),
        (
            an_event(EventKind.ENTRY_DELETED, WORLD, (a_thing(None, "named_entry"),)),
            "A named entry no longer there",
        ),
        (
            an_event(
                EventKind.PROPOSAL_MADE,
                WORLD,
                (a_thing("VOICE", "proposal"),),
                counts={"named_body": 1, "pending": 1},
            ),
            "VOICE, new text, waits for you",
        ),
        (
            an_event(
                EventKind.PROPOSAL_DECIDED,
                WORLD,
                (a_thing("RULES", "proposal"),),
                counts={"named_new": 1, "accepted": 1},
            ),
            "RULES, new entry, accepted",
        ),
        (
            an_event(
                EventKind.PROPOSAL_DECIDED,
                MAP_ROOM,
                (a_thing("memory_new", "proposal"),),
                counts={"memory_new": 1, "rejected": 1},
            ),
            "New memory, #map-room, rejected",
        ),
        (an_event(EventKind.PROPOSAL_MADE, ACCOUNT), "Proposal, account"),
        (an_event(EventKind.CONVERSATION_STARTED, ROOM), "The toll at Wend Gate"),
        (
            an_event(EventKind.CONVERSATION_IDLED, ROOM, counts={"forgotten": 6, "kept": 2}),
            "The toll at Wend Gate, 2 kept, 6 forgotten",
        ),
        (
            an_event(EventKind.NOTES_CLEARED, ASKING, counts={"notes": 4}),
            "Where does Threnny stand? 4 working notes",
        ),
        (
            an_event(EventKind.CONVERSATION_ARCHIVED, UNTITLED, counts={"forgotten": 0}),
            "New conversation",
        ),
        (an_event(EventKind.CONVERSATION_STARTED, LOST), "A conversation no longer there"),
        (
            an_event(EventKind.DENIED, WORLD, counts={"memory.put": 1}),
            "Not allowed: memory.put, Saltglass",
        ),
        (an_event(EventKind.DENIED, None), "Not allowed"),
        (
            an_event(
                EventKind.DENIED, EventPlace("workspace", "w9", None), counts={"memory.put": 1}
            ),
            "Not allowed: memory.put, a workspace no longer there",
        ),
        (
            an_event(
                EventKind.GRANTED,
                ACCOUNT,
                ids=("Dice Relay", WORKSPACE_ID),
                counts={"workspace:read": 1, "channel:scrub:keep_named": 2},
            ),
            "Dice Relay: workspace read, channel scrub keep named",
        ),
        (an_event(EventKind.REVOKED, ACCOUNT, ids=("Dice Relay",)), "Dice Relay"),
        (
            an_event(
                EventKind.WORKSPACE_DELETED,
                None,
                ids=("0e8f2a4c-1111-4222-8333-944445555666",),
                counts={"memories": 119, "named_entries": 1, "events": 0},
            ),
            "Workspace 0e8f2a4c, 119 memories, 1 named entry",
        ),
        (
            an_event(EventKind.LOG_ADOPTED, None, counts={"events": 18}),
            "18 events copied from another installation",
        ),
        (
            an_event(EventKind.SCHEMA_MIGRATED, WORLD, counts={"from": 1, "to": 2}),
            "Brought up to date from schema 1 to 2, a backup was made before",
        ),
        (
            an_event(EventKind.LOG_ANCHORED, WORLD, counts={"events": 1}),
            "Recorded again after 1 event, as found",
        ),
        (
            an_event(EventKind.CONSOLIDATION_RUN, MAP_ROOM, counts={"pruned": 9, "promoted": 1}),
            "#map-room, 9 forgotten, 1 kept for longer",
        ),
        (
            an_event(
                EventKind.CONSOLIDATION_RUN,
                WORLD,
                counts={"merged": 1, "parent": 3, "passed_over": 2},
            ),
            "Workspace, 3 merged into 1, 2 changed since",
        ),
        (
            an_event(
                EventKind.GOLDEN_BROKEN,
                MAP_ROOM,
                counts={"questions": 2},
                marks={"after": "consolidation"},
            ),
            "#map-room, 2 golden questions broke, after a consolidation",
        ),
        (
            an_event(
                EventKind.GOLDEN_BROKEN, counts={"questions": 1}, marks={"after": "meanwhile"}
            ),
            "Workspace, 1 golden question broke",
        ),
        (
            an_event(
                EventKind.CONSOLIDATION_UNDONE,
                ACCOUNT,
                counts={"restored": 3, "demoted": 1, "left": 0},
            ),
            "Account, a run undone, 3 restored, 1 short-term again",
        ),
        (
            an_event(
                EventKind.SCRUB_EXECUTED, MAP_ROOM, counts={"removed": 143}, marks={"mode": "full"}
            ),
            "#map-room, full, 143 removed",
        ),
        (
            an_event(EventKind.SCRUB_VERIFIED, GONE, counts={"files": 14, "hits": 0}),
            "A channel no longer there, 14 files searched, no trace found",
        ),
        (
            an_event(EventKind.SCRUB_VERIFIED, WORLD, counts={"files": 1, "hits": 2}),
            "Workspace, 1 file searched, 2 traces found",
        ),
        (
            an_event(EventKind.BACKUP_RESTORED, WORLD, counts={"n_files": 2}),
            "Workspace, 2 n files",
        ),
        (an_event(EventKind.UNKNOWN, None), ""),
    ],
)
def test_what_happened_is_one_line(found: DescribedEvent, words: str) -> None:
    assert what_happened(found) == words


@pytest.mark.parametrize("kind", list(EventKind))
def test_every_kind_has_words_even_when_all_it_is_about_is_gone(kind: EventKind) -> None:
    line = what_happened(an_event(kind, GONE, (a_thing(None),), counts={"memories": 1}))
    assert line
    assert "\n" not in line


def test_a_row_holds_finished_texts() -> None:
    found = an_event(
        EventKind.SCRUB_EXECUTED, MAP_ROOM, counts={"removed": 3}, marks={"mode": "full"}
    )
    row = event_row(found, NOON)
    assert (row.number_text, row.age, row.kind) == ("48,112", "6 d ago", "scrub.executed")
    assert row.is_permanent
    assert row.accessible_description == (
        "event 48,112, scrub.executed, permanent record, by Ada, 6 days ago, "
        "#map-room, full, 3 removed"
    )


def test_refusals_are_marked_and_said() -> None:
    row = event_row(an_event(EventKind.DENIED, None, actor="Dice Relay"), NOON)
    assert row.tone is EventTone.REFUSED
    assert "refused, by Dice Relay" in row.accessible_description


@pytest.mark.parametrize(
    ("n_shown", "n_all", "sentence"),
    [
        (18, 18, "Newest first, 18 events"),
        (1, 1, "Newest first, 1 event"),
        (200, 4_312, "Newest first, 4,312 events"),
        (200, None, "Newest first, more than 200 events"),
        (0, 0, "No events"),
    ],
)
def test_the_total_is_said_as_far_as_it_is_known(
    n_shown: int, n_all: int | None, sentence: str
) -> None:
    assert total_sentence(n_shown, n_all) == sentence


def test_words_of_other_versions_are_shown_as_they_are() -> None:
    assert tier_name("workspace") == "Workspace"
    assert tier_name("galaxy") == "galaxy"
    assert door_label("mcp") == "MCP server"
    assert door_label("post") == "post"


@pytest.mark.parametrize(
    ("kind", "counts", "words"),
    [
        (EventKind.DOMAIN_CHANGED, {"created": 1}, "Domain made"),
        (EventKind.DOMAIN_GRANTED, {"write": 1}, "Domain opened to a role for writing"),
        (EventKind.POLICY_SWITCHED, {"off": 1}, "House rule switched off"),
        (EventKind.ROLE_ASSIGNED, {"assigned": 2}, "Role given, Loom"),
        (EventKind.WORKING_MEMORY_CLEARED, {"cleared": 1}, "Working memory cleared, Loom"),
        (EventKind.DOMAIN_CHANGED, {"some_word": 1}, "some word"),
        (EventKind.FACT_SUPERSEDED, {"things": 2}, "Fact replaced by a later one"),
        (EventKind.FACT_REINSTATED, {"things": 2}, "Earlier fact restored"),
    ],
)
def test_what_is_done_to_what_is_settled(
    kind: EventKind, counts: dict[str, int], words: str
) -> None:
    assert what_happened(an_event(kind, counts=counts, ids=("Loom", "x"))) == words
