from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import (
    DescribedEvent,
    Event,
    EventFilter,
    EventKind,
    EventPlace,
    EventThing,
    LogFault,
    LogVerdict,
    LostWrites,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.usecases.keeping.event_history import MAX_EVENTS
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_draft,
    a_person,
    an_agent,
    the_clock,
)
from tests.usecases.world import World

PERSON = a_person()
SCOPE = ScopeKey.workspace(WORKSPACE_ID)


@dataclass(slots=True)
class FakeAudit:
    """A ``LogAudit`` that finds nothing wrong but in the logs it was told of."""

    noted: frozenset[str] = frozenset()
    broken: frozenset[str | None] = frozenset()
    lost: frozenset[str | None] = frozenset()
    gone: dict[str | None, LostWrites] = field(default_factory=dict)

    def verify(self, workspace_id: str | None) -> LogVerdict:
        """Whole, edited at its third event, or without its head."""
        if workspace_id in self.broken:
            return LogVerdict(workspace_id, "", 5, 3, LogFault.EDITED)
        if workspace_id in self.lost:
            return LogVerdict(workspace_id, "", 5, None, LogFault.HEAD_MISSING)
        return LogVerdict(workspace_id, "", 5)

    def lost_writes(self, workspace_id: str | None) -> LostWrites | None:
        """What it was told."""
        return self.gone.get(workspace_id)

    def accept_lost_writes(self, workspace_id: str | None) -> None:
        """Nothing of it is missing any more."""
        del self.gone[workspace_id]

    def anchor(
        self, workspace_ids: Sequence[str | None], doubtful: Sequence[str | None] = ()
    ) -> None:
        """Nothing of these is lost any more."""
        assert frozenset(doubtful) == self.broken
        self.lost -= frozenset(workspace_ids)

    def noted_workspaces(self) -> frozenset[str]:
        """Those it was told of."""
        return self.noted


def described(
    world: World, event: Event, workspace_id: str | None = WORKSPACE_ID
) -> DescribedEvent:
    (found,) = asked_by(PERSON, world).log.describe(workspace_id, [event])
    return found


def last(world: World, workspace_id: str | None = WORKSPACE_ID) -> Event:
    return asked_by(PERSON, world).log.list(workspace_id, limit=1)[0]


