from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memory import MemoryPatch, Tier
from inklings_desktop.usecases.memories.find_written import FindWritten
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, an_agent

if TYPE_CHECKING:
    from inklings_desktop.usecases.memories.find_written import Written
    from tests.usecases.world import World

PERSON = a_person()
LOOM, WEAVER = an_agent("loom"), an_agent("weaver")


def written(world: World, name: str = "loom") -> Written:
    return FindWritten(world.store)(PERSON, name, WORKSPACE_ID)


def test_a_memory_carries_the_name_of_who_wrote_it(world: World) -> None:
    assert world.put(LOOM, a_draft("Nerys walks")).by == "loom"
    assert world.put(PERSON, a_draft("Nerys runs")).by == "author"


def test_whoever_changes_the_text_has_written_it(world: World) -> None:
    entry = world.put(LOOM, a_draft("Nerys walks"))
    heavier = world.update(WEAVER, entry.ref, MemoryPatch(importance=0.9), expected_version=1)
    assert heavier.by == "loom"
    changed = world.update(WEAVER, entry.ref, MemoryPatch(content="She runs"), expected_version=2)
    assert changed.by == "weaver"
    back = world.restore_version(PERSON, entry.ref, 1, expected_version=3)
    assert back.after.by == "loom"


def test_what_a_client_wrote_is_found_without_what_the_author_rewrote(world: World) -> None:
    kept = world.put(LOOM, a_draft("Nerys walks"))
    rewritten = world.put(LOOM, a_draft("Nerys runs"))
    world.update(PERSON, rewritten.ref, MemoryPatch(content="Mine"), expected_version=1)
    locked = world.put(LOOM, a_draft("Nerys sings"))
    world.mark(PERSON, [locked.ref], MemoryMark.LOCKED, on=True)
    world.put(WEAVER, a_draft("Nerys weaves"))
    world.put(PERSON, a_draft("Nerys rests"))
    found = written(world)
    assert [one.id for one in found.free] == [kept.id]
    assert found.n_locked == found.n_rewritten == 1
    assert found.n_pinned == 0
    world.mark(PERSON, [kept.ref], MemoryMark.PINNED, on=True)
    assert written(world).n_pinned == 1
    world.forget(PERSON, [kept.ref])
    assert written(world).free == ()


def test_a_filter_asks_for_the_writer() -> None:
    where = MemoryFilter(writers=frozenset({"loom"}))
    assert where.selects_by_value
    assert where.admits(replace(a_memory(), written_by="loom"))
    assert not where.admits(replace(a_memory(), written_by="weaver"))


def test_no_agent_asks_what_another_wrote(world: World) -> None:
    with pytest.raises(ScopeDeniedError) as refused:
        FindWritten(world.store)(LOOM, "weaver", WORKSPACE_ID)
    assert refused.value.tier == Tier.WORKSPACE.value
