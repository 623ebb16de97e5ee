from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryPatch, Tier
from inklings_desktop.usecases.memories.values import Written
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
LOOM, WEAVER = an_agent("loom"), an_agent("weaver")


def written(world: World, name: str = "loom") -> Written:
    return world.person.memories.find_written(name, WORKSPACE_ID)


def test_a_memory_carries_the_name_of_who_wrote_it(world: World) -> None:
    assert world.asked_by(LOOM).memories.put(a_draft("Nerys walks")).by == "loom"
    assert world.person.memories.put(a_draft("Nerys runs")).by == "author"


def test_whoever_changes_the_text_has_written_it(world: World) -> None:
    entry = world.asked_by(LOOM).memories.put(a_draft("Nerys walks"))
    heavier = world.asked_by(WEAVER).memories.update(
        entry.ref, MemoryPatch(importance=0.9), expected_version=1
    )
    assert heavier.by == "loom"
    changed = world.asked_by(WEAVER).memories.update(
        entry.ref, MemoryPatch(content="She runs"), expected_version=2
    )
    assert changed.by == "weaver"
    back = world.person.memories.restore_version(entry.ref, 1, expected_version=3)
    assert back.after.by == "loom"


def test_what_a_client_wrote_is_found_without_what_the_author_rewrote(world: World) -> None:
    kept = world.asked_by(LOOM).memories.put(a_draft("Nerys walks"))
    rewritten = world.asked_by(LOOM).memories.put(a_draft("Nerys runs"))
    world.person.memories.update(rewritten.ref, MemoryPatch(content="Mine"), expected_version=1)
    locked = world.asked_by(LOOM).memories.put(a_draft("Nerys sings"))
    world.person.memories.mark([locked.ref], MemoryMark.LOCKED, on=True)
    world.asked_by(WEAVER).memories.put(a_draft("Nerys weaves"))
    world.person.memories.put(a_draft("Nerys rests"))
    found = written(world)
    assert [one.id for one in found.free] == [kept.id]
    assert found.n_locked == found.n_rewritten == 1
    assert found.n_pinned == 0
    world.person.memories.mark([kept.ref], MemoryMark.PINNED, on=True)
    assert written(world).n_pinned == 1
    world.person.memories.forget([kept.ref])
    assert written(world).free == ()


def test_a_filter_asks_for_the_writer() -> None:
    where = MemoryFilter(writers=frozenset({"loom"}))
    assert where.selects_by_value
    assert where.admits(replace(a_memory(), written_by="loom"))
    assert not where.admits(replace(a_memory(), written_by="weaver"))


def test_no_agent_asks_what_another_wrote(world: World) -> None:
    with pytest.raises(ScopeDeniedError) as refused:
        world.asked_by(LOOM).memories.find_written("weaver", WORKSPACE_ID)
    assert refused.value.tier == Tier.WORKSPACE.value
