"""What an agent is given whose words match nothing: what matters most, and no read is counted."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.read_memories import ReadResult
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_memory, an_agent
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
AGENT = an_agent()


def read(
    world: World,
    query: str,
    *,
    mode: SearchMode = SearchMode.KEYWORD,
    limit: int = 10,
    found_only: bool = False,
) -> ReadResult:
    return asked_by(AGENT, world).search.read(
        SCOPE, query=query, mode=mode, limit=limit, found_only=found_only
    )


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
    with pytest.raises(ScopeDeniedError):
        asked_by(AGENT, world).search.read(ScopeKey.account(), query="unicorn")


def embedded(world: World, *contents: str) -> tuple[str, ...]:
    """Ids of memories with vectors."""
    kept = world.keep(*map(a_memory, contents))
    vectors = world.embedder.embed(contents)
    with world.store.write(WORKSPACE_ID, initiator="clock") as unit:
        rows = [(one.id, one.content, row) for one, row in zip(kept, vectors, strict=True)]
        unit.memories.put_vectors(world.embedder.model_id, rows)
        unit.commit()
    return tuple(one.id for one in kept)


def reads_of(world: World, ids: tuple[str, ...]) -> list[int]:
    return [world.stored(one).access_count for one in ids]


def test_the_nearest_of_what_is_there_are_no_match_and_never_read(world: World) -> None:
    ids = embedded(world, "Tides are counted in bells.", "Salt is dear.")
    for _ in range(4):
        found = read(world, "unicorn", mode=SearchMode.HYBRID)
        assert (found.mode, found.matched) == (SearchMode.HYBRID, False)
        assert sorted((one.entry.id, one.matched) for one in found.memories) == sorted(
            (one, False) for one in ids
        )
    assert reads_of(world, ids) == [0, 0]


def test_beside_a_match_what_is_merely_near_is_marked_and_not_read(world: World) -> None:
    ids = embedded(world, "Tides are counted in bells.", "Salt is dear.")
    found = read(world, "tides", mode=SearchMode.HYBRID)
    assert found.matched
    assert {one.entry.id: one.matched for one in found.memories} == dict(
        zip(ids, (True, False), strict=True)
    )
    assert reads_of(world, ids) == [1, 0]


def test_found_only_leaves_out_what_is_merely_near(world: World) -> None:
    embedded(world, "Tides are counted in bells.", "Salt is dear.")
    assert texts(read(world, "tides", mode=SearchMode.HYBRID, found_only=True)) == [
        "Tides are counted in bells."
    ]
    nothing = read(world, "unicorn", mode=SearchMode.HYBRID, found_only=True)
    assert (texts(nothing), nothing.matched) == ([], False)


@pytest.mark.parametrize("mode", SearchMode)
def test_a_miss_says_what_may_help(world: World, mode: SearchMode) -> None:
    embedded(world, "Tides are counted in bells.")
    assert read(world, "tides", mode=mode).next_steps == ()
    assert read(world, "unicorn", mode=mode).next_steps == (
        NextStep.OTHER_WORDS,
        NextStep.WIDER_PLACE,
    )


def test_a_search_of_everything_tells_a_match_from_what_is_near(world: World) -> None:
    ids = embedded(world, "Tides are counted in bells.", "Salt is dear.")
    search = asked_by(AGENT, world).search.find_open
    missed = search(WORKSPACE_ID, "unicorn tag:ship")
    assert (missed.matched, missed.next_steps) == (
        False,
        (NextStep.OTHER_WORDS, NextStep.FEWER_FILTERS),
    )
    found = search(WORKSPACE_ID, "tides")
    assert {one.entry.id: one.matched for one in found.memories} == dict(
        zip(ids, (True, False), strict=True)
    )
    assert reads_of(world, ids) == [1, 0]
    only = search(WORKSPACE_ID, "unicorn", found_only=True)
    assert (only.memories, only.matched) == ((), False)
