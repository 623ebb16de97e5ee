from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memory import Curator, ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchRequest, SearchResult
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_draft,
    a_memory,
    a_person,
    an_agent,
    the_clock,
)
from tests.support.fake_embedder import FakeEmbedder
from tests.usecases.world import World, a_world

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()
AGENT = an_agent()


def ids(result: SearchResult) -> list[str]:
    return [hit.entry.id for hit in result.hits]


def embed_all(world: World) -> None:
    with world.store.write(WORKSPACE_ID, initiator="clock") as unit:
        missing = unit.memories.without_vector(world.embedder.model_id, 1000)
        matrix = world.embedder.embed([content for _, content in missing])
        unit.memories.put_vectors(
            world.embedder.model_id,
            [(one, text, row) for (one, text), row in zip(missing, matrix, strict=True)],
        )
        unit.commit()
    world.publisher.published.clear()


@pytest.mark.requirement("memory-retrieval")
def test_an_agents_search_counts_as_one_read_of_every_hit(world: World) -> None:
    hit, other = world.keep(a_memory("Elarindë sleeps"), a_memory("Nothing here"))
    world.clock.advance(hours=3)
    result = world.asked_by(AGENT).search.find(
        [SCOPE], SearchRequest("Elarinde", mode=SearchMode.KEYWORD)
    )
    assert ids(result) == [hit.id]
    read = world.stored(hit.id)
    assert (read.access_count, read.accessed_at) == (1, NOON + timedelta(hours=3))
    assert (read.version, read.edited_at) == (1, None)
    assert world.stored(other.id).access_count == 0
    (changes,) = world.publisher.published
    assert changes.updated == (hit.id,)
    assert world.events() == ()


def test_a_hit_by_words_and_meaning_is_read_once(world: World) -> None:
    (hit,) = world.keep(a_memory("The dragon sleeps"))
    embed_all(world)
    result = world.asked_by(AGENT).search.find([SCOPE], SearchRequest("dragon dragon sleeps"))
    assert result.hits[0].explanation.keyword_rank == 1
    assert result.hits[0].explanation.semantic_rank == 1
    assert world.stored(hit.id).access_count == 1


def test_only_hits_that_are_handed_out_are_read(world: World) -> None:
    entries = world.keep(*(a_memory(f"dragon {n}") for n in range(5)))
    result = world.asked_by(AGENT).search.find([SCOPE], SearchRequest("dragon", limit=2))
    assert len(result.hits) == 2
    reads = {one.id: world.stored(one.id).access_count for one in entries}
    assert sorted(reads.values()) == [0, 0, 0, 1, 1]
    assert all(reads[one] == 1 for one in ids(result))


@pytest.mark.parametrize("caller", [PERSON, the_clock()], ids=["person", "clock"])
def test_a_persons_search_changes_nothing(world: World, caller: Caller) -> None:
    world.keep(a_memory("The dragon sleeps"))
    embed_all(world)
    before = world.everything()
    assert len(world.asked_by(caller).search.find([SCOPE], SearchRequest("dragon")).hits) == 1
    assert world.everything() == before
    assert world.publisher.published == []


def test_a_search_that_finds_nothing_writes_nothing(world: World) -> None:
    world.keep(a_memory("The dragon sleeps"))
    assert world.asked_by(AGENT).search.find([SCOPE], SearchRequest("harbour")).hits == ()
    assert world.publisher.published == []


@pytest.mark.parametrize("caller", [PERSON, AGENT], ids=["person", "agent"])
@pytest.mark.parametrize("text", ["dragon", "the sleeping dragon", "drag"])
def test_forgotten_and_paused_memories_are_never_found(
    world: World, caller: Caller, text: str
) -> None:
    here, gone, paused = world.keep(
        a_memory("The dragon sleeps"), a_memory("dragon dragon"), a_memory("sleeping dragon")
    )
    embed_all(world)
    world.person.memories.forget([gone.ref])
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.memories.add([a_memory("dragon paused", memory_id="paused", paused=True)])
        unit.commit()
    world.person.memories.forget([paused.ref])
    result = world.asked_by(caller).search.find(
        [SCOPE], SearchRequest(text, last_word_is_open=True)
    )
    assert ids(result) == [here.id]
    assert world.stored("paused").access_count == 0


