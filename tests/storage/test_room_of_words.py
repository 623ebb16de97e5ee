"""How much of a file words and vectors take."""

from __future__ import annotations

import numpy as np

from inklings_desktop.domain.memory import MemoryEntry
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, raw

N = 200
STEP = 50
FORMER, NOW = bytes(1536), bytes(384)


def added(world: SqliteWorld) -> list[MemoryEntry]:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.add([a_memory(f"fact {n}") for n in range(N)])
        unit.commit()
    return list(stored)


def put_words(world: SqliteWorld, space: str, words: bytes) -> None:
    """As the backfill does: step by step, the newest first."""
    while True:
        with world.store.read(WORKSPACE_ID) as view:
            missing = view.tokens.without(space, STEP)
        if not missing:
            return
        with world.store.write(WORKSPACE_ID, initiator="clock") as unit:
            unit.tokens.put(space, [(id_, text, words) for id_, text in missing])
            unit.commit()


def n_pages(world: SqliteWorld) -> tuple[int, int]:
    """Pages of the file, and those of them that hold nothing."""
    with raw(world.path()) as connection:
        ((n_all,),) = connection.execute("PRAGMA page_count").fetchall()
        ((n_free,),) = connection.execute("PRAGMA freelist_count").fetchall()
    return n_all, n_free


def test_words_of_a_smaller_format_give_back_the_pages_of_the_former(world: SqliteWorld) -> None:
    added(world)
    put_words(world, "former", FORMER)
    before, _ = n_pages(world)

    put_words(world, "now", NOW)

    # Two of the former to a page; at worst seven of these.
    after, n_free = n_pages(world)
    assert after <= before + STEP
    assert n_free > N // 2 - N // 5


def test_vectors_fill_their_pages_in_any_order(world: SqliteWorld) -> None:
    by_id = sorted(added(world), key=lambda one: one.id[::-1])
    before, _ = n_pages(world)
    with world.store.write(WORKSPACE_ID, initiator="clock") as unit:
        rows = [(one.id, one.content, np.ones(384, np.float32) / 384**0.5) for one in by_id]
        unit.memories.put_vectors("m", rows)
        unit.commit()

    after, _ = n_pages(world)
    assert after - before <= N // 2 + 5
