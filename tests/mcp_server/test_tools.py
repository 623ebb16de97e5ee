from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.entries.proposals import ProposalKind, ProposalState
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.mcp_server.words.answers import NOT_WRITTEN_YET, UNTRUSTED
from tests.mcp_server.agent_door import LOOM, STRANGER, sentence

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mcp_server.agent_door import AgentDoor

DRAGONS = "The dragons sleep under the third quay."
READING = {
    "memory_read",
    "memory_list",
    "memory_get",
    "memory_search",
    "memory_recent",
    "memory_orient",
    "named_entry_list",
    "named_entry_read",
    "proposal_list",
    "channel_list",
    "conversation_start",
    "conversation_list",
    "conversation_end",
    "note_write",
    "note_read",
}
OF_PAGES = {
    "world_search",
    "world_read",
    "world_outline",
    "world_changes",
    "retcon_list",
    "retcon_keep",
}
WRITING = {
    "memory_put",
    "memory_put_many",
    "memory_update",
    "memory_forget",
    "named_entry_propose",
    "domain_create",
}
OWN = {
    "activity_list",
    "activity_propose",
    "conversation_get",
    "conversation_archive",
    "note_list",
    "note_clear",
    "conversation_resume",
    "conversation_rename",
    "message_append",
    "message_list",
    "memory_restore",
    "workspace_overview",
    "memory_history",
    "event_list",
}
OF_SKILLS = {
    "skill_search",
    "skill_read",
    "skill_propose",
    "skill_trace_append",
    "skill_continuity_check",
    "skill_name_collisions",
    "skill_summarise_a_letter",
}


def test_the_authors_agent_is_shown_every_tool_and_a_stranger_those_for_reading(
    door: AgentDoor, tmp_path: Path
) -> None:
    own = OWN | OF_SKILLS
    assert {tool.name for tool in door.tools()} == READING | WRITING | own
    (tmp_path / "isles").mkdir()
    door.inklings.world.link(door.workspace.id, tmp_path / "isles")
    assert {tool.name for tool in door.tools()} == READING | WRITING | own | OF_PAGES
    assert {tool.name for tool in door.tools(STRANGER)} == READING
    door.inklings.clients.revoke(STRANGER)
    assert door.tools(STRANGER) == []


def test_annotations_say_what_a_tool_does(door: AgentDoor) -> None:
    said = {tool.name: tool.annotations for tool in door.tools()}
    assert said["memory_read"].read_only_hint is True
    assert said["memory_put"].read_only_hint is False
    assert said["memory_forget"].destructive_hint is True
    assert all(one.open_world_hint is False for one in said.values())


def test_what_is_put_is_read_with_its_framing_and_counts_once(door: AgentDoor) -> None:
    put = door.answer(
        "memory_put", tier="workspace", content=DRAGONS, lifetime="long_term", tags=["dragons"]
    )
    assert put["status"] == "stored"
    assert put["memory"]["curator"] == "agent"
    found = door.answer("memory_read", tier="workspace", query="dragons quay")
    assert found["note"] == UNTRUSTED
    (hit,) = found["hits"]
    assert hit["content"] == DRAGONS
    assert hit["framing"] == "Based on an earlier entry:"
    assert (hit["tier"], hit["scope"], hit["source"]) == (
        "workspace",
        door.workspace.id,
        "orchestrator",
    )
    again = door.answer("memory_read", tier="workspace")
    assert again["hits"][0]["accessed_at"] is not None
    shown = door.inklings.listing.locate(hit["id"], door.workspace.id)
    assert shown.access_count == 2


