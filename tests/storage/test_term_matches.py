from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import MemoryAction, MemoryEntry, ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.storage.search.term_matches import (
    PRICE_OF_A_TERM,
    KeptMatches,
    TermMatches,
    summed,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import counted_statements

if TYPE_CHECKING:
    from inklings_desktop.domain.search.ranking import KeywordHit
    from inklings_desktop.storage.databases import OpenFile
    from tests.support.sqlite_store import SqliteWorld

ROOMS = [ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two", "three")]
WORDS = "salt glass harbour moon well ink keeper bridge 図書館 tower's ash".split()  # noqa: SIM905
BEFORE, AFTER = (1, 0), (2, 0)


def filled(world: SqliteWorld, n: int = 700) -> tuple[MemoryEntry, ...]:
    """Memories of many lengths in rooms that are looked for among every match of the file."""
    dice = random.Random(5)  # noqa: S311 - made up texts
    entries = [
        a_memory(
            " ".join(dice.choices(WORDS, k=dice.randint(1, 6 if at % 3 else 3)) + ["and"] * at),
            scope=dice.choice(ROOMS),
            tags=tuple(dice.sample(WORDS, 1)),
        )
        for at in (dice.randrange(40) for _ in range(n))
    ]
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.add(entries)
        unit.commit()
    file_of(world).mixed.add(tuple((room.tier.value, room.key) for room in ROOMS))
    return stored


def asked(world: SqliteWorld, text: str) -> dict[ScopeKey, tuple[KeywordHit, ...]]:
    query = keyword_query(text, last_word_is_open=True)
    with world.store.read(WORKSPACE_ID) as view:
        return view.full_text.search(ROOMS, query, where=EVERYTHING, visible_to=None, limit=15)


def asked_anew(world: SqliteWorld, text: str) -> dict[ScopeKey, tuple[KeywordHit, ...]]:
    """The same by the index alone, all terms at once."""
    file_of(world).term_matches.clear()
    return asked(world, text)


def file_of(world: SqliteWorld) -> OpenFile:
    return world.databases.file(WORKSPACE_ID)


def edit(world: SqliteWorld, entry: MemoryEntry, content: str) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.save(
            replace(entry, content=content, tags=()),
            expected_version=entry.version,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.commit()


def test_terms_one_by_one_rank_to_the_last_bit_as_all_at_once(world: SqliteWorld) -> None:
    filled(world)
    dice = random.Random(8)  # noqa: S311 - made up questions
    questions = [" ".join(dice.choices(WORDS, k=dice.randint(1, 7))) for _ in range(60)]
    for question in questions[:2]:
        asked(world, question)

    by_terms = [asked(world, question) for question in questions]
    with counted_statements(file_of(world).engines.read) as counter:
        again = [asked(world, question) for question in questions]
    n_asked_again = sum("MATCH" in one for one in counter.statements)
    at_once = [asked_anew(world, question) for question in questions]

    assert n_asked_again == 0
    assert by_terms == again == at_once
    assert all(len(hits) == 15 for found in by_terms for hits in found.values())


def test_a_settled_file_is_asked_for_a_term_once(world: SqliteWorld) -> None:
    filled(world)
    for _ in range(2):
        asked(world, "salt harbour")

    with counted_statements(file_of(world).engines.read) as counter:
        asked(world, "harbour salt harbour ")
    looked_for = [one for one in counter.statements if "MATCH" in one]

    assert len(looked_for) == 1  # the pair "harbour salt" alone is new
    with counted_statements(file_of(world).engines.read) as counter:
        asked(world, "harbour salt harbour ")
    assert [one for one in counter.statements if "MATCH" in one] == []


def test_whatever_changes_a_text_is_seen_by_the_next_search(world: SqliteWorld) -> None:
    stored = filled(world)
    for _ in range(3):
        before = asked(world, "salt")
    edited = next(one for one in stored if before[ROOMS[1]][0].id == one.id)

    edit(world, edited, "nothing of the kind")
    after = asked(world, "salt")

    assert edited.id not in {hit.id for hit in after[ROOMS[1]]}
    assert after == asked_anew(world, "salt")


def test_counted_reads_leave_what_is_kept(world: SqliteWorld) -> None:
    stored = filled(world)
    for _ in range(2):
        asked(world, "salt ")
    with world.store.write(WORKSPACE_ID, initiator="agent") as unit:
        unit.memories.count_reads([stored[0].id], NOON)
        unit.commit()

    with counted_statements(file_of(world).engines.read) as counter:
        asked(world, "salt ")

    assert [one for one in counter.statements if "MATCH" in one] == []


def test_a_write_finds_what_it_has_not_yet_committed(world: SqliteWorld) -> None:
    filled(world)
    for _ in range(2):
        asked(world, "salt")

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (own,) = unit.memories.add([a_memory("salt", scope=ROOMS[2])])
        found = unit.full_text.search(
            ROOMS, keyword_query("salt"), where=EVERYTHING, visible_to=None, limit=15
        )

    assert own.id in {hit.id for hit in found[ROOMS[2]]}
    assert own.id not in {hit.id for hit in asked(world, "salt")[ROOMS[2]]}


def test_the_terms_asked_for_longest_ago_make_room() -> None:
    kept = KeptMatches(room=5 + 2 * PRICE_OF_A_TERM)
    assert not kept.is_settled(BEFORE)
    looked_for: list[str] = []

    def ask(term: str, n: int) -> None:
        def find() -> TermMatches:
            looked_for.append(term)
            return TermMatches(np.arange(n), np.full(n, -1.0))

        assert len(kept.of(BEFORE, term, find).ranks) == n

    for term, n in (("a", 2), ("b", 2), ("a", 2), ("c", 2), ("a", 2), ("b", 2)):
        ask(term, n)
    assert looked_for == ["a", "b", "c", "b"]

    ask("longer than there is room for", 6)
    ask("a", 2)
    assert looked_for[4:] == ["longer than there is room for", "a"]

    for n in range(9):  # what nothing matches takes room as well
        ask(f"unheard of {n}", 0)
    ask("a", 2)
    assert looked_for[-1] == "a"


def test_nothing_of_another_state_is_used_or_kept() -> None:
    kept = KeptMatches()
    one, other = (TermMatches(np.arange(n), np.full(n, -1.0)) for n in (1, 2))
    assert not kept.is_settled(BEFORE)
    assert kept.is_settled(BEFORE)
    assert kept.of(BEFORE, "a", lambda: one) is one

    assert kept.of(AFTER, "a", lambda: other) is other  # an older or newer view asks in between
    assert kept.of(BEFORE, "a", lambda: other) is one
    assert not kept.is_settled(AFTER)
    assert kept.of(AFTER, "a", lambda: other) is other


@pytest.mark.parametrize("last", [0, 3, 9])
def test_ranks_are_summed_by_sequence(last: int) -> None:
    first = TermMatches(np.array([2, 5]), np.array([-1.0, -0.25]))
    second = TermMatches(np.array([5]), np.array([-2.0]))
    none = TermMatches(np.array([], np.int64), np.array([]))

    ranks = summed([first, none, second], last)

    assert len(ranks) == 1 + max(5, last)
    assert ranks[:6].tolist() == [0.0, 0.0, -1.0, 0.0, 0.0, -2.25]
    assert not ranks[6:].any()
