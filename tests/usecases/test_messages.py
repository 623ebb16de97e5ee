from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.access.access import Action, Caller, Grant, RequestMark
from inklings_desktop.domain.errors import (
    IllegalTransitionError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import Event, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import Conversation, ConversationState
from inklings_desktop.domain.rooms.messages import (
    MAX_PARTS_BYTES,
    Allowance,
    MessageDraft,
    MessageRole,
    ProducedBy,
    text_of,
)
from inklings_desktop.usecases.rooms.messages import APPENDED
from tests.support.builders import NOON, WORKSPACE_ID, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
HELLO = '[{"kind": "text", "text": "The toll is high."}]'


def taking_part(*keys: str, name: str = "world-agent", is_own: bool = True) -> Caller:
    """An agent that takes part in these conversations."""
    grants = (
        Grant(
            Tier.CONVERSATION,
            WORKSPACE_ID,
            frozenset({Action.READ, Action.WRITE}),
            frozenset(keys),
        ),
    )
    return replace(an_agent(name, grants=grants), is_own=is_own)


def keep_room(world: World, room: Conversation) -> None:
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.conversations.save(room)
        unit.commit()


def events_of(world: World) -> tuple[Event, ...]:
    return world.events()


def spoken(
    role: MessageRole = MessageRole.USER, parts: str = HELLO, turn: str = "t1"
) -> MessageDraft:
    return MessageDraft(role, parts, turn)


def test_what_is_said_is_kept_in_order_and_is_no_event(world: World) -> None:
    room = world.a_conversation()
    agent = taking_part(room.id)
    n_events = len(events_of(world))
    first = world.asked_by(agent).messages.append(WORKSPACE_ID, room.id, spoken())
    second = world.asked_by(agent).messages.append(
        WORKSPACE_ID, room.ref_code, spoken(MessageRole.ASSISTANT)
    )
    assert (first.number, first.produced_by) == (1, ProducedBy.PERSON)
    assert (second.number, second.produced_by) == (2, ProducedBy.MECHANICAL)
    assert len(events_of(world)) == n_events
    found, more = world.asked_by(agent).messages.list(WORKSPACE_ID, room.id)
    assert (found, more) == ((first, second), False)
    page, more = world.asked_by(agent).messages.list(WORKSPACE_ID, room.id, limit=1)
    assert (page, more) == ((second,), True)
    assert world.asked_by(agent).messages.get(WORKSPACE_ID, room.id, first.id) == first


def test_what_the_person_says_in_a_turn_is_stored_once_whoever_hands_it_in(world: World) -> None:
    room = world.a_conversation()
    kept = world.person.messages.append(WORKSPACE_ID, room.id, spoken())
    assert (
        world.asked_by(taking_part(room.id)).messages.append(WORKSPACE_ID, room.id, spoken())
        == kept
    )
    world.asked_by(taking_part(room.id)).messages.append(
        WORKSPACE_ID, room.id, spoken(MessageRole.ASSISTANT)
    )
    again = world.person.messages.append(WORKSPACE_ID, room.id, spoken(turn="t2"))
    assert (kept.number, again.number) == (1, 3)


def test_only_the_authors_own_agent_hands_in_their_words(world: World) -> None:
    room = world.a_conversation()
    foreign = taking_part(room.id, name="loom", is_own=False)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(foreign).messages.append(WORKSPACE_ID, room.id, spoken())
    assert (
        world.asked_by(foreign)
        .messages.append(WORKSPACE_ID, room.id, spoken(MessageRole.ASSISTANT))
        .client
        == "loom"
    )


def test_a_conversation_of_others_is_closed(world: World) -> None:
    room, other = world.a_conversation(), world.a_conversation()
    agent = taking_part(other.id)
    with pytest.raises(NotFoundError):
        world.asked_by(agent).messages.append(WORKSPACE_ID, room.id, spoken())
    with pytest.raises(NotFoundError):
        world.asked_by(agent).messages.list(WORKSPACE_ID, room.id)
    with pytest.raises(NotFoundError):
        world.asked_by(agent).conversations.resume(WORKSPACE_ID, room.id)


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ("{", "json"),
        ('"text"', "json"),
        ('[{"text": "no kind"}]', "json"),
        ("[1]", "json"),
        ('[{"kind": "text", "text": NaN}]', "json"),
        (f'[{{"kind": "text", "text": "{"x" * MAX_PARTS_BYTES}"}}]', "too_long"),
    ],
)
def test_parts_that_cannot_be_shown_are_refused(world: World, parts: str, rule: str) -> None:
    room = world.a_conversation()
    with pytest.raises(InvalidValueError) as refused:
        world.person.messages.append(WORKSPACE_ID, room.id, spoken(parts=parts))
    assert (refused.value.field, refused.value.rule) == ("parts", rule)


def test_nothing_is_said_in_an_archived_conversation(world: World) -> None:
    room = world.a_conversation()
    keep_room(world, replace(room, state=ConversationState.ARCHIVED))
    with pytest.raises(InvalidValueError) as refused:
        world.person.messages.append(WORKSPACE_ID, room.id, spoken())
    assert refused.value.rule == "archived"
    with pytest.raises(IllegalTransitionError):
        world.person.conversations.resume(WORKSPACE_ID, room.id)


