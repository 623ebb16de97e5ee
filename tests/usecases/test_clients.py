from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.access.clients import (
    MAX_CALLS_KEPT,
    MAX_CLIENTS,
    ClientCall,
    ClientKind,
    Right,
    preset_rights,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
    NotLetInError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    FixedClock,
    a_channel,
    a_conversation,
    a_person,
    an_agent,
    set_to,
)
from tests.support.sqlite_store import SqliteWorld, sqlite_world

STUDIO = "Manuscript Studio"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    """A data root with one workspace."""
    with sqlite_world(tmp_path) as made:
        with made.store.write(workspace_of(made), initiator="test") as unit:
            unit.conversations.add_channel(a_channel("general"))
            unit.commit()
        yield made


def workspace_of(world: SqliteWorld) -> str:
    (workspace,) = world.directory.workspaces()
    return workspace.id


def a_call(number: int = 0, *, is_write: bool = False, error: str = "") -> ClientCall:
    return ClientCall(
        STUDIO,
        NOON + timedelta(seconds=number),
        "memory_read",
        Tier.WORKSPACE,
        None,
        "refused" if error else "entries",
        number,
        error,
        3,
        is_write,
    )


def let_in(world: SqliteWorld) -> None:
    asked_by(a_person(), world).clients.let_in(STUDIO, workspace_of(world))


def test_a_client_that_was_never_granted_anything_waits_before_the_door(
    world: SqliteWorld,
) -> None:
    here, clock = workspace_of(world), FixedClock()
    admit = asked_by(a_person(), world, clock=clock).clients.admit
    for _ in range(3):
        with pytest.raises(NotLetInError) as caught:
            admit(STUDIO, here)
        assert caught.value.client == STUDIO
    (found,) = asked_by(a_person(), world).clients.list()
    assert (found.client.kind, found.client.rights) == (ClientKind.UNKNOWN, frozenset())
    assert [(one.workspace_id, one.error) for one in found.activity.calls] == [(here, "not_let_in")]
    with world.store.read(None) as view:
        (event,) = view.events.latest(2)
    assert (event.kind, event.actor) == (EventKind.DENIED, STUDIO)


def test_names_that_nobody_let_in_never_fill_the_door(world: SqliteWorld) -> None:
    here, clock = workspace_of(world), FixedClock()
    let_in(world)
    admit = asked_by(a_person(), world, clock=clock).clients.admit
    for number in range(MAX_CLIENTS + 1):
        clock.now += timedelta(seconds=1)
        with pytest.raises(NotLetInError):
            admit(f"stranger-{number}", here)
    names = [one.client.name for one in asked_by(a_person(), world).clients.list()]
    assert len(names) == MAX_CLIENTS
    assert {STUDIO, f"stranger-{MAX_CLIENTS}"} <= set(names)
    assert not {"stranger-0", "stranger-1"} & set(names)


def test_letting_in_is_the_act_of_the_author_and_holds_for_the_unknown_alone(
    world: SqliteWorld,
) -> None:
    here, clock = workspace_of(world), FixedClock()
    admit = asked_by(a_person(), world, clock=clock).clients.admit
    with pytest.raises(NotLetInError):
        admit(STUDIO, here)
    let_in(world)
    assert admit(STUDIO, here).may(Action.READ, ScopeKey.workspace(here))
    with world.store.read(None) as view:
        (event,) = view.events.latest(1)
    assert (event.kind, event.actor) == (EventKind.GRANTED, a_person().name)
    asked_by(a_person(), world, clock=clock).clients.revoke(STUDIO)
    let_in(world)
    assert admit(STUDIO, here).grants == ()


