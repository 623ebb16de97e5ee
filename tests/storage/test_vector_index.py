from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memory import MemoryAction, MemoryEntry, ScopeKey
from inklings_desktop.domain.search.hits import NO_HITS, Hits
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, counted_statements, raw, sqlite_world

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
EAST = np.array([1.0, 0.0], np.float32)
IMPORTANT = MemoryFilter(importance_min=0.5)
UNIMPORTANT = MemoryFilter(importance_max=0.4)


def put(world: SqliteWorld, *texts: str) -> list[MemoryEntry]:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.add([a_memory(text) for text in texts])
        unit.memories.put_vectors("m", [(one.id, one.content, EAST) for one in stored])
        unit.commit()
    return list(stored)


def nearest(world: SqliteWorld, where: MemoryFilter = EVERYTHING) -> Hits:
    with world.store.read(WORKSPACE_ID) as view:
        found = view.vectors.nearest([SCOPE], EAST, "m", where=where, visible_to=None, limit=100)
    return found.get(SCOPE, NO_HITS)


def test_damaged_vectors_are_passed_over(world: SqliteWorld) -> None:
    stored = put(world, "good", "not a number", "huge", "zero", "long", "short")
    blobs = {
        stored[1].sequence: np.array([np.nan, 1.0], "<f4").tobytes(),
        stored[2].sequence: np.array([1e38, 0.0], "<f4").tobytes(),
        stored[3].sequence: bytes(8),
    }
    odd = {
        stored[4].sequence: np.array([300.0, 1.0, 1.0], "<f4").tobytes(),
        stored[5].sequence: np.array([1.0], "<f4").tobytes(),
    }
    with raw(world.path()) as connection:
        for sequence, blob in blobs.items():
            connection.execute(
                "UPDATE memory_vectors SET vector = ? WHERE sequence = ?", (blob, sequence)
            )
        for sequence, blob in odd.items():
            connection.execute(
                "UPDATE memory_vectors SET vector = ?, dimension = ? WHERE sequence = ?",
                (blob, len(blob) // 4, sequence),
            )

    assert [hit.id for hit in nearest(world)] == [stored[0].id]


def test_a_search_without_changes_reads_no_vector_again(world: SqliteWorld) -> None:
    put(world, "one", "two")
    nearest(world)

    with counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter:
        assert len(nearest(world)) == 2

    assert not any("memory_vectors" in statement for statement in counter.statements)


def test_vectors_of_another_program_are_found_at_once(world: SqliteWorld) -> None:
    mine = put(world, "mine")
    assert len(nearest(world)) == 1

    with sqlite_world(world.root) as other:
        theirs = put(other, "theirs")

    assert {hit.id for hit in nearest(world)} == {mine[0].id, theirs[0].id}


def test_a_reload_builds_the_arrays_anew(world: SqliteWorld) -> None:
    one, two = put(world, "one", "two")
    assert len(nearest(world)) == 2

    with raw(world.path()) as connection:
        connection.execute("DELETE FROM memory_vectors WHERE sequence = ?", (two.sequence,))
        connection.execute("UPDATE meta SET reload_seq = reload_seq + 1")

    assert [hit.id for hit in nearest(world)] == [one.id]


def test_an_older_view_sees_its_own_state(world: SqliteWorld) -> None:
    put(world, "one")
    with world.store.read(WORKSPACE_ID) as older:
        assert older.memories.active_count(SCOPE) == 1
        put(world, "two")
        assert len(nearest(world)) == 2

        seen = older.vectors.nearest(
            [SCOPE], EAST, "m", where=EVERYTHING, visible_to=None, limit=100
        )

    assert len(seen[SCOPE]) == 1
    assert len(nearest(world)) == 2


def test_a_longer_vector_does_not_win_by_its_length(world: SqliteWorld) -> None:
    near, far = put(world, "near", "far")
    with raw(world.path()) as connection:
        connection.execute(
            "UPDATE memory_vectors SET vector = ? WHERE sequence = ?",
            (np.array([50.0, 50.0], "<f4").tobytes(), far.sequence),
        )

    hits = nearest(world)

    assert [hit.id for hit in hits] == [near.id, far.id]
    assert hits[1].figure == pytest.approx(0.7071, abs=1e-4)


def test_vectors_are_read_before_they_are_asked_for(world: SqliteWorld) -> None:
    put(world, "one", "two")
    with world.store.read(WORKSPACE_ID) as view:
        view.vectors.prepare([SCOPE], "m", EVERYTHING)

    with counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter:
        assert len(nearest(world)) == 2

    assert not any("memory_vectors" in statement for statement in counter.statements)


def set_importance(world: SqliteWorld, memory: MemoryEntry, importance: float) -> MemoryEntry:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.save(
            replace(memory, importance=importance),
            expected_version=memory.version,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.commit()
    return stored


def test_what_a_filter_lets_through_is_found_before_it_is_asked_for(world: SqliteWorld) -> None:
    one, _ = put(world, "one", "two")
    set_importance(world, one, 0.2)
    with world.store.read(WORKSPACE_ID) as view:
        view.vectors.prepare([SCOPE], "m", UNIMPORTANT)

    with counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter:
        assert [hit.id for hit in nearest(world, UNIMPORTANT)] == [one.id]
        assert [hit.id for hit in nearest(world, UNIMPORTANT)] == [one.id]
    assert not any("importance" in statement for statement in counter.statements)


def test_another_filter_and_another_state_let_other_memories_through(world: SqliteWorld) -> None:
    one, two = put(world, "one", "two")
    assert {hit.id for hit in nearest(world, IMPORTANT)} == {one.id, two.id}
    assert not nearest(world, UNIMPORTANT)

    two = set_importance(world, two, 0.2)
    assert [hit.id for hit in nearest(world, UNIMPORTANT)] == [two.id]
    with world.store.read(WORKSPACE_ID) as older:
        assert older.memories.active_count(SCOPE) == 2
        with sqlite_world(world.root) as other:  # another program
            set_importance(other, one, 0.3)
        assert {hit.id for hit in nearest(world, UNIMPORTANT)} == {one.id, two.id}
        seen = older.vectors.nearest(
            [SCOPE], EAST, "m", where=UNIMPORTANT, visible_to=None, limit=9
        )
    assert [hit.id for hit in seen[SCOPE]] == [two.id]
    assert not nearest(world, IMPORTANT)


def test_a_write_finds_what_its_filter_lets_through_among_its_own_changes(
    world: SqliteWorld,
) -> None:
    one, two = put(world, "one", "two")
    assert {hit.id for hit in nearest(world, IMPORTANT)} == {one.id, two.id}

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.save(
            replace(one, importance=0.1),
            expected_version=one.version,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        seen = unit.vectors.nearest([SCOPE], EAST, "m", where=IMPORTANT, visible_to=None, limit=9)

    assert [hit.id for hit in seen[SCOPE]] == [two.id]
    assert {hit.id for hit in nearest(world, IMPORTANT)} == {one.id, two.id}  # it was not kept