def test_an_idle_conversation_goes_on_and_the_log_says_so(world: World) -> None:
    room = world.a_conversation()
    agent = taking_part(room.id)
    assert (
        world.asked_by(agent).conversations.resume(WORKSPACE_ID, room.id) == room
    )  # active already
    keep_room(world, replace(room, state=ConversationState.IDLE, ended_at=NOON))
    awake = world.asked_by(agent).conversations.resume(WORKSPACE_ID, room.id)
    assert (awake.state, awake.ended_at) == (ConversationState.ACTIVE, None)
    assert events_of(world)[-1].kind is EventKind.CONVERSATION_RESUMED


def test_the_person_reads_an_answer_once(world: World) -> None:
    room = world.a_conversation()
    agent = taking_part(room.id)
    world.asked_by(agent).messages.append(WORKSPACE_ID, room.id, spoken())
    world.asked_by(agent).messages.append(WORKSPACE_ID, room.id, spoken(MessageRole.ASSISTANT))
    assert world.person.messages.heads(WORKSPACE_ID)[room.id].n_unread == 1
    assert world.person.messages.mark_read(WORKSPACE_ID, room.id) == 1
    assert world.person.messages.mark_read(WORKSPACE_ID, room.id) == 0
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).messages.mark_read(WORKSPACE_ID, room.id)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).messages.heads(WORKSPACE_ID)


def test_what_is_allowed_is_the_authors_alone_to_take_back(world: World) -> None:
    room, rule = world.a_conversation(), Allowance("memory_put")
    agent = taking_part(room.id)
    world.rows("INSERT INTO permission_rules VALUES (?, ?, '', 'allow', 0)", room.id, rule.tool)
    mine, its = world.person.messages, world.asked_by(agent).messages
    assert mine.allowances(WORKSPACE_ID, room.ref_code) == (rule,)
    with pytest.raises(ScopeDeniedError):
        its.allowances(WORKSPACE_ID, room.id)
    with pytest.raises(ScopeDeniedError):
        its.take_back(WORKSPACE_ID, room.id, rule)
    assert mine.take_back(WORKSPACE_ID, room.ref_code, rule)
    assert not mine.take_back(WORKSPACE_ID, room.id, rule)
    assert mine.allowances(WORKSPACE_ID, room.id) == ()


def test_a_client_is_invited_once_and_by_the_person_alone(world: World) -> None:
    room = world.a_conversation()
    with pytest.raises(ScopeDeniedError):
        world.asked_by(taking_part(room.id)).conversations.invite(
            WORKSPACE_ID, room.id, "world-agent"
        )
    for _ in range(2):
        world.person.conversations.invite(WORKSPACE_ID, room.id, "world-agent")
    with world.store.read(WORKSPACE_ID) as view:
        assert view.conversations.participants(room.id) == {"world-agent"}
    with pytest.raises(NotFoundError):
        world.person.conversations.invite(WORKSPACE_ID, "nowhere", "world-agent")


def test_a_repeatable_message_is_kept_with_its_key(world: World) -> None:
    room = world.a_conversation()
    mark = RequestMark("t1:0", "message_append", "0" * 64)
    agent = replace(taking_part(room.id), request=mark)
    stored = world.asked_by(agent).messages.append(WORKSPACE_ID, room.id, spoken())
    kept = world.asked_by(agent).messages.kept(WORKSPACE_ID, "t1:0")
    assert kept is not None
    assert kept.ids(APPENDED) == (stored.id,)
    assert world.asked_by(taking_part(name="loom")).messages.kept(WORKSPACE_ID, "t1:0") is None


def test_a_conversation_at_rest_wakes_by_what_is_said(world: World) -> None:
    room = world.a_conversation()
    world.clock.advance(days=8)
    keep_room(world, room.fallen_silent())
    world.person.messages.append(WORKSPACE_ID, room.id, spoken())
    with world.store.read(WORKSPACE_ID) as view:
        found = view.conversations.get(room.id)
    assert (found.state, found.heard_at) == (ConversationState.ACTIVE, world.clock())


def test_the_words_of_a_message_are_its_texts() -> None:
    parts = [{"kind": "text", "text": "One."}, {"kind": "tool"}, {"kind": "text", "text": "Two."}]
    assert text_of(parts) == "One.\n\nTwo."


def test_the_days_of_a_conversation_are_counted_where_the_author_lives(world: World) -> None:
    room = world.a_conversation()
    for number, days in enumerate((0, 0, 1, 5)):
        world.clock.advance(days=days)
        world.person.messages.append(WORKSPACE_ID, room.id, spoken(turn=f"t{number}"))
    found = world.person.messages.days(WORKSPACE_ID, room.id)
    assert [(one.number, one.n_messages) for one in found] == [(1, 2), (3, 1), (4, 1)]
    assert found[0].day < found[1].day < found[2].day
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent("loom", grants=())).messages.days(WORKSPACE_ID, room.id)
