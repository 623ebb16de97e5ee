from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memory import ROLES, ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, counted_statements, raw

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
CHANNEL = ScopeKey.channel(WORKSPACE_ID, "map-room")


def found(world: SqliteWorld, text: str, scope: ScopeKey = SCOPE, limit: int = 10) -> list[str]:
    with world.store.read(WORKSPACE_ID) as view:
        hits = view.full_text.search(
            [scope], keyword_query(text), where=EVERYTHING, visible_to=None, limit=limit
        ).get(scope, ())
        entries = view.memories.get_many([hit.id for hit in hits])
    return [entries[hit.id].content for hit in hits]


@pytest.mark.parametrize("n_better", [50, 500, 4_050])
def test_another_scope_full_of_better_matches_hides_nothing(
    world: SqliteWorld, n_better: int
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("saltglass", scope=CHANNEL) for _ in range(n_better)])
        unit.memories.add([a_memory("one saltglass among many other words of a long sentence")])
        unit.commit()

    for _ in range(2):  # the second time with what the first one learned
        assert len(found(world, "saltglass")) == 1
    assert len(found(world, "saltglass", CHANNEL, limit=n_better - 5)) == n_better - 5


def test_scope_keys_are_searched_together_as_each_alone(world: SqliteWorld) -> None:
    rooms = [ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two", "three")]
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory(f"saltglass {'and more ' * (n % 7)}", scope=rooms[n % 3 if n % 2 else 0])
                for n in range(300)
            ]
        )
        unit.commit()
    query = keyword_query("saltglass more")

    with world.store.read(WORKSPACE_ID) as view:
        together = view.full_text.search(rooms, query, where=EVERYTHING, visible_to=None, limit=20)
        alone = {
            room: view.full_text.search([room], query, where=EVERYTHING, visible_to=None, limit=20)[
                room
            ]
            for room in rooms
        }

    assert together == alone
    assert {len(hits) for hits in together.values()} == {20}


def test_a_memory_is_found_by_the_name_of_who_it_comes_from(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory("Chapter 5 plays in 1348.", agent_id="researcher"),
                a_memory("Tides are counted in bells.", source="researcher"),
                a_memory("Salt is dear.", source="orchestrator"),
            ]
        )
        unit.commit()

    assert set(found(world, "What research has been done so far?")) == {
        "Chapter 5 plays in 1348.",
        "Tides are counted in bells.",
    }


@pytest.mark.parametrize("source", sorted({*ROLES, "User"}))
def test_a_role_that_every_world_has_finds_nothing(world: SqliteWorld, source: str) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("Salt is dear.", source=source, agent_id="Loom")])
        unit.commit()

    assert found(world, source) == []
    assert found(world, "loom") == ["Salt is dear."]


def test_body_counts_more_than_tags_and_tags_more_than_neighbours(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory("moonwell", source_conversation="c1"),
                a_memory("neighbour", source_conversation="c1"),
                a_memory("tagged", tags=("moonwell",)),
                *(a_memory(f"filler {n}") for n in range(20)),
            ]
        )
        unit.commit()

    assert found(world, "moonwell") == ["moonwell", "tagged", "neighbour"]


def test_inflected_words_are_found(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("The cartographers were disagreeing.")])
        unit.commit()

    assert len(found(world, "cartographer disagrees")) == 1
    assert len(found(world, "disagreed")) == 1


def test_no_neighbour_lends_its_text_across_agents_or_conversations(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory("shared start", source_conversation="c1"),
                a_memory("hidden moonwell", source_conversation="c1", agent_id="researcher"),
                a_memory("other moonwell", source_conversation="c2"),
                a_memory("shared end", source_conversation="c1"),
            ]
        )
        unit.commit()

    with world.store.read(WORKSPACE_ID) as view:
        hits = view.full_text.search(
            [SCOPE],
            keyword_query("moonwell"),
            where=EVERYTHING,
            visible_to=frozenset({"writer"}),
            limit=10,
        )[SCOPE]
        entries = view.memories.get_many([hit.id for hit in hits])
    assert [entry.content for entry in entries.values()] == ["other moonwell"]


