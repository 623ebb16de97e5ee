from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memory import MemoryAction, MemoryEntry, ScopeKey
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.search.figures import FiguresIndex, Weighed
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, counted_statements, sqlite_world

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
RATE = DecayConfig().workspace


def relevance(world: SqliteWorld) -> dict[int, float]:
    file = world.databases.file(WORKSPACE_ID)
    with file.engines.read.connect() as connection:
        index = FiguresIndex(Transaction(connection, WORKSPACE_ID), file.figures)
        figures = index.of_scopes([SCOPE])
        values = figures.relevance(RATE, NOON)
    return dict(zip(figures.sequences.tolist(), values.tolist(), strict=True))


def entries(world: SqliteWorld) -> list[MemoryEntry]:
    with world.store.read(WORKSPACE_ID) as view:
        return list(view.memories.active_of_conversation(SCOPE))


def assert_as_the_domain_says(world: SqliteWorld) -> None:
    found = relevance(world)
    for entry in entries(world):
        assert found[entry.sequence] == pytest.approx(relevance_of(entry, DecayConfig(), NOON))


def test_relevance_over_arrays_is_that_of_the_domain(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory(created_at=NOON - timedelta(days=9), importance=0.9),
                a_memory(created_at=NOON - timedelta(days=9), pinned=True),
                a_memory(created_at=NOON - timedelta(days=9), confirmed_at=NOON),
                a_memory(created_at=NOON - timedelta(days=9), imported_at=NOON),
                a_memory(created_at=NOON + timedelta(days=9)),
                a_memory(
                    created_at=NOON - timedelta(days=9),
                    accessed_at=NOON - timedelta(days=2),
                    access_count=5,
                ),
            ]
        )
        unit.commit()

    assert_as_the_domain_says(world)


def test_figures_follow_every_change_and_keep_what_is_known(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        first, *_ = unit.memories.add([a_memory("one"), a_memory("two", importance=0.9)])
        unit.commit()
    relevance(world)

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.save(
            replace(first, importance=0.1),
            expected_version=1,
            action=MemoryAction.REWEIGHTED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.memories.add([a_memory("three")])
        unit.commit()
    assert_as_the_domain_says(world)
    with world.store.write(WORKSPACE_ID, initiator="x", durable=False) as unit:
        unit.memories.count_reads([first.id], NOON)
        unit.commit()
    assert_as_the_domain_says(world)

    with counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter:
        assert len(relevance(world)) == 3
    assert len(counter.statements) == 1  # the counters, which say that nothing changed


def test_figures_follow_the_commits_of_another_program(world: SqliteWorld) -> None:
    assert relevance(world) == {}

    with (
        sqlite_world(world.root) as other,
        other.store.write(WORKSPACE_ID, initiator="researcher") as unit,
    ):
        unit.memories.add([a_memory("theirs")])
        unit.commit()

    assert list(relevance(world)) == [1]


def test_an_unfinished_write_leaves_no_trace_in_the_arrays(world: SqliteWorld) -> None:
    decay = DecayConfig()
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("never kept")])
        assert len(unit.memories.least_relevant(SCOPE, 5, decay, NOON)) == 1

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.memories.least_relevant(SCOPE, 5, decay, NOON) == ()
    assert relevance(world) == {}


def test_after_a_write_a_few_figures_come_from_what_is_kept_and_what_changed(
    world: SqliteWorld,
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        kept, edited = unit.memories.add([a_memory("one"), a_memory("two", importance=0.9)])
        unit.commit()
    file = world.databases.file(WORKSPACE_ID)

    def weighed(*sequences: int) -> Weighed | None:
        with file.engines.read.connect() as connection:
            index = FiguresIndex(Transaction(connection, WORKSPACE_ID), file.figures)
            return index.weighed(SCOPE, sequences)

    assert weighed(kept.sequence) is None, "nothing is kept yet"
    relevance(world)
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (new,) = unit.memories.add([a_memory("three", importance=0.1)])
        unit.memories.count_reads([edited.id], NOON)
        unit.commit()

    found = weighed(new.sequence, edited.sequence, kept.sequence)

    assert found is not None
    assert list(found.importance) == [new.importance, edited.importance, kept.importance]
    assert list(found.access_count) == [0, 1, 0]
    assert weighed(new.sequence + 1) is None, "of an unknown one nobody knows"
