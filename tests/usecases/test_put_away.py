"""What the author forgot by hand does not come back unseen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalRef
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memory import Curator, MemoryEntry, MemoryPatch, ScopeKey
from inklings_desktop.usecases.steps.putting import NOT_BY_CHOICE, put_away
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()
AGENT = an_agent()
OTHER = an_agent("writer")
SAYING = "Orrin fears the water."


def _forgotten(world: World, by: Caller = PERSON, agent_id: str | None = None) -> MemoryEntry:
    written = a_memory(SAYING, scope=SCOPE, curator=Curator.AGENT, agent_id=agent_id)
    (memory,) = world.keep(replace(written, written_by=AGENT.name))
    (gone,) = world.asked_by(by).memories.forget([memory.ref])
    return gone


def _asked(world: World, by: Caller = AGENT, text: str = SAYING) -> Proposal:
    with pytest.raises(HeldForReviewError) as held:
        world.asked_by(by).memories.put(a_draft(text, scope=SCOPE))
    assert held.value.reason == "forgotten"
    return world.person.proposals.show(ProposalRef(WORKSPACE_ID, held.value.proposal_id))


@pytest.mark.parametrize("again", [SAYING, "Orrin fears water.", "ORRIN  fears the water"])
def test_what_the_author_forgot_waits_when_an_agent_says_it_again(world: World, again: str) -> None:
    gone = _forgotten(world)
    proposal = _asked(world, OTHER, again)
    assert (proposal.kind, proposal.forgotten_at) == (ProposalKind.MEMORY_NEW, gone.forgotten_at)
    assert world.active(SCOPE) == []
    world.person.proposals.accept(proposal.ref)
    assert [one.content for one in world.active(SCOPE)] == [again]


def test_the_same_asked_twice_is_one_proposal(world: World) -> None:
    _forgotten(world)
    assert _asked(world).id == _asked(world).id


def test_what_the_author_says_again_is_kept_at_once_and_then_known_to_agents(world: World) -> None:
    _forgotten(world)
    stored = world.person.memories.put(a_draft(SAYING, scope=SCOPE))
    assert (
        world.asked_by(AGENT).memories.put_outcome(a_draft(SAYING, scope=SCOPE)).memory.id
        == stored.id
    )


@pytest.mark.parametrize("reason", sorted(NOT_BY_CHOICE))
def test_what_nobody_chose_to_forget_may_come_back(world: World, reason: str) -> None:
    (memory,) = world.keep(a_memory(SAYING, scope=SCOPE))
    world.person.memories.forget([memory.ref], reason=reason)
    assert world.asked_by(AGENT).memories.put(a_draft(SAYING, scope=SCOPE)).content == SAYING


def test_what_an_agent_forgot_may_come_back(world: World) -> None:
    _forgotten(world, AGENT)
    assert world.asked_by(OTHER).memories.put(a_draft(SAYING, scope=SCOPE)).content == SAYING


def test_the_last_forgetting_decides(world: World) -> None:
    _forgotten(world)
    world.person.proposals.accept(_asked(world).ref)
    (back,) = world.active(SCOPE)
    world.clock.advance(hours=1)
    world.asked_by(AGENT).memories.forget([back.ref])
    assert world.asked_by(AGENT).memories.put(a_draft(SAYING, scope=SCOPE)).content == SAYING


def test_what_was_restored_is_not_put_away(world: World) -> None:
    gone = _forgotten(world)
    world.person.memories.restore([gone.ref])
    assert world.asked_by(AGENT).memories.put_outcome(a_draft(SAYING, scope=SCOPE)).was_known


def test_another_scope_is_another_thing(world: World) -> None:
    _forgotten(world)
    channel = ScopeKey.channel(WORKSPACE_ID, world.general.id)
    assert world.asked_by(AGENT).memories.put(a_draft(SAYING, scope=channel)).content == SAYING


def test_what_another_agent_kept_for_itself_tells_nothing(world: World) -> None:
    _forgotten(world, agent_id=AGENT.name)
    assert world.asked_by(OTHER).memories.put(a_draft(SAYING, scope=SCOPE)).content == SAYING
    with world.store.read(WORKSPACE_ID) as view:
        assert list(put_away(view, PERSON, SCOPE, ["Nothing.", SAYING])) == [SAYING]


def test_a_memory_is_not_turned_into_what_the_author_forgot(world: World) -> None:
    gone = _forgotten(world)
    (memory,) = world.keep(replace(a_memory("A draft.", scope=SCOPE), curator=Curator.AGENT))
    with pytest.raises(HeldForReviewError) as held:
        world.asked_by(AGENT).memories.update(
            memory.ref, MemoryPatch(content=SAYING), expected_version=1
        )
    assert world.stored(memory.id) == memory
    ref = ProposalRef(WORKSPACE_ID, held.value.proposal_id)
    assert world.person.proposals.show(ref).forgotten_at == gone.forgotten_at
    world.person.proposals.accept(ref)
    assert world.stored(memory.id).content == SAYING
