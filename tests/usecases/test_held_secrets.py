from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.secrets import SecretKind
from inklings_desktop.domain.entries.proposals import ProposalKind, ProposalRef
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memory import Curator, Derivation, MemoryPatch, ScopeKey, Tier
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
SCOPE = ScopeKey.workspace(WORKSPACE_ID)
AGENT = an_agent(
    tiers=(Tier.WORKSPACE, Tier.CHANNEL), actions=frozenset({Action.READ, Action.WRITE})
)
KEY = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


def test_what_an_agent_puts_waits_and_is_kept_whole_once_accepted(world: World) -> None:
    room = world.a_conversation()
    draft = replace(
        a_draft(f"The map service wants {KEY}.", scope=SCOPE),
        source_conversation=room.id,
        derived_from=(Derivation("Harbour map"),),
    )
    with pytest.raises(HeldForReviewError) as held:
        world.asked_by(AGENT).memories.put(draft)
    assert world.active(SCOPE) == []
    ref = ProposalRef(WORKSPACE_ID, held.value.proposal_id)
    proposal = world.person.proposals.show(ref)
    assert (proposal.kind, proposal.text) == (ProposalKind.MEMORY_NEW, draft.content)
    assert proposal.secrets == (SecretKind.API_KEY,)
    world.person.proposals.accept(ref)
    (stored,) = world.active(SCOPE)
    assert stored.content == draft.content
    assert stored.source_conversation == room.id
    assert stored.derived_from == draft.derived_from


@pytest.mark.parametrize(
    "text",
    [
        "My password for the wiki is hunter2-Correct!Horse",
        "Das Passwort f\u00fcr den Server lautet sonnenblume.",
        "Le mot de passe du wifi est Soleil99!",
        "login root / pw toor",
        "The card is 4111 1111 1111 1111.",
        "Pay to DE89 3704 0044 0532 0130 00.",
    ],
)
def test_secrets_told_in_a_sentence_wait_however_an_agent_writes_them(
    world: World, text: str
) -> None:
    (memory,) = world.keep(a_memory("The map service.", curator=Curator.AGENT))
    with pytest.raises(HeldForReviewError):
        world.asked_by(AGENT).memories.put(a_draft(text, scope=SCOPE))
    with pytest.raises(HeldForReviewError):
        world.asked_by(AGENT).memories.update(
            memory.ref, MemoryPatch(content=text), expected_version=memory.version
        )
    assert world.active(SCOPE) == [memory]
    assert world.person.memories.put(a_draft(text, scope=SCOPE)).content == text


@pytest.mark.parametrize("patch", [MemoryPatch(content=f"Now {KEY}."), MemoryPatch(tags=(KEY,))])
def test_what_an_agent_changes_waits(world: World, patch: MemoryPatch) -> None:
    (memory,) = world.keep(a_memory("The map service.", curator=Curator.AGENT))
    with pytest.raises(HeldForReviewError) as held:
        world.asked_by(AGENT).memories.update(memory.ref, patch, expected_version=memory.version)
    assert world.stored(memory.id) == memory
    proposal = world.person.proposals.show(ProposalRef(WORKSPACE_ID, held.value.proposal_id))
    assert proposal.secrets == (SecretKind.API_KEY,)


def test_lines_of_a_summary_wait_one_by_one(world: World) -> None:
    room = world.a_conversation()
    agent = world.an_agent_of(room)
    world.asked_by(agent).conversations.idle(
        WORKSPACE_ID,
        room.id,
        summary=f"- The dragons breathe salt.\n- The map key is {KEY}",
    )
    channel = ScopeKey.channel(WORKSPACE_ID, room.channel_id)
    assert [one.content for one in world.active(channel)] == ["The dragons breathe salt."]
    (proposal,) = world.person.proposals.list(WORKSPACE_ID)
    assert (proposal.text, proposal.scope) == (f"The map key is {KEY}", channel)
    assert world.events()[-1].counts["held"] == 1


def test_what_a_person_types_is_kept_at_once_and_as_typed(world: World) -> None:
    stored = world.person.memories.put(a_draft(f"My key: {KEY}", scope=SCOPE))
    assert stored.content == f"My key: {KEY}"
    changed = world.person.memories.update(
        stored.ref, MemoryPatch(content=KEY), expected_version=stored.version
    )
    assert changed.content == KEY
    assert world.person.proposals.list(WORKSPACE_ID) == ()
