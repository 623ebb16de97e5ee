from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from inklings_desktop.domain.access.access import Action, Caller, Grant
from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    IllegalTransitionError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, Lifetime, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE, Channel, ConversationState
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_draft,
    a_memory,
    a_person,
    an_agent,
)
from tests.usecases.world import World

PERSON = a_person()
SUMMARY = "- Nerys left Thrennay\n- ok\n- The toll was raised"


def scope_of(conversation_id: str) -> ScopeKey:
    return ScopeKey.conversation(WORKSPACE_ID, conversation_id)


# channels


def test_channels_are_listed_with_general_first(world: World) -> None:
    made = world.person.channels.create(WORKSPACE_ID, " Drafting desk ", " Chapter drafting ")
    assert (made.name, made.description, made.created_at) == (
        "Drafting desk",
        "Chapter drafting",
        NOON,
    )
    names = [one.name for one in world.person.places.channels(WORKSPACE_ID)]
    assert names == ["general", "map-room", "Drafting desk"]
    assert world.publisher.published[-1].rooms


@pytest.mark.parametrize("name", ["General", "MAP-ROOM", " map-room "])
def test_a_channel_name_is_taken_regardless_of_case(world: World, name: str) -> None:
    with pytest.raises(ConflictError):
        world.person.channels.create(WORKSPACE_ID, name)
    assert len(world.person.places.channels(WORKSPACE_ID)) == 2


@pytest.mark.parametrize(
    ("name", "description"), [("", ""), ("a\nb", ""), ("x" * 121, ""), ("fine", "a\nb")]
)
def test_a_channel_needs_lines_of_text(world: World, name: str, description: str) -> None:
    with pytest.raises(InvalidValueError):
        world.person.channels.create(WORKSPACE_ID, name, description)
    assert world.publisher.published == []


def test_a_channel_is_renamed_by_id_or_name(world: World) -> None:
    assert world.person.channels.rename(WORKSPACE_ID, "MAP-room", "Charts").id == world.map_room.id
    assert world.person.channels.rename(WORKSPACE_ID, world.map_room.id, "charts").name == "charts"
    with pytest.raises(ConflictError):
        world.person.channels.rename(WORKSPACE_ID, "charts", "General")
    with pytest.raises(NotFoundError):
        world.person.channels.rename(WORKSPACE_ID, "map-room", "Other")


def test_the_default_channel_keeps_its_name_and_stays_open(world: World) -> None:
    before = world.everything()
    with pytest.raises(InvalidValueError) as caught:
        world.person.channels.rename(WORKSPACE_ID, "general", "Hall")
    assert (caught.value.field, caught.value.rule) == ("channel", "default")
    with pytest.raises(InvalidValueError):
        world.person.channels.archive(WORKSPACE_ID, world.general.id)
    assert world.everything() == before
    assert world.person.conversations.start(WORKSPACE_ID).channel_id == world.general.id


def test_an_archived_channel_leaves_the_list_and_starts_nothing(world: World) -> None:
    assert world.person.channels.archive(WORKSPACE_ID, "map-room").archived_at == NOON
    world.clock.advance(hours=1)
    assert world.person.channels.archive(WORKSPACE_ID, "map-room").archived_at == NOON
    names = [one.name for one in world.person.places.channels(WORKSPACE_ID)]
    assert names == ["general"]
    everyone = world.person.places.channels(WORKSPACE_ID, include_archived=True)
    assert len(everyone) == 2
    with pytest.raises(InvalidValueError) as caught:
        world.person.conversations.start(WORKSPACE_ID, channel="map-room")
    assert caught.value.rule == "archived"


def test_an_archived_channel_is_brought_back_with_all_that_is_in_it(world: World) -> None:
    room = world.a_conversation()
    world.person.channels.archive(WORKSPACE_ID, "map-room")
    assert world.person.channels.unarchive(WORKSPACE_ID, "MAP-ROOM").archived_at is None
    assert world.person.channels.unarchive(WORKSPACE_ID, "map-room") == world.map_room
    assert (
        world.person.conversations.start(WORKSPACE_ID, channel="map-room").channel_id
        == room.channel_id
    )
    with pytest.raises(NotFoundError):
        world.person.channels.unarchive(WORKSPACE_ID, "attic")