def test_a_change_needs_the_version_that_was_read(door: AgentDoor) -> None:
    put = door.answer("memory_put", tier="workspace", content=DRAGONS)["memory"]
    changed = door.answer(
        "memory_update",
        tier="workspace",
        id=put["id"],
        patch={"importance": 0.9, "tags": ["dragons"]},
        expected_version=put["version"],
    )["memory"]
    assert (changed["importance"], changed["tags"]) == (0.9, ["dragons"])
    said = door.refusal(
        "memory_update",
        tier="workspace",
        id=put["id"],
        patch={"importance": 0.1},
        expected_version=put["version"],
    )
    assert "version 2 is there, not 1" in said


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        ({"curator": "author"}, "patch"),
        ({"lifetime": "for ever"}, "lifetime"),
        ({"tags": "dragons"}, "tags"),
        ({"importance": 7}, "Importance"),
        ({"importance": "high"}, "patch.importance: a number is needed"),
    ],
)
def test_a_patch_that_cannot_be_kept_is_refused(
    door: AgentDoor, patch: dict[str, Any], field: str
) -> None:
    put = door.answer("memory_put", tier="workspace", content=DRAGONS)["memory"]
    said = door.refusal(
        "memory_update", tier="workspace", id=put["id"], patch=patch, expected_version=1
    )
    assert field in said


def test_forgetting_by_an_agent_leaves_the_author_a_way_back(door: AgentDoor) -> None:
    put = door.answer("memory_put", tier="workspace", content=DRAGONS)["memory"]
    door.answer("memory_forget", tier="workspace", id=put["id"], reason="wrong quay")
    assert door.answer("memory_read", tier="workspace", query="dragons")["hits"] == []
    kept = door.inklings.listing.locate(put["id"], door.workspace.id)
    assert (kept.is_forgotten, kept.forgotten_reason) == (True, "wrong quay")


def test_what_is_there_already_is_answered_and_not_stored_twice(door: AgentDoor) -> None:
    put = door.answer("memory_put", tier="workspace", content=DRAGONS, tags=["dragons"])
    assert put["memory"]["lifetime"] == "long_term"
    assert put.keys() == {"status", "memory"}
    again = door.answer("memory_put", tier="workspace", content=DRAGONS.upper(), tags=["quay"])
    assert (again["memory"]["id"], again["already_known"]) == (put["memory"]["id"], True)
    assert again["memory"]["tags"] == ["dragons", "quay"]
    assert len(door.answer("memory_read", tier="workspace")["hits"]) == 1


def test_a_memory_takes_the_place_of_one_that_is_no_longer_true(door: AgentDoor) -> None:
    put = door.answer("memory_put", tier="workspace", content=DRAGONS)["memory"]
    made = door.answer(
        "memory_put", tier="workspace", content="The dragons woke.", replaces=put["id"]
    )
    assert made["replaced"] == put["id"]
    (hit,) = door.answer("memory_read", tier="workspace", query="dragons")["hits"]
    assert hit["id"] == made["memory"]["id"]
    gone = door.inklings.listing.locate(put["id"], door.workspace.id)
    assert (gone.forgotten_reason, gone.successor_id) == ("replaced", hit["id"])
    refused = door.refusal("memory_put", tier="workspace", content="Again.", replaces=put["id"])
    assert "no such memory" in refused


def test_what_the_author_wrote_is_replaced_when_the_author_accepts(door: AgentDoor) -> None:
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    mine = inklings.memories.put(MemoryDraft(scope, DRAGONS))
    held = door.answer(
        "memory_put", tier="workspace", content="The dragons woke.", replaces=mine.id
    )
    assert (held["status"], held["reason"]) == ("held_for_review", "author_made")
    (asked,) = inklings.proposals.list(door.workspace.id)
    assert asked.kind is ProposalKind.MEMORY_REPLACE
    inklings.proposals.accept(asked.ref)
    (hit,) = door.answer("memory_read", tier="workspace", query="dragons")["hits"]
    assert hit["content"] == "The dragons woke."


def test_what_the_author_wrote_waits_for_the_author(door: AgentDoor) -> None:
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    mine = inklings.memories.put(MemoryDraft(scope, DRAGONS))
    held = door.answer(
        "memory_update",
        tier="workspace",
        id=mine.id,
        patch={"content": "They woke."},
        expected_version=mine.version,
    )
    assert held["status"] == "held_for_review"
    forgetting = door.answer("memory_forget", tier="workspace", id=mine.id)
    assert forgetting["status"] == "held_for_review"
    waiting = inklings.proposals.list(door.workspace.id, states=[ProposalState.PENDING])
    assert len(waiting) == 2
    assert inklings.listing.locate(mine.id, door.workspace.id).content == DRAGONS


