from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.errors import ConflictError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memories.memory_history import VersionState, version_states
from inklings_desktop.domain.memory import Lifetime, MemoryAction, MemoryEntry, MemoryPatch
from tests.support.builders import a_draft, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()


@pytest.fixture
def edited(world: World) -> MemoryEntry:
    """A memory in its fourth version: text, then weight, then text and tags."""
    draft = a_draft("Nerys walks", importance=0.5, tags=("nerys",))
    entry = world.person.memories.put(replace(draft, lifetime=Lifetime.SHORT_TERM))
    for patch in (
        MemoryPatch(content="Nerys rides"),
        MemoryPatch(importance=0.9, lifetime=Lifetime.LONG_TERM),
        MemoryPatch(content="Nerys sails", tags=("boats",)),
    ):
        world.clock.advance(hours=1)
        entry = world.person.memories.update(entry.ref, patch, expected_version=entry.version)
    return entry


def states(world: World, entry: MemoryEntry) -> list[VersionState]:
    shown = world.person.listing.show(entry.ref)
    return list(version_states(shown.entry, shown.history))


def test_every_version_is_known_whole(world: World, edited: MemoryEntry) -> None:
    long, short = Lifetime.LONG_TERM, Lifetime.SHORT_TERM
    assert states(world, edited) == [
        VersionState(4, "Nerys sails", 0.9, long, ("boats",), "author"),
        VersionState(3, "Nerys rides", 0.9, long, ("nerys",), "author"),
        VersionState(2, "Nerys rides", 0.5, short, ("nerys",), "author"),
        VersionState(1, "Nerys walks", 0.5, short, ("nerys",), "author"),
    ]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_any_version_comes_back_as_a_new_one(
    world: World, edited: MemoryEntry, number: int
) -> None:
    wanted = next(one for one in states(world, edited) if one.number == number)
    world.publisher.published.clear()

    change = world.person.memories.restore_version(edited.ref, number, expected_version=4)

    assert change.is_change
    assert change.before == edited
    assert change.after == world.stored(edited.id)
    assert states(world, edited)[0].reads_as(wanted)
    assert (change.after.version, change.after.edited_at) == (5, world.clock())
    (latest, *_) = world.person.listing.show(edited.ref).history
    assert (latest.action, latest.changed_by) == (MemoryAction.REVERTED, PERSON.name)
    assert world.kinds() == []  # a person's single edits are history, not events
    assert [one.updated for one in world.publisher.published] == [(edited.id,)]


def test_restoring_can_be_taken_back_and_done_again(world: World, edited: MemoryEntry) -> None:
    done = world.person.memories.restore_version(edited.ref, 1, expected_version=4)
    back = world.person.memories.restore_version(
        edited.ref, done.before.version, expected_version=done.after.version
    )
    assert states(world, edited)[0].reads_as(states(world, edited)[2])
    again = world.person.memories.restore_version(
        edited.ref, 1, expected_version=back.after.version
    )
    assert (again.after.content, again.after.version) == ("Nerys walks", 7)


def test_a_version_that_reads_as_the_present_one_changes_nothing(
    world: World, edited: MemoryEntry
) -> None:
    world.publisher.published.clear()
    change = world.person.memories.restore_version(edited.ref, 4, expected_version=4)
    assert not change.is_change
    assert world.stored(edited.id) == edited
    assert world.publisher.published == []


def test_what_cannot_be_restored_is_refused_and_stays(world: World, edited: MemoryEntry) -> None:
    with pytest.raises(ConflictError):
        world.person.memories.restore_version(edited.ref, 1, expected_version=3)
    with pytest.raises(NotFoundError):
        world.person.memories.restore_version(edited.ref, 9, expected_version=4)
    agent = an_agent()
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).memories.restore_version(edited.ref, 1, expected_version=4)
    assert world.stored(edited.id) == edited
    world.person.memories.forget([edited.ref])
    with pytest.raises(NotFoundError):
        world.person.memories.restore_version(edited.ref, 1, expected_version=5)
