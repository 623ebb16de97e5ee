"""What a client hears of what it proposed, and of several memories put at once."""

from __future__ import annotations

from typing import Any

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.mcp_server.tools.memory_tools import MAX_PUT
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor
from tests.mcp_server.scope_probes import A_KEY

TOLL = "The toll at Wend is paid in directions."


def proposals(door: AgentDoor, client: str = LOOM, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = door.answer("proposal_list", client=client, **more)["proposals"]
    return found


def test_a_client_hears_what_became_of_its_proposals_and_of_no_others(door: AgentDoor) -> None:
    author = door.inklings
    assert proposals(door) == []
    held = [
        door.answer("named_entry_propose", name="VOICE", body=f"Plainly. {n}", reason="It is.")
        for n in range(3)
    ]
    ids = [one["proposals"][0] for one in held]
    by_id = {one.id: one for one in author.proposals.list(door.workspace.id)}
    author.proposals.accept(by_id[ids[0]].ref)
    author.proposals.reject(by_id[ids[1]].ref, "Too plain for her.")
    told = {one["id"]: one for one in proposals(door)}
    assert {one["target"] for one in told.values()} == {"VOICE"}
    assert [told[one]["state"] for one in ids] == ["accepted", "rejected", "waiting"]
    assert told[ids[1]]["answer"] == "Too plain for her."
    assert "decided_at" in told[ids[1]]
    assert "decided_at" not in told[ids[2]]
    assert [one["id"] for one in proposals(door, state="rejected")] == [ids[1]]
    assert [one["id"] for one in proposals(door, state="waiting")] == [ids[2]]
    assert proposals(door, STRANGER) == []
    assert told[ids[2]]["begins"] == "Plainly. 2"
    assert told[ids[2]]["reason"] == "It is."


def test_several_memories_each_have_their_own_outcome(door: AgentDoor) -> None:
    author = door.inklings
    author.memories.put(MemoryDraft(ScopeKey.workspace(door.workspace.id), "Known already."))
    outcomes = door.answer(
        "memory_put_many",
        memories=[
            {"tier": "workspace", "content": TOLL, "tags": ["toll"], "importance": 0.7},
            {"tier": "workspace", "content": "Known already."},
            {"tier": "channel", "scope": "nowhere", "content": TOLL},
            {"tier": "workspace", "content": A_KEY},
            {"tier": "channel", "scope": "#general", "content": TOLL},
        ],
    )["outcomes"]
    states = [one["status"] for one in outcomes]
    assert states == ["stored", "known", "failed", "held_for_review", "known"]
    assert outcomes[1]["already_known"] is True
    assert "There is no such channel" in outcomes[2]["message"]
    assert outcomes[3]["reason"] == "secret"
    (stored,) = door.answer("memory_get", ids=[outcomes[0]["memory"]["id"]])["memories"]
    assert (stored["content"], stored["tags"], stored["importance"]) == (TOLL, ["toll"], 0.7)
    calls = author.clients.show(LOOM).activity.calls
    puts = [one.answer for one in calls if one.tool == "memory_put"]
    assert sorted(puts) == ["failed", "held", "stored", "stored", "stored"]


def test_a_call_of_which_nothing_was_kept_is_an_error(door: AgentDoor) -> None:
    nowhere = {"tier": "channel", "scope": "nowhere", "content": TOLL}
    said = door.refusal("memory_put_many", memories=[nowhere, nowhere])
    assert said.count("There is no such channel") == 1
    several = [{"tier": "workspace", "content": f"{TOLL} {n}"} for n in range(MAX_PUT + 1)]
    assert f"at most {MAX_PUT}" in door.refusal("memory_put_many", memories=several)
    assert "at least one" in door.refusal("memory_put_many", memories=[])
    wrong = {"tier": "workspace", "content": TOLL, "importence": 1}
    said = door.refusal("memory_put_many", memories=[several[0], wrong])
    assert "memories.1.importence: there is no such field; there are tier, content" in said
    assert door.answer("memory_list", tier="workspace")["memories"] == []


def test_each_of_several_memories_counts_against_the_limit_of_writes(door: AgentDoor) -> None:
    limit = door.inklings.settings.writes_per_minute
    several = [{"tier": "workspace", "content": f"{TOLL} {n}"} for n in range(MAX_PUT)]
    states: list[str] = []
    while len(states) <= limit:
        outcomes = door.answer("memory_put_many", memories=several)["outcomes"]
        states += [one["status"] for one in outcomes]
    assert states.count("failed") == len(states) - limit
    assert f"may write {limit} times a minute" in outcomes[-1]["message"]
