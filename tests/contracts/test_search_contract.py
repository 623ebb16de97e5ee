from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from inklings_desktop.domain.errors import DimensionMismatchError
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryAction, ScopeKey
from inklings_desktop.domain.search.hits import Candidates
from inklings_desktop.domain.words.query_text import keyword_query
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import Store

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
CHANNEL = ScopeKey.channel(WORKSPACE_ID, "map-room")


def added(store: Store, *entries: MemoryEntry) -> tuple[MemoryEntry, ...]:
    with store.write(entries[0].scope.workspace_id, initiator="Ada") as unit:
        stored = unit.memories.add(entries)
        unit.commit()
    return stored


def changed(store: Store, entry: MemoryEntry) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.save(
            entry,
            expected_version=entry.version,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.commit()


def found(
    store: Store,
    text: str,
    *,
    scopes: Sequence[ScopeKey] = (SCOPE,),
    where: MemoryFilter = EVERYTHING,
    visible_to: frozenset[str] | None = None,
    limit: int = 10,
    is_open: bool = False,
) -> list[str]:
    query = keyword_query(text, last_word_is_open=is_open)
    with store.read(WORKSPACE_ID) as view:
        by_scope = view.full_text.search(
            scopes, query, where=where, visible_to=visible_to, limit=limit
        )
    hits = [hit for scope in scopes for hit in by_scope.get(scope, ())]
    assert all(hit.figure > 0 for hit in hits)
    return [hit.id for hit in hits]


def embedded(store: Store, *vectors: tuple[MemoryEntry, FloatVector], model: str = "mini") -> None:
    with store.write(WORKSPACE_ID, initiator="clock", durable=False) as unit:
        stored = unit.memories.put_vectors(
            model, [(entry.id, entry.content, vector) for entry, vector in vectors]
        )
        assert stored == len(vectors)
        unit.commit()


def nearest(
    store: Store,
    vector: FloatVector,
    *,
    scopes: Sequence[ScopeKey] = (SCOPE,),
    model: str = "mini",
    where: MemoryFilter = EVERYTHING,
    visible_to: frozenset[str] | None = None,
    limit: int = 10,
) -> list[tuple[str, float]]:
    with store.read(WORKSPACE_ID) as view:
        by_scope = view.vectors.nearest(
            scopes, vector, model, where=where, visible_to=visible_to, limit=limit
        )
    hits = [hit for scope in scopes for hit in by_scope.get(scope, ())]
    return [(hit.id, round(hit.figure, 4)) for hit in hits]


def towards(degrees: float) -> FloatVector:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle), 0.0], np.float32)


@pytest.mark.parametrize(
    ("content", "typed"),
    [
        ("Elarindë sails at dusk.", "elarinde"),
        ("Elarinde\u0308 sails at dusk.", "Elarindë"),
        ("The tiger-lily opened.", "tiger-lily"),
        ("The tiger-lily opened.", "lily"),
        ("He writes C++ at night.", "C++"),
        ("彼は京都に住んでいる。", "京都"),
        ("彼は京都に住んでいる。", "都"),
        ("서울에서 만났다", "서울"),
        ("A 🐉 guards the bridge.", "🐉"),
        ("A ❤\ufe0f for the map.", "❤"),
        ("שלום לכולם", "שלום"),
        ("مرحبا بالعالم", "مرحبا"),
        ("zero\u200bwidth", "zerowidth"),
        ("ﬁre and ﬂood", "fire"),
        ("\uff26\uff35\uff2c\uff2c width", "full"),
        ("Old O'Brien's boat", "o'brien"),
        ("The Queen's map", "queen"),
        ("The Great Wall", "what about the wall?"),
    ],
)
def test_words_of_every_kind_are_found(store: Store, content: str, typed: str) -> None:
    wanted, _ = added(store, a_memory(content), a_memory("Nothing of that kind here."))

    assert found(store, typed) == [wanted.id]


def test_a_memory_is_found_by_who_it_comes_from_unless_that_is_said_of_any(store: Store) -> None:
    named, _ = added(
        store,
        a_memory("Chapter 5 plays in 1348.", source="cartographer"),
        a_memory("Salt is dear.", source="user"),
    )
    assert found(store, "cartographer") == [named.id]
    assert found(store, "user") == []


