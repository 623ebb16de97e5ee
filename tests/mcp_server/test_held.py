"""What waits for the author: the agent hears why and what to do, and nothing of it is kept."""

from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.domain.access.secrets import SecretKind
from inklings_desktop.domain.entries.proposals import Proposal, ProposalState
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import Curator, MemoryDraft, ScopeKey
from tests.mcp_server.agent_door import LOOM, AgentDoor

KEY = "ghp_" + "a1B2" * 10
PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA"
PASSWORD = "password = Tide-bell-77!x"  # noqa: S105 - nobody's
PLAIN = {"tier": "workspace", "content": "The map service."}


def waiting(door: AgentDoor) -> list[Proposal]:
    inklings = door.inklings
    return list(inklings.proposals.list(door.workspace.id, states=[ProposalState.PENDING]))


@pytest.mark.parametrize(
    "arguments",
    [
        {"content": f"The map service wants {KEY}."},
        {"content": PRIVATE_KEY},
        {"content": PASSWORD},
        {"tags": ["maps", KEY]},
        {"source": KEY},
        {"derived_from": ["Harbour map", KEY]},
    ],
)
def test_a_key_in_any_text_of_a_new_memory_waits(
    door: AgentDoor, arguments: dict[str, Any]
) -> None:
    held = door.answer("memory_put", **PLAIN | arguments)
    assert (held["status"], held["reason"]) == ("held_for_review", "secret")
    assert "looks like a key or a password" in held["message"]
    assert "do not send it again" in held["message"]
    assert KEY not in repr(held)
    (proposal,) = waiting(door)
    assert held["proposals"] == [proposal.id]
    assert proposal.secrets
    assert door.answer("memory_read", tier="workspace")["hits"] == []
    assert door.answer("memory_put", **PLAIN | arguments)["proposals"] == [proposal.id]


@pytest.mark.parametrize("patch", [{"content": f"Now {KEY}."}, {"tags": [KEY]}])
def test_a_key_in_a_change_waits(door: AgentDoor, patch: dict[str, Any]) -> None:
    put = door.answer("memory_put", **PLAIN)["memory"]
    held = door.answer(
        "memory_update", tier="workspace", id=put["id"], patch=patch, expected_version=1
    )
    assert (held["status"], held["reason"]) == ("held_for_review", "secret")
    (hit,) = door.answer("memory_read", tier="workspace")["hits"]
    assert (hit["version"], hit["content"]) == (1, PLAIN["content"])


def test_a_key_in_the_reason_of_forgetting_waits(door: AgentDoor) -> None:
    put = door.answer("memory_put", **PLAIN)["memory"]
    held = door.answer("memory_forget", tier="workspace", id=put["id"], reason=f"See {KEY}")
    assert (held["status"], held["reason"]) == ("held_for_review", "secret")
    assert len(door.answer("memory_read", tier="workspace")["hits"]) == 1


def test_a_key_in_a_proposed_entry_is_told_to_the_author(door: AgentDoor) -> None:
    for body, reason in ((f"Sign with {KEY}.", "Shorter."), ("Plainly.", f"Because {KEY}.")):
        held = door.answer("named_entry_propose", name="VOICE", body=body, reason=reason)
        assert held["reason"] == "named_entry"
    assert [one.secrets for one in waiting(door)] == [(SecretKind.ACCESS_TOKEN,)] * 2


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("plan", f"use {KEY}"),
        ("plan", {"steps": [{"token": KEY}]}),
        ("plan", {"password": "Tide-bell-77!x"}),
        ("plan", {KEY: 1}),
        (KEY, "x"),
        ("plan", PRIVATE_KEY),
    ],
)
def test_a_key_in_a_working_note_is_not_kept(door: AgentDoor, key: str, value: object) -> None:
    room = door.answer("conversation_start")["conversation"]["id"]
    said = door.refusal("note_write", conversation=room, key=key, value=value)
    assert "looks like a key or a password" in said
    assert "nothing was kept" in said
    assert KEY not in said
    assert door.answer("note_list", conversation=room)["notes"] == []


def test_a_key_in_a_title_or_a_summary_is_not_kept(door: AgentDoor) -> None:
    assert "No conversation was started" in door.refusal("conversation_start", title=KEY)
    assert door.answer("conversation_list")["conversations"] == []
    room = door.answer("conversation_start")["conversation"]["id"]
    ended = door.answer(
        "conversation_end",
        conversation=room,
        summary=f"- The toll is paid in directions\n- The key is {KEY}",
    )
    assert ended["held_for_review"] == 1
    assert "the author decides about them" in ended["message"]
    kept = door.answer("memory_read", tier="channel", scope="general")["hits"]
    assert [hit["content"] for hit in kept] == ["The toll is paid in directions"]


def test_the_reason_says_whose_a_memory_is(door: AgentDoor) -> None:
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    mine = inklings.memories.put(MemoryDraft(scope, "Mine."))
    theirs = door.answer("memory_put", **PLAIN)["memory"]
    ref = inklings.listing.locate(theirs["id"], door.workspace.id).ref
    (locked,) = inklings.memories.mark([ref], MemoryMark.LOCKED, on=True)
    for entry, reason, words in (
        (mine, "author_made", "The author wrote this memory"),
        (locked, "locked", "The author locked this memory"),
    ):
        changes: dict[str, dict[str, Any]] = {
            "memory_update": {"patch": {"tags": ["x"]}, "expected_version": entry.version},
            "memory_forget": {},
        }
        for tool, more in changes.items():
            held = door.answer(tool, tier="workspace", id=entry.id, **more)
            assert held["reason"] == reason
            assert words in held["message"]
    asked = door.answer("memory_put", tier="account", content="Likes tea.")
    assert asked["reason"] == "account"
    assert "may only propose" in asked["message"]


def test_curator_and_client_are_the_servers_to_say(door: AgentDoor) -> None:
    inklings = door.inklings
    for claim in ("curator", "agent_id", "locked"):
        assert door.call("memory_put", **PLAIN, **{claim: "author"}).is_error
    door.answer("memory_put", **PLAIN, private=True)
    (hit,) = door.answer("memory_read", tier="workspace")["hits"]
    stored = inklings.listing.locate(hit["id"], door.workspace.id)
    assert (stored.curator, stored.agent_id, stored.locked) == (Curator.AGENT, LOOM, False)
    change: dict[str, Any] = {"id": hit["id"], "patch": {"tags": ["x"]}, "expected_version": 1}
    door.answer("memory_update", tier="workspace", **change)
    assert inklings.listing.show(stored.ref).history[0].changed_by == LOOM
    room = door.answer("conversation_start")["conversation"]["id"]
    door.answer("conversation_end", conversation=room, summary="- The toll is paid in directions")
    (line,) = door.answer("memory_read", tier="channel", scope="general")["hits"]
    assert line["curator"] == "agent"
    held = door.answer("memory_put", tier="account", content="Likes tea.")
    (proposal,) = waiting(door)
    assert (proposal.id, proposal.client) == (held["proposals"][0], LOOM)


def test_what_the_author_types_is_kept_as_typed(door: AgentDoor) -> None:
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    for text in (KEY, PRIVATE_KEY, PASSWORD):
        assert inklings.memories.put(MemoryDraft(scope, text)).content == text
    assert waiting(door) == []
