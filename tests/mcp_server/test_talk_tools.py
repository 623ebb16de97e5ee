"""The tools of the author's own World Agent: talk, and writes that may be sent again."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import WORLD_ACTIONS, ClientKind, Right
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryPatch, Tier
from inklings_desktop.mcp_server.server import InklingsServer
from inklings_desktop.mcp_server.session import ClientSession
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

DRAGONS = "The dragons sleep under the third quay."
HELLO = json.dumps([{"kind": "text", "text": "Remember the dragons."}])


@pytest.fixture
def room(door: AgentDoor) -> str:
    """A conversation in which ``loom`` takes part."""
    return str(door.answer("conversation_start")["conversation"]["id"])


def said(door: AgentDoor, room: str, **more: Any) -> dict[str, Any]:
    asked = {"conversation": room, "role": "user", "parts": HELLO, "turn": "t1"} | more
    return door.answer("message_append", **asked)


def test_what_is_said_is_listed_newest_last(door: AgentDoor, room: str) -> None:
    said(door, room)
    said(door, room, role="assistant", state="stopped")
    page = door.answer("message_list", conversation=room)
    assert [one["number"] for one in page["messages"]] == [1, 2]
    assert json.loads(page["messages"][0]["parts"]) == json.loads(HELLO)
    assert page["messages"][1]["state"] == "stopped"
    assert (page["messages"][0]["client"], page["more"]) == (LOOM, False)
    latest = door.answer("message_list", conversation=room, limit=1)
    assert ([one["number"] for one in latest["messages"]], latest["more"]) == ([2], True)


def test_a_message_that_is_sent_again_is_there_once(door: AgentDoor, room: str) -> None:
    first = said(door, room, request_key="t1:0")
    again = said(door, room, request_key="t1:0")
    assert again == first | {"repeated": True}
    assert len(door.answer("message_list", conversation=room)["messages"]) == 1


def test_a_key_with_other_arguments_is_refused(door: AgentDoor, room: str) -> None:
    said(door, room, request_key="t1:0")
    refused = door.refusal(
        "message_append",
        conversation=room,
        role="assistant",
        parts=HELLO,
        turn="t1",
        request_key="t1:0",
    )
    assert "Another call had this request_key" in refused
    assert "request_key has 1 to 64" in door.refusal(
        "memory_put", tier="workspace", content=DRAGONS, request_key="a b"
    )


@pytest.mark.parametrize("key", [None, "t1:1"])
def test_a_memory_put_again_with_a_key_is_answered_as_the_first_time(
    door: AgentDoor, key: str | None
) -> None:
    asked: dict[str, Any] = {"tier": "workspace", "content": DRAGONS, "request_key": key}
    first = door.answer("memory_put", **asked)
    again = door.answer("memory_put", **asked)
    assert again["memory"]["id"] == first["memory"]["id"]
    # Without a key what was said twice is confirmed; with one nothing happened.
    assert ("repeated" in again, "already_known" in again) == (key is not None, key is None)
    assert (again["memory"]["version"] == first["memory"]["version"]) == (key is not None)


def test_a_change_and_a_forgetting_are_repeated_without_doing_more(door: AgentDoor) -> None:
    put = door.answer("memory_put", tier="workspace", content=DRAGONS)["memory"]
    change = {
        "tier": "workspace",
        "id": put["id"],
        "patch": {"importance": 0.9},
        "expected_version": put["version"],
        "request_key": "t1:2",
    }
    first = door.answer("memory_update", **change)
    assert door.answer("memory_update", **change) == first | {"repeated": True}
    gone = {"tier": "workspace", "id": put["id"], "request_key": "t1:3"}
    first = door.answer("memory_forget", **gone)
    assert door.answer("memory_forget", **gone) == first | {"repeated": True}
    # What a change is about is gone meanwhile: it is told by its id.
    assert door.answer("memory_update", **change)["memory"]["id"] == put["id"]


def test_equal_calls_at_once_are_one_and_each_hears_what_it_did(
    door: AgentDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {"tier": "workspace", "content": DRAGONS, "request_key": "t1:9"}
    first = door.answer("memory_put", detail="compact", **asked)
    looked = ClientSession._repeated
    seen: list[object] = [None]  # this one looked before the other was done

    def late(*told: Any) -> Any:
        return seen.pop() if seen else looked(*told)

    monkeypatch.setattr(ClientSession, "_repeated", late)
    again = door.answer("memory_put", detail="compact", **asked)
    assert again == first | {"repeated": True}
    assert seen == []


def test_several_put_again_under_one_key_are_there_once(door: AgentDoor) -> None:
    memories = [{"tier": "workspace", "content": one} for one in (DRAGONS, "The ferry is late.")]
    first = door.answer("memory_put_many", memories=memories, request_key="end")["outcomes"]
    again = door.answer("memory_put_many", memories=memories, request_key="end")["outcomes"]
    assert again == [one | {"repeated": True} for one in first]
    room = door.answer("conversation_start")["conversation"]["id"]
    narrower = [{"tier": "conversation", "scope": room, "content": DRAGONS}]
    (known,) = door.answer("memory_put_many", memories=narrower, check="derivable")["outcomes"]
    assert known["status"] == "known"


def test_a_conversation_begun_again_is_the_same(door: AgentDoor) -> None:
    first = door.answer("conversation_start", title="The toll", request_key="s1")
    assert door.answer("conversation_start", title="The toll", request_key="s1") == first | {
        "repeated": True
    }


def test_an_agent_takes_its_own_forgetting_back_and_no_other(door: AgentDoor) -> None:
    own = door.answer("memory_put", tier="workspace", content=DRAGONS)["memory"]
    door.answer("memory_forget", tier="workspace", id=own["id"])
    back = {"tier": "workspace", "id": own["id"], "request_key": "t1:4"}
    door.answer("memory_restore", tier="workspace", id=own["id"][:8])
    door.answer("memory_forget", tier="workspace", id=own["id"])
    restored = door.answer("memory_restore", **back)
    assert (restored["status"], restored["memory"]["content"]) == ("restored", DRAGONS)
    assert door.answer("memory_restore", **back)["repeated"] is True
    found = door.inklings.listing.locate(own["id"], door.workspace.id)
    door.inklings.memories.mark([found.ref], MemoryMark.PAUSED, on=True)
    assert "no such memory" in door.refusal("memory_restore", tier="workspace", id=own["id"])
    namesake = replace(door.inklings.caller, name=LOOM)
    door.inklings.as_caller(namesake).memories.forget([found.ref])
    assert "no such memory" in door.refusal("memory_restore", tier="workspace", id=own["id"])
    door.inklings.memories.restore([found.ref])
    door.inklings.memories.forget([found.ref])
    assert "no such memory" in door.refusal("memory_restore", tier="workspace", id=own["id"])


def test_an_agent_undoes_its_own_last_change_and_no_other(door: AgentDoor) -> None:
    kept = "Dra\u200bgons\u00ad sleep."
    own = door.answer("memory_put", tier="workspace", content=kept)["memory"]
    which = {"tier": "workspace", "id": own["id"]}
    for version, word in ((1, "wake"), (2, "dream")):
        patch = {"content": f"Dragons {word}."}
        door.answer("memory_update", **which, patch=patch, expected_version=version)
    for wrong in (0, 1, 7):
        assert "no such memory" in door.refusal("memory_restore", **which, version=wrong)
    back = which | {"version": 2, "request_key": "t1:5"}
    assert door.answer("memory_restore", **back)["memory"]["content"] == "Dragons wake."
    assert door.answer("memory_restore", **back)["repeated"] is True
    found = door.inklings.listing.locate(own["id"], door.workspace.id)
    door.inklings.memories.update(
        found.ref, MemoryPatch(content="Dragons rest."), expected_version=4
    )
    assert "no such memory" in door.refusal("memory_restore", **which, version=4)
    other = door.answer("memory_put", tier="workspace", content=f"{kept} Always.")["memory"]
    which = {"tier": "workspace", "id": other["id"]}
    assert "no such memory" in door.refusal("memory_restore", **which, version=3)
    door.answer("memory_update", **which, patch={"content": "No dragons."}, expected_version=1)
    door.answer("memory_restore", **which, version=1)
    assert door.inklings.listing.show(found.ref).entry.content == "Dragons rest."
    stored = door.inklings.listing.locate(other["id"], door.workspace.id)
    assert door.inklings.listing.show(stored.ref).entry.content == f"{kept} Always."


def test_a_number_that_no_row_can_have_is_said_to_be_too_large(door: AgentDoor, room: str) -> None:
    told = door.refusal("message_list", conversation=room, before=2**70)
    assert "as large as that" in told


def test_an_ended_conversation_goes_on_and_gets_a_title(door: AgentDoor, room: str) -> None:
    door.answer("conversation_end", conversation=room)
    resumed = door.answer("conversation_resume", conversation=room)["conversation"]
    assert (resumed["state"], resumed["ended_at"]) == ("active", None)
    renamed = door.answer("conversation_rename", conversation=room, title="The dragons")
    assert renamed["conversation"]["title"] == "The dragons"
    door.answer("conversation_archive", conversation=room, force=True)
    refused = door.refusal("message_append", conversation=room, role="user", parts="[]", turn="t")
    assert "archived" in refused
    assert "cannot become active" in door.refusal("conversation_resume", conversation=room)


def test_the_overview_counts_what_is_open_and_names_no_place(door: AgentDoor) -> None:
    door.answer("memory_put", tier="workspace", content=DRAGONS)
    found = door.answer("workspace_overview")
    assert found["workspace"] == {"id": door.workspace.id, "name": door.workspace.name}
    assert found["counts"]["workspace"] == 1
    assert "general" in {one["name"] for one in found["channels"]}
    assert len(found["root"]) == 16
    assert str(door.inklings.data_dir) not in json.dumps(found)


def test_only_what_was_found_is_read_where_that_is_asked_for(door: AgentDoor) -> None:
    door.answer("memory_put", tier="workspace", content=DRAGONS)
    asked = {"tier": "workspace", "query": "harpsichord"}
    assert door.answer("memory_read", **asked)["hits"]
    found = door.answer("memory_read", found_only=True, **asked)
    assert (found["hits"], found["matched"]) == ([], False)
    assert "~" not in found["notice"]
    assert found["notice"].endswith("Try other words or memory_search for every tier.")


def test_a_stranger_is_shown_none_of_them_and_hands_in_no_words_of_the_author(
    door: AgentDoor,
) -> None:
    names = {tool.name for tool in door.tools(STRANGER)}
    assert not names & {"message_append", "memory_restore", "workspace_overview"}
    room = door.answer("conversation_start", client=STRANGER)["conversation"]["id"]
    refused = door.refusal(
        "message_append", client=STRANGER, conversation=room, role="user", parts=HELLO, turn="t1"
    )
    assert refused.startswith("There is no such tool.")
    assert "message_append" not in refused


def test_another_program_is_shown_22_tools_7_of_pages_4_of_skills_and_one_for_a_domain(
    door: AgentDoor, tmp_path: Path
) -> None:
    (tmp_path / "isles").mkdir()
    door.inklings.world.link(door.workspace.id, tmp_path / "isles")
    tiers = {Tier.ACCOUNT: None} | dict.fromkeys(set(Tier) - {Tier.ACCOUNT}, door.workspace.id)
    every = [
        Right(tier, where, one)
        for tier, where in tiers.items()
        for one in set(Action) - {Action.MANAGE}
        if tier is Tier.WORKSPACE or one not in WORLD_ACTIONS
    ]
    for name in ("claude", WORLD_AGENT):
        door.inklings.clients.grant(name, every, kind=ClientKind.WORLD_AGENT)

    async def shown(name: str) -> set[str]:
        session = ClientSession(name, lambda: nullcontext(door.inklings))
        async with Client(InklingsServer(session)) as client:
            return {one.name for one in (await client.list_tools()).tools}

    own, others = asyncio.run(shown(WORLD_AGENT)), asyncio.run(shown("claude"))
    of_pages = {one for one in others if one.startswith(("world_", "retcon_"))}
    of_skills = {one for one in others if one.startswith("skill_")}
    rest = others - of_pages - of_skills - {"domain_create"}
    assert (len(rest) <= 22, len(of_pages)) == (True, 7)
    shipped = {"skill_continuity_check", "skill_name_collisions", "skill_summarise_a_letter"}
    assert len(of_skills - shipped) <= 4
    assert {"message_append", "message_list", "conversation_get"} <= own - others
    assert others < own
