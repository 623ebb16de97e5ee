from __future__ import annotations

import pytest

from inklings_desktop.domain.memory import MemoryPatch, ScopeKey
from inklings_desktop.domain.search import ranking
from inklings_desktop.domain.search.explanation import Placing
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchRequest, retrieved
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_draft, a_memory, a_person, the_clock
from tests.support.word_embedder import FakeWordEmbedder
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
REQUEST = SearchRequest("Where is the harbour of Vael?")
TEXTS = ("Vael drowns at every tide", "The harbour lies in the west", "Vael has a harbour")


def backfill(world: World, embedder: FakeWordEmbedder) -> None:
    asked_by(the_clock(), world, embedder=embedder).tasks.backfill(WORKSPACE_ID)


def search(
    world: World, embedder: FakeWordEmbedder, request: SearchRequest = REQUEST
) -> list[Placing]:
    search = asked_by(a_person(), world, embedder=embedder).search
    return list(retrieved(search, [SCOPE], request).placings)


def words_kept(world: World) -> dict[str, bytes]:
    return dict(world.rows("SELECT id, data FROM memory_tokens JOIN memories USING (sequence)"))


def tags_kept(world: World) -> list[str]:
    return [tag for (tag,) in world.rows("SELECT tag FROM tag_tokens")]


def test_words_come_with_the_vectors(world: World) -> None:
    embedder = FakeWordEmbedder()
    (one,) = world.keep(a_memory("The harbour of Vael", tags=("Old Town",)))

    assert asked_by(the_clock(), world, embedder=embedder).tasks.embed(WORKSPACE_ID) == 1

    assert words_kept(world) == {one.id: embedder.words("harbour Vael")}
    assert world.rows("SELECT tag, space, data FROM tag_tokens") == [
        ("Old Town", embedder.token_space, embedder.words("old town"))
    ]
    assert embedder.asked == [("The harbour of Vael",), ("Old Town",)]


def test_what_has_a_vector_alone_gets_its_words_later(world: World) -> None:
    embedder = FakeWordEmbedder(is_switched_on=False)
    entries = world.keep(*(a_memory(text, tags=("sea",)) for text in TEXTS))
    backfill(world, embedder)
    assert words_kept(world) == {}

    embedder.is_switched_on = True
    n_vectors = len(world.publisher.published)
    backfill(world, embedder)

    assert set(words_kept(world)) == {one.id for one in entries}
    assert tags_kept(world) == ["sea"]
    assert n_vectors <= len(world.publisher.published)


def test_switched_off_everything_of_it_goes(world: World) -> None:
    embedder = FakeWordEmbedder()
    world.keep(a_memory("The harbour of Vael", tags=("sea",)))
    backfill(world, embedder)
    assert words_kept(world)

    embedder.is_switched_on = False
    backfill(world, embedder)

    assert words_kept(world) == {}
    assert tags_kept(world) == []


def test_tokens_follow_content_and_tags(world: World) -> None:
    embedder = FakeWordEmbedder()
    entry = world.person.memories.put(a_draft("The old harbour", tags=("sea",)))
    backfill(world, embedder)

    edited = world.person.memories.update(
        entry.ref, MemoryPatch(content="The new quay"), expected_version=1
    )
    with world.store.read(WORKSPACE_ID) as view:
        assert view.tokens.of_memories([entry.id], embedder.token_space) == {}
    backfill(world, embedder)
    assert words_kept(world) == {entry.id: embedder.words("new quay")}

    world.person.memories.update(
        edited.ref, MemoryPatch(tags=("tide",)), expected_version=edited.version
    )
    asked_by(the_clock(), world, embedder=embedder).tasks.embed(WORKSPACE_ID, ids=[entry.id])
    backfill(world, embedder)

    assert words_kept(world) == {entry.id: embedder.words("new quay")}
    assert "tide" in tags_kept(world)


def test_words_of_the_question_in_one_memory_beat_them_in_several(world: World) -> None:
    embedder = FakeWordEmbedder()
    *_, both = world.keep(*map(a_memory, TEXTS))
    backfill(world, embedder)

    hits = search(world, embedder)

    assert hits[0].id == both.id
    parts = {one.id: one.explanation.blend.word_by_word for one in hits}
    assert parts[both.id] == max(parts.values())
    assert parts[both.id] == pytest.approx(ranking.OWN * ranking.WORD_BY_WORD)
    assert all(one.explanation.blend.total <= 1.0 + 1e-9 for one in hits)


def test_a_tag_that_the_question_names_counts_as_the_memorys_words(world: World) -> None:
    embedder = FakeWordEmbedder(same={"haven": "harbour"})
    told, bare = world.keep(
        a_memory("It drowns at every tide", tags=("haven",)), a_memory("It drowns at each tide")
    )
    backfill(world, embedder)

    parts = {
        one.id: one.explanation.blend.word_by_word
        for one in search(world, embedder, SearchRequest("harbour tide"))
    }

    assert parts[told.id] > parts[bare.id]


def test_search_without_tokens_is_first_stage(world: World) -> None:
    without, embedder = FakeWordEmbedder(is_switched_on=False), FakeWordEmbedder()
    world.keep(*map(a_memory, TEXTS))
    backfill(world, without)
    first = search(world, without)

    # The question has words; of the memories none is known yet.
    assert search(world, embedder) == first
    backfill(world, embedder)
    assert search(world, embedder) != first
    assert search(world, without) == first
    assert all(one.explanation.blend.word_by_word == 0.0 for one in first)


def test_a_search_by_words_alone_asks_for_none(world: World) -> None:
    embedder = FakeWordEmbedder()
    world.keep(*map(a_memory, TEXTS))
    backfill(world, embedder)
    asked = len(embedder.asked)

    hits = search(world, embedder, SearchRequest("harbour", mode=SearchMode.KEYWORD))

    assert len(embedder.asked) == asked
    assert {one.explanation.blend.word_by_word for one in hits} == {0.0}
