from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.rooms.conversation import (
    Channel,
    Conversation,
    ConversationState,
    WorkingNote,
)
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.usecases.ports.store import Store, WorkspaceDirectory
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_channel,
    a_conversation,
)
from tests.support.fake_publisher import FakePublisher

LATER = NOON + timedelta(minutes=5)


@pytest.fixture
def room(store: Store) -> Channel:
    channel = a_channel("Map room")
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add_channel(channel)
        unit.commit()
    return channel


@pytest.fixture
def talk(store: Store, room: Channel) -> Conversation:
    conversation = a_conversation(room.id)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add(conversation, ["researcher", "researcher"])
        unit.commit()
    return conversation


def a_note(talk: Conversation, key: str = "pages", value: str = "3") -> WorkingNote:
    return WorkingNote(talk.id, key, value, NOON, NOON)


def test_a_channel_is_found_by_id_and_by_name_regardless_of_case(
    store: Store, room: Channel
) -> None:
    with store.read(WORKSPACE_ID) as view:
        assert view.conversations.get_channel(room.id) == room
        assert view.conversations.get_channel("MAP ROOM") == room
        with pytest.raises(NotFoundError):
            view.conversations.get_channel("court")


def test_a_channel_name_is_taken_regardless_of_case_and_archiving(
    store: Store, room: Channel
) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.save_channel(replace(room, archived_at=LATER))
        with pytest.raises(ConflictError):
            unit.conversations.add_channel(a_channel("mAP rOOM"))
        unit.commit()


def test_channels_come_with_general_first(store: Store, room: Channel) -> None:
    general, closed = a_channel("general"), a_channel("closed", archived_at=LATER)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add_channel(general)
        unit.conversations.add_channel(closed)
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.conversations.channels(include_archived=False) == (general, room)
        assert view.conversations.channels(include_archived=True) == (general, room, closed)


def test_a_channel_can_be_renamed_but_not_to_a_taken_name(store: Store, room: Channel) -> None:
    other = a_channel("court")
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add_channel(other)
        unit.conversations.save_channel(replace(room, name="Map Room", description="Charts"))
        with pytest.raises(ConflictError):
            unit.conversations.save_channel(replace(other, name="map room"))
        with pytest.raises(NotFoundError):
            unit.conversations.save_channel(a_channel("nowhere"))
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.conversations.get_channel(room.id).description == "Charts"


def test_a_conversation_is_found_by_id_and_by_ref_code(store: Store, talk: Conversation) -> None:
    with store.read(WORKSPACE_ID) as view:
        assert view.conversations.get(talk.id) == talk
        assert view.conversations.get(talk.ref_code) == talk
        assert view.conversations.participants(talk.id) == {"researcher"}
        assert view.conversations.participants("unknown") == frozenset()
        with pytest.raises(NotFoundError):
            view.conversations.get(talk.ref_code.lower())


def test_until_when_a_participant_was_told_is_kept_for_it_alone(
    store: Store, talk: Conversation
) -> None:
    with store.write(WORKSPACE_ID, initiator="researcher", durable=False) as unit:
        assert unit.conversations.told_at(talk.id, "researcher") is None
        unit.conversations.note_told(talk.id, "researcher", NOON)
        unit.conversations.note_told(talk.id, "stranger", NOON)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.conversations.told_at(talk.id, "researcher") == NOON
        assert view.conversations.told_at(talk.id, "stranger") is None
        assert view.conversations.participants(talk.id) == {"researcher"}


def test_ref_codes_and_channels_must_fit(store: Store, talk: Conversation) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        with pytest.raises(ConflictError):
            unit.conversations.add(a_conversation(talk.channel_id), [])
        with pytest.raises(NotFoundError):
            unit.conversations.add(a_conversation("no-channel", ref_code="0" * 11), [])
        unit.commit()


def test_conversations_come_latest_first_without_the_archived(
    store: Store, talk: Conversation
) -> None:
    newer = a_conversation(talk.channel_id, ref_code="1" * 11, started_at=LATER)
    old = a_conversation(
        talk.channel_id,
        ref_code="2" * 11,
        started_at=NOON - timedelta(days=1),
        state=ConversationState.ARCHIVED,
        ended_at=NOON,
    )
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add(newer, [])
        unit.conversations.add(old, [])
        unit.commit()

    with store.read(WORKSPACE_ID) as view:

        def listed(channel_id: str | None, *, include_archived: bool) -> tuple[Conversation, ...]:
            return view.conversations.conversations(
                channel_id=channel_id, include_archived=include_archived
            )

        assert listed(None, include_archived=False) == (newer, talk)
        assert listed(talk.channel_id, include_archived=True) == (newer, talk, old)
        assert listed("elsewhere", include_archived=True) == ()