def test_a_restored_memory_is_found_again(world: World) -> None:
    entry = world.person.memories.put(a_draft("The dragon sleeps"))
    world.person.memories.forget([entry.ref])
    assert world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon")).hits == ()
    world.person.memories.restore([entry.ref])
    assert ids(world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon"))) == [entry.id]


@pytest.mark.requirement("agent-private")
def test_private_memories_of_others_are_never_found(world: World) -> None:
    shared, private = world.keep(
        a_memory("The dragon sleeps"), a_memory("A secret dragon", agent_id="researcher")
    )
    embed_all(world)
    request = SearchRequest("secret dragon")
    assert ids(world.asked_by(an_agent("writer")).search.find([SCOPE], request)) == [shared.id]
    assert world.stored(private.id).access_count == 0
    assert set(ids(world.asked_by(an_agent("researcher")).search.find([SCOPE], request))) == {
        shared.id,
        private.id,
    }
    assert private.id in ids(world.asked_by(PERSON).search.find([SCOPE], request))


def test_a_search_stays_inside_its_scope_keys(world: World) -> None:
    one, two = (ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two"))
    world.keep(
        a_memory("dragon", memory_id="one", scope=one),
        a_memory("dragon", memory_id="two", scope=two),
        a_memory("dragon", memory_id="wide"),
    )
    embed_all(world)
    assert ids(world.asked_by(PERSON).search.find([one], SearchRequest("dragon"))) == ["one"]
    assert set(ids(world.asked_by(PERSON).search.find([one, two], SearchRequest("dragon")))) == {
        "one",
        "two",
    }
    assert world.asked_by(PERSON).search.find([], SearchRequest("dragon")).hits == ()
    with pytest.raises(InvalidValueError):
        world.asked_by(PERSON).search.find([one, SCOPE], SearchRequest("dragon"))


@pytest.mark.parametrize(
    "agent",
    [
        an_agent(grants=()),
        an_agent(workspace_id=OTHER_WORKSPACE_ID),
        an_agent(actions=frozenset({Action.WRITE})),
        an_agent(keys=frozenset({"elsewhere"})),
    ],
)
def test_a_closed_scope_is_refused_before_anything_is_looked_up(
    world: World, agent: Caller
) -> None:
    world.keep(a_memory("dragon"))
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).search.find([SCOPE], SearchRequest("dragon"))
    assert world.embedder.asked == []
    assert world.publisher.published == []


@pytest.mark.parametrize("text", ["", "  ", "?!", "\x00", "\ud800"])
def test_a_text_without_a_word_finds_nothing(world: World, text: str) -> None:
    world.keep(a_memory("dragon"))
    result = world.asked_by(AGENT).search.find([SCOPE], SearchRequest(text))
    assert result.hits == ()
    assert result.query.is_empty
    assert world.embedder.asked == []


def test_a_filter_narrows_the_search(world: World) -> None:
    world.keep(
        a_memory("dragon", memory_id="agent"),
        a_memory("dragon by hand", memory_id="author", curator=Curator.AUTHOR),
    )
    where = MemoryFilter(curators=frozenset({Curator.AUTHOR}))
    assert ids(
        world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon", where=where))
    ) == ["author"]


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(InvalidValueError) as caught:
        SearchRequest("dragon", limit=limit)
    assert caught.value.field == "limit"


def test_nobody_searches_forgotten_memories() -> None:
    with pytest.raises(InvalidValueError) as caught:
        SearchRequest("dragon", where=MemoryFilter(state=MemoryState.FORGOTTEN))
    assert caught.value.rule == "forgotten_never_found"


# meaning


def test_meaning_finds_what_words_do_not(world: World) -> None:
    world.embedder = FakeEmbedder(same={"wyrm": "dragon"})
    world.keep(a_memory("An old dragon", memory_id="d"), a_memory("A harbour", memory_id="h"))
    embed_all(world)
    result = world.asked_by(PERSON).search.find([SCOPE], SearchRequest("wyrm"))
    assert (ids(result), result.mode) == (["d"], SearchMode.HYBRID)
    explanation = result.hits[0].explanation
    assert (explanation.keyword_rank, explanation.semantic_rank) == (None, 1)
    keyword = world.asked_by(PERSON).search.find(
        [SCOPE], SearchRequest("wyrm", mode=SearchMode.KEYWORD)
    )
    assert (keyword.hits, keyword.mode) == ((), SearchMode.KEYWORD)


def test_a_person_is_spared_far_neighbours_and_an_agent_gets_them(world: World) -> None:
    world.keep(a_memory("dragon", memory_id="near"), a_memory("harbour", memory_id="far"))
    embed_all(world)
    assert ids(world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon"))) == ["near"]
    assert ids(world.asked_by(AGENT).search.find([SCOPE], SearchRequest("dragon"))) == [
        "near",
        "far",
    ]


@pytest.mark.parametrize(
    ("calibration", "found"),
    [(Calibration(shown=0.9), ["both"]), (Calibration(shown=0.5), ["both", "like"])],
)
def test_what_is_about_the_same_is_decided_on_the_scale_of_the_model(
    world: World, calibration: Calibration, found: list[str]
) -> None:
    world.embedder = FakeEmbedder(same={"wyrm": "dragon"}, calibration=calibration)
    world.keep(a_memory("dragon", memory_id="both"), a_memory("wyrm harbour", memory_id="like"))
    embed_all(world)
    result = world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon"))
    assert ids(result) == found
    assert all(hit.explanation.is_found for hit in result.hits)


def test_of_a_model_that_says_nothing_of_its_scale_words_alone_count_as_found(
    world: World,
) -> None:
    world.embedder = FakeEmbedder(same={"wyrm": "dragon"}, calibration=UNMEASURED)
    world.keep(a_memory("dragon", memory_id="said"), a_memory("wyrm", memory_id="meant"))
    embed_all(world)
    assert ids(world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon"))) == ["said"]
    nearest = world.asked_by(AGENT).search.find([SCOPE], SearchRequest("dragon"))
    assert ids(nearest) == ["said", "meant"]
    assert [hit.explanation.is_found for hit in nearest.hits] == [True, False]


@pytest.mark.parametrize(
    "embedder", [FakeEmbedder(is_available=False), FakeEmbedder(fails=True)], ids=["none", "fails"]
)
def test_without_a_working_model_words_still_answer(world: World, embedder: FakeEmbedder) -> None:
    world.keep(a_memory("dragon", memory_id="d"))
    world.embedder = embedder
    result = world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon"))
    assert (ids(result), result.mode) == (["d"], SearchMode.KEYWORD)
    assert result.hits[0].explanation.cosine is None


def test_vectors_of_another_model_are_not_compared(world: World) -> None:
    world.keep(a_memory("harbour", memory_id="h"))
    embed_all(world)
    world.embedder = FakeEmbedder(model_id="other", same={"port": "harbour"})
    assert world.asked_by(AGENT).search.find([SCOPE], SearchRequest("port")).hits == ()


def test_an_open_last_word_finds_while_it_is_typed(world: World) -> None:
    world.keep(a_memory("Elarindë sleeps", memory_id="e"))
    typing = SearchRequest("elar", mode=SearchMode.KEYWORD, last_word_is_open=True)
    assert ids(world.asked_by(PERSON).search.find([SCOPE], typing)) == ["e"]
    finished = SearchRequest("elar", mode=SearchMode.KEYWORD)
    assert ids(world.asked_by(PERSON).search.find([SCOPE], finished)) == []


def test_relevance_now_weighs_in_gently(world: World) -> None:
    world.keep(
        a_memory("dragon one", memory_id="faint", importance=0.0),
        a_memory("dragon two", memory_id="vivid", importance=1.0),
    )
    result = world.asked_by(PERSON).search.find(
        [SCOPE], SearchRequest("dragon", mode=SearchMode.KEYWORD)
    )
    assert ids(result) == ["vivid", "faint"]
    assert [hit.explanation.fading.relevance for hit in result.hits] == [1.0, 0.0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(), max_size=60), is_open=st.booleans())
def test_any_text_is_a_legal_search(world: World, text: str, *, is_open: bool) -> None:
    if not world.memories():
        world.keep(a_memory("The dragon sleeps"), a_memory("東京 🐉 Elarindë"))
    result = world.asked_by(AGENT).search.find(
        [SCOPE], SearchRequest(text, last_word_is_open=is_open)
    )
    assert len(result.hits) <= 2


# folding


def test_the_list_is_refilled_where_duplicates_were_folded(world: World) -> None:
    world.keep(
        *(a_memory("dragon  " + " " * n, memory_id=f"a{n:03}") for n in range(200)),
        *(a_memory(f"dragon number {n}", memory_id=f"b{n}") for n in range(5)),
    )
    for caller in (PERSON, AGENT):
        result = world.asked_by(caller).search.find([SCOPE], SearchRequest("dragon", limit=4))
        assert len(result.hits) == 4
        assert sum(one.startswith("a") for one in ids(result)) == 1


def test_what_says_the_same_stands_behind_the_better_hit(world: World) -> None:
    world.embedder = FakeEmbedder(same={"wyrm": "dragon"})
    world.keep(
        a_memory("the old dragon sleeps", memory_id="a"),
        a_memory("The old DRAGON sleeps.", memory_id="b"),
        a_memory("the old wyrm sleeps", memory_id="c"),
    )
    embed_all(world)
    for mode in SearchMode:
        result = world.asked_by(AGENT).search.find([SCOPE], SearchRequest("old dragon", mode))
        assert ids(result) == ["a", "c"]
        assert result.hits[0].explanation.folded == ("b",)
    assert world.stored("b").access_count == 0


# the same answer


def test_the_order_of_writing_decides_nothing(kept_roots: Path, tmp_path: Path) -> None:
    texts = [f"dragon {word}" for word in ("one", "two", "six")] * 15
    named = [(f"m{n:02}", text) for n, text in enumerate(texts)]
    answers = []
    orders = (named, named[::-1], sorted(named, key=lambda one: one[0][::-1]))
    for number, order in enumerate(orders):
        with a_world(kept_roots, tmp_path / str(number)) as world:
            for memory_id, text in order:
                world.keep(a_memory(text, memory_id=memory_id))
            embed_all(world)
            found = world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon", limit=5))
            answers.append([(hit.entry.id, hit.score, hit.explanation) for hit in found.hits])
    assert answers[0] == answers[1] == answers[2]


def test_keys_of_one_tier_merge_by_score(world: World) -> None:
    one, two = (ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two"))
    world.keep(
        a_memory("dragon dragon dragon", memory_id="best", scope=one),
        a_memory("dragon dragon here", memory_id="good", scope=two),
        a_memory("dragon here now", memory_id="fair", scope=one),
    )
    request = SearchRequest("dragon", SearchMode.KEYWORD)
    assert ids(world.asked_by(PERSON).search.find([one, two], request)) == ["best", "good", "fair"]
    assert ids(world.asked_by(PERSON).search.find([two, one, two], request)) == [
        "best",
        "good",
        "fair",
    ]


# query vectors


def test_a_text_is_embedded_once(world: World) -> None:
    world.keep(a_memory("dragon", memory_id="d"))
    search = world.person.search
    for _ in range(3):
        found = search.find([SCOPE], SearchRequest("dragon"))
        assert found.mode is SearchMode.HYBRID
    assert world.embedder.asked == [("dragon",)]


def test_vectors_of_another_length_leave_the_answer_to_words(world: World) -> None:
    world.keep(a_memory("dragon", memory_id="d"))
    embed_all(world)
    world.embedder = FakeEmbedder(dimension=32)
    result = world.asked_by(PERSON).search.find([SCOPE], SearchRequest("dragon"))
    assert (ids(result), result.mode) == (["d"], SearchMode.KEYWORD)
