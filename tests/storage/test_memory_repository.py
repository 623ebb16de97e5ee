from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.listing import EVERYTHING
from inklings_desktop.domain.memory import MemoryAction, ScopeKey
from inklings_desktop.domain.query_text import keyword_query
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import counted_statements, raw

if TYPE_CHECKING:
    from tests.support.sqlite_store import SqliteWorld

SCOPE = ScopeKey.workspace(WORKSPACE_ID)


def test_a_put_costs_the_same_statements_at_any_size(world: SqliteWorld) -> None:
    counts = []
    for n_more in (10, 500):
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory(f"m{n}", source_conversation="c") for n in range(n_more)])
            unit.commit()
        engine = world.databases.file(WORKSPACE_ID).engines.durable
        with (
            counted_statements(engine) as counter,
            world.store.write(WORKSPACE_ID, initiator="Ada") as unit,
        ):
            assert unit.memories.active_count(SCOPE) > 0
            unit.memories.add([a_memory("one more", source_conversation="c")])
            unit.commit()
        counts.append(len(counter.statements))

    assert counts[0] == counts[1] <= 8


def test_nothing_deletes_or_replaces_a_memory(world: SqliteWorld) -> None:
    engine = world.databases.file(WORKSPACE_ID).engines.durable
    with (
        counted_statements(engine) as counter,
        world.store.write(WORKSPACE_ID, initiator="Ada") as unit,
    ):
        (stored,) = unit.memories.add([a_memory("text")])
        unit.memories.save(
            replace(stored, content="new text", forgotten_at=NOON),
            expected_version=1,
            action=MemoryAction.FORGOTTEN,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.commit()

    sent = " ".join(counter.statements).upper()
    assert "OR REPLACE" not in sent
    assert "DELETE FROM MEMORIES" not in sent
    with raw(world.path()) as connection:
        assert connection.execute("SELECT count(*) FROM memories").fetchone() == (1,)


def test_a_typed_text_never_becomes_part_of_a_statement(world: SqliteWorld) -> None:
    engine = world.databases.file(WORKSPACE_ID).engines.read
    with counted_statements(engine) as counter, world.store.read(WORKSPACE_ID) as view:
        view.full_text.search(
            [SCOPE], keyword_query("moonwell"), where=EVERYTHING, visible_to="spy", limit=5
        )
        view.memories.get_many(["moonwell"])

    assert "moonwell" not in " ".join(counter.statements)
    assert "snippet" not in " ".join(counter.statements)


def test_reads_stamp_their_own_number_and_leave_the_row_as_it_was(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (stored,) = unit.memories.add([a_memory("text")])
        unit.commit()
    with world.store.write(WORKSPACE_ID, initiator="x", durable=False) as unit:
        unit.memories.count_reads([stored.id], NOON)
        unit.commit()

    with raw(world.path()) as connection:
        row = connection.execute(
            "SELECT version, changed_seq, read_seq, access_count FROM memories"
        ).fetchone()
    assert row == (1, 1, 2, 1)