def test_a_conversation_keeps_its_new_state(
    store: Store, talk: Conversation, publisher: FakePublisher
) -> None:
    publisher.published.clear()
    idle = replace(talk, state=ConversationState.IDLE, ended_at=LATER, heard_at=NOON, title="Toll")
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.save(idle)
        with pytest.raises(NotFoundError):
            unit.conversations.save(a_conversation(talk.channel_id))
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.conversations.get(talk.id) == idle
    assert [changes.rooms for changes in publisher.published] == [True]


def test_a_note_is_replaced_and_keeps_its_birthday(
    store: Store, talk: Conversation, publisher: FakePublisher
) -> None:
    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        unit.notes.write(a_note(talk))
        unit.commit()
    publisher.published.clear()

    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        again = unit.notes.write(WorkingNote(talk.id, "pages", "5", LATER, LATER))
        unit.commit()

    assert again == WorkingNote(talk.id, "pages", "5", NOON, LATER)
    with store.read(WORKSPACE_ID) as view:
        assert view.notes.read(talk.id, "pages") == again
    (changes,) = publisher.published
    assert changes.note_conversations == {talk.id}


def test_notes_of_a_conversation_are_read_by_that_conversation_only(
    store: Store, talk: Conversation
) -> None:
    other = a_conversation(talk.channel_id, ref_code="9" * 11)
    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        unit.conversations.add(other, [])
        first = unit.notes.write(a_note(talk, "a"))
        second = unit.notes.write(replace(a_note(talk, "b"), updated_at=LATER))
        unit.notes.write(a_note(other, "c"))
        with pytest.raises(NotFoundError):
            unit.notes.write(replace(a_note(talk), conversation_id="nowhere"))
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.notes.notes([talk.id]) == (second, first)
        assert view.notes.notes([]) == ()
        with pytest.raises(NotFoundError):
            view.notes.read(other.id, "a")


def test_clearing_notes_removes_those_of_one_conversation(
    store: Store, talk: Conversation, publisher: FakePublisher
) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.notes.write(a_note(talk, "a"))
        unit.notes.write(a_note(talk, "b"))
        unit.commit()
    publisher.published.clear()

    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.notes.clear(talk.id) == 2
        assert unit.notes.clear(talk.id) == 0
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.notes.notes([talk.id]) == ()
    assert [changes.note_conversations for changes in publisher.published] == [{talk.id}]


def test_events_are_numbered_and_come_newest_first(store: Store) -> None:
    draft = EventDraft(
        EventKind.MEMORY_CREATED,
        "researcher",
        "agent",
        "mcp",
        "workspace",
        WORKSPACE_ID,
        ("id-1",),
        {"memories": 1},
    )
    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        first = unit.events.append(draft, NOON)
        second = unit.events.append(replace(draft, kind=EventKind.DENIED, tier=None), LATER)
        unit.commit()

    assert (first.number, second.number) == (1, 2)
    assert first.chain_hash != second.chain_hash
    with store.read(WORKSPACE_ID) as view:
        assert view.events.latest(10) == (second, first)
        assert view.events.latest(1) == (second,)
        assert view.events.latest(10, before=2) == (first,)
    with store.read(OTHER_WORKSPACE_ID) as view:
        assert view.events.latest(10) == ()


def test_a_rolled_back_event_leaves_its_number_free(store: Store) -> None:
    draft = EventDraft(EventKind.DENIED, "researcher", "agent", "mcp")
    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        unit.events.append(draft, NOON)
    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        event = unit.events.append(draft, NOON)
        unit.commit()

    assert event.number == 1


def test_workspaces_come_oldest_first_and_by_name(directory: WorkspaceDirectory) -> None:
    new = Workspace("f3", "Hollow Crown", LATER)
    directory.create(new)

    assert directory.workspaces()[-1] == new
    assert directory.get("f3") == new
    assert directory.get("hollow CROWN") == new
    with pytest.raises(NotFoundError):
        directory.get("Saltglass")


def test_a_workspace_name_is_taken_regardless_of_case(directory: WorkspaceDirectory) -> None:
    directory.create(Workspace("f3", "Hollow Crown", LATER))

    with pytest.raises(ConflictError):
        directory.create(Workspace("f4", "hollow crown", LATER))
    with pytest.raises(ConflictError):
        directory.create(Workspace("f3", "Another", LATER))
    with pytest.raises(ConflictError):
        directory.rename(Workspace(WORKSPACE_ID, "HOLLOW crown", NOON))
    assert len(directory.workspaces()) == 3


def test_a_workspace_can_be_renamed(directory: WorkspaceDirectory) -> None:
    renamed = replace(directory.get(WORKSPACE_ID), name="Saltglass")
    directory.rename(renamed)

    assert directory.get("saltglass") == renamed
    with pytest.raises(NotFoundError):
        directory.rename(Workspace("nowhere", "Nowhere", NOON))