def test_the_life_of_a_channel_is_in_the_log_without_its_name(world: World) -> None:
    made = world.person.channels.create(WORKSPACE_ID, "attic")
    world.person.channels.rename(WORKSPACE_ID, "attic", "cellar")
    world.person.channels.archive(WORKSPACE_ID, "cellar")
    world.person.channels.archive(WORKSPACE_ID, "cellar")
    world.person.channels.unarchive(WORKSPACE_ID, "cellar")
    world.person.channels.unarchive(WORKSPACE_ID, "cellar")
    assert world.kinds() == [
        EventKind.CHANNEL_CREATED,
        EventKind.CHANNEL_RENAMED,
        EventKind.CHANNEL_ARCHIVED,
        EventKind.CHANNEL_UNARCHIVED,
    ]
    for event in world.events():
        assert (event.tier, event.scope_key) == ("channel", made.id)
        assert "attic" not in repr(event)
        assert "cellar" not in repr(event)


def test_a_conversation_gets_another_title_in_any_state(world: World) -> None:
    room = world.a_conversation()
    assert (
        world.person.conversations.rename(WORKSPACE_ID, room.ref_code, " The toll ").title
        == "The toll"
    )
    world.person.conversations.archive(WORKSPACE_ID, room.id, force=True)
    assert world.person.conversations.rename(WORKSPACE_ID, room.id, "").title == ""
    assert world.kinds().count(EventKind.CONVERSATION_RENAMED) == 2
    with pytest.raises(InvalidValueError):
        world.person.conversations.rename(WORKSPACE_ID, room.id, "a\nb")
    with pytest.raises(NotFoundError):
        world.person.conversations.rename(WORKSPACE_ID, "nobody", "x")
    other = world.a_conversation()
    with pytest.raises(NotFoundError):
        world.asked_by(world.an_agent_of(other)).conversations.rename(WORKSPACE_ID, room.id, "x")
    with pytest.raises(InvalidValueError):
        world.asked_by(world.an_agent_of(other)).conversations.rename(
            WORKSPACE_ID, other.id, "ghp_" + "a1B2" * 10
        )
    assert (
        world.asked_by(world.an_agent_of(other))
        .conversations.rename(WORKSPACE_ID, other.id, "The toll")
        .title
        == "The toll"
    )


def test_channels_are_not_an_agents_to_manage(world: World) -> None:
    agent = an_agent(tiers=tuple(Tier), actions=frozenset(Action))
    attempts: list[Callable[[], object]] = [
        lambda: world.asked_by(agent).channels.create(WORKSPACE_ID, "x"),
        lambda: world.asked_by(agent).channels.rename(WORKSPACE_ID, "map-room", "x"),
        lambda: world.asked_by(agent).channels.archive(WORKSPACE_ID, "map-room"),
        lambda: world.asked_by(agent).channels.unarchive(WORKSPACE_ID, "map-room"),
    ]
    for attempt in attempts:
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert not any(changes.rooms for changes in world.publisher.published)
    refused = [(event.tier, event.scope_key, *event.counts) for event in world.events(None)]
    assert refused == [
        ("channel", WORKSPACE_ID, "channel.create"),
        ("channel", WORKSPACE_ID, "channel.rename"),
        ("channel", WORKSPACE_ID, "channel.archive"),
        ("channel", WORKSPACE_ID, "channel.unarchive"),
    ]


def test_an_agent_is_told_of_the_channels_it_may_read(world: World) -> None:
    rooms = world.person.places.channels(WORKSPACE_ID)
    reading = frozenset({Action.READ})
    grant = Grant(Tier.CHANNEL, WORKSPACE_ID, reading, frozenset({rooms[0].id}))
    told = world.asked_by(an_agent(grants=(grant,))).places.channels(WORKSPACE_ID)
    assert [one.id for one in told] == [rooms[0].id]
    elsewhere = Grant(Tier.WORKSPACE, WORKSPACE_ID, reading)
    assert world.asked_by(an_agent(grants=(elsewhere,))).places.channels(WORKSPACE_ID) == ()
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent(grants=())).places.channels(WORKSPACE_ID)