def test_the_account_tier_waits_for_the_author_until_writing_is_granted(door: AgentDoor) -> None:
    held = door.answer("memory_put", tier="account", content="Likes dark themes.")
    assert held["status"] == "held_for_review"
    door.inklings.clients.grant(LOOM, [Right(Tier.ACCOUNT, None, Action.WRITE)])
    assert door.answer("memory_put", tier="account", content="Likes tea.")["status"] == "stored"


def test_conversations_and_notes_live_from_start_to_end(door: AgentDoor) -> None:
    first = door.answer("conversation_start", title="The toll")["conversation"]
    other = door.answer("conversation_start")["conversation"]
    door.answer("note_write", conversation=first["ref_code"], key="pages", value=[3, {"a": None}])
    note = door.answer("note_read", conversation=first["id"], key="pages")["note"]
    assert note["value"] == [3, {"a": None}]
    assert "no such note" in door.refusal("note_read", conversation=other["id"], key="pages")
    door.answer("memory_put", tier="conversation", scope=first["id"], content="Said in passing.")
    ended = door.answer(
        "conversation_end", conversation=first["id"], summary="- The toll is paid in directions"
    )
    assert ended["conversation"]["state"] == "idle"
    gone = door.answer("memory_read", tier="conversation", scope=first["id"], query="passing")
    assert gone["hits"] == []
    kept = door.answer("memory_read", tier="channel", scope="general", query="toll directions")
    assert [hit["source"] for hit in kept["hits"]] == ["summary"]
    assert len(door.answer("note_list", conversation=first["id"])["notes"]) == 1
    assert door.answer("note_clear", conversation=first["id"])["removed"] == 1
    listed = door.answer("conversation_list")["conversations"]
    assert {one["id"] for one in listed} == {first["id"], other["id"]}


def test_an_archived_channel_starts_nothing_and_keeps_what_was_said(door: AgentDoor) -> None:
    inklings = door.inklings
    inklings.channels.create(door.workspace.id, "quay")
    talk = door.answer("conversation_start", channel="quay", title="Dragons")["conversation"]
    put = door.answer("memory_put", tier="channel", scope="quay", content=DRAGONS)["memory"]
    inklings.channels.archive(door.workspace.id, "quay")
    said = door.refusal("conversation_start", channel="quay")
    assert "That channel is archived." in said
    shown = door.answer("conversation_get", conversation=talk["ref_code"])["conversation"]
    assert shown["state"] == "active"
    (hit,) = door.answer("memory_read", tier="channel", scope="quay", query="dragons")["hits"]
    assert hit["id"] == put["id"]
    inklings.channels.unarchive(door.workspace.id, "quay")
    again = door.answer("conversation_start", channel="quay", title="More dragons")
    assert again["conversation"]["title"] == "More dragons"


def test_a_stranger_never_learns_of_rooms_it_takes_no_part_in(door: AgentDoor) -> None:
    room = door.answer("conversation_start")["conversation"]
    answers = {
        door.refusal(tool, client=STRANGER, conversation=key)
        for tool in ("conversation_get", "note_list")
        for key in (room["id"], room["ref_code"], "00000000000")
    }
    assert len({one.partition(": ")[2] for one in answers}) == 1


def test_orientation_is_told_as_a_tool_and_as_a_resource(door: AgentDoor) -> None:
    inklings = door.inklings
    voice = inklings.entries.find(door.workspace.id, "VOICE")
    inklings.entries.save(voice.ref, "Plainly.", expected_version=voice.version)
    room = door.answer("conversation_start")["conversation"]
    door.answer("memory_put", tier="workspace", content=DRAGONS)
    told = door.answer("memory_orient", conversation=room["ref_code"], query="dragons")
    assert "Plainly." in told["markdown"]
    assert DRAGONS in told["markdown"]
    assert told["characters"] <= told["budget_characters"]

    async def resources() -> tuple[str, str]:
        async with Client(door.server()) as client:
            named = await client.read_resource("inklings://named/workspace/VOICE")
            turn = await client.read_resource(f"inklings://orientation/{room['ref_code']}")
            return _text(named), _text(turn)

    body, markdown = asyncio.run(resources())
    assert body == "Plainly."
    assert "Plainly." in markdown


