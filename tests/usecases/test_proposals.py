from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Action, Caller, Grant
from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.entries.proposals import (
    MAX_PENDING_PER_CLIENT,
    Proposal,
    ProposalKind,
    ProposalRef,
    ProposalState,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, MemoryPatch, ScopeKey, Tier
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
RIGHTS = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
AGENT = an_agent(tiers=(Tier.WORKSPACE, Tier.ACCOUNT), actions=RIGHTS)
OTHER = an_agent("writer", tiers=(Tier.WORKSPACE, Tier.ACCOUNT), actions=RIGHTS)
OWN = an_agent(tiers=(Tier.WORKSPACE,), actions=RIGHTS)
REASON = "It reads better."


def test_a_proposal_changes_nothing_yet(world: World) -> None:
    voice = world.entry("VOICE")
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "VOICE", "Close third.", " It reads better. "
    )
    assert world.entry("VOICE") == voice
    assert (proposal.kind, proposal.state) == (ProposalKind.NAMED_BODY, ProposalState.PENDING)
    assert (proposal.target_id, proposal.target_name) == (voice.id, "VOICE")
    assert (proposal.base_version, proposal.text, proposal.reason) == (1, "Close third.", REASON)
    assert (proposal.client, proposal.decided_at) == ("researcher", None)
    assert world.person.proposals.show(proposal.ref) == proposal
    (changes,) = world.publisher.published
    assert changes.proposals
    assert changes.entries == frozenset()
    (event,) = world.events()
    assert (event.kind, event.ids) == (EventKind.PROPOSAL_MADE, (proposal.id,))
    assert event.counts == {"named_body": 1, "pending": 1}


def test_a_proposal_lies_in_the_file_that_it_would_change(world: World) -> None:
    own = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON)
    account = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "SOUL", "y", REASON)
    assert (own.workspace_id, account.workspace_id) == (WORKSPACE_ID, None)
    assert {one.id for one in world.person.proposals.list(WORKSPACE_ID)} == {own.id, account.id}
    assert [one.id for one in world.person.proposals.list(None)] == [account.id]


def test_a_name_in_both_tiers_needs_its_tier(world: World) -> None:
    for tier in (Tier.WORKSPACE, Tier.ACCOUNT):
        world.person.entries.create(tier, WORKSPACE_ID, "RULES")
    with pytest.raises(InvalidValueError) as caught:
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "RULES", "x", REASON)
    assert (caught.value.field, caught.value.rule) == ("tier", "ambiguous")
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "RULES", "x", REASON, Tier.ACCOUNT
    )
    assert proposal.tier is Tier.ACCOUNT
    assert (
        world.asked_by(OWN).proposals.propose(WORKSPACE_ID, "RULES", "x", REASON).tier
        is Tier.WORKSPACE
    )


@pytest.mark.parametrize(
    "caller",
    [
        PERSON,
        an_agent(),
        an_agent(actions=frozenset({Action.PROPOSE}), tiers=(Tier.CHANNEL,)),
        an_agent(actions=RIGHTS, workspace_id=OTHER_WORKSPACE_ID),
    ],
    ids=["person", "without the right", "another tier", "another workspace"],
)
def test_who_may_not_propose_is_refused(world: World, caller: Caller) -> None:
    with pytest.raises(ScopeDeniedError):
        world.asked_by(caller).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON)
    assert world.person.proposals.list(WORKSPACE_ID) == ()
    assert world.kinds(None) == ([EventKind.DENIED] if caller.is_agent else [])


@pytest.mark.parametrize(
    ("body", "reason", "field"),
    [
        ("", "", "reason"),
        ("x", "y" * 501, "reason"),
        ("x", "a\x1b[31m", "reason"),
        ("a\x00", REASON, "body"),
        ("x" * (256 * 1024 + 1), REASON, "body"),
    ],
)
def test_what_cannot_be_kept_is_not_proposed(
    world: World, body: str, reason: str, field: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", body, reason)
    assert caught.value.field == field
    assert world.person.proposals.list(WORKSPACE_ID) == ()


def test_nothing_is_proposed_that_is_there_already(world: World) -> None:
    with pytest.raises(InvalidValueError) as caught:
        world.asked_by(AGENT).proposals.propose(
            WORKSPACE_ID, "VOICE", world.entry("VOICE").body, REASON
        )
    assert (caught.value.field, caught.value.rule) == ("body", "unchanged")


def test_an_agent_that_asks_again_asks_once(world: World) -> None:
    first = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON)
    assert (
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", "Other words.") == first
    )
    assert (
        world.asked_by(OTHER).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON).id != first.id
    )
    world.person.proposals.reject(first.ref)
    assert (
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON).id != first.id
    )