def test_what_a_machine_may_not_do_to_a_conversation_is_recorded(world: World) -> None:
    room = world.a_conversation()
    stranger = an_agent("gossip", grants=())
    attempts: list[Callable[[], object]] = [
        lambda: world.asked_by(stranger).conversations.start(WORKSPACE_ID, channel=room.channel_id),
        lambda: world.asked_by(stranger).conversations.idle(WORKSPACE_ID, room.id),
        lambda: world.asked_by(stranger).conversations.archive(WORKSPACE_ID, room.ref_code),
        lambda: world.asked_by(stranger).conversations.idle("nowhere", "nothing"),
    ]
    for attempt in attempts:
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert world.kinds() == [EventKind.CONVERSATION_STARTED]
    refused = [(*event.counts, event.ids, event.scope_key) for event in world.events(None)]
    # An id is recorded, never what was written in the place of one.
    assert refused == [
        ("conversation.start", (room.channel_id,), WORKSPACE_ID),
        ("conversation.idle", (room.id,), WORKSPACE_ID),
        ("conversation.archive", (), WORKSPACE_ID),
        ("conversation.idle", (), None),
    ]
    assert {event.actor for event in world.events(None)} == {"gossip"}


# start, list, get


def test_a_conversation_begins_active_in_its_channel(world: World) -> None:
    started = world.person.conversations.start(WORKSPACE_ID, channel="map-room", title=" The toll ")
    assert (started.state, started.title, started.channel_id) == (
        ConversationState.ACTIVE,
        "The toll",
        world.map_room.id,
    )
    assert (started.started_at, started.ended_at, len(started.ref_code)) == (NOON, None, 11)
    assert world.kinds() == [EventKind.CONVERSATION_STARTED]
    assert world.publisher.published[-1].rooms


def test_an_agent_takes_part_in_what_it_starts(world: World) -> None:
    reader = an_agent(actions=frozenset({Action.READ}))
    started = world.asked_by(reader).conversations.start(WORKSPACE_ID)
    by_person = world.person.conversations.start(WORKSPACE_ID)
    with world.store.read(WORKSPACE_ID) as view:
        assert view.conversations.participants(started.id) == {"researcher"}
        assert view.conversations.participants(by_person.id) == frozenset()


def test_archived_conversations_are_listed_only_when_asked_for(world: World) -> None:
    first = world.a_conversation()
    world.clock.advance(hours=1)
    second = world.person.conversations.start(WORKSPACE_ID)
    world.person.conversations.archive(WORKSPACE_ID, first.id, force=True)
    assert [one.id for one in world.person.places.conversations(WORKSPACE_ID)] == [second.id]
    everything = world.person.places.conversations(WORKSPACE_ID, include_archived=True)
    assert [one.id for one in everything] == [second.id, first.id]
    assert world.person.places.conversations(WORKSPACE_ID, channel="map-room") == ()
    with pytest.raises(NotFoundError):
        world.person.places.conversations(WORKSPACE_ID, channel="nothing")


def test_a_conversation_is_found_by_id_or_ref_code(world: World) -> None:
    room = world.a_conversation()
    assert (
        world.person.conversations.get(WORKSPACE_ID, room.id)
        == world.person.conversations.get(WORKSPACE_ID, room.ref_code)
        == room
    )
    assert (
        world.asked_by(world.an_agent_of(room)).conversations.get(WORKSPACE_ID, room.ref_code)
        == room
    )
    with pytest.raises(NotFoundError):
        world.person.conversations.get(WORKSPACE_ID, "nothing")


def test_unknown_and_closed_rooms_answer_an_agent_alike(world: World) -> None:
    closed, own = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(own)
    world.person.channels.create(WORKSPACE_ID, "attic")
    attempts: list[Callable[[str, str], object]] = [
        world.asked_by(agent).conversations.get,
        world.asked_by(agent).conversations.idle,
        lambda where, key: world.asked_by(agent).conversations.archive(where, key, force=True),
    ]
    before = world.everything()[WORKSPACE_ID]
    for attempt in attempts:
        missing = set()
        for key in (closed.id, closed.ref_code, "nothing"):
            with pytest.raises(NotFoundError) as not_there:
                attempt(WORKSPACE_ID, key)
            missing.add(not_there.value.args)
        assert missing == {("conversation", "")}
        answers = set()
        for where in (OTHER_WORKSPACE_ID, "no-such-workspace"):
            with pytest.raises(ScopeDeniedError) as caught:
                attempt(where, own.id)
            answers.add(caught.value.args)
        assert len(answers) == 1
    for where, keys in (
        (WORKSPACE_ID, ("attic", "nothing")),
        (OTHER_WORKSPACE_ID, ("general",)),
        ("no-such-workspace", ("general",)),
    ):
        channel_answers = set()
        for key in keys:
            with pytest.raises(ScopeDeniedError) as caught:
                world.asked_by(agent).conversations.start(where, channel=key)
            channel_answers.add(caught.value.args)
        assert len(channel_answers) == 1
    assert world.everything()[WORKSPACE_ID] == before


