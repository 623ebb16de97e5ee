"""What an agent is told at the start of a turn of what others did since its last one."""

from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, MemoryPatch, ScopeKey
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from tests.mcp_server.agent_door import AgentDoor

HEADING = "## Since your last turn"


@pytest.fixture
def room(door: AgentDoor) -> str:
    ref: str = door.answer("conversation_start")["conversation"]["ref_code"]
    return ref


def kept(door: AgentDoor, text: str, scope: ScopeKey | None = None) -> MemoryEntry:
    author = door.inklings
    draft = MemoryDraft(scope or ScopeKey.workspace(door.workspace.id), text)
    return author.memories.put(draft)


def edited(door: AgentDoor, memory: MemoryEntry, text: str) -> None:
    author = door.inklings
    patch = MemoryPatch(content=text)
    author.memories.update(memory.ref, patch, expected_version=memory.version)


def told(door: AgentDoor, room: str, **more: Any) -> tuple[dict[str, str], str]:
    """What became of which memory, and the document."""
    answer = door.answer("memory_orient", conversation=room, **more)
    news = answer["since_last_turn"]
    assert news["counts"] == {
        kind: sum(one["change"] == kind for one in news["memories"])
        for kind in {one["change"] for one in news["memories"]}
    }
    return {one["id"]: one["change"] for one in news["memories"]}, answer["markdown"]


def test_the_first_turn_and_a_turn_outside_a_conversation_have_no_news(
    door: AgentDoor, room: str
) -> None:
    kept(door, "The bell cracked.")
    for conversation in (None, room):
        answer = door.answer("memory_orient", conversation=conversation)
        assert "since_last_turn" not in answer
        assert HEADING not in answer["markdown"]


def test_what_others_did_is_told_once_and_what_the_agent_did_never(
    door: AgentDoor, room: str
) -> None:
    author = door.inklings
    bell, toll, old = kept(door, "A bell."), kept(door, "A toll."), kept(door, "An old sea.")
    own = door.answer("memory_put", tier="workspace", content="My own.")["memory"]
    door.answer("memory_orient", conversation=room)
    assert told(door, room)[0] == {}
    new = kept(door, "A new tower.")
    edited(door, bell, "A cracked bell.")
    mine = author.listing.locate(own["id"], door.workspace.id)
    edited(door, mine, "Mine, corrected.")
    author.memories.forget([toll.ref])
    author.memories.confirm([old.ref])
    newer = door.answer("memory_put", tier="workspace", content="Mine, new.")["memory"]
    door.answer("memory_put", tier="workspace", content="Mine, newer.", private=True)
    voice = author.entries.find(door.workspace.id, "VOICE")
    author.entries.save(voice.ref, "Plainly.", expected_version=voice.version)
    changes, document = told(door, room, tiers=["account"])
    assert changes == {}
    changes, document = told(door, room)
    assert changes == {
        new.id: "added",
        bell.id: "edited",
        own["id"]: "edited",
        toll.id: "forgotten",
    }
    assert newer["id"] in document
    news = document.split(HEADING)[1].split("\n## ")[0]
    assert "VOICE was written by the author." in news
    assert f"- Edited (workspace, id {bell.id})\n  > A cracked bell.\n" in news
    assert "toll." not in news
    assert told(door, room)[0] == {}


def test_news_come_from_the_places_of_the_turn_alone(door: AgentDoor, room: str) -> None:
    door.answer("memory_orient", conversation=room)
    author, place = door.inklings, door.workspace.id
    other = author.channels.create(place, "elsewhere")
    talk = author.conversations.start(place, channel="elsewhere")
    kept(door, "Said elsewhere.", ScopeKey.channel(place, other.id))
    kept(door, "Said in another room.", ScopeKey.conversation(place, talk.id))
    preference, here = kept(door, "A preference.", ScopeKey.account()), kept(door, "For all.")
    author.orientation.preview(OrientationRequest(place, room))
    changes, document = told(door, room)
    assert changes == {here.id: "added", preference.id: "added"}
    assert "elsewhere" not in document
    assert "another room" not in document


def test_many_changes_are_counted_and_the_latest_ten_named_within_the_budget(
    door: AgentDoor, room: str
) -> None:
    door.answer("memory_orient", conversation=room)
    for number in range(30):
        kept(door, f"Fact {number} " + "of the long tale " * 20)
    answer = door.answer("memory_orient", conversation=room, budget_tokens=1_000)
    news = answer["since_last_turn"]
    assert (news["counts"], len(news["memories"])) == ({"added": 30}, 10)
    assert answer["characters"] <= answer["budget_characters"]
    assert "Memories changed by others: 30 added." in answer["markdown"]