def test_an_entry_longer_than_the_budget_is_cut_and_read_on_where_the_document_says(
    door: AgentDoor,
) -> None:
    inklings = door.inklings
    voice = inklings.entries.find(door.workspace.id, "VOICE")
    body = " ".join(f"w{number}" for number in range(2_000))
    inklings.entries.save(voice.ref, body, expected_version=voice.version)
    inklings.entries.create(Tier.WORKSPACE, door.workspace.id, "TONE", "Quietly.")
    told = door.answer("memory_orient", client=STRANGER, budget_tokens=1_000)["markdown"]
    left = f"{len(body) - 4_000:,} more characters"
    assert f"\u2026 {left}: named_entry_read VOICE, next 4000" in told
    assert body[:4_000] in told
    assert body[:4_001] not in told
    assert "Quietly." in told
    assert body in door.answer("memory_orient", budget_tokens=1_000)["markdown"]
    rest = door.answer("named_entry_read", client=STRANGER, name="VOICE", next="4000")
    assert body == body[:4_000] + rest["body"]


def test_named_entries_are_read_and_proposed_never_written(door: AgentDoor) -> None:
    inklings = door.inklings
    voice = inklings.entries.find(door.workspace.id, "VOICE")
    inklings.entries.save(voice.ref, "Plainly.", expected_version=voice.version)
    listed = door.answer("named_entry_list")["entries"]
    assert [one["name"] for one in listed] == ["VOICE", "SOUL"]
    assert door.answer("named_entry_read", name="VOICE")["body"] == "Plainly."
    held = door.answer(
        "named_entry_propose", name="VOICE", body="Loudly.", reason="It reads better."
    )
    assert held["status"] == "held_for_review"
    assert door.answer("named_entry_read", name="VOICE")["body"] == "Plainly."


def test_a_companion_is_proposed_and_never_written(door: AgentDoor) -> None:
    said = door.refusal("named_entry_propose", name="RULES", body="Magic costs.", reason="Twice.")
    assert "There is no such named entry" in said
    wanted: dict[str, Any] = {
        "name": "RULES",
        "body": "Magic costs.",
        "reason": "Said twice.",
        "new": True,
    }
    held = door.answer("named_entry_propose", **wanted)
    assert held["status"] == "held_for_review"
    assert "There is no such" in door.refusal("named_entry_read", name="RULES")
    inklings = door.inklings
    (asked,) = inklings.proposals.list(door.workspace.id)
    inklings.proposals.accept(asked.ref)
    assert door.answer("named_entry_read", name="RULES")["body"] == "Magic costs."
    assert "There is such a named entry already" in door.refusal("named_entry_propose", **wanted)


def test_no_argument_is_repeated_in_an_error(door: AgentDoor) -> None:
    phrase = "Hollow Crown"
    for tool, arguments in (
        ("memory_read", {"tier": phrase, "query": phrase}),
        ("memory_put", {"tier": "workspace", "content": {"a": phrase}}),
        ("memory_put", {"tier": "workspace", "content": phrase, "importance": 9}),
        ("memory_forget", {"tier": "workspace", "id": phrase}),
        ("conversation_get", {"conversation": phrase}),
        ("named_entry_read", {"name": phrase}),
        ("memory_read", {"tier": "channel", "scope": phrase, "query": "x"}),
    ):
        assert phrase not in door.refusal(tool, **arguments)


def test_limits_are_named(door: AgentDoor) -> None:
    assert "1 to 100" in door.refusal("memory_read", tier="workspace", query="x", limit=101)
    assert "64 KiB" in door.refusal("memory_put", tier="workspace", content="x" * 70_000)
    for _ in range(door.inklings.settings.writes_per_minute):
        door.inklings.clients.note_call(_a_write(door))
    said = door.refusal("memory_put", tier="workspace", content=DRAGONS)
    assert "120 times a minute" in said
    assert door.answer("memory_read", tier="workspace")["hits"] == []