# idle


@pytest.mark.requirement("conversation-cleared")
def test_a_resting_conversation_keeps_its_summary_and_forgets_its_tier(world: World) -> None:
    room = world.a_conversation()
    agent = world.an_agent_of(room)
    mine = world.asked_by(agent).memories.put(a_draft("Said in passing", scope=scope_of(room.id)))
    private = world.asked_by(agent).memories.put(
        a_draft("Private", scope=scope_of(room.id), private_to=agent.name)
    )
    theirs = world.person.memories.put(a_draft("By the author", scope=scope_of(room.id)))
    world.publisher.published.clear()
    world.clock.advance(hours=1)
    idle = world.asked_by(agent).conversations.idle(WORKSPACE_ID, room.ref_code, summary=SUMMARY)
    later = NOON + timedelta(hours=1)
    assert (idle.state, idle.ended_at) == (ConversationState.IDLE, later)
    assert world.active(scope_of(room.id)) == []
    for entry in (mine, private, theirs):
        gone = world.stored(entry.id)
        assert (gone.forgotten_at, gone.forgotten_reason) == (later, "conversation_closed")
    kept = world.active(ScopeKey.channel(WORKSPACE_ID, room.channel_id))
    assert [one.content for one in kept] == ["Nerys left Thrennay", "The toll was raised"]
    assert {
        (one.lifetime, one.importance, one.source, one.curator, one.locked, one.agent_id)
        for one in kept
    } == {(Lifetime.SHORT_TERM, 0.5, "summary", Curator.AGENT, False, None)}
    assert {one.source_conversation for one in kept} == {room.id}
    (changes,) = world.publisher.published
    assert changes.rooms
    assert set(changes.forgotten) == {mine.id, private.id, theirs.id}
    assert set(changes.added) == {one.id for one in kept}
    last = world.events()[-1]
    assert last.kind is EventKind.CONVERSATION_IDLED
    assert dict(last.counts) == {"kept": 2, "forgotten": 3}


def test_without_a_summary_nothing_is_written(world: World) -> None:
    room = world.a_conversation()
    world.person.memories.put(a_draft(scope=scope_of(room.id)))
    world.person.conversations.idle(WORKSPACE_ID, room.id, summary=" \n- ok\n")
    assert world.active(ScopeKey.channel(WORKSPACE_ID, room.channel_id)) == []
    assert world.active(scope_of(room.id)) == []


def test_a_persons_summary_is_author_made_and_locked(world: World) -> None:
    room = world.a_conversation()
    world.person.conversations.idle(WORKSPACE_ID, room.id, summary="Nerys left Thrennay")
    (kept,) = world.active(ScopeKey.channel(WORKSPACE_ID, room.channel_id))
    assert (kept.curator, kept.locked) == (Curator.AUTHOR, True)


@pytest.mark.parametrize("line", ["a b c \x00", "word " * 20_000])
def test_a_summary_that_cannot_be_kept_stops_everything(world: World, line: str) -> None:
    room = world.a_conversation()
    world.person.memories.put(a_draft(scope=scope_of(room.id)))
    before = world.everything()
    world.publisher.published.clear()
    with pytest.raises(InvalidValueError):
        world.person.conversations.idle(WORKSPACE_ID, room.id, summary=f"{SUMMARY}\n{line}")
    assert world.everything() == before
    assert world.publisher.published == []


@pytest.mark.parametrize("is_agent", [True, False])
def test_the_same_summary_after_three_conversations_is_kept_once(
    world: World, *, is_agent: bool
) -> None:
    rooms = [world.a_conversation() for _ in range(3)]
    caller = world.an_agent_of(*rooms) if is_agent else PERSON
    summaries = (SUMMARY, SUMMARY.upper(), f"## Today\n{SUMMARY}")
    ends = [
        world.asked_by(caller).conversations.end(WORKSPACE_ID, room.id, summary=summary)
        for room, summary in zip(rooms, summaries, strict=True)
    ]
    assert [(one.n_kept, one.n_known) for one in ends] == [(2, 0), (0, 2), (0, 2)]
    kept = world.active(ScopeKey.channel(WORKSPACE_ID, rooms[0].channel_id))
    assert [one.content for one in kept] == ["Nerys left Thrennay", "The toll was raised"]
    assert [one.confirmed_at for one in kept] == [NOON, NOON]