def test_private_matches_of_others_among_many_hide_nothing(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("saltglass", scope=CHANNEL) for _ in range(300)])
        unit.memories.add([a_memory("saltglass", agent_id="researcher") for _ in range(90)])
        unit.memories.add([a_memory(f"a saltglass of many words {n}") for n in range(30)])
        unit.commit()

    for _ in range(2):
        with world.store.read(WORKSPACE_ID) as view:
            hits = view.full_text.search(
                [SCOPE],
                keyword_query("saltglass"),
                where=EVERYTHING,
                visible_to=frozenset({"b"}),
                limit=20,
            )[SCOPE]
            entries = view.memories.get_many([hit.id for hit in hits])
        assert len(hits) == 20
        assert all(entry.agent_id is None for entry in entries.values())


def test_a_file_of_many_scope_keys_is_searched_once_for_all(world: SqliteWorld) -> None:
    rooms = [ScopeKey.channel(WORKSPACE_ID, f"room{n}") for n in range(6)]
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("saltglass", scope=rooms[0]) for _ in range(900)])
        unit.memories.add(
            [a_memory(f"saltglass and {n} more", scope=room) for room in rooms for n in range(30)]
        )
        unit.commit()
    query = keyword_query("saltglass")
    engine = world.databases.file(WORKSPACE_ID).engines.read

    def counted() -> list[str]:
        with counted_statements(engine) as counter, world.store.read(WORKSPACE_ID) as view:
            found = view.full_text.search(rooms, query, where=EVERYTHING, visible_to=None, limit=20)
        assert {len(hits) for hits in found.values()} == {20}
        return [one for one in counter.statements if "MATCH" in one]

    assert len(counted()) == 2  # the best of the file are not enough


def test_a_write_finds_what_it_has_not_yet_committed_among_every_match(world: SqliteWorld) -> None:
    rooms = [ScopeKey.channel(WORKSPACE_ID, f"room{n}") for n in range(3)]
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("salt", scope=rooms[0]) for _ in range(300)])
        unit.memories.add([a_memory(f"salt of {n}", scope=rooms[1]) for n in range(9)])
        unit.commit()

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (own,) = unit.memories.add([a_memory("salt and all the rest", scope=rooms[2])])
        found = unit.full_text.search(
            rooms, keyword_query("salt"), where=EVERYTHING, visible_to=None, limit=15
        )

    assert [hit.id for hit in found[rooms[2]]] == [own.id]
    assert len(found[rooms[1]]) == 9
    with world.store.read(WORKSPACE_ID) as view:
        later = view.full_text.search(
            rooms, keyword_query("salt"), where=EVERYTHING, visible_to=None, limit=15
        )
    assert rooms[2] not in later


FILTERS = {
    "important": MemoryFilter(importance_min=0.4),
    "unimportant": MemoryFilter(importance_max=0.6),
    "new": MemoryFilter(written_since=NOON),
    "old": MemoryFilter(written_before=NOON + timedelta(days=1)),
    "source": MemoryFilter(sources=frozenset({a_memory().source})),
    "tag": MemoryFilter(tags=frozenset({"bells"})),
    "phrase": MemoryFilter(phrases=frozenset({"saltglass"})),
    "no vector": MemoryFilter(without_embedding=True),
    "worth a look": MemoryFilter(sequences=frozenset(range(200))),
}


@pytest.mark.parametrize("where", FILTERS.values(), ids=FILTERS)
def test_a_filter_never_has_the_question_asked_anew_for_each_memory(
    world: SqliteWorld, where: MemoryFilter
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("saltglass", scope=CHANNEL) for _ in range(80)])
        unit.memories.add([a_memory(f"saltglass of {n}", tags=("bells",)) for n in range(20)])
        unit.commit()
    engine = world.databases.file(WORKSPACE_ID).engines.read

    with counted_statements(engine) as counter, world.store.read(WORKSPACE_ID) as view:
        hits = view.full_text.search(
            [SCOPE], keyword_query("saltglass"), where=where, visible_to=None, limit=10
        )[SCOPE]
    joined = next(one for one in counter.statements if "AS found" in one)
    with raw(world.path()) as connection:
        values = [None] * joined.count("?")
        plan = connection.execute(f"EXPLAIN QUERY PLAN {joined}", values).fetchall()

    assert len(hits) == 10
    assert plan[0][3].startswith("SCAN memory_fts")
