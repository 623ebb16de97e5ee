from __future__ import annotations

import pytest

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.memory import MemoryPatch, ScopeKey
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_draft, a_memory, the_clock
from tests.support.fake_embedder import FakeEmbedder
from tests.usecases.world import World


def embedded(world: World) -> set[str]:
    return {one.id for one in world.memories() if one.embedding_model is not None}


def test_missing_vectors_are_stored_step_by_step(world: World) -> None:
    entries = world.keep(*(a_memory(f"text {n}") for n in range(5)))
    embed = asked_by(the_clock(), world).tasks.embed
    assert [embed(WORKSPACE_ID, limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert embedded(world) == {one.id for one in entries}
    assert len(world.publisher.published) == 3
    assert world.embedder.asked[0] == ("text 0", "text 1")


def test_only_the_memories_named_are_embedded(world: World) -> None:
    one, two = world.keep(a_memory("one"), a_memory("two"))
    backfill = asked_by(the_clock(), world).tasks.embed
    assert backfill(WORKSPACE_ID, ids=[two.id]) == 1
    assert embedded(world) == {two.id}
    assert backfill(WORKSPACE_ID, ids=[two.id]) == 0
    assert world.stored(one.id).embedding_model is None


def test_forgotten_and_paused_memories_wait(world: World) -> None:
    world.keep(a_memory(forgotten_at=NOON), a_memory(paused=True))
    assert asked_by(the_clock(), world).tasks.embed(WORKSPACE_ID) == 0
    assert world.embedder.asked == []


def test_without_a_model_nothing_happens(world: World) -> None:
    world.keep(a_memory())
    embedder = FakeEmbedder(is_available=False)
    assert asked_by(the_clock(), world, embedder=embedder).tasks.embed(WORKSPACE_ID) == 0
    assert world.publisher.published == []


def test_a_model_that_fails_says_so_and_stores_nothing(world: World) -> None:
    world.keep(a_memory())
    with pytest.raises(EmbeddingUnavailableError):
        asked_by(the_clock(), world, embedder=FakeEmbedder(fails=True)).tasks.embed(WORKSPACE_ID)
    assert embedded(world) == set()


def test_a_new_text_needs_a_new_vector_and_new_tags_do_not(world: World) -> None:
    entry = world.person.memories.put(a_draft("Old"))
    backfill = world.asked_by(the_clock()).tasks.embed
    backfill(WORKSPACE_ID)
    tagged = world.person.memories.update(entry.ref, MemoryPatch(tags=("x",)), expected_version=1)
    assert tagged.embedding_model == "fake"
    edited = world.person.memories.update(entry.ref, MemoryPatch(content="New"), expected_version=2)
    assert edited.embedding_model is None
    assert backfill(WORKSPACE_ID) == 1


def test_another_model_embeds_again(world: World) -> None:
    world.keep(a_memory())
    asked_by(the_clock(), world).tasks.embed(WORKSPACE_ID)
    other = FakeEmbedder(model_id="other")
    assert asked_by(the_clock(), world, embedder=other).tasks.embed(WORKSPACE_ID) == 1


def test_the_account_has_vectors_of_its_own(world: World) -> None:
    (entry,) = world.keep(a_memory(scope=ScopeKey.account()))
    backfill = asked_by(the_clock(), world).tasks.embed
    assert backfill(WORKSPACE_ID) == 0
    assert backfill(None) == 1
    assert world.stored(entry.id, None).embedding_model == "fake"
