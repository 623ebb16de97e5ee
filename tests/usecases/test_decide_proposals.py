from __future__ import annotations

from collections.abc import Callable

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef, ProposalState
from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryEntry,
    MemoryPatch,
    ScopeKey,
    Tier,
)
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent, the_clock
from tests.usecases.world import World

PERSON = a_person()
RIGHTS = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
AGENT = an_agent(tiers=(Tier.WORKSPACE, Tier.ACCOUNT), actions=RIGHTS)
ASKING = an_agent(tiers=(Tier.ACCOUNT,), actions=frozenset({Action.READ, Action.PROPOSE}))
REASON = "It reads better."


@pytest.fixture
def asked(world: World) -> Proposal:
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "VOICE", "Close third.", REASON
    )
    world.publisher.published.clear()
    return proposal


def held(world: World, attempt: Callable[[], object]) -> Proposal:
    """The proposal that an attempt became."""
    with pytest.raises(HeldForReviewError) as caught:
        attempt()
    every = world.person.proposals.list(WORKSPACE_ID)
    return next(one for one in every if one.id == caught.value.proposal_id)


@pytest.fixture
def locked(world: World) -> MemoryEntry:
    (entry,) = world.keep(
        a_memory("The glass hums", curator=Curator.AUTHOR, tags=("glass",), importance=0.4)
    )
    return entry


def test_what_is_accepted_is_saved_as_the_authors(world: World, asked: Proposal) -> None:
    later = world.clock.advance(hours=1)
    accepted = world.person.proposals.accept(asked.ref)
    assert (accepted.state, accepted.decided_at) == (ProposalState.ACCEPTED, later)
    voice = world.entry("VOICE")
    assert (voice.body, voice.version, voice.curator) == ("Close third.", 2, Curator.AUTHOR)
    head = world.person.entries.show(voice.ref).revisions[0]
    assert (head.action, head.saved_by) == (EntryAction.ACCEPTED, "Ada")
    (changes,) = world.publisher.published
    assert (changes.entries, changes.proposals) == (frozenset({voice.id}), True)
    assert world.kinds() == [
        EventKind.PROPOSAL_MADE,
        EventKind.ENTRY_SAVED,
        EventKind.PROPOSAL_DECIDED,
    ]


def test_the_author_may_edit_and_then_accept(world: World, asked: Proposal) -> None:
    accepted = world.person.proposals.accept(asked.ref, body="Close third,\r\npast tense.")
    assert accepted.text == "Close third."
    assert world.entry("VOICE").body == "Close third,\r\npast tense."


def test_typing_that_became_the_accepted_text_goes_with_it(world: World, asked: Proposal) -> None:
    voice = world.entry("VOICE")
    world.person.drafts.keep(voice.ref, "Close third, pa", 1)
    world.person.proposals.accept(asked.ref, body="Close third, past.", settles_draft=True)
    assert world.person.drafts.find(WORKSPACE_ID) == ()


def test_typing_stays_when_a_proposal_is_accepted_beside_it(world: World, asked: Proposal) -> None:
    draft = world.person.drafts.keep(world.entry("VOICE").ref, "First per", 1)
    world.person.proposals.accept(asked.ref)
    assert world.person.drafts.find(WORKSPACE_ID) == (draft,)


def test_what_is_accepted_may_carry_a_note(world: World, asked: Proposal) -> None:
    with pytest.raises(InvalidValueError):
        world.person.proposals.accept(asked.ref, note="x" * 1_001)
    assert world.person.proposals.show(asked.ref).is_undecided
    accepted = world.person.proposals.accept(asked.ref, note=" Just right. ")
    assert (accepted.state, accepted.note) == (ProposalState.ACCEPTED, "Just right.")


def test_what_is_rejected_changes_nothing(world: World, asked: Proposal) -> None:
    before = world.entry("VOICE")
    rejected = world.person.proposals.reject(asked.ref, " Too short. ")
    assert (rejected.state, rejected.note) == (ProposalState.REJECTED, "Too short.")
    assert world.entry("VOICE") == before
    assert world.kinds() == [EventKind.PROPOSAL_MADE, EventKind.PROPOSAL_DECIDED]
    (changes,) = world.publisher.published
    assert (changes.entries, changes.proposals) == (frozenset(), True)


