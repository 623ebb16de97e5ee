from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.listing import EVERYTHING
from inklings_desktop.domain.memory import ScopeKey
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import counted_statements, raw, sqlite_world

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.ranking import SemanticHit
    from tests.support.sqlite_store import SqliteWorld

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
EAST = np.array([1.0, 0.0], np.float32)


def put(world: SqliteWorld, *texts: str) -> list[MemoryEntry]:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.add([a_memory(text) for text in texts])
        unit.memories.put_vectors("m", [(one.id, one.content, EAST) for one in stored])
        unit.commit()
    return list(stored)


def nearest(world: SqliteWorld) -> tuple[SemanticHit, ...]:
    with world.store.read(WORKSPACE_ID) as view:
        return view.vectors.nearest(
            [SCOPE], EAST, "m", where=EVERYTHING, visible_to=None, limit=100
        )


def test_damaged_vectors_are_passed_over(world: SqliteWorld) -> None:
    stored = put(world, "good", "not a number", "huge", "zero")
    blobs = {
        stored[1].sequence: np.array([np.nan, 1.0], "<f4").tobytes(),
        stored[2].sequence: np.array([1e38, 0.0], "<f4").tobytes(),
        stored[3].sequence: bytes(8),
    }
    with raw(world.path()) as connection:
        for sequence, blob in blobs.items():
            connection.execute(
                "UPDATE memory_vectors SET vector = ? WHERE sequence = ?", (blob, sequence)
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

    assert [hit.id for hit in nearest(world)] == [mine[0].id, theirs[0].id]


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

    assert len(seen) == 1
    assert len(nearest(world)) == 2