def test_any_of_the_words_is_enough_and_more_are_better(store: Store) -> None:
    one, both = added(store, a_memory("The harbour is cold."), a_memory("The harbour tithe rose."))

    assert found(store, "harbour tithe") == [both.id, one.id]


def test_the_last_word_may_be_unfinished(store: Store) -> None:
    (stored,) = added(store, a_memory("The cartographers disagree."))

    assert found(store, "cartog", is_open=True) == [stored.id]
    assert found(store, "cartog") == []


def test_tags_are_found(store: Store) -> None:
    tagged, _ = added(store, a_memory("Plain words.", tags=("moonwell",)), a_memory("Other."))

    assert found(store, "moonwell") == [tagged.id]


def test_equal_matches_stand_in_the_order_of_their_ids(store: Store) -> None:
    ids = [f"m{number:03}" for number in range(40)]
    for one in (*ids[20:], *ids[:20]):
        added(store, a_memory("The saltglass.", memory_id=one))

    assert found(store, "saltglass", limit=50) == ids
    assert found(store, "saltglass", limit=3) == ids[:3]


def test_edited_text_is_found_and_the_old_one_is_not(store: Store) -> None:
    (stored,) = added(store, a_memory("The toll at Wend Gate."))

    changed(store, replace(stored, content="The ferry at Low Quay."))

    assert found(store, "wend") == []
    assert found(store, "ferry") == [stored.id]


def test_what_is_not_retrievable_is_not_found(store: Store) -> None:
    gone, paused, kept = added(
        store,
        a_memory("saltglass one"),
        a_memory("saltglass two"),
        a_memory("saltglass three"),
    )
    embedded(store, (gone, towards(0)), (paused, towards(0)), (kept, towards(0)))
    changed(store, replace(gone, forgotten_at=NOON, forgotten_reason="by hand"))
    changed(store, replace(paused, paused=True))

    assert found(store, "saltglass") == [kept.id]
    assert nearest(store, towards(0)) == [(kept.id, 1.0)]


def test_restored_and_resumed_memories_are_found_again(store: Store) -> None:
    (stored,) = added(
        store, a_memory("saltglass", forgotten_at=NOON, forgotten_reason="by hand", paused=True)
    )
    assert found(store, "saltglass") == []

    changed(store, replace(stored, forgotten_at=None, forgotten_reason=None, paused=False))

    assert found(store, "saltglass") == [stored.id]


def test_search_stays_in_its_scopes(store: Store) -> None:
    (elsewhere,) = added(store, a_memory("saltglass", scope=CHANNEL))
    with store.write(OTHER_WORKSPACE_ID, initiator="Ada") as unit:
        foreign = ScopeKey.workspace(OTHER_WORKSPACE_ID)
        unit.memories.add([a_memory("saltglass", scope=foreign)])
        unit.commit()
    embedded(store, (elsewhere, towards(0)))

    assert found(store, "saltglass") == []
    assert found(store, "saltglass", scopes=[CHANNEL]) == [elsewhere.id]
    assert found(store, "saltglass", scopes=[foreign]) == []
    assert found(store, "saltglass", scopes=[]) == []
    assert nearest(store, towards(0)) == []
    assert nearest(store, towards(0), scopes=[CHANNEL]) == [(elsewhere.id, 1.0)]


def test_search_hides_private_memories_of_other_agents(store: Store) -> None:
    shared, own, other = added(
        store,
        a_memory("saltglass"),
        a_memory("saltglass", agent_id="a"),
        a_memory("saltglass", agent_id="b"),
    )
    embedded(store, (shared, towards(0)), (own, towards(10)), (other, towards(20)))

    assert set(found(store, "saltglass", visible_to=frozenset({"a"}))) == {shared.id, own.id}
    assert set(found(store, "saltglass", visible_to=frozenset({"c"}))) == {shared.id}
    assert len(found(store, "saltglass")) == 3
    assert [id_ for id_, _ in nearest(store, towards(0), visible_to=frozenset({"a"}))] == [
        shared.id,
        own.id,
    ]
    assert [id_ for id_, _ in nearest(store, towards(0), visible_to=frozenset({"c"}))] == [
        shared.id
    ]


