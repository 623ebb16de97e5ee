from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryEntry, MemoryPatch, ScopeKey
from tests.support.builders import NOON, WORKSPACE_ID, a_draft, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
HERE = ScopeKey.workspace(WORKSPACE_ID)


@pytest.fixture
def stored(world: World) -> MemoryEntry:
    entry = world.person.memories.put(a_draft("Nerys walks", scope=HERE))
    world.publisher.published.clear()
    return entry


def typing_in(entry: MemoryEntry, content: str) -> MemoryTyping:
    return MemoryTyping(
        entry.scope,
        entry.id,
        entry.version,
        content,
        entry.importance,
        entry.lifetime,
        entry.tags,
        NOON,
    )


def new_typing(content: str, scope: ScopeKey = HERE) -> MemoryTyping:
    return MemoryTyping(scope, NEW_MEMORY, 0, content, 0.5, Lifetime.SHORT_TERM, (), NOON)


def test_typing_is_offered_again_the_latest_first(world: World, stored: MemoryEntry) -> None:
    first = world.person.drafts.keep_typing(typing_in(stored, "Nerys ri"))
    world.clock.advance(hours=1)
    second = world.person.drafts.keep_typing(new_typing("A thought"))
    world.clock.advance(hours=1)
    third = world.person.drafts.keep_typing(new_typing("About me", ScopeKey.account()))
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (third, second, first)
    assert world.person.drafts.find_typing(stored.ref) == first
    assert world.person.drafts.find_typings(None) == (third,)
    assert third.kept_at == world.clock()
    world.clock.advance(hours=1)
    later = world.person.drafts.keep_typing(typing_in(stored, "Nerys rides"))
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (later, third, second)


def test_typing_changes_no_memory_and_tells_nobody(world: World, stored: MemoryEntry) -> None:
    world.person.drafts.keep_typing(typing_in(stored, ""))
    assert world.stored(stored.id) == stored
    assert world.publisher.published == []
    assert world.kinds() == []


def test_what_is_stored_already_is_not_offered(world: World, stored: MemoryEntry) -> None:
    world.person.drafts.keep_typing(typing_in(stored, "Nerys rides"))
    patch = MemoryPatch(content="Nerys rides")
    saved = world.person.memories.update(stored.ref, patch, expected_version=1)
    assert world.person.drafts.find_typings(WORKSPACE_ID) == ()
    assert world.person.drafts.find_typing(stored.ref) is None
    world.person.drafts.keep_typing(typing_in(saved, "Nerys sails"))
    world.person.drafts.keep_typing(typing_in(saved, "Nerys rides"))
    assert world.rows("SELECT * FROM memory_drafts") == []


def test_typing_in_a_memory_that_was_forgotten_meanwhile_is_not_lost(
    world: World, stored: MemoryEntry
) -> None:
    kept = world.person.drafts.keep_typing(typing_in(stored, "Nerys rides"))
    world.person.memories.forget([stored.ref])
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (kept,)
    assert world.person.drafts.find_typing(stored.ref) == kept
    later = world.person.drafts.keep_typing(typing_in(stored, "Nerys sails"))
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (later,)
    assert world.stored(stored.id).is_forgotten


def test_dropped_typing_is_gone(world: World, stored: MemoryEntry) -> None:
    world.person.drafts.keep_typing(typing_in(stored, "Nerys rides"))
    world.person.drafts.keep_typing(new_typing("A thought"))
    assert world.person.drafts.drop_typing(HERE, stored.id)
    assert not world.person.drafts.drop_typing(HERE, stored.id)
    assert world.person.drafts.drop_typing(HERE, NEW_MEMORY)
    assert world.person.drafts.find_typings(WORKSPACE_ID) == ()


def test_what_became_a_memory_goes_with_it(world: World) -> None:
    world.person.drafts.keep_typing(new_typing("A tho"))
    elsewhere = world.person.drafts.keep_typing(new_typing("About me", ScopeKey.account()))
    world.person.memories.put(a_draft("A thought", scope=HERE), settles_typing=True)
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (elsewhere,)


def test_what_became_an_edit_goes_with_it(world: World, stored: MemoryEntry) -> None:
    world.person.drafts.keep_typing(typing_in(stored, "Nerys ri"))
    new = world.person.drafts.keep_typing(new_typing("A thought"))
    patch = MemoryPatch(content="Nerys rides")
    saved = world.person.memories.update(stored.ref, patch, expected_version=1, settles_typing=True)
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (new,)
    world.person.drafts.keep_typing(typing_in(saved, "Nerys ri"))
    world.person.memories.update(saved.ref, patch, expected_version=2, settles_typing=True)
    assert world.person.drafts.find_typings(WORKSPACE_ID) == (new,), "nothing was left to change"


def test_typing_stays_when_nothing_was_saved_of_it(world: World, stored: MemoryEntry) -> None:
    here = world.person.drafts.keep_typing(new_typing("A thought"))
    there = world.person.drafts.keep_typing(typing_in(stored, "Nerys ri"))
    world.person.memories.put(a_draft("From the command line", scope=HERE))
    patch = MemoryPatch(content="Nerys rides")
    with pytest.raises(ConflictError):
        world.person.memories.update(stored.ref, patch, expected_version=7, settles_typing=True)
    assert set(world.person.drafts.find_typings(WORKSPACE_ID)) == {here, there}


@pytest.mark.parametrize("content", ["a\x00b", "\ud800", "x" * (64 * 1024 + 1)])
def test_what_cannot_be_kept_is_refused(world: World, stored: MemoryEntry, content: str) -> None:
    with pytest.raises(InvalidValueError):
        world.person.drafts.keep_typing(typing_in(stored, content))
    assert world.person.drafts.find_typings(WORKSPACE_ID) == ()


def test_typing_belongs_where_a_memory_could(world: World, stored: MemoryEntry) -> None:
    with pytest.raises(NotFoundError):
        world.person.drafts.keep_typing(
            new_typing("x", ScopeKey.channel(WORKSPACE_ID, "no such room"))
        )
    with pytest.raises(NotFoundError):
        world.person.drafts.keep_typing(replace(typing_in(stored, "x"), memory_id="another"))


def test_typing_is_the_persons_alone(world: World, stored: MemoryEntry) -> None:
    agent = an_agent()
    for attempt in (
        lambda: world.asked_by(agent).drafts.keep_typing(typing_in(stored, "x")),
        lambda: world.asked_by(agent).drafts.find_typings(WORKSPACE_ID),
        lambda: world.asked_by(agent).drafts.find_typing(stored.ref),
        lambda: world.asked_by(agent).drafts.drop_typing(HERE, stored.id),
        lambda: world.asked_by(agent).memories.put(a_draft("x", scope=HERE), settles_typing=True),
        lambda: world.asked_by(agent).memories.update(
            stored.ref, MemoryPatch(content="x"), expected_version=1, settles_typing=True
        ),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert world.kinds(None) == [EventKind.DENIED] * 6
