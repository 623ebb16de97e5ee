"""The words as arrays answer as the index does, whatever was written in between."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memory import MemoryAction, MemoryEntry, ScopeKey
from inklings_desktop.domain.search.hits import Hits
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.storage.finding import SqliteFindView
from inklings_desktop.storage.search.full_text_index import SqliteFullTextIndex
from inklings_desktop.storage.search.postings import Term
from inklings_desktop.storage.search.word_arrays import MOST_CHANGED, WordArrays
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world
from tests.support.wide import mostly_wide

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
ROOM = ScopeKey.conversation(WORKSPACE_ID, "harbour-talk")
WORDS = [
    "tide",
    "tides",
    "lighthouse",
    "keeper's",
    "keepers",
    "salt",
    "salted",
    "don't",
    "trust",
    "Corvin",
    "Ysolde",
    "naïve",
    "café",
    "running",
    "runs",
    "ran",
    "harbour",
    "1348",
    "the",
    "of",
    "and",
    "潮の満ち引き",
    "灯台",
    "🐉",
    "dragons",
    "dragon",
    "quay",
    "quays",
]
QUESTIONS = (
    "the tide at the lighthouse",
    "who is the keeper of salt",
    "don't trust Corvin",
    "naive cafe",
    "灯台",
    "潮の満ち",
    "🐉",
    "running dragons at the quay 1348",
    "nothing of this kind",
    "lig",
    "keepers sal",
    " ".join(WORDS),
)


def texts(chance: random.Random, n: int) -> list[str]:
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, 30))) for _ in range(n)]


@pytest.fixture
def filled(world: SqliteWorld) -> SqliteWorld:
    """Two places with memories that quote their neighbours, and arrays of their words."""
    chance = random.Random(7)  # noqa: S311 - the same every time
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for scope in (SCOPE, ROOM):
            unit.memories.add(
                [
                    a_memory(text, scope=scope, tags=("Corvin",) if n % 3 else ())
                    for n, text in enumerate(texts(chance, 60))
                ]
            )
        unit.commit()
    make(world)
    return world


def make(world: SqliteWorld) -> WordArrays:
    file = world.databases.file(WORKSPACE_ID)
    file.side_file._fewest_rows = 1
    file.words._asked_at = (0, 0)
    file.side_file.settle()
    file.side_file.make()
    return file.words


class NoArrays(WordArrays):
    """A file whose words only the index knows."""

    def at_hand(self, _snapshot: object) -> None:
        return None


def asked(
    view: SqliteFindView,
    question: str,
    *,
    by_index: bool = False,
    where: MemoryFilter = EVERYTHING,
    visible_to: frozenset[str] | None = None,
    limit: int = 50,
) -> dict[ScopeKey, Hits]:
    index = view.full_text
    if by_index:
        kept = vars(index) | {"_arrays": NoArrays(view.file.side_file)}
        index = object.__new__(SqliteFullTextIndex)
        vars(index).update(kept)
    found: dict[ScopeKey, Hits] = {}
    for scope in (SCOPE, ROOM):
        query = keyword_query(question, last_word_is_open=len(question) % 2 == 1)
        found |= index.search([scope], query, where=where, visible_to=visible_to, limit=limit)
    return found


def require_alike(world: SqliteWorld) -> None:
    with world.store.find(WORKSPACE_ID) as view:
        assert view.file.words.at_hand(view._snapshot) is not None
        for question in QUESTIONS:
            ours, its = asked(view, question), asked(view, question, by_index=True)
            assert ours.keys() == its.keys(), question
            for scope, hits in ours.items():
                scores = [hit.figure for hit in its[scope]]
                assert [hit.figure for hit in hits] == pytest.approx(scores, abs=2e-9), question
                # Where equal ones are cut off, others of them may be left.
                sure = {hit.id for hit in hits if hit.figure > hits[-1].figure + 2e-9}
                assert sure <= {hit.id for hit in its[scope]}, question


def test_arrays_rank_as_fts5(filled: SqliteWorld) -> None:
    require_alike(filled)
    with filled.store.find(WORKSPACE_ID) as view:
        assert asked(view, "tide lighthouse")
        where = MemoryFilter(tags=frozenset({"Corvin"}))
        found = asked(view, "tide", where=where)
        assert found == asked(view, "tide", where=where, by_index=True)
        assert found


def changed(world: SqliteWorld, entry: MemoryEntry, **values: object) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.save(
            replace(entry, version=entry.version + 1, **values),  # type: ignore[arg-type] # a test's own
            expected_version=entry.version,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.commit()


@pytest.mark.parametrize("seed", mostly_wide(range(3), every_day=lambda seed: seed == 0))
def test_arrays_after_random_changes_rank_as_fts5(filled: SqliteWorld, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same every time
    for round_ in range(40):
        with filled.store.read(WORKSPACE_ID) as view:
            ids = [row[0] for row in view._snapshot.rows("SELECT id FROM memories ORDER BY 1")]
            entry = view.memories.get_many([chance.choice(ids)]).popitem()[1]
        (text,) = texts(chance, 1)
        act = chance.randrange(5)
        if act == 0:
            with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.memories.add([a_memory(text, scope=chance.choice([SCOPE, ROOM]))])
                unit.commit()
        elif act == 1:
            changed(filled, entry, content=text)
        elif act == 2:
            changed(filled, entry, tags=tuple(chance.choices(WORDS, k=2)))
        elif act == 3:
            changed(filled, entry, paused=not entry.paused)
        else:
            gone = None if entry.forgotten_at else NOON
            changed(filled, entry, forgotten_at=gone, forgotten_reason="" if gone else None)
        if round_ % 4 == 3:
            require_alike(filled)


def test_every_word_of_the_index_is_stemmed_alike(filled: SqliteWorld) -> None:
    words = make(filled)
    plain = sorted({one.lower() for one in WORDS if one.isascii() and one.isalnum()})
    assert [words.words(one) for one in plain] == [(stem(one),) for one in plain]
    with raw(filled.path()) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', 'memory_fts', 'row')"
        )
        known = {row[0] for row in connection.execute("SELECT term FROM temp.v")}
    assert {stem(one) for one in plain} <= known


def test_ties_have_one_order(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("saltglass and tide", memory_id=f"m{n}") for n in range(9)])
        unit.commit()
    make(world)
    with world.store.find(WORKSPACE_ID) as view:
        found = asked(view, "saltglass tide", limit=5)
        assert [hit.id for hit in found[SCOPE]] == [f"m{n}" for n in range(5)]
        assert found == asked(view, "saltglass tide", limit=5, by_index=True)


def test_a_question_without_a_word_of_the_index_finds_nothing(filled: SqliteWorld) -> None:
    with filled.store.find(WORKSPACE_ID) as view:
        postings = view.file.words.at_hand(view._snapshot)
        assert postings is not None
        for terms in ([], [Term(())], [Term(("saltglass",)), Term(("salt", "glass"))]):
            assert [one.tolist() for one in postings.scores(terms)] == [[0.0] * 120]
        assert asked(view, "saltglass !?") == {}


def test_phrase_crosses_no_column(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("the bell of salt", tags=("tide",)), a_memory("salt tide")])
        unit.commit()
    make(world)
    with world.store.find(WORKSPACE_ID) as view:
        assert asked(view, "salt tide") == asked(view, "salt tide", by_index=True)


def test_view_before_a_commit_sees_the_old_state(filled: SqliteWorld) -> None:
    with filled.store.find(WORKSPACE_ID) as older:
        assert "saltglass" not in str(asked(older, "saltglass"))
        with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("saltglass", memory_id="new")])
            unit.commit()
        with filled.store.find(WORKSPACE_ID) as newer:
            assert [hit.id for hit in asked(newer, "saltglass")[SCOPE]] == ["new"]
        assert asked(older, "saltglass") == {}
        assert asked(older, "tide") == asked(older, "tide", by_index=True)


def test_second_process_sees_a_commit(filled: SqliteWorld) -> None:
    with sqlite_world(filled.root) as other:
        make(other)
        with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("saltglass", memory_id="new")])
            unit.commit()
        require_alike(other)
        with other.store.find(WORKSPACE_ID) as view:
            assert [hit.id for hit in asked(view, "saltglass")[SCOPE]] == ["new"]


def test_private_and_forgotten_never_come_from_arrays(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory("saltglass", memory_id="shared"),
                a_memory("saltglass", memory_id="mine", agent_id="loom"),
                a_memory("saltglass", memory_id="theirs", agent_id="other"),
                a_memory("saltglass", memory_id="gone"),
            ]
        )
        unit.commit()
    make(world)
    with world.store.read(WORKSPACE_ID) as view:
        entry = view.memories.get_many(["gone"])["gone"]
    changed(world, entry, forgotten_at=NOON, forgotten_reason="")
    with world.store.find(WORKSPACE_ID) as view:
        seen = asked(view, "saltglass", visible_to=frozenset({"loom"}))
        assert {hit.id for hit in seen[SCOPE]} == {"shared", "mine"}
        assert {hit.id for hit in asked(view, "saltglass")[SCOPE]} == {"shared", "mine", "theirs"}


def test_what_has_everything_read_anew_lets_go_of_every_word(filled: SqliteWorld) -> None:
    words = filled.databases.file(WORKSPACE_ID).words
    with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit._transaction.require_reload()
        unit.commit()
    assert words._states == []
    with filled.store.find(WORKSPACE_ID) as view:
        assert words.at_hand(view._snapshot) is None
        assert asked(view, "tide")


def test_too_many_changes_are_left_to_the_index_until_the_arrays_are_made_anew(
    filled: SqliteWorld,
) -> None:
    with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory(f"saltglass {n}") for n in range(MOST_CHANGED + 1)])
        unit.commit()
    with filled.store.find(WORKSPACE_ID) as view:
        assert view.file.words.at_hand(view._snapshot) is None
        assert len(asked(view, "saltglass")[SCOPE]) == 50
    make(filled)
    require_alike(filled)


def test_arrays_are_made_in_the_background_from_the_second_search_on(world: SqliteWorld) -> None:
    file = world.databases.file(WORKSPACE_ID)
    file.side_file._fewest_rows = 1
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("saltglass", memory_id="one")])
        unit.commit()
    for _ in range(2):
        with world.store.find(WORKSPACE_ID) as view:
            assert [hit.id for hit in asked(view, "saltglass")[SCOPE]] == ["one"]
    file.side_file.settle()
    require_alike(world)


def test_a_file_that_was_let_go_makes_no_arrays_any_more(filled: SqliteWorld) -> None:
    file = filled.databases.file(WORKSPACE_ID)
    with filled.store.find(WORKSPACE_ID) as view:
        file.side_file.close()
        for _ in range(3):
            assert file.words.at_hand(view._snapshot) is None
        assert asked(view, "tide")
    assert file.side_file._working is None


def test_rows_behind_another_wall_bear_on_no_score(filled: SqliteWorld) -> None:
    mine = frozenset({"loom"})

    def told(*, by_index: bool = False, visible_to: frozenset[str] | None = mine) -> list[object]:
        with filled.store.find(WORKSPACE_ID) as view:
            return [
                asked(view, question, by_index=by_index, visible_to=visible_to)
                for question in QUESTIONS
            ]

    before, before_all = told(), told(visible_to=None)
    with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        said = texts(random.Random(3), 20)  # noqa: S311 - the same every time
        unit.memories.add([a_memory(one, scope=SCOPE, agent_id="other") for one in said])
        unit.commit()
    assert told(visible_to=None) != before_all
    assert told() == before
    assert told(by_index=True) == before
