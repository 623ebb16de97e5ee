"""Channels at the agent's door: which there are, and their names wherever one is asked for."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import Channel
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

TOLL = "The toll at Wend is paid in directions."


@pytest.fixture
def quay(door: AgentDoor) -> Channel:
    """A channel beside ``general``."""
    return door.inklings.channels.create(door.workspace.id, "quay", "The harbour at night")


def test_a_client_lists_the_channels_that_are_open_to_it(door: AgentDoor, quay: Channel) -> None:
    own = {one["name"]: one for one in door.answer("channel_list")["channels"]}
    assert list(own) == ["general", "quay"]
    assert own["quay"] == {
        "id": quay.id,
        "name": "quay",
        "description": "The harbour at night",
        "archived": False,
        "may": ["read", "write", "propose", "conversation_start"],
    }
    guest = door.answer("channel_list", client=STRANGER)["channels"]
    assert [(one["name"], one["may"]) for one in guest] == [("general", ["conversation_start"])]


@pytest.mark.parametrize("name", ["quay", "#quay", "Quay"])
def test_a_name_does_wherever_a_channel_is_asked_for(
    door: AgentDoor, quay: Channel, name: str
) -> None:
    room = door.answer("conversation_start", channel=name)["conversation"]
    assert room["channel"] == quay.id
    put = door.answer("memory_put", tier="channel", scope=name, content=TOLL)["memory"]
    assert put["scope"] == quay.id
    where = {"tier": "channel", "scope": name}
    assert door.answer("memory_read", query="toll", **where)["hits"][0]["id"] == put["id"]
    assert door.answer("memory_list", **where)["memories"][0]["id"] == put["id"]
    door.answer(
        "memory_update", id=put["id"], patch={"tags": ["toll"]}, expected_version=1, **where
    )
    door.answer("memory_forget", id=put["id"], **where)
    (listed,) = door.answer("conversation_list", channel=name)["conversations"]
    assert listed["id"] == room["id"]
    inklings = door.inklings
    inklings.clients.grant(LOOM, [Right(Tier.CHANNEL, door.workspace.id, Action.SCRUB_PREVIEW)])
    assert door.answer("scrub_preview", **where)["scope"] == quay.id


@pytest.mark.usefixtures("quay")
def test_an_unknown_channel_is_answered_with_the_names_of_those_that_are_open(
    door: AgentDoor,
) -> None:
    said = [
        door.refusal("conversation_start", channel="qay"),
        door.refusal("conversation_list", channel="qay"),
        door.refusal("memory_read", tier="channel", scope="#qay"),
        door.refusal("memory_put", tier="channel", scope="qay", content=TOLL),
    ]
    for one in said:
        assert "There is no such channel in this workspace." in one
        assert "Channels open for that: general, quay." in one
        assert "grants" not in one
    inklings = door.inklings
    denied = EventFilter(kinds=frozenset({EventKind.DENIED}))
    assert not inklings.log.list(None, denied)


def test_a_closed_channel_and_an_unknown_one_are_answered_alike(
    door: AgentDoor, quay: Channel
) -> None:
    door.inklings.clients.grant(
        STRANGER, [Right(Tier.CHANNEL, door.workspace.id, Action.READ, quay.id)]
    )
    door.inklings.channels.create(door.workspace.id, "attic")
    for tool, place in (
        ("memory_read", {"tier": "channel", "scope": "{}"}),
        ("memory_list", {"tier": "channel", "scope": "{}"}),
        ("conversation_start", {"channel": "{}"}),
    ):
        answers = {
            door.refusal(
                tool,
                client=STRANGER,
                **{name: value.format(key) for name, value in place.items()},
            )
            for key in ("attic", "#attic", "nothing")
        }
        (said,) = answers
        assert "read in a channel of that name or id. Channels open for that: " in said
        assert "quay" in said
        assert "attic" not in said
        assert "grants" not in said


def test_a_list_goes_through_a_scope_page_by_page_and_counts_nothing(door: AgentDoor) -> None:
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    made = [
        inklings.memories.put(MemoryDraft(scope, f"Fact {n}.", tags=("even",) * (n % 2 == 0)))
        for n in range(7)
    ]
    inklings.memories.forget([made.pop(3).ref])
    found, word = [], ""
    while True:
        page = door.answer("memory_list", tier="workspace", limit=4, next=word)
        found += [one["id"] for one in page["memories"]]
        if page["next"] is None:
            break
        word = page["next"]
    assert found == [one.id for one in reversed(made)]
    even = door.answer("memory_list", tier="workspace", tags=["even"])["memories"]
    assert [one["content"] for one in even] == ["Fact 6.", "Fact 4.", "Fact 2.", "Fact 0."]
    counts = {inklings.listing.locate(one, door.workspace.id).access_count for one in found}
    assert counts == {0}


def test_a_list_names_what_is_wrong_with_its_arguments(door: AgentDoor) -> None:
    assert "1 to 100" in door.refusal("memory_list", tier="workspace", limit=101)
    assert "the page before gave" in door.refusal("memory_list", tier="workspace", next="more")


def test_a_list_holds_nothing_that_a_search_would_not_find(door: AgentDoor) -> None:
    inklings = door.inklings
    door.answer("memory_put", tier="workspace", content=TOLL, private=True)
    assert door.answer("memory_list", client=STRANGER, tier="workspace")["memories"] == []
    assert door.answer("memory_list", tier="workspace")["memories"][0]["private"] is True
    call, *_ = inklings.clients.show(STRANGER).activity.calls
    assert (call.tool, call.answer, call.n_entries) == ("memory_list", "entries", 0)