def test_a_line_of_a_summary_that_the_author_forgot_waits(world: World) -> None:
    one, other, third = (world.a_conversation() for _ in range(3))
    agent = world.an_agent_of(one, other)
    world.asked_by(agent).conversations.idle(WORKSPACE_ID, one.id, summary=SUMMARY)
    channel = ScopeKey.channel(WORKSPACE_ID, one.channel_id)
    world.person.memories.forget([world.active(channel)[0].ref])
    world.asked_by(agent).notes.write(WORKSPACE_ID, other.id, SUMMARY_NOTE, SUMMARY)
    assert world.person.conversations.proposed_summary(WORKSPACE_ID, other.id) == (
        "The toll was raised",
    )
    end = world.asked_by(agent).conversations.end(WORKSPACE_ID, other.id, summary=SUMMARY)
    assert (end.n_kept, end.n_known, end.n_held) == (0, 1, 1)
    assert [one.content for one in world.active(channel)] == ["The toll was raised"]
    (asked,) = world.person.proposals.list(WORKSPACE_ID)
    assert (asked.text, asked.forgotten_at) == ("Nerys left Thrennay", NOON)
    world.person.conversations.idle(WORKSPACE_ID, third.id, summary="Nerys left Thrennay")
    assert len(world.active(channel)) == 2, "what the author writes is kept"


def test_an_agent_that_may_not_write_the_channel_keeps_no_summary(world: World) -> None:
    room = world.a_conversation()
    rights = frozenset({Action.READ, Action.WRITE})
    agent = an_agent(grants=(Grant(Tier.CONVERSATION, WORKSPACE_ID, rights),))
    world.asked_by(agent).memories.put(a_draft(scope=scope_of(room.id)))
    before = world.everything()[WORKSPACE_ID]
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).conversations.idle(WORKSPACE_ID, room.id, summary=SUMMARY)
    assert world.everything()[WORKSPACE_ID] == before
    world.asked_by(agent).conversations.idle(WORKSPACE_ID, room.id)
    assert world.active(scope_of(room.id)) == []


def test_a_summary_never_lifts_its_channel_above_the_cap(world: World) -> None:
    room = world.a_conversation()
    channel = ScopeKey.channel(WORKSPACE_ID, room.channel_id)
    world.keep(
        *(a_memory(f"t{n}", memory_id=f"m{n}", scope=channel, importance=n / 10) for n in range(5))
    )
    world.person.conversations.idle(WORKSPACE_ID, room.id, summary=SUMMARY)
    contents = [one.content for one in world.active(channel)]
    assert contents == ["t2", "t3", "t4", "Nerys left Thrennay", "The toll was raised"]


def test_a_channel_full_of_protected_memories_keeps_the_conversation_open(world: World) -> None:
    room = world.a_conversation()
    channel = ScopeKey.channel(WORKSPACE_ID, room.channel_id)
    world.keep(*(a_memory(f"t{n}", scope=channel, curator=Curator.AUTHOR) for n in range(5)))
    world.person.memories.put(a_draft(scope=scope_of(room.id)))
    before = world.everything()
    with pytest.raises(CapReachedError):
        world.person.conversations.idle(WORKSPACE_ID, room.id, summary=SUMMARY)
    assert world.everything() == before


def test_other_conversations_and_their_notes_stay(world: World) -> None:
    one, other = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(one, other)
    kept = world.asked_by(agent).memories.put(a_draft("Other talk", scope=scope_of(other.id)))
    world.asked_by(agent).notes.write(WORKSPACE_ID, one.id, "pages", 3)
    world.asked_by(agent).conversations.idle(WORKSPACE_ID, one.id)
    assert world.active(scope_of(other.id)) == [kept]
    assert world.person.notes.read(WORKSPACE_ID, one.id, "pages").value_json == "3"


# the life cycle


