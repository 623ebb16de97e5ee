from __future__ import annotations

import json

import pytest

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.rooms.messages import Message, MessageDraft, MessageRole, ProducedBy
from inklings_desktop.usecases.rooms.messages import BRANCHED
from tests.support.builders import WORKSPACE_ID, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
TOUCHED = {"kind": "touched", "touched": [{"id": "m", "tier": "workspace", "undo": True}]}
TOOL = {"kind": "tool", "id": "c1", "title": "memory_put"}


def say(world: World, key: str, turn: str, role: MessageRole, *parts: object) -> Message:
    by = ProducedBy.MODEL
    draft = MessageDraft(role, json.dumps(parts), turn, produced_by=by, model="small")
    return world.person.messages.append(WORKSPACE_ID, key, draft)


def words(text: str) -> dict[str, str]:
    return {"kind": "text", "text": text}


def branch(world: World, key: str, turn: str | None) -> tuple[Message, ...]:
    made = world.person.messages.branch(WORKSPACE_ID, key, turn, title="The toll")
    return said(world, made.id)


def said(world: World, key: str) -> tuple[Message, ...]:
    return world.person.messages.list(WORKSPACE_ID, key)[0]


def a_talk(world: World) -> str:
    room = world.a_conversation()
    for number in range(1, 4):
        say(world, room.id, f"t{number}", MessageRole.USER, words(f"Question {number}"))
        answer = words(f"Answer {number}")
        say(world, room.id, f"t{number}", MessageRole.ASSISTANT, TOOL, answer, TOUCHED)
    return room.id


def test_a_branch_begins_with_the_talk_before_the_turn_and_says_where_it_was(world: World) -> None:
    key = a_talk(world)
    before = said(world, key)
    *copied, notice = branch(world, key, "t3")
    assert said(world, key)[:-1] == before
    assert [json.loads(one.parts_json) for one in copied] == [
        [words("Question 1")],
        [words("Answer 1")],
        [words("Question 2")],
        [words("Answer 2")],
    ]
    of_origin = [
        (one.role, one.client, one.produced_by, one.model, one.created_at) for one in copied
    ]
    assert of_origin == [
        (one.role, one.client, one.produced_by, one.model, one.created_at) for one in before[:4]
    ]
    (told,) = json.loads(notice.parts_json)
    source = world.person.conversations.get(WORKSPACE_ID, key)
    assert (notice.role, told["word"]) == (MessageRole.NOTICE, BRANCHED)
    assert told["values"] == {"from": source.ref_code, "title": source.title}


def test_turns_of_a_branch_have_ids_of_their_own_and_are_read(world: World) -> None:
    key = a_talk(world)
    *copied, _ = branch(world, key, "t3")
    assert len({one.turn for one in copied}) == 2
    assert {one.turn for one in copied}.isdisjoint({"t1", "t2"})
    assert not {one.id for one in copied} & {one.id for one in said(world, key)}
    assert all(one.read_at for one in copied if one.role is MessageRole.ASSISTANT)


def test_a_branch_of_the_first_turn_is_empty_and_one_of_all_goes_on_after_the_last(
    world: World,
) -> None:
    key = a_talk(world)
    assert branch(world, key, "t1") == ()
    assert len(branch(world, key, None)) == 7


def test_a_long_talk_is_copied_whole_and_what_only_told_of_deeds_is_left_out(world: World) -> None:
    room = world.a_conversation()
    for number in range(130):
        say(world, room.id, f"t{number}", MessageRole.USER, words(f"Question {number}"))
    say(world, room.id, "t200", MessageRole.ASSISTANT, TOOL, TOUCHED)
    copied = branch(world, room.id, None)
    assert len(copied) == 100  # a page
    assert json.loads(copied[-2].parts_json) == [words("Question 129")]


def test_a_branch_is_in_the_same_channel_and_an_event(world: World) -> None:
    key = a_talk(world)
    branch(world, key, "t2")
    first, second = (
        world.person.conversations.get(WORKSPACE_ID, id_)
        for (id_,) in world.rows("SELECT id FROM conversations ORDER BY rowid")
    )
    assert (second.channel_id, second.title) == (first.channel_id, "The toll")
    event = world.events()[-1]
    assert (event.kind, event.scope_key) == (EventKind.CONVERSATION_STARTED, second.id)


def test_only_the_author_branches_and_only_what_is_there(world: World) -> None:
    key = a_talk(world)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent("loom")).messages.branch(WORKSPACE_ID, key, "t1")
    with pytest.raises(NotFoundError):
        world.person.messages.branch(WORKSPACE_ID, key, "t9")
    with pytest.raises(NotFoundError):
        world.person.messages.branch(WORKSPACE_ID, "nowhere", "t1")
    world.rows("UPDATE channels SET archived_at = created_at")
    with pytest.raises(InvalidValueError):
        world.person.messages.branch(WORKSPACE_ID, key, "t1")