def test_filters_are_masks_and_never_starve_a_search(store: Store) -> None:
    many = added(store, *(a_memory("saltglass harbour", source="system") for _ in range(30)))
    (rare,) = added(store, a_memory("saltglass", source="user", tags=("x",)))
    embedded(store, *((one, towards(0)) for one in many), (rare, towards(80)))
    where = MemoryFilter(sources=frozenset({"user"}), tags=frozenset({"x"}))

    assert found(store, "saltglass harbour", where=where, limit=1) == [rare.id]
    assert [id_ for id_, _ in nearest(store, towards(0), where=where, limit=1)] == [rare.id]


def test_nearest_come_in_order_of_likeness_and_ties_by_id(store: Store) -> None:
    far, second, first = added(
        store, a_memory("far"), a_memory("a", memory_id="m2"), a_memory("b", memory_id="m1")
    )
    embedded(store, (far, towards(60)), (second, towards(10)), (first, towards(10)))

    hits = nearest(store, towards(0))

    assert [id_ for id_, _ in hits] == ["m1", "m2", far.id]
    assert hits[2][1] == 0.5
    assert [id_ for id_, _ in nearest(store, towards(0), limit=1)] == ["m1"]


def test_vectors_of_another_model_are_never_compared(store: Store) -> None:
    (stored,) = added(store, a_memory("text"))
    embedded(store, (stored, towards(0)), model="old")

    assert nearest(store, towards(0), model="mini") == []
    assert nearest(store, towards(0), model="old") == [(stored.id, 1.0)]


def test_a_query_of_another_length_is_a_mismatch(store: Store) -> None:
    (stored,) = added(store, a_memory("text"))
    embedded(store, (stored, towards(0)))

    with pytest.raises(DimensionMismatchError):
        nearest(store, np.array([1.0, 0.0], np.float32))


def test_a_query_that_is_no_number_finds_nothing(store: Store) -> None:
    (stored,) = added(store, a_memory("text"))
    embedded(store, (stored, towards(0)))

    assert nearest(store, np.array([np.nan, 0.0, 0.0], np.float32)) == []


def test_new_edited_and_reembedded_memories_are_near_at_once(store: Store) -> None:
    first, second = added(store, a_memory("one", memory_id="m1"), a_memory("two", memory_id="m2"))
    embedded(store, (first, towards(0)))
    assert [id_ for id_, _ in nearest(store, towards(0))] == [first.id]

    embedded(store, (second, towards(5)))
    assert [id_ for id_, _ in nearest(store, towards(0))] == [first.id, second.id]
    changed(store, replace(first, content="one, edited"))
    assert [id_ for id_, _ in nearest(store, towards(0))] == [second.id]
    embedded(store, (replace(first, content="one, edited"), towards(90)))
    assert nearest(store, towards(0)) == [(second.id, 0.9962), (first.id, 0.0)]
    embedded(store, (second, towards(90)))
    assert nearest(store, towards(0)) == [(first.id, 0.0), (second.id, 0.0)]


def test_an_uncommitted_vector_is_near_inside_its_transaction_only(store: Store) -> None:
    first, second = added(store, a_memory("one"), a_memory("two"))
    embedded(store, (first, towards(0)))
    assert len(nearest(store, towards(0))) == 1

    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.memories.put_vectors("mini", [(second.id, "two", towards(0))])
        inside = unit.vectors.nearest(
            [SCOPE], towards(0), "mini", where=EVERYTHING, visible_to=None, limit=10
        )

    assert len(inside[SCOPE]) == 2
    assert len(nearest(store, towards(0))) == 1
    later = NOON + timedelta(hours=1)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.count_reads([first.id], later)
        unit.commit()
    assert len(nearest(store, towards(0))) == 1