def test_no_step_leads_back(world: World) -> None:
    room = world.a_conversation()
    with pytest.raises(IllegalTransitionError):
        world.person.conversations.archive(WORKSPACE_ID, room.id)
    ended = world.person.conversations.idle(WORKSPACE_ID, room.id)
    before = world.everything()
    assert world.person.conversations.idle(WORKSPACE_ID, room.id, summary=SUMMARY) == ended
    assert world.everything() == before
    archived = world.person.conversations.archive(WORKSPACE_ID, room.id)
    before = world.everything()
    mine = world.person.conversations
    for step in (mine.idle, mine.archive, partial(mine.archive, force=True)):
        assert step(WORKSPACE_ID, room.id) == archived
    assert world.everything() == before
    assert world.active(ScopeKey.channel(WORKSPACE_ID, room.channel_id)) == []


@pytest.mark.parametrize("is_archived", [False, True])
def test_a_conversation_that_is_over_takes_nothing_new_from_anybody(
    world: World, *, is_archived: bool
) -> None:
    room = world.a_conversation()
    agent = world.an_agent_of(room)
    world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "pages", 3)
    world.person.conversations.idle(WORKSPACE_ID, room.id)
    if is_archived:
        world.person.conversations.archive(WORKSPACE_ID, room.id)
    before = world.everything()
    for caller in (PERSON, agent):
        with pytest.raises(InvalidValueError) as refused:
            world.asked_by(caller).memories.put(a_draft(scope=scope_of(room.id)))
        assert (refused.value.field, refused.value.rule) == ("conversation", "over")
    with pytest.raises(InvalidValueError):
        world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "pages", 4)
    assert world.everything() == before
    assert world.asked_by(agent).notes.read(WORKSPACE_ID, room.id, "pages").value_json == "3"
    channel = ScopeKey.channel(WORKSPACE_ID, room.channel_id)
    said_there = world.person.memories.put(
        replace(a_draft(scope=channel), source_conversation=room.id)
    )
    assert said_there.source_conversation == room.id


def test_an_active_conversation_is_archived_by_force_and_forgets_its_tier(world: World) -> None:
    room = world.a_conversation()
    entry = world.person.memories.put(a_draft(scope=scope_of(room.id)))
    archived = world.person.conversations.archive(WORKSPACE_ID, room.id, force=True)
    assert (archived.state, archived.ended_at) == (ConversationState.ARCHIVED, NOON)
    assert world.stored(entry.id).forgotten_reason == "conversation_closed"
    last = world.events()[-1]
    assert (last.kind, dict(last.counts)) == (
        EventKind.CONVERSATION_ARCHIVED,
        {"forgotten": 1},
    )


def test_what_a_person_restored_outlives_the_archive(world: World) -> None:
    room = world.a_conversation()
    entry = world.person.memories.put(a_draft(scope=scope_of(room.id)))
    world.person.conversations.idle(WORKSPACE_ID, room.id)
    world.clock.advance(hours=1)
    world.person.memories.restore([entry.ref])
    archived = world.person.conversations.archive(WORKSPACE_ID, room.id)
    assert archived.ended_at == NOON
    assert not world.stored(entry.id).is_forgotten


def test_an_agent_may_talk_in_the_default_channel_and_end_what_it_began(world: World) -> None:
    reading = frozenset({Action.READ})
    grants = (
        Grant(Tier.CONVERSATION, WORKSPACE_ID, reading),
        Grant(Tier.CHANNEL, WORKSPACE_ID, reading, frozenset()),
    )
    agent = an_agent("visitor", grants=grants)
    started = world.asked_by(agent).conversations.start(WORKSPACE_ID)
    assert started.channel_id == world.general.id
    assert (
        world.asked_by(agent).conversations.idle(WORKSPACE_ID, started.ref_code).state
        is ConversationState.IDLE
    )
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).conversations.idle(WORKSPACE_ID, world.a_conversation().id)


def test_an_agent_lists_the_conversations_it_takes_part_in(world: World) -> None:
    own, _other = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(own)
    assert [one.id for one in world.asked_by(agent).places.conversations(WORKSPACE_ID)] == [own.id]
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).places.conversations("no-such-workspace")


# channels that are open to an agent


def an_agent_in(world: World, *channels: Channel, actions: frozenset[Action]) -> Caller:
    """An agent with these rights in these channels; in every channel if none is named."""
    keys = frozenset(one.id for one in channels) or None
    return an_agent(grants=(Grant(Tier.CHANNEL, WORKSPACE_ID, actions, keys),))


def opened_to(world: World, caller: Caller, **options: bool) -> dict[str, tuple[list[str], bool]]:
    """Channels by name: rights, and whether a conversation may be begun there."""
    found = world.asked_by(caller).places.open_channels(WORKSPACE_ID, **options)
    return {
        one.channel.name: (sorted(action.value for action in one.actions), one.may_talk)
        for one in found
    }


