from __future__ import annotations

import math
from datetime import timedelta

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE
from tests.support.builders import NOON, WORKSPACE_ID, a_person, an_agent, the_clock
from tests.usecases.world import World

PERSON = a_person()


@pytest.mark.requirement("scratchpad")
def test_an_agent_writes_reads_and_overwrites_its_notes(world: World) -> None:
    room = world.a_conversation()
    agent = world.an_agent_of(room)
    world.asked_by(agent).notes.write(WORKSPACE_ID, room.ref_code, "pages", 3)
    assert world.asked_by(agent).notes.read(WORKSPACE_ID, room.id, "pages").value_json == "3"
    world.clock.advance(hours=1)
    note = world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "pages", 5)
    assert (note.value_json, note.created_at, note.updated_at) == (
        "5",
        NOON,
        NOON + timedelta(hours=1),
    )
    (changes, _) = world.publisher.published
    assert changes.note_conversations == {room.id}
    assert not changes.scopes


@pytest.mark.parametrize("caller", [PERSON, the_clock()], ids=["person", "clock"])
def test_only_agents_write_notes(world: World, caller: Caller) -> None:
    room = world.a_conversation()
    with pytest.raises(ScopeDeniedError):
        world.asked_by(caller).notes.write(WORKSPACE_ID, room.id, "pages", 3)
    assert world.rows("SELECT * FROM notes") == []


@pytest.mark.parametrize(
    ("key", "value"), [("", 1), ("a\nb", 1), ("k", math.nan), ("k", "x" * 70_000), ("k", {1})]
)
def test_a_note_that_cannot_be_kept_changes_nothing(world: World, key: str, value: object) -> None:
    room = world.a_conversation()
    with pytest.raises(InvalidValueError):
        world.asked_by(world.an_agent_of(room)).notes.write(WORKSPACE_ID, room.id, key, value)
    assert world.rows("SELECT * FROM notes") == []
    assert world.publisher.published == []


def test_what_ending_would_keep_is_told_line_by_line(world: World) -> None:
    room = world.a_conversation()
    agent = world.an_agent_of(room)
    assert world.person.conversations.proposed_summary(WORKSPACE_ID, room.id) == ()
    kept = "Nerys dies in chapter nine.\n- Nobody rings the bell\nToo short"
    world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, SUMMARY_NOTE, kept)
    lines = ("Nerys dies in chapter nine.", "Nobody rings the bell")
    assert world.person.conversations.proposed_summary(
        WORKSPACE_ID, room.ref_code
    ) == world.asked_by(agent).conversations.proposed_summary(WORKSPACE_ID, room.id)
    assert world.person.conversations.proposed_summary(WORKSPACE_ID, room.id) == lines
    with pytest.raises(NotFoundError):
        world.asked_by(
            world.an_agent_of(world.a_conversation(), name="writer")
        ).conversations.proposed_summary(WORKSPACE_ID, room.id)
    world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, SUMMARY_NOTE, {"not": "text"})
    assert world.person.conversations.proposed_summary(WORKSPACE_ID, room.id) == ()


def test_no_other_conversation_reads_a_note(world: World) -> None:
    own, other = world.a_conversation(), world.a_conversation()
    world.asked_by(world.an_agent_of(own)).notes.write(WORKSPACE_ID, own.id, "pages", 3)
    stranger = world.an_agent_of(other, name="writer")
    answers = set()
    for key in (own.id, own.ref_code, "nothing"):
        with pytest.raises(NotFoundError) as caught:
            world.asked_by(stranger).notes.read(WORKSPACE_ID, key, "pages")
        answers.add(caught.value.args)
        with pytest.raises(NotFoundError) as caught:
            world.asked_by(stranger).notes.clear(WORKSPACE_ID, key)
        answers.add(caught.value.args)
    with pytest.raises(NotFoundError):
        world.asked_by(stranger).notes.write(WORKSPACE_ID, own.id, "pages", 9)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(stranger).notes.list([ScopeKey.conversation(WORKSPACE_ID, own.id)])
    with pytest.raises(NotFoundError):
        world.asked_by(stranger).notes.read(WORKSPACE_ID, other.id, "pages")
    assert answers == {("conversation", "")}
    assert world.events(None) == ()
    assert world.person.notes.read(WORKSPACE_ID, own.id, "pages").value_json == "3"


def test_a_reader_may_not_write_or_clear(world: World) -> None:
    room = world.a_conversation()
    world.asked_by(world.an_agent_of(room)).notes.write(WORKSPACE_ID, room.id, "pages", 3)
    reader = an_agent(actions=frozenset({Action.READ}))
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).notes.write(WORKSPACE_ID, room.id, "pages", 4)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).notes.clear(WORKSPACE_ID, room.id)
    assert world.asked_by(reader).notes.read(WORKSPACE_ID, room.id, "pages").value_json == "3"


def test_notes_are_listed_latest_first(world: World) -> None:
    one, two = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(one, two)
    for room, key in ((one, "a"), (two, "b"), (one, "c")):
        world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, key, key)
        world.clock.advance(hours=1)
    scopes = [ScopeKey.conversation(WORKSPACE_ID, room.id) for room in (one, two)]
    assert [note.key for note in world.person.notes.list(scopes)] == ["c", "b", "a"]
    assert [note.key for note in world.asked_by(agent).notes.list(scopes[:1])] == ["c", "a"]
    assert world.person.notes.list([]) == ()


@pytest.mark.parametrize("scope", [ScopeKey.account(), ScopeKey.workspace(WORKSPACE_ID)])
def test_only_conversations_have_notes(world: World, scope: ScopeKey) -> None:
    with pytest.raises(InvalidValueError):
        world.person.notes.list([scope])
    assert world.publisher.published == []


def test_notes_stay_until_they_are_cleared(world: World) -> None:
    room, other = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(room, other)
    for key in ("a", "b"):
        world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, key, 1)
    world.asked_by(agent).notes.write(WORKSPACE_ID, other.id, "a", 1)
    world.asked_by(agent).conversations.idle(WORKSPACE_ID, room.id)
    world.person.conversations.archive(WORKSPACE_ID, room.id)
    assert world.person.notes.clear(WORKSPACE_ID, room.ref_code) == 2
    assert world.kinds()[-1] is EventKind.NOTES_CLEARED
    assert dict(world.events()[-1].counts) == {"notes": 2}
    before = len(world.publisher.published)
    assert world.person.notes.clear(WORKSPACE_ID, room.id) == 0
    assert len(world.publisher.published) == before
    assert world.asked_by(agent).notes.read(WORKSPACE_ID, other.id, "a").value_json == "1"
    with pytest.raises(NotFoundError):
        world.person.notes.clear(WORKSPACE_ID, "nothing")
