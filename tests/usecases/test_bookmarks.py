from __future__ import annotations

import json

import pytest

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from tests.support.builders import WORKSPACE_ID, an_agent
from tests.usecases.test_messages import events_of
from tests.usecases.world import World


@pytest.fixture
def key(world: World) -> str:
    """A conversation of two questions."""
    room = world.a_conversation()
    for turn in ("t1", "t2"):
        parts = json.dumps([{"kind": "text", "text": f"Question {turn}"}])
        world.person.messages.append(
            WORKSPACE_ID, room.id, MessageDraft(MessageRole.USER, parts, turn)
        )
    return room.id


@pytest.mark.parametrize(("turn", "number"), [("t1", 1), ("t2", 2), (None, 2)])
def test_a_bookmark_is_a_notice_and_an_event_without_its_name(
    world: World, key: str, turn: str | None, number: int
) -> None:
    made = world.person.messages.bookmark(WORKSPACE_ID, key, turn, name="The toll")
    (*_, last), _ = world.person.messages.list(WORKSPACE_ID, key)
    assert last == made
    (part,) = json.loads(made.parts_json)
    assert (made.role, part["word"]) == (MessageRole.NOTICE, "bookmark")
    told = part["values"]
    assert (told["name"], told["turn"], told["number"]) == ("The toll", f"t{number}", number)
    event = events_of(world)[-1]
    assert (event.kind, event.scope_key) == (EventKind.CONVERSATION_BOOKMARKED, key)
    assert event.counts == {"message": number}
    assert "toll" not in repr(event)


def test_what_is_asked_again_from_a_turn_is_bookmarked_there(world: World, key: str) -> None:
    world.person.messages.branch(WORKSPACE_ID, key, "t2", title="Again")
    (*_, last), _ = world.person.messages.list(WORKSPACE_ID, key)
    (part,) = json.loads(last.parts_json)
    assert (part["word"], part["values"]["name"], part["values"]["turn"]) == (
        "bookmark",
        "Again",
        "t2",
    )
    world.person.messages.branch(WORKSPACE_ID, key, title="On")
    assert world.person.messages.list(WORKSPACE_ID, key)[0][-1] == last


def test_only_the_author_bookmarks_and_only_what_is_there(world: World, key: str) -> None:
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent("loom")).messages.bookmark(WORKSPACE_ID, key, "t1")
    with pytest.raises(NotFoundError):
        world.person.messages.bookmark(WORKSPACE_ID, key, "t9")
    with pytest.raises(InvalidValueError):
        world.person.messages.bookmark(WORKSPACE_ID, key, "t1", name="two\nlines")
    assert len(world.person.messages.list(WORKSPACE_ID, key)[0]) == 2
