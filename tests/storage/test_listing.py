from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryPage, MemorySort, group_key
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.storage.rows.memories import from_ms
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, counted_statements, raw, sqlite_world
from tests.support.time_zones import standing_in
from tests.support.wide import examples

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
ZONES = ("UTC", "Pacific/Auckland", "America/New_York")


def page(world: SqliteWorld, sort: MemorySort, limit: int = 100) -> MemoryPage:
    with world.store.read(WORKSPACE_ID) as view:
        return view.memories.page(
            [SCOPE],
            where=EVERYTHING,
            sort=sort,
            limit=limit,
            after=None,
            decay=DecayConfig(),
            as_of=NOON,
            visible_to=None,
        )


def add(world: SqliteWorld, *entries: MemoryEntry) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(entries)
        unit.commit()


@pytest.mark.parametrize("sort", MemorySort)
def test_a_page_costs_the_same_statements_at_any_size(world: SqliteWorld, sort: MemorySort) -> None:
    counts = []
    for n_more in (100, 1_900):
        add(
            world,
            *(
                a_memory(f"m{n}", created_at=NOON - timedelta(days=n % 200), importance=n % 11 / 10)
                for n in range(n_more)
            ),
        )
        page(world, sort)
        with counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter:
            found = page(world, sort)
        counts.append(len(counter.statements))
        assert len(found.entries) == 100

    assert counts[0] == counts[1] <= 5


def test_values_in_use_are_counted_over_rows_as_they_lie_in_the_file(world: SqliteWorld) -> None:
    add(world, a_memory("m", tags=("glass",)))
    with (
        counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter,
        world.store.read(WORKSPACE_ID) as view,
    ):
        view.memories.facets([SCOPE], None)
    grouped = [one for one in counter.statements if "GROUP BY" in one]
    assert len(grouped) == 2
    with raw(world.path()) as connection:
        for statement in grouped:
            values = ["x"] * statement.count("?")
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            assert any("memories_by_creation" in str(step) for step in plan), plan


@pytest.mark.parametrize(
    ("order", "index"),
    [
        ("created_at DESC, sequence DESC", "memories_by_creation"),
        ("created_at, sequence", "memories_by_creation"),
        ("importance DESC, sequence DESC", "memories_by_importance"),
        ("ifnull(accessed_at, -1) DESC, sequence DESC", "memories_by_reading"),
    ],
)
def test_every_order_is_read_from_an_index(world: SqliteWorld, order: str, index: str) -> None:
    with raw(world.path()) as connection:
        plan = connection.execute(
            "EXPLAIN QUERY PLAN SELECT sequence FROM memories WHERE tier = 'workspace'"  # noqa: S608  cases of this test
            f" AND scope_key = 'w' AND forgotten_at IS NULL ORDER BY {order} LIMIT 100"
        ).fetchall()

    steps = " ".join(row[3] for row in plan)
    assert index in steps
    assert "TEMP B-TREE" not in steps


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(-(10**12), 4 * 10**12),
            st.none() | st.integers(0, 4 * 10**12),
            st.one_of(st.floats(0, 1), st.sampled_from([n / 10 for n in range(11)])),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(ZONES),
)
def test_headings_are_those_of_the_domain(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int | None, float]], zone: str
) -> None:
    entries = [
        a_memory(
            created_at=from_ms(created),
            accessed_at=None if accessed is None else from_ms(accessed),
            importance=importance,
        )
        for created, accessed, importance in rows
    ]
    decay = DecayConfig()
    with sqlite_world(tmp_path_factory.mktemp("headings")) as world:
        add(world, *entries)

        for sort in MemorySort:
            with standing_in(zone):
                found = page(world, sort)
                expected: dict[str, int] = {}
                for entry in found.entries:
                    key = group_key(entry, sort, relevance_of(entry, decay, NOON))
                    expected[key] = expected.get(key, 0) + 1
            assert [(one.key, one.count) for one in found.groups] == list(expected.items())


@pytest.mark.parametrize(
    ("zone", "keys"),
    [("Europe/Berlin", ["2026-04", "2026-03"]), ("America/New_York", ["2026-03", "2026-02"])],
)
def test_months_are_those_of_the_wall_clock(world: SqliteWorld, zone: str, keys: list[str]) -> None:
    """Half an hour into the month by local time, and half an hour before it ends."""
    year, month = (int(part) for part in keys[0].split("-"))
    with standing_in(zone):
        begin = datetime(year, month, 1)  # noqa: DTZ001 - by the wall clock
        half = timedelta(minutes=30)
        entries = [a_memory(created_at=(begin + by).astimezone(UTC)) for by in (-half, half)]
        add(world, *entries)
        groups = page(world, MemorySort.NEWEST).groups

    assert [(one.key, one.count) for one in groups] == [(key, 1) for key in keys]


@pytest.mark.parametrize("zone", ZONES)
def test_instants_at_the_ends_of_time_have_headings(world: SqliteWorld, zone: str) -> None:
    first = datetime(1970, 1, 1, tzinfo=UTC)
    last = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    add(world, a_memory("first", created_at=first), a_memory("last", created_at=last))

    with standing_in(zone):
        groups = page(world, MemorySort.NEWEST).groups

    assert groups[0].key == "9999-12"
    assert sum(group.count for group in groups) == 2
