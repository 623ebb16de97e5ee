"""What an agent finds without naming a tier: a search everywhere, and what others changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, ScopeKey, Tier
from inklings_desktop.mcp_server.tools.finding_tools import instant_of
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor, sentence

TOLL = "The toll at Wend is paid in directions."


def kept(door: AgentDoor, text: str, scope: ScopeKey | None = None, **more: Any) -> MemoryEntry:
    author = door.inklings
    draft = MemoryDraft(scope or ScopeKey.workspace(door.workspace.id), text, **more)
    return author.memories.put(draft)


@pytest.fixture
def everywhere(door: AgentDoor) -> dict[str, MemoryEntry]:
    """The toll in every tier, and in a conversation that the agent takes no part in."""
    author, place = door.inklings, door.workspace.id
    quay = author.channels.create(place, "quay")
    own = door.answer("conversation_start", channel="quay")["conversation"]["id"]
    theirs = author.conversations.start(place, channel="quay").id
    author.clients.grant(LOOM, [Right(Tier.ACCOUNT, None, Action.READ)])
    scopes = {
        "workspace": ScopeKey.workspace(place),
        "account": ScopeKey.account(),
        "channel": ScopeKey.channel(place, quay.id),
        "conversation": ScopeKey.conversation(place, own),
        "theirs": ScopeKey.conversation(place, theirs),
    }
    return {
        name: kept(door, f"{TOLL} {name}", scope, tags=(name,)) for name, scope in scopes.items()
    }


def test_one_search_finds_what_is_open_in_every_tier_and_names_where_it_lies(
    door: AgentDoor, everywhere: dict[str, MemoryEntry]
) -> None:
    found = door.answer("memory_search", query="toll")["hits"]
    open_to_it = {name: one.id for name, one in everywhere.items() if name != "theirs"}
    assert {one["tier"]: one["id"] for one in found} == open_to_it
    places = {one["tier"]: one.get("place") for one in found}
    assert places["channel"] == "#quay"
    assert places["workspace"] is places["account"] is None
    (room,) = door.answer("conversation_list")["conversations"]
    assert places["conversation"] == room["ref_code"]
    (inside,) = door.answer(
        "memory_read", tier="conversation", scope=places["conversation"], query="toll"
    )["hits"]
    assert inside["id"] == everywhere["conversation"].id
    told = sentence(door.call("memory_search", query="toll"))
    figures = "importance 0.5, relevance 0.85, now, locked"
    assert f'channel, #quay, author, {figures}: "{TOLL} channel"' in told


def test_a_search_everywhere_holds_nothing_that_is_closed_or_anothers_own(
    door: AgentDoor, everywhere: dict[str, MemoryEntry]
) -> None:
    door.answer("memory_put", tier="workspace", content=f"{TOLL} Mine.", private=True)
    guest = door.answer("memory_search", client=STRANGER, query="toll")["hits"]
    assert [one["id"] for one in guest] == [everywhere["workspace"].id]
    door.inklings.clients.revoke(STRANGER)
    assert "Not open" in door.refusal("memory_search", client=STRANGER, query="toll")


@pytest.mark.usefixtures("everywhere")
def test_the_operators_of_the_search_field_hold_here_too(door: AgentDoor) -> None:
    door.answer("memory_put", tier="workspace", content=f"{TOLL} Once more.", source="researcher")

    def tiers(query: str) -> list[str]:
        return [one["tier"] for one in door.answer("memory_search", query=query)["hits"]]

    assert tiers("toll tag:channel") == ["channel"]
    assert tiers("tag:channel") == ["channel"]
    assert tiers("source:researcher toll") == ["workspace"]
    assert tiers("toll curator:agent") == ["workspace"]
    assert tiers('"Once more"') == ["workspace"]
    assert len(tiers("after:2020")) == 5
    assert tiers("toll before:2020") == []
    answer = door.answer("memory_search", query="toll before:soon")
    assert "Taken for words" in answer["notice"]
    assert "before:" in answer["notice"]
    assert "Say in the argument query" in door.refusal("memory_search", query="  ")


def test_pages_of_a_search_follow_each_other_and_count_each_hit_once(door: AgentDoor) -> None:
    made = {kept(door, f"{TOLL} {number}").id for number in range(7)}
    found, word = [], ""
    while True:
        page = door.answer("memory_search", query="toll", limit=3, next=word)
        found += [one["id"] for one in page["hits"]]
        if page["next"] is None:
            break
        word = page["next"]
    assert len(found) == len(made)
    assert set(found) == made
    author = door.inklings
    counts = {author.listing.locate(one, door.workspace.id).access_count for one in found}
    assert counts == {1}
    for wrong in ("more", "-1", "5000"):
        assert "the page before gave" in door.refusal("memory_search", query="toll", next=wrong)


def test_what_others_changed_since_a_time_is_told_from_everywhere(
    door: AgentDoor, everywhere: dict[str, MemoryEntry]
) -> None:
    author = door.inklings
    door.answer("memory_put", tier="workspace", content="My own.")
    author.memories.forget([everywhere["workspace"].ref])
    hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    told = door.answer("memory_recent", since=hour_ago)
    changes = {(one["id"], one["tier"]): one["change"] for one in told["memories"]}
    assert changes == {
        (everywhere[tier].id[:8], tier): "added" for tier in ("account", "channel", "conversation")
    }
    assert told["counts"] == {"added": 3}
    assert f"{TOLL} channel" in {one["begins"] for one in told["memories"]}
    assert len(door.answer("memory_recent", since=hour_ago, limit=1)["memories"]) == 1
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    assert door.answer("memory_recent", since=later)["memories"] == []
    for one in everywhere.values():
        assert author.listing.locate(one.id, door.workspace.id).access_count == 0


def test_without_a_time_the_last_turn_is_meant_and_stays_the_last(door: AgentDoor) -> None:
    kept(door, "An old tower.")
    first = door.answer("memory_recent")
    assert first["counts"] == {"added": 1}
    assert "had no turn" in first["notice"]
    room = door.answer("conversation_start")["conversation"]["id"]
    kept(door, "An old sea.")
    door.answer("memory_orient", conversation=room)
    new = kept(door, "A new tower.")
    voice = door.inklings.entries.find(door.workspace.id, "VOICE")
    door.inklings.entries.save(voice.ref, "Plainly.", expected_version=voice.version)
    for _ in range(2):
        told = door.answer("memory_recent")
        assert [one["id"] for one in told["memories"]] == [new.id[:8]]
        assert told["named_entries"] == ["VOICE"]
    assert "A new tower." in door.answer("memory_orient", conversation=room)["markdown"]
    assert door.answer("memory_recent")["memories"] == []


@pytest.mark.parametrize(
    ("said", "hours"),
    [("yesterday", 36), ("Today", 12), ("2 days ago", 48), ("1 week", 168), ("90 minutes", 1.5)],
)
def test_a_time_may_be_said_as_people_say_it(said: str, hours: float) -> None:
    noon = datetime.now().astimezone().replace(hour=12, minute=0, second=0, microsecond=0)
    # A day with a change of the clocks is an hour shorter or longer.
    assert abs(noon - instant_of(said, noon) - timedelta(hours=hours)) <= timedelta(hours=1)


@pytest.mark.parametrize("wrong", ["soon", "2026-13-01", "0001-01-01"])
def test_a_time_that_is_none_is_said(door: AgentDoor, wrong: str) -> None:
    assert "a time such as" in door.refusal("memory_recent", since=wrong)
