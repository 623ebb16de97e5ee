from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.access.access import RequestMark
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.rooms.conversation import Conversation, ConversationState
from inklings_desktop.domain.rooms.messages import Allowance, Message
from inklings_desktop.storage.runs.run_state import SqliteRunState
from inklings_desktop.usecases.ports.store import Store
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    a_channel,
    a_conversation,
    a_message,
)
from tests.support.fake_publisher import FakePublisher

LATER = NOON + timedelta(minutes=5)
MARK = RequestMark("t1:0", "memory_put", "0" * 64)


@pytest.fixture
def talk(store: Store) -> Conversation:
    room = a_channel("Map room")
    conversation = a_conversation(room.id)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add_channel(room)
        unit.conversations.add(conversation, [])
        unit.commit()
    return conversation


def said(store: Store, *messages: Message) -> list[Message]:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = [unit.messages.append(one) for one in messages]
        unit.commit()
    return stored


def test_messages_are_numbered_within_their_conversation(
    store: Store, talk: Conversation, publisher: FakePublisher
) -> None:
    publisher.published.clear()
    first, second = said(store, a_message(talk.id), a_message(talk.id, role="assistant"))
    assert (first.number, second.number) == (1, 2)
    assert publisher.published[-1].rooms
    with store.read(WORKSPACE_ID) as view:
        assert view.messages.get(talk.id, second.id) == second
        assert view.messages.page(talk.id, None, 10) == (first, second)
        with pytest.raises(NotFoundError):
            view.messages.get(talk.id, "nobody")


def test_a_page_holds_the_latest_before_a_number(store: Store, talk: Conversation) -> None:
    stored = said(store, *(a_message(talk.id) for _ in range(5)))
    with store.read(WORKSPACE_ID) as view:
        assert view.messages.page(talk.id, None, 2) == tuple(stored[3:])
        assert view.messages.page(talk.id, 4, 2) == tuple(stored[1:3])
        assert view.messages.page(talk.id, 1, 2) == ()


def test_heads_count_answers_that_nobody_saw(store: Store, talk: Conversation) -> None:
    said(store, a_message(talk.id), a_message(talk.id, role="assistant", created_at=LATER))
    with store.read(WORKSPACE_ID) as view:
        (head,) = view.messages.heads(NOON)
    assert (head.n_messages, head.n_unread, head.last_at) == (2, 1, LATER)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.messages.mark_read(talk.id, LATER) == 1
        assert unit.messages.mark_read(talk.id, LATER) == 0
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.messages.heads(NOON)[0].n_unread == 0


def allow(root: Path, store: Store, talk: Conversation, *tools: str) -> tuple[Allowance, ...]:
    """Let a conversation allow these, as the agent's own process notes it."""
    with closing(SqliteRunState(root / "data", WORKSPACE_ID)) as runs:
        for one in tools:
            runs.put_rule(talk.id, one, "", "allow")
        runs.put_rule(talk.id, "memory_restore", "", "reject")
    with store.read(WORKSPACE_ID) as view:
        return view.messages.allowances(talk.id)


def test_what_is_allowed_is_told_and_can_be_taken_back(
    tmp_path: Path, store: Store, talk: Conversation, publisher: FakePublisher
) -> None:
    forget, put = allow(tmp_path, store, talk, "memory_forget", "memory_put")
    assert (forget.tool, put.tool) == ("memory_forget", "memory_put")
    publisher.published.clear()
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.messages.take_back(talk.id, forget)
        assert not unit.messages.take_back(talk.id, forget)
        unit.commit()
    assert publisher.published[-1].rooms
    with store.read(WORKSPACE_ID) as view:
        assert view.messages.allowances(talk.id) == (put,)
        assert view.messages.allowances("nobody") == ()


def test_what_is_allowed_ends_with_its_conversation(
    tmp_path: Path, store: Store, talk: Conversation
) -> None:
    assert allow(tmp_path, store, talk, "memory_put")
    for changed, is_left in (
        (talk.fallen_silent(), True),
        (replace(talk, state=ConversationState.IDLE, ended_at=LATER), False),
    ):
        with store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.conversations.save(changed)
            unit.commit()
        with store.read(WORKSPACE_ID) as view:
            assert bool(view.messages.allowances(talk.id)) is is_left


def test_what_a_repeatable_write_did_is_kept_with_it(store: Store) -> None:
    with store.write(WORKSPACE_ID, initiator="loom") as unit:
        unit.requests.keep("loom", MARK, "memory.forgotten", ("a",), NOON)
        unit.requests.keep("loom", MARK, "memory.created", ("b", "c"), NOON)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        kept = view.requests.find("loom", "t1:0")
        assert view.requests.find("atlas", "t1:0") is None
    assert kept is not None
    assert kept.mark == MARK
    assert kept.ids("memory.created") == ("b", "c")
    assert kept.ids("memory.edited") == ()


def test_a_write_that_was_done_meanwhile_is_not_done_again(store: Store) -> None:
    with store.write(WORKSPACE_ID, initiator="loom") as unit:
        unit.requests.keep("loom", MARK, "memory.created", ("a",), NOON)
        unit.commit()
    with (
        store.write(WORKSPACE_ID, initiator="loom") as unit,
        pytest.raises(ConflictError),
    ):
        unit.requests.keep("loom", MARK, "memory.created", ("b",), LATER)


def test_a_key_may_be_used_again_by_another_client(store: Store) -> None:
    with store.write(WORKSPACE_ID, initiator="loom") as unit:
        unit.requests.keep("loom", MARK, "memory.created", ("a",), NOON)
        unit.commit()
    with store.write(WORKSPACE_ID, initiator="atlas") as unit:
        unit.requests.keep("atlas", replace(MARK, tool="x"), "memory.created", ("b",), LATER)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        found = view.requests.find("atlas", MARK.key)
    assert found is not None
    assert found.ids("memory.created") == ("b",)