@pytest.mark.parametrize("caller", [an_agent(), the_clock()], ids=["agent", "clock"])
@pytest.mark.parametrize("workspace_id", [WORKSPACE_ID, None, "nowhere"])
def test_only_the_person_looks_into_a_log(
    world: World, caller: Caller, workspace_id: str | None
) -> None:
    for attempt in (
        lambda: asked_by(caller, world).log.list(workspace_id),
        lambda: asked_by(caller, world).log.facets(workspace_id),
        lambda: asked_by(caller, world).log.show(workspace_id, 1),
        lambda: asked_by(caller, world).log.describe(workspace_id, []),
        asked_by(caller, world, audit=FakeAudit()).log.verify,
        asked_by(caller, world, audit=FakeAudit()).log.anchor,
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()


def test_a_log_is_read_in_pages_and_looking_leaves_no_trace(world: World) -> None:
    for _ in range(5):
        world.a_conversation()
    listing = asked_by(PERSON, world).log.list

    page = listing(WORKSPACE_ID, limit=3)
    rest = listing(WORKSPACE_ID, limit=3, before=page[-1].number)

    assert [event.number for event in (*page, *rest)] == [5, 4, 3, 2, 1]
    assert asked_by(PERSON, world).log.show(WORKSPACE_ID, 4) == page[1]
    assert asked_by(PERSON, world).log.facets(WORKSPACE_ID).total == 5
    assert listing(WORKSPACE_ID, EventFilter(text="nobody")) == ()
    assert listing(None) == ()
    assert world.publisher.published == []


@pytest.mark.parametrize("limit", [0, -1, MAX_EVENTS + 1])
def test_a_page_has_a_size(world: World, limit: int) -> None:
    with pytest.raises(InvalidValueError) as caught:
        asked_by(PERSON, world).log.list(WORKSPACE_ID, limit=limit)
    assert (caught.value.field, caught.value.limit) == ("limit", MAX_EVENTS)


def test_what_is_not_there_is_said(world: World) -> None:
    with pytest.raises(NotFoundError) as caught:
        asked_by(PERSON, world).log.show(WORKSPACE_ID, 7)
    assert (caught.value.kind, caught.value.key) == ("event", "7")
    with pytest.raises(NotFoundError):
        asked_by(PERSON, world).log.list("nowhere")


def test_a_conversation_is_named_as_it_is_called_today(world: World) -> None:
    room = world.a_conversation()
    started = last(world)
    assert described(world, started).place == EventPlace(
        "conversation", room.id, "The toll", room.ref_code
    )
    assert described(world, started).things == ()

    gone = replace(started, scope_key="gone")
    assert described(world, gone).place == EventPlace("conversation", "gone", None)
    assert described(world, replace(started, tier=None, scope_key=None)).place is None


def test_memories_are_shown_by_their_beginning_and_whether_they_are_forgotten(
    world: World,
) -> None:
    agent = an_agent()
    text = "The harbour glass\nhums at low tide, " + "and hums " * 20
    kept = world.asked_by(agent).memories.put(
        a_draft(text, scope=ScopeKey.channel(WORKSPACE_ID, world.map_room.id))
    )
    made = last(world)
    assert described(world, made).place == EventPlace("channel", world.map_room.id, "map-room")
    (thing,) = described(world, made).things
    assert (thing.kind, thing.id, thing.is_active) == ("memory", kept.id, True)
    assert thing.name is not None
    assert thing.name.startswith("The harbour glass hums at low tide, and hums")
    assert thing.name.endswith("\u2026")
    assert len(thing.name) <= 81

    world.asked_by(agent).memories.forget([kept.ref])
    (thing,) = described(world, made).things
    assert not thing.is_active

    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        going = unit.scrubs.contents(kept.scope, ScrubMode.FULL, world.decay, NOON)
        unit.scrubs.remove(going, made.number, NOON)
        unit.commit()
    assert described(world, made).things == (EventThing("memory", kept.id, None, is_active=False),)


def test_only_the_first_things_of_a_bulk_event_are_looked_up(world: World) -> None:
    made = [world.person.memories.put(a_draft(f"number {n}")) for n in range(4)]
    world.person.memories.forget([one.ref for one in made])
    event = last(world)
    assert event.kind is EventKind.MEMORY_FORGOTTEN

    assert len(described(world, event).things) == 3
    (found,) = asked_by(PERSON, world).log.describe(WORKSPACE_ID, [event], things_per_event=100)
    assert {thing.name for thing in found.things} == {f"number {n}" for n in range(4)}
    assert found.place == EventPlace("workspace", WORKSPACE_ID, "Saltglass")


def test_named_entries_and_proposals_are_named(world: World) -> None:
    companion = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "PRINCIPLES", "Be kind.")
    saved = last(world)
    assert described(world, saved).things == (
        EventThing("named_entry", companion.id, "PRINCIPLES", is_active=True),
    )
    asking = an_agent(actions=frozenset({Action.READ, Action.PROPOSE}))
    asked = world.asked_by(asking).proposals.propose(
        WORKSPACE_ID, "PRINCIPLES", "Be brief.", "It is shorter."
    )
    assert described(world, last(world)).things == (
        EventThing("proposal", asked.id, "PRINCIPLES", is_active=True),
    )
    world.person.proposals.reject(asked.ref)
    assert not described(world, last(world)).things[0].is_active

    world.person.entries.delete(companion.ref, expected_version=companion.version)
    assert described(world, saved).things == (
        EventThing("named_entry", companion.id, "PRINCIPLES", is_active=False),
    )


