"""What is settled, by its address, in the prompt that begins a turn, and among other memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.mcp_server.words.sizes import PAGE_CHARACTERS
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor, sentence
from tests.mcp_server.test_prompts import prompted, read, refused, shown, templates

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

FACTS, RULES = "inklings://facts/", "inklings://policies"
HAND, RULE, DROWNED = "Nerys is left-handed.", "Name every price.", "Nerys drowned in the flood."


@pytest.fixture
def fact(door: AgentDoor) -> MemoryEntry:
    """A fact and a rule of an open domain; a fact of a closed one."""
    inklings, here = door.inklings, door.workspace.id
    inklings.domains.create(here, "Canon")
    inklings.domains.create(here, "Secrets", closed=True)
    inklings.facts.put(here, FactDraft("Secrets", "Nerys", DROWNED))
    inklings.policies.put(here, PolicyDraft("Canon", RULE))
    return inklings.facts.put(here, FactDraft("Canon", "Nerys/hand", HAND)).fact.memory


def test_a_fact_and_a_rule_say_that_they_are_no_notes(door: AgentDoor, fact: MemoryEntry) -> None:
    note = MemoryDraft(ScopeKey.workspace(door.workspace.id), "Nerys writes a diary.")
    door.inklings.memories.put(note)
    of_settled = ("kind", "domain", "topic")
    expected: dict[str, dict[str, str]] = {
        HAND: {"kind": "fact", "domain": "Canon", "topic": "Nerys/hand"},
        RULE: {"kind": "policy", "domain": "Canon"},
        note.content: {},
    }
    for detail in ("compact", "full"):
        more: dict[str, Any] = {"client": STRANGER, "detail": detail}
        for memories in (
            door.answer("memory_read", tier="workspace", **more)["hits"],
            door.answer("memory_list", tier="workspace", **more)["memories"],
        ):
            told = {
                one["content"]: {name: one[name] for name in of_settled if name in one}
                for one in memories
            }
            assert told == expected
    (gotten,) = door.answer("memory_get", client=STRANGER, ids=[fact.id])["memories"]
    assert (gotten["kind"], gotten["domain"]) == ("fact", "Canon")
    said = sentence(door.call("memory_search", client=STRANGER, query="left-handed"))
    assert 'workspace, fact, "Canon", "Nerys/hand", author, ' in said


def test_facts_of_a_domain_and_rules_have_an_address_where_one_is_open(
    door: AgentDoor, fact: MemoryEntry
) -> None:
    assert "inklings://facts/{domain}" in templates(door, STRANGER)
    assert {one for one in shown(door, STRANGER) if "named" not in one} == {f"{FACTS}Canon", RULES}
    told = read(door, f"{FACTS}canon", STRANGER)
    assert f"  > {HAND}\n" in told
    assert "confidence 1.00" in told
    assert f"  > {RULE}\n" in read(door, RULES, STRANGER)


def test_closed_equals_unknown_bytes(door: AgentDoor, fact: MemoryEntry) -> None:
    assert read(door, f"{FACTS}Secrets", STRANGER) == read(door, f"{FACTS}Nowhere", STRANGER)
    for tool, more in (
        ("fact_search", {"query": "drowned"}),
        ("policy_list", {}),
        ("fact_put", {"topic": "Nerys", "content": HAND, "sources": [fact.id]}),
        ("policy_propose", {"rule": RULE, "reason": "It is."}),
    ):
        closed, unknown = (
            door.call(tool, domain=name, **more).model_dump_json()
            for name in ("Secrets", "Nowhere")
        )
        assert closed == unknown, tool


def test_without_a_domain_nothing_more_is_listed(door: AgentDoor) -> None:
    before = shown(door, STRANGER), templates(door, STRANGER)
    assert not any("facts" in one or "policies" in one for each in before for one in each)
    door.inklings.domains.create(door.workspace.id, "Secrets", closed=True)
    assert (shown(door, STRANGER), templates(door, STRANGER)) == before
    assert read(door, RULES, STRANGER) == "# House rules\n\nNone.\n"


def test_what_has_no_room_in_one_answer_is_counted(door: AgentDoor, fact: MemoryEntry) -> None:
    for number in range(30):
        text = f"Tide {number} is counted. " + "x" * 1_500
        door.inklings.facts.put(door.workspace.id, FactDraft("Canon", f"Tides/{number}", text))
    told = read(door, f"{FACTS}Canon", STRANGER)
    n_told = told.count("Recorded as fact:")
    assert len(told) <= PAGE_CHARACTERS
    assert told.endswith(f"\n{31 - n_told} more have no room here.\n")


def test_the_prompt_that_begins_a_turn_is_the_orientation(
    door: AgentDoor, fact: MemoryEntry
) -> None:
    (told,) = prompted(door, "begin_turn", STRANGER)
    assert told == door.answer("memory_orient", client=STRANGER)["markdown"]
    assert RULE in told
    assert "You act as external" in told
    (told,) = prompted(door, "begin_turn", STRANGER, message="Which hand?", role="external")
    assert HAND in told
    assert "no such role" in refused(door, "begin_turn", STRANGER, role="keeper")


def test_an_orientation_holds_the_sections_that_are_asked_for(
    door: AgentDoor, fact: MemoryEntry
) -> None:
    note = "Nerys writes a diary."
    door.inklings.memories.put(MemoryDraft(ScopeKey.workspace(door.workspace.id), note))
    door.answer("working_memory_write", body="Chapter 9 is next.")
    heads = {
        "role": "You act as",
        "rules": RULE,
        "working_memory": "Chapter 9",
        "facts": HAND,
        "memories": note,
    }
    whole = door.answer("memory_orient")["markdown"]
    assert all(one in whole for one in heads.values())
    for name in heads:
        told = door.answer("memory_orient", sections=[name])["markdown"]
        assert {one for one, said in heads.items() if said in told} == {name}
    bare = door.answer("memory_orient", sections=["entries"])["markdown"]
    assert not any(one in bare for one in heads.values())
    assert "one of" in door.refusal("memory_orient", sections=["pages"])


def test_an_agent_makes_the_first_domain_and_its_role_writes_there(door: AgentDoor) -> None:
    assert "domain_create" in {one.name for one in door.tools()}
    assert "domain_create" not in {one.name for one in door.tools(STRANGER)}
    made = door.answer("domain_create", name="Tides")
    assert made == {"status": "stored", "domain": f"Tides ({LOOM})"}
    (told,) = door.answer("domain_list")["domains"]
    assert (told["name"], told["permission"]) == (f"Tides ({LOOM})", "write")
    here = door.workspace.id
    door.inklings.domains.create_role(here, "keeper")
    door.inklings.domains.assign(LOOM, here, "keeper")
    door.answer("domain_create", name="Moons", role="keeper")
    cells = door.inklings.domains.matrix(here).cells
    ids = {one.domain.name: one.domain.id for one in door.inklings.domains.list(here)}
    assert cells["keeper", ids[f"Moons ({LOOM})"]].permission is Permission.WRITE
    assert cells["world-agent", ids[f"Moons ({LOOM})"]].permission is Permission.READ
    assert "no such role" in door.refusal("domain_create", name="Stars", role="editor")


@pytest.mark.parametrize("name", ["Secrets", "Secret5", "Anything"])
def test_the_name_of_a_closed_domain_is_not_learned_by_taking_it(
    door: AgentDoor, name: str
) -> None:
    door.inklings.domains.create(door.workspace.id, "Secrets", closed=True)
    made = door.answer("domain_create", name=name)
    assert made == {"status": "stored", "domain": f"{name} ({LOOM})"}
    again = [door.refusal("domain_create", name=one) for one in (name, f"{name} ({LOOM})")]
    assert again == ["There is such a domain already."] * 2


def test_who_keeps_something_is_shown_its_tools_without_a_domain(door: AgentDoor) -> None:
    kept = {"working_memory_read", "working_memory_write"}
    assert kept.isdisjoint({one.name for one in door.tools(STRANGER)})
    door.answer("working_memory_write", client=STRANGER, body="Chapter 9 is next.")
    assert kept <= {one.name for one in door.tools(STRANGER)}
    assert kept.isdisjoint({one.name for one in door.tools()})
    only_account = [Right(Tier.ACCOUNT, None, Action.READ)]
    door.inklings.clients.grant("scribe", only_account)
    assert kept.isdisjoint({one.name for one in door.tools("scribe")})
