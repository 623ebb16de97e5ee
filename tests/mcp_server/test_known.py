"""What is kept already is not kept again in a narrower place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right
from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey, Tier
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

GATE = "The gate is older than the plate."


def put(door: AgentDoor, tier: str = "workspace", content: str = GATE, **more: Any) -> Any:
    return door.answer("memory_put", tier=tier, content=content, **more)


def heard(door: AgentDoor, text: str, client: str = LOOM) -> str:
    """A conversation of a client in which the person said this."""
    room = str(door.answer("conversation_start", client=client)["conversation"]["id"])
    parts = json.dumps([{"kind": "text", "text": text}])
    door.answer(
        "message_append", client=client, conversation=room, role="user", parts=parts, turn="t1"
    )
    return room


def test_what_a_wider_tier_holds_is_known_and_not_stored(door: AgentDoor) -> None:
    first = put(door)["memory"]
    room = heard(door, "Good morning.")
    for more in ({"tier": "channel", "scope": "general"}, {"tier": "conversation", "scope": room}):
        known = put(door, content="the gate is older than  the plate", **more)
        assert (known["status"], known["memory"]["id"]) == ("known", first["id"])
        assert door.answer("memory_list", **more)["memories"] == []
    # Nobody said it again, so its hours do not count from now.
    assert known["memory"]["version"] == first["version"]


def test_what_its_own_scope_holds_is_known_and_confirmed(door: AgentDoor) -> None:
    first = put(door)["memory"]
    again = put(door)
    assert (again["status"], again["memory"]["version"]) == ("known", first["version"] + 1)


def test_what_the_person_said_again_is_confirmed_where_it_is(door: AgentDoor) -> None:
    first = put(door)["memory"]
    room = heard(door, "Remember for this conversation that the gate is older than the plate.")
    known = put(door, "conversation", scope=room)
    assert (known["status"], known["memory"]["version"]) == ("known", first["version"] + 1)
    scope = ScopeKey.workspace(door.workspace.id)
    assert door.inklings.listing.show(MemoryRef(scope, first["id"])).entry.confirmed_at is not None


def test_who_may_only_read_there_confirms_nothing(door: AgentDoor) -> None:
    first = put(door)["memory"]
    reading = {Tier.WORKSPACE: (Action.READ,), Tier.CONVERSATION: (Action.READ, Action.WRITE)}
    rights = [
        Right(tier, door.workspace.id, one) for tier, several in reading.items() for one in several
    ]
    door.inklings.clients.grant(STRANGER, rights, kind=ClientKind.WORLD_AGENT)
    room = heard(door, "Remember that the gate is older than the plate.", STRANGER)
    known = put(door, "conversation", scope=room, client=STRANGER, check="derivable")
    assert (known["status"], known["memory"]["version"]) == ("known", first["version"])


@pytest.mark.parametrize(
    "content",
    [
        "The gate is not older than the plate.",
        "The plate is older than the gate.",
        "The gate is old.",
    ],
)
def test_what_is_only_alike_is_stored(door: AgentDoor, content: str) -> None:
    put(door)
    assert put(door, "channel", content, scope="general")["status"] == "stored"


def test_a_sentence_of_a_named_entry_is_known_by_its_name(door: AgentDoor) -> None:
    entry = next(
        one for one in door.inklings.entries.list(door.workspace.id) if one.name == "VOICE"
    )
    body = "# Tone\n\n- Never use metres. Tides are *counted* in hands.\n"
    door.inklings.entries.save(entry.ref, body, expected_version=entry.version)
    known = put(door, content="Never use metres.")
    assert (known["status"], known["named_entry"]) == ("known", "VOICE")
    assert "memory" not in known
    assert put(door, content="Use metres.")["status"] == "stored"


def test_without_the_check_it_is_stored(door: AgentDoor) -> None:
    put(door)
    assert put(door, "channel", scope="general", check="none")["status"] == "stored"


def test_a_replacement_is_never_known(door: AgentDoor) -> None:
    put(door)
    old = put(door, "channel", "The gate is young.", scope="general")["memory"]
    new = put(door, "channel", scope="general", replaces=old["id"])
    assert (new["status"], new["replaced"]) == ("stored", old["id"])


def test_others_are_checked_only_where_they_ask_and_never_learn_what_they_may_not_read(
    door: AgentDoor,
) -> None:
    door.inklings.memories.put(MemoryDraft(ScopeKey.account(), GATE))
    rights = [
        Right(Tier.WORKSPACE, door.workspace.id, action) for action in (Action.READ, Action.WRITE)
    ]
    door.inklings.clients.grant(STRANGER, rights)
    asked = {"client": STRANGER, "check": "derivable"}
    assert put(door, **asked)["status"] == "stored"
    assert put(door, client=LOOM, content=GATE)["status"] == "known"
    first = put(door, content="The toll is paid in directions.", client=STRANGER)
    again = put(door, content="The toll is paid in directions.", client=STRANGER)
    assert (first["status"], again["status"]) == ("stored", "stored")


def test_a_private_memory_of_another_agent_is_not_known(door: AgentDoor) -> None:
    door.inklings.clients.grant(
        "writer",
        [Right(Tier.WORKSPACE, door.workspace.id, one) for one in (Action.READ, Action.WRITE)],
    )
    put(door, client="writer", private=True)
    assert put(door)["status"] == "stored"


def test_what_waits_as_a_secret_is_not_looked_up(door: AgentDoor) -> None:
    secret = "The password is hunter2-Xk93-qq-88-Zt."  # noqa: S105 - what a person may type
    door.inklings.memories.put(MemoryDraft(ScopeKey.workspace(door.workspace.id), secret))
    answer = put(door, "channel", secret, scope="general")
    assert (answer["status"], answer["reason"]) == ("held_for_review", "secret")