def test_the_accounts_log_names_workspaces(world: World) -> None:
    reader = an_agent(actions=frozenset({Action.READ}))
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).memories.put(a_draft("not allowed", scope=SCOPE))
    denied = last(world, None)
    assert denied.kind is EventKind.DENIED

    found = described(world, denied, None)
    assert found.place == EventPlace("workspace", WORKSPACE_ID, "Saltglass")
    assert found.things == ()
    own = replace(denied, tier="account", scope_key="account")
    assert described(world, own, None).place == EventPlace("account", "account", "")


def test_every_log_is_checked_and_a_missing_file_too(world: World) -> None:
    world.directory.create(Workspace(OTHER_WORKSPACE_ID, "Tides", NOON))
    audit = FakeAudit(frozenset({WORKSPACE_ID, "gone"}), frozenset({OTHER_WORKSPACE_ID}))

    verdicts = asked_by(PERSON, world, audit=audit).log.verify()

    assert verdicts == (
        LogVerdict(None, "", 5),
        LogVerdict(WORKSPACE_ID, "Saltglass", 5),
        LogVerdict(OTHER_WORKSPACE_ID, "Tides", 5, 3, LogFault.EDITED),
        LogVerdict("gone", "", 0, None, LogFault.FILE_MISSING),
    )
    assert [one.is_whole for one in verdicts] == [True, True, False, False]


def test_only_logs_that_lost_their_head_are_anchored_and_say_so(world: World) -> None:
    world.directory.create(Workspace(OTHER_WORKSPACE_ID, "Tides", NOON))
    audit = FakeAudit(broken=frozenset({OTHER_WORKSPACE_ID}), lost=frozenset({WORKSPACE_ID}))

    verdicts = asked_by(PERSON, world, audit=audit).log.anchor()

    assert [one.is_whole for one in verdicts] == [True, True, False]
    (event,) = world.events()
    assert event.kind is EventKind.LOG_ANCHORED
    assert (event.actor, event.tier, event.scope_key) == ("Ada", "workspace", WORKSPACE_ID)
    assert (event.counts, event.marks) == ({"events": 5}, {"because": "head_missing"})
    assert world.events(None) == world.events(OTHER_WORKSPACE_ID) == ()


def test_lost_writes_are_found_and_accepted_with_an_event_each(world: World) -> None:
    worlds = {one.id: one for one in world.directory.workspaces()}
    of_account, of_world = LostWrites(1, NOON, NOON), LostWrites(15, NOON, NOON)
    audit = FakeAudit(gone={None: of_account, WORKSPACE_ID: of_world})
    expected = ((None, of_account), (worlds[WORKSPACE_ID], of_world))

    assert asked_by(PERSON, world, audit=audit).log.find_lost_writes() == expected
    assert world.events() == world.events(None) == ()
    with pytest.raises(ScopeDeniedError):
        asked_by(an_agent(), world, audit=audit).log.accept_lost_writes()
    assert asked_by(PERSON, world, audit=audit).log.accept_lost_writes() == expected
    assert audit.gone == {}
    (event,) = world.events()
    assert (event.kind, event.counts) == (EventKind.LOG_ANCHORED, {"writes": 15})
    assert (event.scope_key, event.marks) == (WORKSPACE_ID, {"because": "writes_lost"})
    assert [one.counts for one in world.events(None)] == [{"writes": 1}]
    assert asked_by(PERSON, world, audit=audit).log.accept_lost_writes() == ()


def test_anchoring_the_logs_accepts_lost_writes_too(world: World) -> None:
    audit = FakeAudit(gone={WORKSPACE_ID: LostWrites(15, NOON, NOON)})

    asked_by(PERSON, world, audit=audit).log.anchor()

    assert audit.gone == {}
    assert [one.marks for one in world.events()] == [{"because": "writes_lost"}]
