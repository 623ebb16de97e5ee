"""House rules, and what agents keep between their runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.errors import (
    ConflictError,
    DomainDeniedError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
from inklings_desktop.domain.knowledge.working_memory import MAX_KEPT_BYTES
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld, sqlite_world

CANON = Domain("d-canon", "Canon", "", False, "Ada", "person", NOON)
RULE = "Never show magic without its price."
RIGHTS = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    with sqlite_world(tmp_path) as made:
        with made.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.knowledge.save_domain(CANON)
            for role in ("scribe", "editor"):
                unit.knowledge.save_role(Role(role, NOON))
                unit.knowledge.put_grant(role, CANON.id, Permission.WRITE)
            unit.commit()
        yield made


def an_agent(world: SqliteWorld, name: str = "scribe", role: str = "scribe") -> Inklings:
    with world.store.read(WORKSPACE_ID) as view:
        gate = view.knowledge.gates([role])[role]
    grants = (Grant(Tier.WORKSPACE, WORKSPACE_ID, RIGHTS),)
    return world.asked_by(Caller(CallerKind.AGENT, name, Door.MCP, grants, gate=gate))


def test_the_authors_rule_is_on_at_once_and_told_while_it_is(world: SqliteWorld) -> None:
    rule = world.person.policies.put(WORKSPACE_ID, PolicyDraft("Canon", RULE, always=True))
    assert (rule.is_active, rule.domain, rule.details.always) == (True, "Canon", True)
    agent = an_agent(world)
    assert [one.policy.memory.content for one in agent.policies.list(WORKSPACE_ID)] == [RULE]
    off = world.person.policies.switch(rule.memory.ref, on=False)
    assert not off.is_active
    assert agent.policies.list(WORKSPACE_ID) == ()
    assert len(world.person.policies.list(WORKSPACE_ID, "canon")) == 1
    assert world.person.policies.switch(rule.memory.ref, on=True).is_active


def test_an_agents_rule_waits_for_the_author_and_is_on_once_it_is_accepted(
    world: SqliteWorld,
) -> None:
    wish = PolicyDraft("Canon", RULE, required_role="editor", reason="It keeps coming up.")
    with pytest.raises(HeldForReviewError) as held:
        an_agent(world).policies.put(WORKSPACE_ID, wish)
    assert held.value.reason == "house_rule"
    assert world.person.policies.list(WORKSPACE_ID) == ()
    [proposal] = world.person.proposals.list(WORKSPACE_ID)
    world.person.proposals.accept(proposal.ref)
    [one] = world.person.policies.list(WORKSPACE_ID)
    assert (one.policy.is_active, one.policy.details.required_role) == (True, "editor")


def test_while_a_rule_names_a_role_agents_of_others_are_denied_by_name(
    world: SqliteWorld,
) -> None:
    note = world.person.memories.put(MemoryDraft(ScopeKey.workspace(WORKSPACE_ID), "A note."))
    draft = FactDraft("Canon", "Nerys", "Nerys is tall.", sources=(note.id,))
    rule = world.person.policies.put(WORKSPACE_ID, PolicyDraft("Canon", RULE, (), "editor"))
    with pytest.raises(DomainDeniedError) as denied:
        an_agent(world).facts.put(WORKSPACE_ID, draft)
    assert (denied.value.domain, denied.value.needed) == ("Canon", ("editor",))
    [event] = [one for one in world.person.log.list(None) if one.kind == "access.denied"]
    assert event.actor == "scribe"
    assert an_agent(world, "pen", "editor").facts.put(WORKSPACE_ID, draft).fact.domain == "Canon"
    world.person.policies.switch(rule.memory.ref, on=False)
    again = replace(draft, content="Nerys is old.")
    assert an_agent(world).facts.put(WORKSPACE_ID, again).fact.domain == "Canon"


def test_a_rule_on_a_fact_that_was_replaced_says_so(world: SqliteWorld) -> None:
    facts = world.person.facts
    fact = facts.put(WORKSPACE_ID, FactDraft("Canon", "ages", "Ages count from birth.")).fact.memory
    draft = PolicyDraft("Canon", "Count ages as we do.", (fact.id,))
    rule = world.person.policies.put(WORKSPACE_ID, draft)
    assert not world.person.policies.show(rule.memory.ref).rests_on_superseded
    facts.supersede(fact.ref, "Ages count from the flood.", reason="chapter 9")
    assert world.person.policies.show(rule.memory.ref).rests_on_superseded


def test_a_rule_is_changed_by_the_person_alone_and_keeps_its_history(world: SqliteWorld) -> None:
    rule = world.person.policies.put(WORKSPACE_ID, PolicyDraft("Canon", RULE))
    ref = rule.memory.ref
    with pytest.raises(ScopeDeniedError):
        an_agent(world).policies.switch(ref, on=False)
    after = world.person.policies.edit(
        ref, expected_version=1, rule="Always show the price.", always=True
    )
    assert (after.memory.content, after.details.always) == ("Always show the price.", True)
    with pytest.raises(ConflictError):
        world.person.policies.edit(ref, expected_version=1, rule=RULE)
    with world.store.read(WORKSPACE_ID) as view:
        assert [one.content for one in view.memories.history(ref.id)] == [RULE]
    with pytest.raises(InvalidValueError):
        world.person.policies.put(WORKSPACE_ID, PolicyDraft("Canon", "x" * 2_001))
    with pytest.raises(NotFoundError):
        world.person.policies.put(WORKSPACE_ID, PolicyDraft("Nowhere", RULE))


def test_what_an_agent_keeps_is_its_own_among_agents_and_in_plain_view_of_the_author(
    world: SqliteWorld,
) -> None:
    mine, other = an_agent(world).working_memories, an_agent(world, "pen").working_memories
    assert mine.read(WORKSPACE_ID) is None
    mine.write(WORKSPACE_ID, "In chapter 12.")
    kept = mine.write(WORKSPACE_ID, "Next: the plate.", append=True, expected_version=1)
    assert (kept.body, kept.version) == ("In chapter 12.\nNext: the plate.", 2)
    assert mine.read(WORKSPACE_ID) == kept
    assert other.read(WORKSPACE_ID) is None
    assert world.person.working_memories.list(WORKSPACE_ID) == (kept,)
    with pytest.raises(ScopeDeniedError):
        mine.list(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.person.working_memories.write(WORKSPACE_ID, "Mine.")
    with pytest.raises(ConflictError):
        mine.write(WORKSPACE_ID, "Late.", expected_version=1)


def test_the_author_clears_what_an_agent_keeps_and_brings_it_back(world: SqliteWorld) -> None:
    mine, author = an_agent(world).working_memories, world.person.working_memories
    kept = mine.write(WORKSPACE_ID, "In chapter 12.")
    assert author.clear(WORKSPACE_ID, "scribe") == kept
    assert author.list(WORKSPACE_ID) == ()
    assert mine.read(WORKSPACE_ID).body == ""  # type: ignore[union-attr]
    author.restore(WORKSPACE_ID, "scribe", "", 1)
    assert [one.body for one in author.list(WORKSPACE_ID)] == ["In chapter 12."]
    with pytest.raises(NotFoundError):
        author.clear(WORKSPACE_ID, "nobody")


def test_what_is_too_long_or_looks_like_a_key_is_not_kept(world: SqliteWorld) -> None:
    mine = an_agent(world).working_memories
    for body in ("x" * (MAX_KEPT_BYTES + 1), "The key is ghp_" + "a1B2" * 10):
        with pytest.raises(InvalidValueError):
            mine.write(WORKSPACE_ID, body)
    assert mine.read(WORKSPACE_ID) is None