def test_each_scope_key_has_its_own_best_matches_and_all_share_the_nearest(store: Store) -> None:
    rooms = [ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two")]
    many = added(store, *(a_memory("saltglass saltglass", scope=rooms[0]) for _ in range(12)))
    (weak,) = added(store, a_memory("one saltglass of many words", scope=rooms[1]))
    embedded(store, *((one, towards(n)) for n, one in enumerate(many)), (weak, towards(80)))

    in_both = found(store, "saltglass", scopes=rooms, limit=3)
    assert (len(in_both), in_both[3]) == (4, weak.id)
    near = [id_ for id_, _ in nearest(store, towards(0), scopes=rooms, limit=3)]
    assert near == [one.id for one in many[:3]]
    near = [id_ for id_, _ in nearest(store, towards(79), scopes=rooms, limit=3)]
    assert near == [*(one.id for one in many[:-3:-1]), weak.id]


def come_upon(*entries: MemoryEntry) -> Candidates:
    """Memories as a search comes upon them."""
    n = len(entries)
    return Candidates(
        [one.id for one in entries],
        [one.sequence for one in entries],
        [1] * n,
        [None] * n,
        [1.0] * n,
        [None] * n,
    )


def test_traits_are_those_of_retrievable_memories_of_the_scope(store: Store) -> None:
    plain, told, gone, away = added(
        store,
        a_memory("plain"),
        a_memory(
            "told",
            tags=("Nerys", "sea"),
            source_conversation="c1",
            importance=0.75,
            pinned=True,
        ),
        a_memory("gone", forgotten_at=NOON, forgotten_reason="by hand"),
        a_memory("away", scope=CHANNEL),
    )
    embedded(store, (told, towards(30)))
    later = NOON + timedelta(hours=2)
    with store.write(WORKSPACE_ID, initiator="agent") as unit:
        unit.memories.count_reads([told.id], later)
        unit.commit()

    for prepared in (False, True):  # from the file, then from what is resident
        with store.read(WORKSPACE_ID) as view:
            if prepared:
                view.vectors.prepare([SCOPE], "mini", EVERYTHING)
            wanted = come_upon(plain, told, gone, away, replace(plain, id="x", sequence=99_999))
            both = view.traits.of(SCOPE, wanted, "mini", towards(90)).by_id()
            alone = view.traits.of(SCOPE, come_upon(told), "mini", None).by_id()
        assert set(both) == {plain.id, told.id}
        assert both[plain.id].cosine is None
        assert both[told.id].cosine == pytest.approx(0.5)
        assert alone[told.id].cosine is None
        for traits in (both[told.id], alone[told.id]):
            touched = round(later.timestamp() * 1000)
            assert traits[1:7] == (("Nerys", "sea"), "c1", 0.75, touched, 1, True)
            assert (traits.scope, traits.said) == (SCOPE, key_of("told"))


def test_traits_know_no_vector_of_another_model(store: Store) -> None:
    (stored,) = added(store, a_memory("text"))
    embedded(store, (stored, towards(0)), model="old")

    with store.read(WORKSPACE_ID) as view:
        view.vectors.prepare([SCOPE], "mini", EVERYTHING)
        found = view.traits.of(SCOPE, come_upon(stored), "mini", towards(0))
        assert (list(found.ids), list(found.cosines)) == ([stored.id], [None])


def test_texts_are_told_of_those_that_may_repeat_each_other(store: Store) -> None:
    one, two, other, away = added(
        store,
        a_memory("The dragon sleeps."),
        a_memory("dragon  SLEEPS"),
        a_memory("The dragon wakes."),
        a_memory("The dragon sleeps.", scope=CHANNEL),
    )
    with store.read(WORKSPACE_ID) as view:
        found = view.traits.texts_of_repeats([two.id, one.id, other.id, away.id, "unknown"])
        assert view.traits.texts_of_repeats([one.id, other.id, away.id]) == {}
        assert view.traits.texts_of_repeats([]) == {}
    assert found == {one.id: "The dragon sleeps.", two.id: "dragon  SLEEPS"}


def test_traits_follow_every_change(store: Store) -> None:
    (stored,) = added(store, a_memory("text", tags=("old",)))
    embedded(store, (stored, towards(0)))
    assert [id_ for id_, _ in nearest(store, towards(0))] == [stored.id]

    changed(store, replace(stored, tags=("new",), importance=0.9))
    with store.read(WORKSPACE_ID) as view:
        view.vectors.prepare([SCOPE], "mini", EVERYTHING)
        after = view.traits.of(SCOPE, come_upon(stored), "mini", towards(0)).by_id()[stored.id]
    assert (after.tags, after.importance) == (("new",), 0.9)

    changed(store, replace(stored, version=2, content="other text"))
    with store.read(WORKSPACE_ID) as view:
        view.vectors.prepare([SCOPE], "mini", EVERYTHING)
        after = view.traits.of(SCOPE, come_upon(stored), "mini", towards(0)).by_id()[stored.id]
    assert after.cosine is None


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("harbour glass", ["side"]),
        ("Harbours GLASSES", ["side"]),
        ("glass harbour", ["turned"]),
        ("\u6771\u4eac\u90fd", ["kanji"]),
        ("aveline's gate", ["owned"]),
        ('say "no" OR (x', []),
    ],
)
def test_a_phrase_is_found_only_where_its_words_stand_side_by_side(
    store: Store, phrase: str, expected: list[str]
) -> None:
    added(
        store,
        a_memory("They sing of harbour glass here.", memory_id="side"),
        a_memory("A glass harbour, and nothing else.", memory_id="turned"),
        a_memory("The harbour has no glass; gate of Aveline.", memory_id="apart"),
        a_memory("\u6771\u4eac\u90fd\u5e81\u3067\u4f1a\u3046", memory_id="kanji"),
        a_memory("Aveline's gate is shut.", memory_id="owned"),
    )
    where = MemoryFilter(phrases=frozenset({phrase}))
    with store.read(WORKSPACE_ID) as view:
        page = view.memories.page(
            [SCOPE], where=where, sort=MemorySort.NEWEST, limit=10, after=None,
            decay=DecayConfig(), as_of=NOON, visible_to=None,
        )  # fmt: skip
    assert [one.id for one in page.entries] == expected
    assert set(found(store, f"harbour glass {phrase}", where=where)) == set(expected)