def test_a_client_that_was_let_in_reads_one_workspace_and_nothing_else(
    world: SqliteWorld,
) -> None:
    here, clock = workspace_of(world), FixedClock()
    let_in(world)
    caller = asked_by(a_person(), world, clock=clock).clients.admit(STUDIO, here)
    assert caller.is_agent
    assert caller.name == STUDIO
    authorize(caller, Action.READ, ScopeKey.workspace(here))
    for action, scope in (
        (Action.WRITE, ScopeKey.workspace(here)),
        (Action.PROPOSE, ScopeKey.workspace(here)),
        (Action.READ, ScopeKey.account()),
        (Action.READ, ScopeKey.workspace(OTHER_WORKSPACE_ID)),
        (Action.READ, ScopeKey.channel(here, "elsewhere")),
        (Action.SCRUB_PREVIEW, ScopeKey.workspace(here)),
    ):
        with pytest.raises(ScopeDeniedError):
            authorize(caller, action, scope)
    (listed,) = asked_by(a_person(), world).clients.list()
    assert listed.client.kind is ClientKind.EXTERNAL
    with world.store.read(None) as view:
        (event,) = view.events.latest(1)
    assert (event.kind, event.ids) == (EventKind.GRANTED, (STUDIO, here))


def test_admitting_again_neither_grants_nor_records_anything(world: SqliteWorld) -> None:
    here, clock = workspace_of(world), FixedClock()
    admit = asked_by(a_person(), world, clock=clock).clients.admit
    let_in(world)
    admit(STUDIO, here)
    asked_by(a_person(), world, clock=clock).clients.revoke(STUDIO)
    assert admit(STUDIO, here).grants == ()


def test_my_world_agent_has_the_rights_of_its_preset(world: SqliteWorld) -> None:
    here, clock = workspace_of(world), FixedClock()
    asked_by(a_person(), world, clock=clock).clients.grant(
        "loom", preset_rights(ClientKind.WORLD_AGENT, here), kind=ClientKind.WORLD_AGENT
    )
    caller = asked_by(a_person(), world, clock=clock).clients.admit("loom", here)
    authorize(caller, Action.WRITE, ScopeKey.workspace(here))
    authorize(caller, Action.READ, ScopeKey.account())
    authorize(caller, Action.PROPOSE, ScopeKey.account())
    with pytest.raises(ScopeDeniedError):
        authorize(caller, Action.WRITE, ScopeKey.account())


def test_rooms_open_by_taking_part_or_by_a_grant_of_their_own(world: SqliteWorld) -> None:
    here, clock = workspace_of(world), FixedClock()
    with world.store.read(here) as view:
        (general, *_) = view.conversations.channels(include_archived=False)
    admit = asked_by(a_person(), world, clock=clock).clients.admit
    let_in(world)
    channel = ScopeKey.channel(here, general.id)
    assert not admit(STUDIO, here).may(Action.READ, channel)
    own = Right(Tier.CHANNEL, here, Action.READ, general.id)
    asked_by(a_person(), world, clock=clock).clients.grant(STUDIO, [own])
    assert admit(STUDIO, here).may(Action.READ, channel)
    asked_by(a_person(), world, clock=clock).clients.revoke(STUDIO, [own])
    assert not admit(STUDIO, here).may(Action.READ, channel)


def test_a_grant_names_a_channel_that_is_there(world: SqliteWorld) -> None:
    here = workspace_of(world)
    with pytest.raises(NotFoundError):
        asked_by(a_person(), world).clients.grant(
            STUDIO, [Right(Tier.CHANNEL, here, Action.READ, "nowhere")]
        )
    assert asked_by(a_person(), world).clients.list() == ()


def test_revoking_everything_leaves_a_client_without_any_right(world: SqliteWorld) -> None:
    here, clock = workspace_of(world), FixedClock()
    rights = preset_rights(ClientKind.WORLD_AGENT, here)
    asked_by(a_person(), world, clock=clock).clients.grant(
        STUDIO, rights, kind=ClientKind.WORLD_AGENT
    )
    revoked = asked_by(a_person(), world, clock=clock).clients.revoke(STUDIO)
    assert (revoked.rights, revoked.kind) == (frozenset(), ClientKind.EXTERNAL)
    with world.store.read(None) as view:
        (event,) = view.events.latest(1)
    assert event.kind is EventKind.REVOKED
    assert sum(event.counts.values()) == len(rights)


