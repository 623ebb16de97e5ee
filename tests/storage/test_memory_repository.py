from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemorySort
from inklings_desktop.domain.memory import AUTHOR, Curator, MemoryAction, MemoryEntry, ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.usecases.ports.store import UnitOfWork
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, counted_statements, raw

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
            [SCOPE],
            keyword_query("moonwell"),
            where=EVERYTHING,
            visible_to=frozenset({"spy"}),
            limit=5,
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


def written_world(world: SqliteWorld) -> dict[str, str]:
    """Memories by several writers; who wrote each, as a row names it, by its text."""
    rows = (
        ("one of loom", "loom", Curator.AGENT),
        ("another of loom", "loom", Curator.AGENT),
        ("a claim of an import", "loom", Curator.IMPORT),
        ("of weaver", "weaver", Curator.AGENT),
        ("of nobody", "", Curator.AGENT),
        ("the author's", AUTHOR, Curator.AUTHOR),
        ("forgotten of loom", "loom", Curator.AGENT),
    )
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.add(
            [
                replace(a_memory(text, curator=curator), written_by=name)
                for text, name, curator in rows
            ]
        )
        save(unit, replace(stored[-1], forgotten_at=NOON), MemoryAction.FORGOTTEN)
        save(unit, replace(stored[1], content="put right", written_by=AUTHOR), MemoryAction.EDITED)
        unit.commit()
    return {
        "one of loom": "loom",
        "put right": AUTHOR,
        "a claim of an import": "import",
        "of weaver": "weaver",
        "of nobody": "agent",
        "the author's": AUTHOR,
    }


def save(unit: UnitOfWork, after: MemoryEntry, action: MemoryAction) -> None:
    unit.memories.save(
        after,
        expected_version=after.version,
        action=action,
        changed_by="Ada",
        door="window",
        changed_at=NOON,
    )


def test_what_a_client_wrote_is_neither_a_claim_of_an_import_nor_what_the_author_put_right(
    world: SqliteWorld,
) -> None:
    written_world(world)
    with world.store.read(WORKSPACE_ID) as view:
        assert [one.content for one in view.memories.by_writer("loom")] == ["one of loom"]
        assert view.memories.count_rewritten("loom") == 1
        assert view.memories.count_rewritten("weaver") == 0


@pytest.mark.parametrize("name", ["loom", "weaver", "author", "import", "agent", "nobody"])
def test_the_filter_and_the_counts_name_writers_as_the_rows_do(
    world: SqliteWorld, name: str
) -> None:
    by_text = written_world(world)
    where = MemoryFilter(writers=frozenset({name}))
    with world.store.read(WORKSPACE_ID) as view:
        page = view.memories.page(
            [SCOPE],
            where=where,
            sort=MemorySort.OLDEST,
            limit=100,
            after=None,
            decay=DecayConfig(),
            as_of=NOON,
            visible_to=None,
        )
        facets = view.memories.facets([SCOPE], None)
    wanted = [text for text, by in by_text.items() if by == name]
    assert sorted(one.content for one in page.entries) == sorted(wanted)
    assert all(one.by == name and where.admits(one) for one in page.entries)
    assert page.total == len(wanted)
    assert dict(facets.writers).get(name, 0) == len(wanted)
