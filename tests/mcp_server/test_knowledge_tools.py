"""The tools for facts: shown where a domain may be read; a closed one is not there at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.knowledge.domains import ClientRole, Domain, Permission, Role
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.mcp_server.tools.memory_tools import BY_WORDS_ALONE
from inklings_desktop.mcp_server.words.sizes import PAGE_CHARACTERS
from inklings_desktop.usecases.knowledge.values import FactDraft
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor
from tests.support.builders import NOON

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

CANON = Domain("d-canon", "Canon", "", False, "Ada", "person", NOON)
SECRETS = Domain("d-secrets", "Secrets", "", True, "Ada", "person", NOON)
LEFT, RIGHT = "Nerys is left-handed.", "Nerys is right-handed."
FACT_TOOLS = {"fact_search", "fact_put", "fact_supersede", "fact_history"}


def open_domains(door: AgentDoor, *domains: Domain) -> None:
    """Make domains; the author's own agent may write in those that are not closed."""
    with door.inklings.parts.store.write(door.workspace.id, initiator="Ada") as unit:
        for one in domains:
            unit.knowledge.save_domain(one)
            if not one.is_closed:
                unit.knowledge.put_grant("world-agent", one.id, Permission.WRITE)
        unit.commit()


@pytest.fixture
def note(door: AgentDoor) -> MemoryEntry:
    """A memory to conclude something from, and a domain to state it in."""
    open_domains(door, CANON)
    scope = ScopeKey.workspace(door.workspace.id)
    return door.inklings.memories.put(MemoryDraft(scope, "Nerys held the pen on the left."))


def names(door: AgentDoor, client: str = LOOM) -> set[str]:
    return {one.name for one in door.tools(client)}


def test_without_a_domain_no_tool_for_facts_is_shown(door: AgentDoor) -> None:
    assert FACT_TOOLS.isdisjoint(names(door))
    open_domains(door, SECRETS)
    assert FACT_TOOLS.isdisjoint(names(door))


def test_who_may_read_the_tier_reads_facts_and_only_who_writes_it_states_them(
    door: AgentDoor, note: MemoryEntry
) -> None:
    assert names(door) >= FACT_TOOLS
    assert names(door, STRANGER) & FACT_TOOLS == {"fact_search", "fact_history"}


def test_a_fact_is_stated_found_replaced_and_told_how_it_came_to_be(
    door: AgentDoor, note: MemoryEntry
) -> None:
    stated = door.answer(
        "fact_put", domain="canon", topic="Nerys/hand", content=LEFT, sources=[note.id]
    )
    fact = stated["fact"]
    assert (fact["confidence"], fact["domain"], fact["by"]) == (0.7, "Canon", LOOM)
    again = door.answer(
        "fact_put", domain="Canon", topic="nerys/HAND", content=RIGHT, sources=[note.id]
    )
    assert [one["id"] for one in again["conflicts"]] == [fact["id"]]
    found = door.answer("fact_search", query="nerys handed", mode="keyword")["facts"]
    assert {one["state"] for one in found} == {"disagrees"}
    assert found[0]["sources"] == [{"reference": note.id}]
    later = door.answer(
        "fact_supersede", id=fact["id"], content="Nerys uses both hands.", reason="chapter 9"
    )["fact"]
    chain = door.answer("fact_history", id=later["id"])["facts"]
    assert [one["state"] for one in chain] == ["superseded", "current"]
    assert chain[0]["replaced_by"] == later["id"]
    said = door.refusal("fact_supersede", id=fact["id"], content=LEFT, reason="back again")
    assert later["id"] in said


def test_a_fact_without_a_source_is_not_stated(door: AgentDoor, note: MemoryEntry) -> None:
    said = door.refusal("fact_put", domain="Canon", topic="Nerys", content=LEFT)
    assert "concluded from" in said


def test_an_authors_fact_is_only_proposed_to_be_replaced(
    door: AgentDoor, note: MemoryEntry
) -> None:
    fact = door.inklings.facts.put(door.workspace.id, FactDraft("Canon", "Nerys", LEFT)).fact
    held = door.answer("fact_supersede", id=fact.memory.id, content=RIGHT, reason="chapter 9")
    assert held["status"] == "held_for_review"


