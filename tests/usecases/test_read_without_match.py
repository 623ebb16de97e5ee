"""What an agent is given whose words match nothing: what matters most, and no read is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.read_memories import ReadMemories, ReadResult
from tests.support.builders import WORKSPACE_ID, a_memory, an_agent

if TYPE_CHECKING:
    from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
AGENT = an_agent()


def read(world: World, query: str, *, limit: int = 10) -> ReadResult:
    reading = ReadMemories(
        world.store, world.search, world.clock, world.settings, world.count_reads
    )
    return reading(AGENT, SCOPE, query=query, mode=SearchMode.KEYWORD, limit=limit)


def texts(result: ReadResult) -> list[str]:
    return [one.entry.content for one in result.memories]


def test_words_that_match_nothing_give_what_matters_most(world: World) -> None:
    world.keep(
        a_memory("Check formatting tomorrow.", importance=0.1),
        a_memory("Core theme: redemption arc for the protagonist.", importance=0.9),
        a_memory("Tides are counted in bells.", importance=0.5),
    )
    found = read(world, "What do you remember about this workspace?", limit=2)
    assert not found.matched
    assert texts(found) == [
        "Core theme: redemption arc for the protagonist.",
        "Tides are counted in bells.",
    ]
    assert {one.score for one in found.memories} == {None}


def test_what_nobody_asked_for_is_not_counted_as_read(world: World) -> None:
    kept = world.keep(a_memory("Tides are counted in bells."))
    for _ in range(3):
        assert texts(read(world, "unicorn")) == ["Tides are counted in bells."]
    assert [world.stored(one.id).access_count for one in kept] == [0]
    assert world.publisher.published == []


def test_one_match_is_enough_to_leave_out_all_the_rest(world: World) -> None:
    world.keep(
        a_memory("Tides are counted in bells.", importance=0.1),
        a_memory("Salt is dear.", importance=1.0),
    )
    found = read(world, "tides")
    assert (found.matched, texts(found)) == (True, ["Tides are counted in bells."])


def test_what_may_not_be_found_is_not_given_instead(world: World) -> None:
    world.keep(
        a_memory("private to another", agent_id="writer"),
        a_memory("paused", paused=True),
        a_memory("elsewhere", scope=ScopeKey.channel(WORKSPACE_ID, world.general.id)),
    )
    found = read(world, "unicorn")
    assert (found.matched, texts(found)) == (False, [])


def test_a_closed_scope_is_refused_whatever_was_asked(world: World) -> None:
    reading = ReadMemories(
        world.store, world.search, world.clock, world.settings, world.count_reads
    )
    with pytest.raises(ScopeDeniedError):
        reading(AGENT, ScopeKey.account(), query="unicorn")