def test_one_client_may_only_ask_so_much(world: World) -> None:
    for number in range(MAX_PENDING_PER_CLIENT):
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", f"Body {number}", REASON)
    with pytest.raises(InvalidValueError) as caught:
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "One more", REASON)
    assert (caught.value.rule, caught.value.limit) == ("too_many", MAX_PENDING_PER_CLIENT)
    (locked,) = world.keep(a_memory(locked=True))
    with pytest.raises(InvalidValueError):
        world.asked_by(AGENT).memories.forget([locked.ref])
    world.asked_by(OTHER).proposals.propose(WORKSPACE_ID, "VOICE", "Mine", REASON)
    world.person.proposals.reject(world.asked_by(AGENT).proposals.list(WORKSPACE_ID)[0].ref)
    world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "One more", REASON)


def test_the_latest_proposal_comes_first_and_states_are_chosen(world: World) -> None:
    made: list[Proposal] = []
    for name in ("VOICE", "SOUL", "VOICE"):
        world.clock.advance(hours=1)
        made.append(
            world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, name, f"Body {len(made)}", REASON)
        )
    world.person.proposals.reject(made[1].ref)
    listed = world.person.proposals.list(WORKSPACE_ID)
    assert [one.id for one in listed] == [made[2].id, made[1].id, made[0].id]
    pending = world.person.proposals.list(WORKSPACE_ID, states={ProposalState.PENDING})
    assert [one.id for one in pending] == [made[2].id, made[0].id]


def test_an_agent_sees_its_own_proposals_alone(world: World) -> None:
    mine = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON)
    theirs = world.asked_by(OTHER).proposals.propose(WORKSPACE_ID, "VOICE", "y", REASON)
    assert world.asked_by(AGENT).proposals.list(WORKSPACE_ID) == (mine,)
    assert world.asked_by(AGENT).proposals.show(mine.ref) == mine
    for ref in (theirs.ref, ProposalRef(WORKSPACE_ID, "nothing")):
        with pytest.raises(NotFoundError):
            world.asked_by(AGENT).proposals.show(ref)
    stranger = an_agent("stranger", workspace_id=OTHER_WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(stranger).proposals.list(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(stranger).proposals.show(mine.ref)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(OWN).proposals.show(ProposalRef(None, "nothing"))


def test_a_rejection_can_be_read_by_the_agent(world: World) -> None:
    mine = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON)
    world.person.proposals.reject(mine.ref, "Too cold.\nTry again.")
    seen = world.asked_by(AGENT).proposals.show(mine.ref)
    assert (seen.state, seen.note) == (ProposalState.REJECTED, "Too cold.\nTry again.")


def test_what_is_proposed_is_never_retrieved(world: World) -> None:
    scope = ScopeKey.workspace(WORKSPACE_ID)
    (locked,) = world.keep(a_memory("The glass hums", locked=True))
    patch = MemoryPatch(content="Wyverns nest in the glass")
    with pytest.raises(HeldForReviewError):
        world.asked_by(AGENT).memories.update(locked.ref, patch, expected_version=1)
    account_agent = an_agent(
        grants=(
            Grant(Tier.WORKSPACE, WORKSPACE_ID, RIGHTS),
            Grant(Tier.ACCOUNT, None, frozenset({Action.READ, Action.PROPOSE})),
        )
    )
    world.asked_by(account_agent).proposals.propose(
        WORKSPACE_ID, "VOICE", "Wyverns everywhere", REASON
    )
    for caller in (AGENT, PERSON):
        found = world.asked_by(caller).search.find([scope], SearchRequest("wyverns"))
        assert found.hits == ()
        found = world.asked_by(caller).search.find([ScopeKey.account()], SearchRequest("wyverns"))
        assert found.hits == ()
        assert world.asked_by(caller).entries.standing_slice(WORKSPACE_ID) == ()


# a companion that is not there yet


def test_a_companion_is_proposed_and_is_not_there_before_it_is_accepted(world: World) -> None:
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "RULES", "Magic costs.", REASON, is_new=True
    )
    assert (proposal.kind, proposal.tier) == (ProposalKind.NAMED_NEW, Tier.WORKSPACE)
    assert (proposal.target_id, proposal.target_name, proposal.base_version) == ("", "RULES", None)
    (event,) = world.events()
    assert event.counts == {"named_new": 1, "pending": 1}
    with pytest.raises(NotFoundError):
        world.entry("RULES")
    world.person.proposals.accept(proposal.ref)
    made = world.entry("RULES")
    assert (made.body, made.version, made.curator) == ("Magic costs.", 1, Curator.AUTHOR)
    (head,) = world.person.entries.show(made.ref).revisions
    assert (head.action, head.saved_by) == (EntryAction.ACCEPTED, PERSON.name)
    assert world.kinds()[-2:] == [EventKind.ENTRY_SAVED, EventKind.PROPOSAL_DECIDED]


