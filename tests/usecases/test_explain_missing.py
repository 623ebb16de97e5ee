from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.explain_missing import Missing, Stage
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import NOON, WORKSPACE_ID, a_memory, a_person, an_agent
from tests.usecases.test_search_memories import embed_all
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()
AGENT = an_agent()


def why(
    world: World, memory_id: str, text: str = "dragon", caller: Caller = PERSON, limit: int = 10
) -> Missing:
    return world.asked_by(caller).search.explain_missing(
        [SCOPE], SearchRequest(text, limit=limit), memory_id
    )


def test_a_memory_that_is_a_hit_is_named_with_its_place(world: World) -> None:
    world.keep(a_memory("dragon dragon", memory_id="a"), a_memory("one dragon", memory_id="b"))
    found = why(world, "b")
    assert (found.stage, found.position) == (Stage.FOUND, 2)
    assert found.explanation is not None
    assert found.explanation.keyword_rank == 2


def test_what_is_elsewhere_or_nowhere_is_not_here(world: World) -> None:
    world.keep(
        a_memory("dragon", memory_id="away", scope=ScopeKey.channel(WORKSPACE_ID, "one")),
        a_memory("dragon", memory_id="private", agent_id="researcher"),
    )
    assert why(world, "away").stage is Stage.NOT_HERE
    assert why(world, "never").stage is Stage.NOT_HERE
    assert why(world, "private", caller=an_agent("writer")).stage is Stage.NOT_HERE
    assert why(world, "private", caller=an_agent("writer")).entry is None
    assert why(world, "private").stage is Stage.FOUND
    assert (
        world.asked_by(PERSON).search.explain_missing([], SearchRequest("x"), "away").stage
        is Stage.NOT_HERE
    )


def test_forgotten_and_paused_memories_are_told_to_the_person_alone(world: World) -> None:
    world.keep(
        a_memory("dragon", memory_id="gone", forgotten_at=NOON, forgotten_reason="by hand"),
        a_memory("dragon", memory_id="paused", paused=True),
    )
    assert why(world, "gone").stage is Stage.FORGOTTEN
    assert why(world, "paused").stage is Stage.PAUSED
    assert why(world, "gone", caller=AGENT).stage is Stage.NOT_HERE
    assert why(world, "paused", caller=AGENT).stage is Stage.NOT_HERE


@pytest.mark.parametrize(
    "where",
    [
        MemoryFilter(sources=frozenset({"x"})),
        MemoryFilter(tags=frozenset({"x"})),
        MemoryFilter(importance_min=0.9),
        MemoryFilter(importance_max=0.1),
    ],
)
def test_what_the_filters_leave_out_is_filtered(world: World, where: MemoryFilter) -> None:
    world.keep(a_memory("dragon", memory_id="d"))
    request = SearchRequest("dragon", where=where)
    assert world.asked_by(PERSON).search.find([SCOPE], request).hits == ()
    assert (
        world.asked_by(PERSON).search.explain_missing([SCOPE], request, "d").stage is Stage.FILTERED
    )


def test_a_query_without_a_word_looks_for_nothing(world: World) -> None:
    world.keep(a_memory("dragon", memory_id="d"))
    assert why(world, "d", "?!").stage is Stage.NO_WORDS


def test_no_match_says_how_far_off_the_meaning_is(world: World) -> None:
    world.keep(a_memory("harbour", memory_id="h"), a_memory("quay", memory_id="bare"))
    assert why(world, "bare").has_vector is False
    embed_all(world)
    missing = why(world, "h")
    assert (missing.stage, missing.keyword_rank, missing.has_vector) == (Stage.NO_MATCH, None, True)
    assert missing.cosine is not None
    assert missing.cosine < 0.25
    assert why(world, "h", caller=AGENT).stage is Stage.FOUND
    words = SearchRequest("dragon", SearchMode.KEYWORD)
    assert world.asked_by(PERSON).search.explain_missing([SCOPE], words, "h").cosine is None


def test_what_is_too_far_down_both_lists_is_named_with_its_places(world: World) -> None:
    world.keep(
        *(a_memory(f"dragon dragon {n}", memory_id=f"m{n:03}") for n in range(100)),
        a_memory("one dragon among words", memory_id="last"),
    )
    missing = why(world, "last")
    assert (missing.stage, missing.keyword_rank) == (Stage.BELOW_LISTS, 101)
    assert missing.semantic_rank is None


def test_a_folded_memory_names_the_hit_it_stands_behind(world: World) -> None:
    world.keep(a_memory("dragon", memory_id="a"), a_memory("Dragon", memory_id="b"))
    missing = why(world, "b")
    assert (missing.stage, missing.folded_into, missing.position) == (Stage.FOLDED, "a", None)


def test_what_is_ranked_below_the_limit_is_named_with_its_place(world: World) -> None:
    world.keep(*(a_memory(f"dragon {n}", memory_id=f"m{n}") for n in range(5)))
    hits = world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon", limit=5)).hits
    third = hits[2].entry.id
    missing = why(world, third, limit=2)
    assert (missing.stage, missing.position) == (Stage.BELOW_LIMIT, 3)


@pytest.mark.parametrize("caller", [PERSON, AGENT], ids=["person", "agent"])
def test_asking_counts_as_no_read(world: World, caller: Caller) -> None:
    world.keep(a_memory("dragon", memory_id="a"), a_memory("dragon sleeps", memory_id="b"))
    embed_all(world)
    before = world.everything()
    for memory_id in ("a", "b", "c"):
        why(world, memory_id, caller=caller)
    assert world.everything() == before
    assert world.publisher.published == []


def test_a_closed_scope_is_refused(world: World) -> None:
    world.keep(a_memory("dragon", memory_id="a"))
    with pytest.raises(ScopeDeniedError):
        why(world, "a", caller=an_agent(actions=frozenset({Action.WRITE})))
    assert world.embedder.asked == []