def test_an_agent_is_told_in_which_channels_it_may_do_what(world: World) -> None:
    both = frozenset({Action.READ, Action.WRITE})
    everywhere = an_agent_in(world, actions=both)
    assert opened_to(world, everywhere) == {
        "general": (["read", "write"], True),
        "map-room": (["read", "write"], True),
    }
    one = an_agent_in(world, world.map_room, actions=frozenset({Action.READ}))
    assert opened_to(world, one) == {"general": ([], True), "map-room": (["read"], True)}
    writer = an_agent_in(world, world.map_room, actions=frozenset({Action.WRITE}))
    assert opened_to(world, writer) == {"map-room": (["write"], False)}
    world.person.channels.archive(WORKSPACE_ID, "map-room")
    assert "map-room" not in opened_to(world, everywhere)
    assert opened_to(world, everywhere, include_archived=True)["map-room"][1] is False
    elsewhere = Grant(Tier.WORKSPACE, WORKSPACE_ID, both)
    for grants in ((), (elsewhere,)):
        with pytest.raises(ScopeDeniedError):
            opened_to(world, an_agent(grants=grants))


def test_what_a_channel_is_about_is_for_those_who_read_there(world: World) -> None:
    world.person.channels.create(WORKSPACE_ID, "attic", "What nobody shall find")
    for action, told in ((Action.READ, "What nobody shall find"), (Action.WRITE, "")):
        agent = an_agent_in(world, actions=frozenset({action}))
        found = world.asked_by(agent).places.open_channels(WORKSPACE_ID)
        assert found[-1].channel.description == told


@pytest.mark.parametrize("key", ["map-room", "#map-room", "#MAP-ROOM"])
def test_a_channel_is_found_by_its_name_with_or_without_a_hash(world: World, key: str) -> None:
    reading = frozenset({Action.READ})
    for caller in (PERSON, an_agent_in(world, world.map_room, actions=reading)):
        assert world.asked_by(caller).channels.get(WORKSPACE_ID, key) == world.map_room
        assert (
            world.asked_by(caller).conversations.start(WORKSPACE_ID, channel=key).channel_id
            == world.map_room.id
        )


def test_a_hash_that_belongs_to_a_name_counts(world: World) -> None:
    made = world.person.channels.create(WORKSPACE_ID, "#map-room")
    assert world.person.channels.get(WORKSPACE_ID, "#map-room").id == made.id
    assert world.person.channels.get(WORKSPACE_ID, "map-room").id == world.map_room.id


@pytest.mark.parametrize("key", ["general", "#general", "General"])
def test_the_default_channel_is_open_to_talk_in_however_it_is_written(
    world: World, key: str
) -> None:
    agent = an_agent_in(world, world.map_room, actions=frozenset({Action.READ}))
    assert (
        world.asked_by(agent).conversations.start(WORKSPACE_ID, channel=key).channel_id
        == world.general.id
    )


def test_who_may_go_anywhere_is_told_that_a_channel_is_not_there(world: World) -> None:
    agent = an_agent_in(world, actions=frozenset({Action.READ}))
    attempts: list[Callable[[str, str], object]] = [
        world.asked_by(agent).channels.get,
        lambda where, key: world.asked_by(agent).conversations.start(where, channel=key),
    ]
    for attempt in attempts:
        with pytest.raises(NotFoundError) as caught:
            attempt(WORKSPACE_ID, "map-rom")
        assert (caught.value.kind, caught.value.known) == ("channel", ("general", "map-room"))
    assert not world.events(None)


def test_who_may_not_is_told_what_is_open_and_never_what_is_there(world: World) -> None:
    world.person.channels.create(WORKSPACE_ID, "attic")
    agent = an_agent_in(world, world.map_room, actions=frozenset({Action.READ}))
    answers = set()
    for key in ("attic", "#attic", "nothing"):
        with pytest.raises(ScopeDeniedError) as caught:
            world.asked_by(agent).channels.get(WORKSPACE_ID, key)
        answers.add(caught.value.args)
    assert answers == {("read", "channel", ("map-room",))}
    with pytest.raises(ScopeDeniedError) as closed:
        world.asked_by(agent).channels.get(WORKSPACE_ID, "map-room", Action.WRITE)
    assert closed.value.known is None