def test_a_companion_that_is_rejected_never_comes_to_be(world: World) -> None:
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "RULES", "Magic costs.", REASON, is_new=True
    )
    world.person.proposals.reject(proposal.ref, "I write these myself.")
    with pytest.raises(NotFoundError):
        world.entry("RULES")
    assert world.asked_by(AGENT).proposals.show(proposal.ref).note == "I write these myself."


def test_a_companion_is_accepted_in_other_words(world: World) -> None:
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "HABITS", "Tea.", REASON, Tier.ACCOUNT, is_new=True
    )
    assert proposal.workspace_id is None
    world.person.proposals.accept(proposal.ref, body="Coffee.")
    assert world.entry("HABITS").body == "Coffee."


def test_a_name_that_was_taken_meanwhile_is_not_written_over(world: World) -> None:
    proposal = world.asked_by(AGENT).proposals.propose(
        WORKSPACE_ID, "RULES", "Magic costs.", REASON, is_new=True
    )
    world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "Mine.")
    with pytest.raises(ConflictError) as caught:
        world.person.proposals.accept(proposal.ref)
    assert (caught.value.kind, caught.value.key) == ("named_entry", "RULES")
    assert world.entry("RULES").body == "Mine."
    assert world.person.proposals.show(proposal.ref).state is ProposalState.PENDING


@pytest.mark.parametrize(
    ("name", "body", "field", "rule"),
    [
        ("V0ICE", "x", "name", "look_alike"),
        ("rules", "x", "name", "characters"),
        ("R", "x", "name", "too_short"),
        ("RULES", " \n", "body", "empty"),
    ],
)
def test_a_companion_that_could_not_be_is_not_proposed(
    world: World, name: str, body: str, field: str, rule: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, name, body, REASON, is_new=True)
    assert (caught.value.field, caught.value.rule) == (field, rule)
    assert world.person.proposals.list(WORKSPACE_ID) == ()
    assert world.kinds(None) == ([EventKind.DENIED] if rule == "look_alike" else [])


def test_an_entry_that_is_there_is_not_proposed_as_new(world: World) -> None:
    with pytest.raises(ConflictError):
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "VOICE", "x", REASON, is_new=True)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(OWN).proposals.propose(
            WORKSPACE_ID, "RULES", "x", REASON, Tier.ACCOUNT, is_new=True
        )


def test_two_companions_of_one_text_are_two_wishes(world: World) -> None:
    first = world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "RULES", "x", REASON, is_new=True)
    assert (
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "RULES", "x", "Again.", is_new=True)
        == first
    )
    assert (
        world.asked_by(AGENT).proposals.propose(WORKSPACE_ID, "CAST", "x", REASON, is_new=True).id
        != first.id
    )
