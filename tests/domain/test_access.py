from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    CallerKind,
    Door,
    Grant,
    authorize,
    authorize_agent,
    authorize_any,
    authorize_management,
    authorize_person,
    authorize_some,
    authorize_workspace,
    authorize_write,
)
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memory import AUTHOR, Curator, ScopeKey, Tier
from tests.support.builders import (
    OTHER_WORKSPACE_ID,
    READ_AND_WRITE,
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
    assert an_agent("writer").walls == frozenset({"writer"})
    assert a_person().walls is None


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


@pytest.mark.parametrize(
    ("agent", "in_all", "to_read"),
    [
        (an_agent(), True, True),
        (an_agent(keys=frozenset({"one"})), False, True),
        (an_agent(tiers=(Tier.WORKSPACE,)), False, True),
        (an_agent(workspace_id=OTHER_WORKSPACE_ID), False, False),
        (an_agent(actions=frozenset({Action.WRITE})), False, False),
        (an_agent(grants=()), False, False),
    ],
)
def test_a_whole_tier_and_a_workspace_open_by_a_right_to_read_there(
    agent: Caller, *, in_all: bool, to_read: bool
) -> None:
    assert agent.may_in_all_of(Action.READ, Tier.CHANNEL, WORKSPACE_ID) is in_all
    assert agent.may_read_in(WORKSPACE_ID) is to_read
    if to_read:
        authorize_workspace(agent, WORKSPACE_ID)
    else:
        with pytest.raises(ScopeDeniedError):
            authorize_workspace(agent, WORKSPACE_ID)


def test_people_may_read_everywhere_and_have_no_one_to_ask() -> None:
    person = a_person()
    assert person.may_in_all_of(Action.WRITE, Tier.CHANNEL, "anywhere")
    assert person.may_read_in("anywhere")
    assert person.may_keep_for("researcher")
    assert not person.has_to_ask_before_adding(ScopeKey.account())
    authorize_any(person, Tier.CHANNEL, "anywhere")
    with pytest.raises(ScopeDeniedError):
        authorize_agent(person, Action.WRITE, Tier.WORKSPACE)
    authorize_agent(an_agent(), Action.WRITE, Tier.WORKSPACE)


def test_any_right_in_the_tier_is_one_in_its_workspace() -> None:
    authorize_any(an_agent(actions=frozenset({Action.WRITE})), Tier.CHANNEL, WORKSPACE_ID)
    for agent in (
        an_agent(tiers=(Tier.WORKSPACE,)),
        an_agent(workspace_id=OTHER_WORKSPACE_ID),
        an_agent(grants=()),
    ):
        with pytest.raises(ScopeDeniedError):
            authorize_any(agent, Tier.CHANNEL, WORKSPACE_ID)


def test_only_reading_leaves_nothing_but_rights_to_read() -> None:
    reads = Grant(Tier.CHANNEL, WORKSPACE_ID, READ_AND_WRITE, frozenset({"one"}))
    writes = Grant(Tier.WORKSPACE, WORKSPACE_ID, frozenset({Action.WRITE}))
    viewed = an_agent(grants=(reads, writes)).only_reading()
    assert viewed.grants == (replace(reads, actions=frozenset({Action.READ})),)
    assert viewed.actions_in(SCOPES[2]) == {Action.READ}


@pytest.mark.parametrize(
    ("actions", "asks", "may_add"),
    [
        ({Action.PROPOSE}, True, True),
        ({Action.WRITE}, False, True),
        ({Action.PROPOSE, Action.WRITE}, False, True),
        ({Action.READ}, False, False),
    ],
)
def test_in_the_account_an_agent_asks_unless_it_was_let_write(
    actions: set[Action], *, asks: bool, may_add: bool
) -> None:
    agent = an_agent(tiers=(Tier.ACCOUNT, Tier.WORKSPACE), actions=frozenset(actions))
    assert agent.has_to_ask_before_adding(ScopeKey.account()) is asks
    assert not agent.has_to_ask_before_adding(ScopeKey.workspace(WORKSPACE_ID))
    if may_add:
        authorize_write(agent, ScopeKey.account())
    else:
        with pytest.raises(ScopeDeniedError):
            authorize_write(agent, ScopeKey.account())


def test_what_the_author_made_or_locked_is_guarded_from_agents_alone() -> None:
    agents, locked = a_memory(curator=Curator.AGENT), a_memory(curator=Curator.AGENT, locked=True)
    authors = a_memory(curator=Curator.AUTHOR)
    rewritten = replace(agents, written_by=AUTHOR)
    agent = an_agent()
    assert [
        agent.has_to_ask_before_changing(one) for one in (agents, locked, authors, rewritten)
    ] == [False, True, True, True]
    assert not any(a_person().has_to_ask_before_changing(one) for one in (locked, authors))
    assert agent.may_keep_for("researcher")
    assert agent.may_keep_for(None)
    assert not agent.may_keep_for("writer")