def test_tags_say_a_phrase_and_neighbours_do_not(store: Store) -> None:
    added(
        store,
        a_memory("One thing.", tags=("wend gate",), memory_id="tagged"),
        a_memory("Another thing.", memory_id="next"),
    )
    assert found(store, "thing", where=MemoryFilter(phrases=frozenset({"wend gate"}))) == ["tagged"]
    assert found(store, "thing", where=MemoryFilter(phrases=frozenset({"one thing"}))) == ["tagged"]


def test_dates_of_writing_are_bounds_of_a_search(store: Store) -> None:
    added(
        store,
        a_memory("The tide.", created_at=NOON - timedelta(days=2), memory_id="old"),
        a_memory("The tide.", created_at=NOON, memory_id="new"),
    )
    assert found(store, "tide", where=MemoryFilter(written_since=NOON)) == ["new"]
    assert found(store, "tide", where=MemoryFilter(written_before=NOON)) == ["old"]


def test_what_no_search_finds_is_handed_out_by_itself(store: Store) -> None:
    first, second, third, fourth = added(
        store,
        replace(a_memory("a"), paused=True),
        a_memory("b"),
        replace(a_memory("c"), paused=True),
        replace(a_memory("d"), scope=CHANNEL, paused=True),
    )

    def held(*, paused: bool, limit: int = 10) -> list[str]:
        with store.read(WORKSPACE_ID) as view:
            found = view.memories.set_aside([SCOPE], paused=paused, limit=limit)
        return [one.content for one in found]

    assert held(paused=True) == ["c", "a"]
    assert held(paused=True, limit=1) == ["c"]
    assert held(paused=False) == []
    changed(store, replace(second, paused=True))
    changed(store, replace(first, forgotten_at=NOON))
    changed(store, replace(third, paused=False))
    assert held(paused=True) == ["b"]
    assert held(paused=False) == ["a"]
    with store.read(WORKSPACE_ID) as view:
        assert view.memories.set_aside([CHANNEL], paused=True, limit=10) == (fourth,)