def test_what_is_closed_and_what_is_not_there_are_told_alike(
    door: AgentDoor, note: MemoryEntry
) -> None:
    open_domains(door, SECRETS)
    draft = FactDraft("Secrets", "Nerys", "Nerys drowned in the flood.")
    secret = door.inklings.facts.put(door.workspace.id, draft).fact.memory
    words: dict[str, Any] = {"topic": "Nerys", "content": LEFT, "sources": [note.id]}
    closed = door.refusal("fact_put", domain="Secrets", **words)
    assert closed == door.refusal("fact_put", domain="Nowhere", **words)
    unknown = "0b8f4c1e-0000-4000-8000-000000000000"
    assert door.refusal("fact_history", id=secret.id) == door.refusal("fact_history", id=unknown)
    scope = {"tier": "workspace"}
    for tool, arguments in (
        ("fact_search", {"query": "drowned flood", "mode": "keyword"}),
        ("memory_read", {"query": "drowned flood", "mode": "keyword", **scope}),
        ("memory_list", scope),
        ("memory_search", {"query": "drowned flood", "mode": "keyword"}),
        ("memory_orient", {}),
    ):
        assert "drowned" not in door.call(tool, **arguments).model_dump_json(), tool


def test_role_not_held_is_unknown(door: AgentDoor, note: MemoryEntry) -> None:
    open_domains(door, SECRETS)
    draft = FactDraft("Secrets", "Nerys", "Nerys drowned in the flood.")
    door.inklings.facts.put(door.workspace.id, draft)
    asked = {"query": "drowned", "mode": "keyword", "role": "keeper"}
    assert "no such role" in door.refusal("fact_search", **asked)
    with door.inklings.parts.store.write(door.workspace.id, initiator="Ada") as unit:
        unit.knowledge.save_role(Role("keeper", NOON))
        unit.knowledge.put_grant("keeper", SECRETS.id, Permission.READ)
        unit.commit()
    assert "no such role" in door.refusal("fact_search", **asked)
    held = ClientRole(LOOM, door.workspace.id, "keeper", is_default=False)
    with door.inklings.parts.store.write(None, initiator="Ada") as unit:
        unit.knowledge.put_client_roles(LOOM, door.workspace.id, [held])
        unit.commit()
    assert len(door.answer("fact_search", **asked)["facts"]) == 1
    assert door.answer("fact_search", query="drowned", mode="keyword")["facts"] == []


def test_a_long_chain_fits_into_one_answer_with_its_latest_facts(
    door: AgentDoor, note: MemoryEntry
) -> None:
    facts = door.inklings.facts
    draft = FactDraft("Canon", "Nerys/hand", "Version 0. " + "x" * 900)
    head = facts.put(door.workspace.id, draft).fact.memory
    for number in range(1, 40):
        text = f"Version {number}. " + "x" * 900
        head = facts.supersede(head.ref, text, reason="a later chapter").memory
    told = door.answer("fact_history", client=STRANGER, id=head.id)
    assert len(json.dumps(told)) <= PAGE_CHARACTERS
    assert told["facts"][-1]["id"] == head.id
    assert len(told["facts"]) + told["left_out"] == 40


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"content": "x" * 4_001}, "at most 4,000 characters"),
        ({"confidence": 0.99}, "surer than 0.95"),
        ({"topic": " "}, "needs a topic"),
        ({"story_from": 8, "story_until": 8}, "must come before the last one"),
    ],
)
def test_what_cannot_be_stated_is_refused_in_plain_words(
    door: AgentDoor, note: MemoryEntry, wrong: dict[str, Any], said: str
) -> None:
    right = {"domain": "Canon", "topic": "Nerys/hand", "content": LEFT, "sources": [note.id]}
    assert said in door.refusal("fact_put", **(right | wrong))


def test_who_may_write_in_the_workspace_and_not_read_it_knows_of_no_fact(
    door: AgentDoor, note: MemoryEntry
) -> None:
    fact = door.inklings.facts.put(door.workspace.id, FactDraft("Canon", "Nerys", LEFT)).fact.memory
    blind = [Right(Tier.WORKSPACE, door.workspace.id, Action.WRITE)]
    door.inklings.clients.grant("scribe", blind)
    asked = {"tier": "workspace", "patch": {"importance": 0.9}, "expected_version": 1}
    unknown = "0b8f4c1e-0000-4000-8000-000000000000"
    said = [
        door.refusal("memory_update", client="scribe", id=one, **asked)
        for one in (fact.id, unknown)
    ]
    assert said == ["There is no such memory in this scope."] * 2


def test_fts_only_fact_search(door: AgentDoor, note: MemoryEntry) -> None:
    """Without a model that compares meaning, facts are found by words, and the answer says so."""
    door.inklings.facts.put(door.workspace.id, FactDraft("Canon", "Nerys/hand", LEFT))
    found = door.answer("fact_search", query="which hand is nerys left")
    assert [one["content"] for one in found["facts"]] == [LEFT]
    assert (found["mode"], found["notice"]) == ("keyword", BY_WORDS_ALONE)
    asked_for = door.answer("fact_search", query="nerys", mode="keyword")
    assert "notice" not in asked_for
