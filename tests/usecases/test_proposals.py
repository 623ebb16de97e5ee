from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.access import Action, Grant
from inklings_desktop.domain.errors import (
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.events import EventKind
from inklings_desktop.domain.memory import MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.proposals import (
    MAX_PENDING_PER_CLIENT,
    ProposalKind,
    ProposalRef,
    ProposalState,
)
from inklings_desktop.usecases.search_memories import SearchRequest
from tests.support.builders import (
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_memory,
    a_person,
    an_agent,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.access import Caller
    from inklings_desktop.domain.proposals import Proposal
    from tests.usecases.world import World

PERSON = a_person()
RIGHTS = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
AGENT = an_agent(tiers=(Tier.WORKSPACE, Tier.ACCOUNT), actions=RIGHTS)
OTHER = an_agent("writer", tiers=(Tier.WORKSPACE, Tier.ACCOUNT), actions=RIGHTS)
OWN = an_agent(tiers=(Tier.WORKSPACE,), actions=RIGHTS)
REASON = "It reads better."


def test_a_proposal_changes_nothing_yet(world: World) -> None:
    voice = world.entry("VOICE")
    proposal = world.propose(AGENT, WORKSPACE_ID, "VOICE", "Close third.", " It reads better. ")
    assert world.entry("VOICE") == voice
    assert (proposal.kind, proposal.state) == (ProposalKind.NAMED_BODY, ProposalState.PENDING)
    assert (proposal.target_id, proposal.target_name) == (voice.id, "VOICE")
    assert (proposal.base_version, proposal.text, proposal.reason) == (1, "Close third.", REASON)
    assert (proposal.client, proposal.decided_at) == ("researcher", None)
    assert world.show_proposal(PERSON, proposal.ref) == proposal
    (changes,) = world.publisher.published
    assert changes.proposals
    assert changes.entries == frozenset()
    (event,) = world.events()
    assert (event.kind, event.ids) == (EventKind.PROPOSAL_MADE, (proposal.id,))
    assert event.counts == {"named_body": 1, "pending": 1}


def test_a_proposal_lies_in_the_file_that_it_would_change(world: World) -> None:
    own = world.propose(AGENT, WORKSPACE_ID, "VOICE", "x", REASON)
    account = world.propose(AGENT, WORKSPACE_ID, "SOUL", "y", REASON)
    assert (own.workspace_id, account.workspace_id) == (WORKSPACE_ID, None)
    assert {one.id for one in world.list_proposals(PERSON, WORKSPACE_ID)} == {own.id, account.id}
    assert [one.id for one in world.list_proposals(PERSON, None)] == [account.id]


def test_a_name_in_both_tiers_needs_its_tier(world: World) -> None:
    for tier in (Tier.WORKSPACE, Tier.ACCOUNT):
        world.create_entry(PERSON, tier, WORKSPACE_ID, "RULES")
    with pytest.raises(InvalidValueError) as caught:
        world.propose(AGENT, WORKSPACE_ID, "RULES", "x", REASON)
    assert (caught.value.field, caught.value.rule) == ("tier", "ambiguous")
    proposal = world.propose(AGENT, WORKSPACE_ID, "RULES", "x", REASON, Tier.ACCOUNT)
    assert proposal.tier is Tier.ACCOUNT
    assert world.propose(OWN, WORKSPACE_ID, "RULES", "x", REASON).tier is Tier.WORKSPACE


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
        world.propose(caller, WORKSPACE_ID, "VOICE", "x", REASON)
    assert world.list_proposals(PERSON, WORKSPACE_ID) == ()
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
        world.propose(AGENT, WORKSPACE_ID, "VOICE", body, reason)
    assert caught.value.field == field
    assert world.list_proposals(PERSON, WORKSPACE_ID) == ()


def test_nothing_is_proposed_that_is_there_already(world: World) -> None:
    with pytest.raises(InvalidValueError) as caught:
        world.propose(AGENT, WORKSPACE_ID, "VOICE", world.entry("VOICE").body, REASON)
    assert (caught.value.field, caught.value.rule) == ("body", "unchanged")


def test_an_agent_that_asks_again_asks_once(world: World) -> None:
    first = world.propose(AGENT, WORKSPACE_ID, "VOICE", "x", REASON)
    assert world.propose(AGENT, WORKSPACE_ID, "VOICE", "x", "Other words.") == first
    assert world.propose(OTHER, WORKSPACE_ID, "VOICE", "x", REASON).id != first.id
    world.reject(PERSON, first.ref)
    assert world.propose(AGENT, WORKSPACE_ID, "VOICE", "x", REASON).id != first.id


def test_one_client_may_only_ask_so_much(world: World) -> None:
    for number in range(MAX_PENDING_PER_CLIENT):
        world.propose(AGENT, WORKSPACE_ID, "VOICE", f"Body {number}", REASON)
    with pytest.raises(InvalidValueError) as caught:
        world.propose(AGENT, WORKSPACE_ID, "VOICE", "One more", REASON)
    assert (caught.value.rule, caught.value.limit) == ("too_many", MAX_PENDING_PER_CLIENT)
    (locked,) = world.keep(a_memory(locked=True))
    with pytest.raises(InvalidValueError):
        world.forget(AGENT, [locked.ref])
    world.propose(OTHER, WORKSPACE_ID, "VOICE", "Mine", REASON)
    world.reject(PERSON, world.list_proposals(AGENT, WORKSPACE_ID)[0].ref)
    world.propose(AGENT, WORKSPACE_ID, "VOICE", "One more", REASON)


def test_the_latest_proposal_comes_first_and_states_are_chosen(world: World) -> None:
    made: list[Proposal] = []
    for name in ("VOICE", "SOUL", "VOICE"):
        world.clock.advance(hours=1)
        made.append(world.propose(AGENT, WORKSPACE_ID, name, f"Body {len(made)}", REASON))
    world.reject(PERSON, made[1].ref)
    listed = world.list_proposals(PERSON, WORKSPACE_ID)
    assert [one.id for one in listed] == [made[2].id, made[1].id, made[0].id]
    pending = world.list_proposals(PERSON, WORKSPACE_ID, states={ProposalState.PENDING})
    assert [one.id for one in pending] == [made[2].id, made[0].id]


def test_an_agent_sees_its_own_proposals_alone(world: World) -> None:
    mine = world.propose(AGENT, WORKSPACE_ID, "VOICE", "x", REASON)
    theirs = world.propose(OTHER, WORKSPACE_ID, "VOICE", "y", REASON)
    assert world.list_proposals(AGENT, WORKSPACE_ID) == (mine,)
    assert world.show_proposal(AGENT, mine.ref) == mine
    for ref in (theirs.ref, ProposalRef(WORKSPACE_ID, "nothing")):
        with pytest.raises(NotFoundError):
            world.show_proposal(AGENT, ref)
    stranger = an_agent("stranger", workspace_id=OTHER_WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.list_proposals(stranger, WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.show_proposal(stranger, mine.ref)
    with pytest.raises(ScopeDeniedError):
        world.show_proposal(OWN, ProposalRef(None, "nothing"))


def test_a_rejection_can_be_read_by_the_agent(world: World) -> None:
    mine = world.propose(AGENT, WORKSPACE_ID, "VOICE", "x", REASON)
    world.reject(PERSON, mine.ref, "Too cold.\nTry again.")
    seen = world.show_proposal(AGENT, mine.ref)
    assert (seen.state, seen.note) == (ProposalState.REJECTED, "Too cold.\nTry again.")


def test_what_is_proposed_is_never_retrieved(world: World) -> None:
    scope = ScopeKey.workspace(WORKSPACE_ID)
    (locked,) = world.keep(a_memory("The glass hums", locked=True))
    patch = MemoryPatch(content="Wyverns nest in the glass")
    with pytest.raises(HeldForReviewError):
        world.update(AGENT, locked.ref, patch, expected_version=1)
    account_agent = an_agent(
        grants=(
            Grant(Tier.WORKSPACE, WORKSPACE_ID, RIGHTS),
            Grant(Tier.ACCOUNT, None, frozenset({Action.READ, Action.PROPOSE})),
        )
    )
    world.propose(account_agent, WORKSPACE_ID, "VOICE", "Wyverns everywhere", REASON)
    for caller in (AGENT, PERSON):
        found = world.search(caller, [scope], SearchRequest("wyverns"))
        assert found.hits == ()
        found = world.search(caller, [ScopeKey.account()], SearchRequest("wyverns"))
        assert found.hits == ()
        assert world.standing_slice(caller, WORKSPACE_ID) == ()
