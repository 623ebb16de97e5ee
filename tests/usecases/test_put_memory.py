"""What is said already is not stored twice, and what is no longer true is replaced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.errors import (
    ConflictError,
    HeldForReviewError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    AUTHOR,
    Curator,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.memory_values import MAX_TAGS
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent
from tests.support.said_twice import DIFFERENT, SAME
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()
AGENT = an_agent()
WRITER = an_agent("writer")
OF_ACCOUNT = frozenset({Action.READ, Action.PROPOSE})
SAME_PAIRS = [pair for pairs in SAME.values() for pair in pairs]
DIFFERENT_PAIRS = [pair for pairs in DIFFERENT.values() for pair in pairs]


# lifetimes and sources


@pytest.mark.parametrize("tier", [Tier.WORKSPACE, Tier.ACCOUNT])
def test_what_is_kept_without_a_lifetime_stays(world: World, tier: Tier) -> None:
    agent = an_agent(tiers=(tier,))
    scope = SCOPE if tier is Tier.WORKSPACE else ScopeKey.account()
    assert (
        world.asked_by(agent).memories.put(MemoryDraft(scope, "The toll is salt.")).lifetime
        is Lifetime.LONG_TERM
    )
    by_person = world.person.memories.put(MemoryDraft(scope, "The toll was salt."))
    assert by_person.lifetime is Lifetime.LONG_TERM


def test_what_an_agent_keeps_in_a_channel_is_short_term(world: World) -> None:
    agent = an_agent(tiers=(Tier.CHANNEL,), keys=frozenset({world.general.id}))
    scope = ScopeKey.channel(WORKSPACE_ID, world.general.id)
    assert (
        world.asked_by(agent).memories.put(MemoryDraft(scope, "The toll.")).lifetime
        is Lifetime.SHORT_TERM
    )


def test_the_source_that_nobody_names_is_the_callers_own(world: World) -> None:
    assert (
        world.asked_by(AGENT).memories.put(MemoryDraft(SCOPE, "By the agent.")).source
        == "orchestrator"
    )
    assert world.person.memories.put(MemoryDraft(SCOPE, "By the author.")).source == "user"


# what is said already


@pytest.mark.parametrize("first", [PERSON, AGENT, WRITER], ids=["author", "itself", "another"])
def test_an_agent_that_says_it_again_gets_the_memory_that_is_there(
    world: World, first: Caller
) -> None:
    there = world.asked_by(first).memories.put(a_draft("The toll at the Narrows is salt."))
    later = world.clock.advance(hours=2)
    outcome = world.asked_by(AGENT).memories.put_outcome(a_draft("the toll at the narrows is salt"))
    assert (outcome.memory.id, outcome.was_known, outcome.replaced) == (there.id, True, None)
    assert outcome.memory.content == "The toll at the Narrows is salt."
    assert (outcome.memory.confirmed_at, outcome.memory.version) == (later, 2)
    assert outcome.memory.curator is there.curator
    assert len(world.active(SCOPE)) == 1
    assert world.kinds()[-1] is EventKind.MEMORY_CONFIRMED
    assert (
        world.asked_by(AGENT).memories.put(a_draft("The toll at the Narrows is salt?")).id
        != there.id
    )


@pytest.mark.parametrize(("one", "other"), SAME_PAIRS)
def test_what_says_the_same_is_stored_once(world: World, one: str, other: str) -> None:
    there = world.asked_by(AGENT).memories.put(a_draft(one))
    assert world.asked_by(WRITER).memories.put(a_draft(other)).id == there.id


@pytest.mark.parametrize(("one", "other"), DIFFERENT_PAIRS)
def test_what_differs_is_stored_beside_it(world: World, one: str, other: str) -> None:
    world.asked_by(AGENT).memories.put(a_draft(one))
    outcome = world.asked_by(AGENT).memories.put_outcome(a_draft(other))
    assert not outcome.was_known
    assert [entry.content for entry in world.active(SCOPE)] == [one, other]


def test_tags_are_united_where_the_writer_may_change_the_memory(world: World) -> None:
    own = world.asked_by(AGENT).memories.put(a_draft("The toll is salt.", tags=("toll", "salt")))
    again = world.asked_by(AGENT).memories.put(
        a_draft("The toll is salt.", tags=("salt", "narrows"))
    )
    assert again.tags == ("toll", "salt", "narrows")
    (version,) = world.person.listing.show(own.ref).history
    assert (version.action, version.tags) == (MemoryAction.CONFIRMED, ("toll", "salt"))
    many = tuple(f"tag {number}" for number in range(MAX_TAGS))
    assert (
        len(world.asked_by(AGENT).memories.put(a_draft("The toll is salt.", tags=many)).tags)
        == MAX_TAGS
    )


def test_what_the_author_says_as_well_is_the_authors(world: World) -> None:
    own = world.asked_by(AGENT).memories.put(a_draft("The toll is salt."))
    assert world.person.memories.put(a_draft("The toll is salt!")).by == AUTHOR
    with pytest.raises(HeldForReviewError):
        world.asked_by(AGENT).memories.forget([own.ref])


@pytest.mark.parametrize("locked_by", ["author", "lock"])
def test_an_agents_tags_change_nothing_that_is_the_authors(world: World, locked_by: str) -> None:
    curator = Curator.AUTHOR if locked_by == "author" else Curator.AGENT
    (there,) = world.keep(a_memory("The toll is salt.", curator=curator, locked=True, tags=("a",)))
    again = world.asked_by(AGENT).memories.put_outcome(a_draft("The toll is salt.", tags=("b",)))
    assert again.was_known
    assert (again.memory.id, again.memory.tags, again.memory.edited_at) == (there.id, ("a",), None)
    assert world.person.proposals.list(WORKSPACE_ID) == ()


def test_the_author_who_says_it_again_adds_tags_to_any_memory(world: World) -> None:
    there = world.asked_by(AGENT).memories.put(a_draft("The toll is salt.", tags=("toll",)))
    outcome = world.person.memories.put_outcome(a_draft("The toll is salt.", tags=("narrows",)))
    assert (outcome.memory.id, outcome.was_known) == (there.id, True)
    assert outcome.memory.tags == ("toll", "narrows")
    assert outcome.memory.curator is Curator.AGENT


def test_only_active_memories_of_the_same_scope_are_known(world: World) -> None:
    gone = world.asked_by(AGENT).memories.put(a_draft("The toll is salt."))
    world.asked_by(AGENT).memories.forget([gone.ref])
    world.keep(a_memory("The toll is salt.", scope=ScopeKey.account()))
    assert not world.asked_by(AGENT).memories.put_outcome(a_draft("The toll is salt.")).was_known


def test_what_an_agent_cannot_find_is_not_known_to_it(world: World) -> None:
    world.keep(
        a_memory("Kept by the writer.", agent_id="writer"),
        a_memory("Set aside.", paused=True),
    )
    assert not world.asked_by(AGENT).memories.put_outcome(a_draft("Kept by the writer.")).was_known
    assert not world.asked_by(AGENT).memories.put_outcome(a_draft("Set aside.")).was_known
    world.keep(a_memory("Set aside by the author.", paused=True))
    assert world.person.memories.put_outcome(a_draft("Set aside by the author.")).was_known


def test_a_private_memory_does_not_say_it_to_all(world: World) -> None:
    private = world.asked_by(AGENT).memories.put(
        a_draft("The toll is salt.", private_to=AGENT.name)
    )
    mine = world.asked_by(AGENT).memories.put_outcome(
        a_draft("The toll is salt.", private_to=AGENT.name)
    )
    assert (mine.memory.id, mine.was_known) == (private.id, True)
    shared = world.asked_by(AGENT).memories.put_outcome(a_draft("The toll is salt."))
    assert (shared.memory.agent_id, shared.was_known) == (None, False)


def test_a_client_that_may_not_read_does_not_learn_what_is_there(world: World) -> None:
    world.person.memories.put(a_draft("The toll is salt."))
    blind = an_agent(actions=frozenset({Action.WRITE}))
    assert not world.asked_by(blind).memories.put_outcome(a_draft("The toll is salt.")).was_known


def test_who_may_only_propose_is_told_that_it_is_known_and_changes_nothing(world: World) -> None:
    account = ScopeKey.account()
    (there,) = world.keep(a_memory("Short chapters.", scope=account))
    asking = an_agent(tiers=(Tier.ACCOUNT,), actions=OF_ACCOUNT)
    outcome = world.asked_by(asking).memories.put_outcome(
        a_draft("Short chapters", scope=account, tags=("style",))
    )
    assert (outcome.memory, outcome.was_known) == (there, True)
    assert world.person.proposals.list(None) == ()


def test_a_key_is_held_even_in_the_tags_of_what_is_known(world: World) -> None:
    world.asked_by(AGENT).memories.put(a_draft("The toll is salt."))
    key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    with pytest.raises(HeldForReviewError):
        world.asked_by(AGENT).memories.put(a_draft("The toll is salt.", tags=(key,)))


def test_an_accepted_memory_that_was_written_meanwhile_is_not_stored_twice(world: World) -> None:
    account = ScopeKey.account()
    asking = an_agent(tiers=(Tier.ACCOUNT,), actions=OF_ACCOUNT)
    with pytest.raises(HeldForReviewError):
        world.asked_by(asking).memories.put(a_draft("Short chapters.", scope=account))
    there = world.person.memories.put(a_draft("short chapters", scope=account))
    (asked,) = world.person.proposals.list(None)
    assert world.person.proposals.accept(asked.ref).state is ProposalState.ACCEPTED
    assert [one.id for one in world.active(account)] == [there.id]


# what is no longer true


def test_the_memory_that_is_replaced_is_forgotten_and_knows_what_took_its_place(
    world: World,
) -> None:
    stale = world.asked_by(AGENT).memories.put(a_draft("The toll is salt."))
    outcome = world.asked_by(AGENT).memories.put_outcome(
        a_draft("The toll is glass."), replaces=stale.id
    )
    assert outcome.replaced == world.stored(stale.id)
    gone = world.stored(stale.id)
    assert (gone.is_forgotten, gone.forgotten_reason) == (True, "replaced")
    assert gone.successor_id == outcome.memory.id
    assert [one.content for one in world.active(SCOPE)] == ["The toll is glass."]
    assert world.kinds()[1:] == [EventKind.MEMORY_FORGOTTEN, EventKind.MEMORY_CREATED]
    assert len(world.publisher.published) == 2
    restored = world.person.memories.restore([stale.ref])[0]
    assert (restored.is_forgotten, restored.successor_id) == (False, None)


def test_what_took_the_place_may_be_known_already(world: World) -> None:
    stale = world.asked_by(AGENT).memories.put(a_draft("The toll is salt."))
    there = world.person.memories.put(a_draft("The toll is glass."))
    outcome = world.asked_by(AGENT).memories.put_outcome(
        a_draft("the toll is glass"), replaces=stale.id
    )
    assert (outcome.memory.id, outcome.was_known) == (there.id, True)
    assert world.stored(stale.id).successor_id == there.id


def test_a_memory_does_not_replace_itself(world: World) -> None:
    there = world.asked_by(AGENT).memories.put(a_draft("The toll is salt."))
    outcome = world.asked_by(AGENT).memories.put_outcome(
        a_draft("the toll is salt"), replaces=there.id
    )
    assert (outcome.memory.id, outcome.replaced) == (there.id, None)
    assert not world.stored(there.id).is_forgotten


def test_at_the_cap_what_is_replaced_makes_the_room(world: World) -> None:
    kept = world.keep(*(a_memory(f"Fact {n}.", locked=True) for n in range(world.cap)))
    outcome = world.person.memories.put_outcome(a_draft("Fact zero."), replaces=kept[0].id)
    assert outcome.replaced is not None
    assert len(world.active(SCOPE)) == world.cap


@pytest.mark.parametrize("which", ["unknown", "forgotten", "private", "elsewhere", "paused"])
def test_only_what_the_agent_can_find_in_the_scope_is_replaced(world: World, which: str) -> None:
    base = a_memory("The toll is salt.")
    (there,) = world.keep(
        {
            "unknown": base,
            "forgotten": replace(base, forgotten_at=world.clock()),
            "private": replace(base, agent_id="writer"),
            "elsewhere": a_memory("The toll is salt.", scope=ScopeKey.account()),
            "paused": replace(base, paused=True),
        }[which]
    )
    named = "no-such-memory" if which == "unknown" else there.id
    before = world.everything()
    with pytest.raises(NotFoundError):
        world.asked_by(AGENT).memories.put_outcome(a_draft("The toll is glass."), replaces=named)
    assert world.everything() == before


def test_a_named_entry_is_not_replaced(world: World) -> None:
    with pytest.raises(ScopeDeniedError):
        world.asked_by(AGENT).memories.put_outcome(
            a_draft("The toll."), replaces=world.entry("VOICE").id
        )
    assert world.kinds(None) == [EventKind.DENIED]


def asked_to_replace(world: World, curator: Curator) -> tuple[str, Proposal]:
    """The id of a memory that only the author forgets, and the proposal to replace it."""
    (stale,) = world.keep(a_memory("The toll is salt.", curator=curator, locked=True))
    with pytest.raises(HeldForReviewError) as caught:
        world.asked_by(AGENT).memories.put_outcome(
            a_draft("The toll is glass.", tags=("toll",)), replaces=stale.id
        )
    assert caught.value.reason == ("author_made" if curator is Curator.AUTHOR else "locked")
    (asked,) = world.person.proposals.list(WORKSPACE_ID)
    return stale.id, asked


@pytest.mark.parametrize("curator", [Curator.AUTHOR, Curator.AGENT])
def test_what_is_the_authors_is_replaced_by_the_authors_word(
    world: World, curator: Curator
) -> None:
    stale, asked = asked_to_replace(world, curator)
    assert (asked.kind, asked.target_id, asked.base_version) == (
        ProposalKind.MEMORY_REPLACE, stale, 1,
    )  # fmt: skip
    assert [one.id for one in world.active(SCOPE)] == [stale]
    accepted = world.person.proposals.accept(asked.ref)
    assert accepted.state is ProposalState.ACCEPTED
    (made,) = world.active(SCOPE)
    assert (made.content, made.curator, made.tags) == (
        "The toll is glass.",
        Curator.AGENT,
        ("toll",),
    )
    assert made.lifetime is Lifetime.LONG_TERM
    assert world.stored(stale).successor_id == made.id


def test_an_accepted_replacement_in_the_authors_own_words(world: World) -> None:
    stale, asked = asked_to_replace(world, Curator.AUTHOR)
    world.person.proposals.accept(asked.ref, body="The toll is sea glass.")
    assert [one.content for one in world.active(SCOPE)] == ["The toll is sea glass."]
    assert world.stored(stale).is_forgotten


def test_a_declined_replacement_changes_nothing(world: World) -> None:
    stale, asked = asked_to_replace(world, Curator.AUTHOR)
    world.person.proposals.reject(asked.ref)
    assert [one.id for one in world.active(SCOPE)] == [stale]


def test_a_replacement_of_what_moved_on_is_overtaken(world: World) -> None:
    stale, asked = asked_to_replace(world, Curator.AUTHOR)
    world.person.memories.confirm([world.stored(stale).ref])
    with pytest.raises(ConflictError):
        world.person.proposals.accept(asked.ref)
    assert world.person.proposals.show(asked.ref).state is ProposalState.OVERTAKEN
    world.person.proposals.accept(asked.ref, expected_version=2)
    assert world.stored(stale).is_forgotten