def test_a_proposal_is_decided_once(world: World, asked: Proposal) -> None:
    world.person.proposals.reject(asked.ref)
    attempts: list[Callable[[], object]] = [
        lambda: world.person.proposals.accept(asked.ref),
        lambda: world.person.proposals.reject(asked.ref, "Again."),
    ]
    for attempt in attempts:
        with pytest.raises(ConflictError) as caught:
            attempt()
        assert caught.value.kind == "proposal"
    assert world.person.proposals.show(asked.ref).note == ""


def test_what_moved_on_since_is_decided_again(world: World, asked: Proposal) -> None:
    voice = world.entry("VOICE")
    world.person.entries.save(voice.ref, "First person.", expected_version=1)
    with pytest.raises(ConflictError) as caught:
        world.person.proposals.accept(asked.ref)
    assert (caught.value.expected, caught.value.actual) == (1, 2)
    assert world.entry("VOICE").body == "First person."
    overtaken = world.person.proposals.show(asked.ref)
    assert (overtaken.state, overtaken.decided_at) == (ProposalState.OVERTAKEN, None)

    with pytest.raises(ConflictError):
        world.person.proposals.accept(asked.ref)
    with pytest.raises(ConflictError):
        world.person.proposals.accept(asked.ref, expected_version=3)
    assert world.kinds().count(EventKind.PROPOSAL_DECIDED) == 1

    world.person.proposals.accept(asked.ref, expected_version=2)
    assert world.entry("VOICE").body == "Close third."


def test_what_was_overtaken_can_be_rejected(world: World, asked: Proposal) -> None:
    voice = world.entry("VOICE")
    world.person.entries.save(voice.ref, "First person.", expected_version=1)
    with pytest.raises(ConflictError):
        world.person.proposals.accept(asked.ref)
    assert world.person.proposals.reject(asked.ref).state is ProposalState.REJECTED


def test_a_proposal_for_a_deleted_companion_waits_for_it(world: World) -> None:
    rules = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "One.")
    asked = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "RULES", "Two.", REASON)
    world.person.entries.delete(rules.ref, expected_version=1)
    with pytest.raises(NotFoundError):
        world.person.proposals.accept(asked.ref)
    assert world.person.proposals.show(asked.ref).state is ProposalState.PENDING


def test_an_unusable_wording_decides_nothing(world: World, asked: Proposal) -> None:
    with pytest.raises(InvalidValueError):
        world.person.proposals.accept(asked.ref, body="a\x00")
    with pytest.raises(InvalidValueError):
        world.person.proposals.reject(asked.ref, "x" * 1_001)
    assert world.person.proposals.show(asked.ref).state is ProposalState.PENDING


def test_an_accepted_edit_changes_the_locked_memory(world: World, locked: MemoryEntry) -> None:
    patch = MemoryPatch(content="The glass sings", importance=0.9, tags=("glass", "song"))
    asked = held(
        world, lambda: world.asked_by(AGENT).memories.update(locked.ref, patch, expected_version=1)
    )
    assert asked.payload == {
        "content": "The glass sings",
        "importance": 0.9,
        "tags": ["glass", "song"],
    }
    world.person.proposals.accept(asked.ref)
    after = world.stored(locked.id)
    assert (after.content, after.importance, after.tags) == (
        "The glass sings",
        0.9,
        ("glass", "song"),
    )
    assert (after.curator, after.locked, after.version) == (Curator.AUTHOR, True, 2)
    assert after.lifetime is locked.lifetime
    assert world.person.listing.show(locked.ref).history[-1].changed_by == "Ada"


def test_an_edit_may_be_accepted_in_other_words(world: World, locked: MemoryEntry) -> None:
    patch = MemoryPatch(content="The glass sings", lifetime=Lifetime.LONG_TERM)
    asked = held(
        world, lambda: world.asked_by(AGENT).memories.update(locked.ref, patch, expected_version=1)
    )
    world.person.proposals.accept(asked.ref, body="The glass whistles")
    after = world.stored(locked.id)
    assert (after.content, after.lifetime) == ("The glass whistles", Lifetime.LONG_TERM)


