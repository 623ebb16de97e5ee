from __future__ import annotations

from itertools import product

import pytest

from inklings_desktop.domain.access import (
    Action,
    Caller,
    CallerKind,
    Door,
    Grant,
    authorize,
    authorize_management,
    authorize_person,
    authorize_some,
)
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memory import Curator, ScopeKey, Tier
from tests.support.builders import (
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_memory,
    a_person,
    an_agent,
    the_clock,
)

SCOPES = (
    ScopeKey.conversation(WORKSPACE_ID, "one"),
    ScopeKey.conversation(WORKSPACE_ID, "two"),
    ScopeKey.channel(WORKSPACE_ID, "one"),
    ScopeKey.channel(WORKSPACE_ID, "two"),
    ScopeKey.workspace(WORKSPACE_ID),
    ScopeKey.conversation(OTHER_WORKSPACE_ID, "one"),
    ScopeKey.channel(OTHER_WORKSPACE_ID, "one"),
    ScopeKey.workspace(OTHER_WORKSPACE_ID),
    ScopeKey.account(),
)


def is_allowed(caller: Caller, action: Action, scope: ScopeKey) -> bool:
    try:
        authorize(caller, action, scope)
    except ScopeDeniedError:
        return False
    return True


@pytest.mark.parametrize("caller", [a_person(), the_clock()], ids=["person", "clock"])
@pytest.mark.parametrize("action", list(Action))
def test_person_and_clock_may_do_everything(caller: Caller, action: Action) -> None:
    assert all(is_allowed(caller, action, scope) for scope in SCOPES)


def test_an_agent_without_grants_may_do_nothing() -> None:
    agent = an_agent(grants=())
    assert not any(is_allowed(agent, *case) for case in product(Action, SCOPES))


@pytest.mark.parametrize("tier", list(Tier))
@pytest.mark.parametrize("granted", [Action.READ, Action.WRITE])
@pytest.mark.parametrize("keys", [None, frozenset({"one"}), frozenset[str]()])
def test_a_grant_opens_exactly_its_tier_workspace_action_and_keys(
    tier: Tier, granted: Action, keys: frozenset[str] | None
) -> None:
    workspace_id = None if tier is Tier.ACCOUNT else WORKSPACE_ID
    agent = an_agent(grants=(Grant(tier, workspace_id, frozenset({granted}), keys),))
    opened = {case for case in product(Action, SCOPES) if is_allowed(agent, *case)}
    assert opened == {
        (granted, scope)
        for scope in SCOPES
        if scope.tier is tier
        and scope.workspace_id == workspace_id
        and (keys is None or scope.key in keys)
    }


def test_one_closed_scope_among_open_ones_closes_all() -> None:
    agent = an_agent(tiers=(Tier.CHANNEL,), keys=frozenset({"one"}))
    authorize(agent, Action.READ, SCOPES[2])
    with pytest.raises(ScopeDeniedError):
        authorize(agent, Action.READ, SCOPES[2], SCOPES[3])


def test_unknown_and_forbidden_answer_alike() -> None:
    agent = an_agent(keys=frozenset({"one"}))
    answers = []
    for scope in (SCOPES[1], ScopeKey.conversation("no-such-workspace", "nothing")):
        with pytest.raises(ScopeDeniedError) as caught:
            authorize(agent, Action.READ, scope)
        answers.append(caught.value.args)
    assert answers[0] == answers[1]


def test_management_is_closed_to_agents() -> None:
    for caller in (a_person(), the_clock()):
        authorize_management(caller)
    with pytest.raises(ScopeDeniedError):
        authorize_management(an_agent(tiers=tuple(Tier), actions=frozenset(Action)))


@pytest.mark.parametrize(
    ("agent", "allowed"),
    [
        (an_agent(keys=frozenset({"elsewhere"})), True),
        (an_agent(tiers=(Tier.CHANNEL,)), False),
        (an_agent(workspace_id=OTHER_WORKSPACE_ID), False),
        (an_agent(actions=frozenset({Action.WRITE})), False),
        (an_agent(grants=()), False),
    ],
)
def test_an_agent_needs_some_right_in_the_tier(agent: Caller, *, allowed: bool) -> None:
    try:
        authorize_some(agent, Action.READ, Tier.CONVERSATION, WORKSPACE_ID)
    except ScopeDeniedError:
        assert not allowed
    else:
        assert allowed


def test_person_and_clock_need_no_right_in_the_tier() -> None:
    for caller in (a_person(), the_clock()):
        authorize_some(caller, Action.WRITE, Tier.CONVERSATION, "anywhere")
    assert not a_person().grants


def test_the_caller_decides_the_curator() -> None:
    assert a_person().curator is Curator.AUTHOR
    assert an_agent().curator is Curator.AGENT
    assert the_clock().curator is Curator.AGENT
    assert a_person(door=Door.CLI).kind is CallerKind.PERSON


def test_private_memories_are_known_to_their_agent_and_to_people() -> None:
    private = a_memory(agent_id="researcher")
    shared = a_memory()
    assert an_agent("researcher").may_know_of(private)
    assert not an_agent("writer").may_know_of(private)
    assert an_agent("writer").may_know_of(shared)
    assert a_person("writer").may_know_of(private)
    assert an_agent("writer").sees_private_of == "writer"
    assert a_person().sees_private_of is None


@pytest.mark.parametrize("caller", [an_agent(), the_clock()], ids=["agent", "clock"])
def test_what_only_a_person_may_do_is_refused_to_machines(caller: Caller) -> None:
    with pytest.raises(ScopeDeniedError):
        authorize_person(caller, Action.WRITE, Tier.WORKSPACE)
    authorize_person(a_person(), Action.WRITE, Tier.WORKSPACE)


def test_a_right_to_propose_is_no_right_to_write() -> None:
    agent = an_agent(actions=frozenset({Action.PROPOSE}))
    scope = ScopeKey.workspace(WORKSPACE_ID)
    assert agent.may(Action.PROPOSE, scope)
    assert not agent.may(Action.WRITE, scope)
    assert a_person().may(Action.WRITE, scope)