def test_every_request_is_kept_for_the_author_without_a_word_of_it(door: AgentDoor) -> None:
    door.answer("memory_put", tier="workspace", content=DRAGONS)
    door.answer("memory_read", tier="workspace", query="dragons")
    door.refusal("memory_put", client=STRANGER, tier="workspace", content=DRAGONS)
    inklings = door.inklings
    own = inklings.clients.show(LOOM).activity
    assert [(one.tool, one.answer, one.n_entries) for one in own.calls] == [
        ("memory_read", "entries", 1),
        ("connect", "done", 0),
        ("memory_put", "stored", 1),
        ("connect", "done", 0),
    ]
    other = inklings.clients.show(STRANGER).activity
    assert other.last_error == "scope_denied"
    assert "dragons" not in repr((own, other))


def _text(resource: Any) -> str:
    return str(resource.contents[0].text)


def _a_write(door: AgentDoor) -> Any:
    from inklings_desktop.domain.access.clients import ClientCall

    return ClientCall(
        LOOM, door.inklings.clock(), "memory_put", None, None, "stored", is_write=True
    )


def test_a_client_whose_name_cannot_be_kept_is_told_so(door: AgentDoor) -> None:
    said = door.refusal("memory_read", client="x" * 500, tier="workspace")
    assert "name" in said or "agent" in said
    assert "Traceback" not in said
    assert said != "Error executing tool memory_read"


def test_a_conversation_that_ended_takes_nothing_new_and_ends_twice(door: AgentDoor) -> None:
    room = door.answer("conversation_start")["conversation"]["id"]
    summary = "- The toll is paid in directions"
    ended = door.answer("conversation_end", conversation=room, summary=summary)
    again = door.answer("conversation_end", conversation=room, summary=summary + " again")
    assert again["conversation"] == ended["conversation"]
    assert "no summary was kept now" in again["message"]
    kept = door.answer("memory_list", tier="channel", scope="general")["memories"]
    assert [one["content"] for one in kept] == ["The toll is paid in directions"]
    for tool, more in (
        ("memory_put", {"tier": "conversation", "scope": room, "content": "Too late."}),
        ("note_write", {"conversation": room, "key": "plan", "value": 1}),
    ):
        assert "conversation has ended" in door.refusal(tool, **more)
    put = door.answer(
        "memory_put", tier="channel", scope="general", content="Said there.", conversation=room
    )
    assert put["status"] == "stored"
    for _ in range(2):
        archived = door.answer("conversation_archive", conversation=room)["conversation"]
        assert archived["state"] == "archived"


def test_an_entry_without_a_text_says_so_and_a_wrong_name_is_answered_with_those_there_are(
    door: AgentDoor,
) -> None:
    assert sentence(door.call("named_entry_read", name="VOICE")) == NOT_WRITTEN_YET
    said = door.refusal("named_entry_read", name="voice", tier="workspace")
    assert said == "There is no such named entry. There are: VOICE."
    proposed = {"body": "Plainly.", "reason": "It is."}
    assert "There are: " in door.refusal("named_entry_propose", name="STYLE", **proposed)


def test_a_mistyped_conversation_is_not_there_and_is_no_event(door: AgentDoor) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("memory_read", {"tier": "conversation", "scope": "typo"}),
        ("memory_orient", {"conversation": "typo"}),
        ("note_read", {"conversation": "typo", "key": "plan"}),
        ("conversation_end", {"conversation": "typo"}),
    ]
    theirs = door.inklings.conversations.start(door.workspace.id).ref_code
    for client in (LOOM, STRANGER):
        for tool, arguments in asked:
            said = door.refusal(tool, client=client, **arguments)
            assert said == "There is no such conversation in this scope."
            closed = {name: one.replace("typo", theirs) for name, one in arguments.items()}
            assert door.refusal(tool, client=client, **closed) == said
    assert "Name the conversation" in door.refusal("memory_orient", tiers=["conversation"])
    assert "# Orientation" in door.answer("memory_orient", tiers=[])["markdown"]
    denied = EventFilter(kinds=frozenset({EventKind.DENIED}))
    assert door.inklings.log.list(None, denied, limit=9) == ()