def test_an_accepted_forgetting_forgets(world: World, locked: MemoryEntry) -> None:
    asked = held(
        world, lambda: world.asked_by(AGENT).memories.forget([locked.ref], reason="contradicted")
    )
    with pytest.raises(InvalidValueError):
        world.person.proposals.accept(asked.ref, body="words")
    world.person.proposals.accept(asked.ref)
    after = world.stored(locked.id)
    assert after.is_forgotten
    assert after.forgotten_reason == "contradicted"


def test_a_memory_that_moved_on_overtakes_the_proposal(world: World, locked: MemoryEntry) -> None:
    asked = held(world, lambda: world.asked_by(AGENT).memories.forget([locked.ref]))
    world.person.memories.update(locked.ref, MemoryPatch(content="Other"), expected_version=1)
    with pytest.raises(ConflictError) as caught:
        world.person.proposals.accept(asked.ref)
    assert caught.value.kind == "memory"
    assert world.person.proposals.show(asked.ref).state is ProposalState.OVERTAKEN
    world.person.proposals.accept(asked.ref, expected_version=2)
    assert world.stored(locked.id).is_forgotten


def test_a_memory_that_is_forgotten_already_cannot_be_changed(
    world: World, locked: MemoryEntry
) -> None:
    patch = MemoryPatch(content="The glass sings")
    asked = held(
        world, lambda: world.asked_by(AGENT).memories.update(locked.ref, patch, expected_version=1)
    )
    world.person.memories.forget([locked.ref])
    with pytest.raises(NotFoundError):
        world.person.proposals.accept(asked.ref)


def test_an_accepted_memory_of_the_account_is_the_agents(world: World) -> None:
    draft = a_draft("Likes dark themes", scope=ScopeKey.account(), tags=("taste",), importance=0.7)
    asked = held(world, lambda: world.asked_by(ASKING).memories.put(draft))
    world.person.proposals.accept(asked.ref, body="Likes dark themes at night")
    (entry,) = world.active(ScopeKey.account())
    assert (entry.content, entry.tags, entry.importance) == (
        "Likes dark themes at night",
        ("taste",),
        0.7,
    )
    assert (entry.curator, entry.locked, entry.agent_id) == (Curator.AGENT, False, None)


def test_an_accepted_private_memory_stays_its_agents(world: World) -> None:
    draft = a_draft("Prefers bullets", scope=ScopeKey.account(), private_to=ASKING.name)
    world.person.proposals.accept(
        held(world, lambda: world.asked_by(ASKING).memories.put(draft)).ref
    )
    (entry,) = world.active(ScopeKey.account())
    assert entry.agent_id == ASKING.name


def test_a_full_account_takes_no_accepted_memory(world: World) -> None:
    world.keep(*(a_memory(scope=ScopeKey.account(), locked=True) for _ in range(world.cap)))
    asked = held(
        world,
        lambda: world.asked_by(ASKING).memories.put(a_draft("One more", scope=ScopeKey.account())),
    )
    with pytest.raises(CapReachedError):
        world.person.proposals.accept(asked.ref)
    assert world.person.proposals.show(asked.ref).state is ProposalState.PENDING


@pytest.mark.parametrize("caller", [AGENT, the_clock()], ids=["agent", "clock"])
def test_only_a_person_decides(world: World, asked: Proposal, caller: Caller) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: world.asked_by(caller).proposals.accept(asked.ref),
        lambda: world.asked_by(caller).proposals.reject(asked.ref),
    ]
    for attempt in attempts:
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert world.person.proposals.show(asked.ref) == asked
    assert world.kinds(None) == [EventKind.DENIED] * 2


def test_an_unknown_proposal_is_not_decided(world: World) -> None:
    for ref in (ProposalRef(WORKSPACE_ID, "nothing"), ProposalRef(None, "nothing")):
        with pytest.raises(NotFoundError):
            world.person.proposals.accept(ref)
        with pytest.raises(NotFoundError):
            world.person.proposals.reject(ref)