def test_the_latest_requests_are_kept_and_the_oldest_leave(world: SqliteWorld) -> None:
    let_in(world)
    note = asked_by(a_person(), world).clients.note_call
    note(a_call(0, error="scope"))
    for number in range(1, MAX_CALLS_KEPT + 20):
        note(a_call(number))
    shown = asked_by(a_person(), world).clients.show(STUDIO, calls=1_000).activity
    assert len(shown.calls) == MAX_CALLS_KEPT
    assert shown.calls[0].n_entries == MAX_CALLS_KEPT + 19
    assert shown.last_call_at == shown.calls[0].at
    assert shown.last_error == ""


def test_the_last_refusal_is_remembered(world: SqliteWorld) -> None:
    let_in(world)
    note = asked_by(a_person(), world).clients.note_call
    note(a_call(1, error="scope"))
    note(a_call(2))
    activity = asked_by(a_person(), world).clients.show(STUDIO).activity
    assert (activity.last_error, activity.last_error_at) == ("scope", NOON + timedelta(seconds=1))


def test_writes_are_limited_and_reads_do_not_hide_them(world: SqliteWorld) -> None:
    clock = FixedClock()
    let_in(world)
    note, require = (
        asked_by(a_person(), world).clients.note_call,
        asked_by(
            a_person(), world, clock=clock, settings=set_to(writes_per_minute=3)
        ).clients.require_allowance,
    )
    for number in range(3):
        require(STUDIO)
        note(a_call(number, is_write=True))
    for number in range(MAX_CALLS_KEPT + 5):
        note(a_call(number // 20))
    with pytest.raises(InvalidValueError) as caught:
        require(STUDIO)
    assert (caught.value.field, caught.value.limit) == ("writes", 3)
    clock.advance(hours=0.02)
    require(STUDIO)


def test_agents_neither_look_at_clients_nor_grant(world: SqliteWorld) -> None:
    clock = FixedClock()
    for attempt in (
        asked_by(an_agent(), world).clients.list,
        lambda: asked_by(an_agent(), world).clients.show(STUDIO),
        lambda: asked_by(an_agent(), world, clock=clock).clients.grant(STUDIO, []),
        lambda: asked_by(an_agent(), world, clock=clock).clients.revoke(STUDIO),
        lambda: asked_by(an_agent(), world, clock=clock).clients.let_in(STUDIO, "w"),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()


@pytest.mark.parametrize("state", list(ConversationState))
def test_a_channel_closes_when_its_last_conversation_is_archived(
    world: SqliteWorld, state: ConversationState
) -> None:
    here, clock = workspace_of(world), FixedClock()
    with world.store.write(here, initiator="test") as unit:
        (general, *_) = unit.conversations.channels(include_archived=False)
        room = a_conversation(general.id, state=state)
        unit.conversations.add(room, [STUDIO])
        unit.commit()
    let_in(world)
    caller = asked_by(a_person(), world, clock=clock).clients.admit(STUDIO, here)
    assert caller.may(Action.READ, ScopeKey.conversation(here, room.id))
    is_open = state is not ConversationState.ARCHIVED
    assert caller.may(Action.READ, ScopeKey.channel(here, general.id)) is is_open


@pytest.mark.parametrize(
    ("tier", "workspace_id", "channel", "action"),
    [
        (Tier.ACCOUNT, "w", None, Action.READ),
        (Tier.WORKSPACE, None, None, Action.READ),
        (Tier.WORKSPACE, "w", "c", Action.READ),
        (Tier.WORKSPACE, "w", None, Action.MANAGE),
    ],
)
def test_rights_that_could_never_be_asked_for_are_refused(
    tier: Tier, workspace_id: str | None, channel: str | None, action: Action
) -> None:
    with pytest.raises(InvalidValueError):
        Right(tier, workspace_id, action, channel)
