from __future__ import annotations

import pytest

from inklings_desktop.domain.background.cadence import BackgroundConfig
from inklings_desktop.domain.errors import IllegalTransitionError, ScopeDeniedError
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.domain.rooms.conversation import Conversation, ConversationState
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_draft, a_person, an_agent, the_clock
from tests.support.full_disk import FullDisk
from tests.usecases.world import World

PERSON = a_person()
DAY = 24.0


def passes(world: World, *, days: float = 0) -> dict[str, int]:
    world.clock.advance(hours=days * DAY)
    world.background = BackgroundConfig(silent_days=14)
    return dict(world.asked_by(the_clock()).conversations.forget_closed(WORKSPACE_ID).counts)


def stored(world: World, room: Conversation) -> Conversation:
    with world.store.read(WORKSPACE_ID) as view:
        return view.conversations.get(room.id)


def silent(world: World) -> list[tuple[str, list[str]]]:
    found = world.person.conversations.list_silent(WORKSPACE_ID)
    return [(one.conversation.id, [each.content for each in one.memories]) for one in found]


def hear(world: World, room: Conversation) -> Conversation:
    agent = world.an_agent_of(room)
    return world.asked_by(agent).conversations.hear(WORKSPACE_ID, room.ref_code)


def settle(world: World, room: Conversation, *, keeps: bool) -> tuple[Conversation, int]:
    return world.person.conversations.settle_silent(WORKSPACE_ID, room.id, keeps=keeps)


@pytest.fixture
def room(world: World) -> Conversation:
    return world.a_conversation()


@pytest.fixture
def said(world: World, room: Conversation) -> MemoryEntry:
    """A memory of a conversation whose client vanished without ending it."""
    scope = ScopeKey.conversation(WORKSPACE_ID, room.id)
    return world.asked_by(world.an_agent_of(room)).memories.put(a_draft("Said there", scope=scope))


def test_a_conversation_that_fell_silent_rests_and_nothing_of_it_is_forgotten(
    world: World, room: Conversation, said: MemoryEntry
) -> None:
    assert passes(world, days=13.9) == {"forgotten": 0}
    assert stored(world, room).state is ConversationState.ACTIVE
    assert passes(world, days=0.1) == {"forgotten": 0, "rested": 1}
    assert stored(world, room).state is ConversationState.IDLE
    assert silent(world) == [(room.id, ["Said there"])]
    for _ in range(3):
        assert passes(world, days=30) == {"forgotten": 0}
    assert not world.stored(said.id).is_forgotten


@pytest.mark.usefixtures("said")
def test_a_sign_of_life_keeps_a_conversation_awake_and_wakes_one_that_rests(
    world: World, room: Conversation
) -> None:
    world.clock.advance(hours=10 * DAY)
    hear(world, room)
    assert passes(world, days=10) == {"forgotten": 0}
    assert passes(world, days=4) == {"forgotten": 0, "rested": 1}
    assert hear(world, room).state is ConversationState.ACTIVE
    assert silent(world) == []
    assert passes(world, days=13) == {"forgotten": 0}


def test_a_full_disk_costs_nobody_the_conversation(world: World, room: Conversation) -> None:
    world.clock.advance(hours=2)
    agent = asked_by(world.an_agent_of(room), world, store=FullDisk(world.store))

    heard = agent.conversations.hear(WORKSPACE_ID, room.id)

    assert heard == stored(world, room)


def test_what_the_author_keeps_stays_and_is_asked_about_no_more(
    world: World, room: Conversation, said: MemoryEntry
) -> None:
    passes(world, days=14)
    assert settle(world, room, keeps=True)[1] == 0
    assert silent(world) == []
    assert passes(world, days=30) == {"forgotten": 0}
    assert not world.stored(said.id).is_forgotten
    assert hear(world, room).state is ConversationState.ACTIVE
    assert passes(world, days=14) == {"forgotten": 0, "rested": 1}
    assert silent(world) == [(room.id, ["Said there"])]


def test_closing_it_forgets_what_it_holds_and_ends_it(
    world: World, room: Conversation, said: MemoryEntry
) -> None:
    passes(world, days=14)
    closed, n_forgotten = settle(world, room, keeps=False)
    assert (closed.state, closed.ended_at, n_forgotten) == (
        ConversationState.IDLE,
        world.clock(),
        1,
    )
    assert world.stored(said.id).forgotten_reason == "conversation_closed"
    assert silent(world) == []
    assert hear(world, room).state is ConversationState.IDLE
    with pytest.raises(IllegalTransitionError):
        settle(world, room, keeps=True)


def test_an_agent_that_comes_back_only_to_end_it_may(
    world: World, room: Conversation, said: MemoryEntry
) -> None:
    passes(world, days=20)
    ended = world.asked_by(world.an_agent_of(room)).conversations.idle(WORKSPACE_ID, room.id)
    assert ended.ended_at == world.clock()
    assert world.stored(said.id).is_forgotten


def test_putting_a_silent_one_away_forgets_nothing(
    world: World, room: Conversation, said: MemoryEntry
) -> None:
    passes(world, days=14)
    world.person.conversations.archive(WORKSPACE_ID, room.id)
    assert passes(world, days=30) == {"forgotten": 0}
    assert not world.stored(said.id).is_forgotten
    assert silent(world) == []


def test_a_silent_conversation_that_holds_nothing_is_no_question(
    world: World, room: Conversation
) -> None:
    assert passes(world, days=14) == {"forgotten": 0, "rested": 1}
    assert stored(world, room).is_abandoned
    assert silent(world) == []


def test_only_the_author_decides(world: World, room: Conversation) -> None:
    for attempt in (
        lambda: world.asked_by(an_agent()).conversations.list_silent(WORKSPACE_ID),
        lambda: world.asked_by(an_agent()).conversations.settle_silent(
            WORKSPACE_ID, room.id, keeps=True
        ),
        lambda: world.asked_by(an_agent(grants=())).conversations.hear(WORKSPACE_ID, room.id),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()


@pytest.mark.usefixtures("said")
def test_what_anybody_writes_in_a_conversation_that_fell_silent_wakes_it(
    world: World, room: Conversation
) -> None:
    scope = ScopeKey.conversation(WORKSPACE_ID, room.id)
    agent = world.an_agent_of(room)
    for write in (
        lambda: world.person.memories.put(a_draft("By the person.", scope=scope)),
        lambda: world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "pages", 3),
    ):
        assert passes(world, days=14) == {"forgotten": 0, "rested": 1}
        write()
        assert stored(world, room).state is ConversationState.ACTIVE
        assert passes(world, days=13) == {"forgotten": 0}
