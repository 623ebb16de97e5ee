from __future__ import annotations

from dataclasses import replace

from inklings_desktop.domain.memory import MemoryAction, MemoryEntry
from inklings_desktop.usecases.ports.store import Store
from tests.support.builders import NOON, WORKSPACE_ID, a_memory

SPACE = "mini/words"
ONE, TWO = bytes(range(64)), bytes(range(64, 128))


def added(store: Store, *entries: MemoryEntry) -> tuple[MemoryEntry, ...]:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        stored = unit.memories.add(entries)
        unit.commit()
    return stored


def put(store: Store, *words: tuple[str, str, bytes], space: str = SPACE) -> int:
    with store.write(WORKSPACE_ID, initiator="clock", durable=False) as unit:
        n_stored = unit.tokens.put(space, words)
        unit.commit()
    return n_stored


def saved(store: Store, entry: MemoryEntry, action: MemoryAction = MemoryAction.EDITED) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.save(
            entry,
            expected_version=entry.version,
            action=action,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        unit.commit()


def test_words_come_back_as_they_were_stored(store: Store) -> None:
    one, two = added(store, a_memory("one"), a_memory("two"))
    assert put(store, (one.id, "one", ONE), (two.id, "two", b"")) == 2

    with store.read(WORKSPACE_ID) as view:
        assert view.tokens.of_memories([one.id, two.id, "gone"], SPACE) == {
            one.id: ONE,
            two.id: b"",
        }
        assert view.tokens.of_memories([one.id], "other/words") == {}
        assert view.tokens.n_without(SPACE) == 0


def test_words_of_another_space_take_the_place_of_the_earlier(store: Store) -> None:
    (one,) = added(store, a_memory("one"))
    put(store, (one.id, "one", ONE))
    put(store, (one.id, "one", TWO), space="other/words")

    with store.read(WORKSPACE_ID) as view:
        assert view.tokens.of_memories([one.id], SPACE) == {}
        assert view.tokens.of_memories([one.id], "other/words") == {one.id: TWO}


def test_the_newest_come_first_and_what_no_search_finds_waits(store: Store) -> None:
    one, two, _, _ = added(
        store,
        a_memory("one"),
        a_memory("two"),
        a_memory("gone", forgotten_at=NOON),
        a_memory("paused", paused=True),
    )

    with store.read(WORKSPACE_ID) as view:
        assert view.tokens.without(SPACE, 10) == ((two.id, "two"), (one.id, "one"))
        assert view.tokens.without(SPACE, 1) == ((two.id, "two"),)
        assert view.tokens.n_without(SPACE) == 2


def test_words_of_a_text_that_changed_meanwhile_are_not_stored(store: Store) -> None:
    (one,) = added(store, a_memory("one"))

    assert put(store, (one.id, "another", ONE), ("gone", "one", ONE)) == 0


def test_a_new_text_and_forgetting_drop_the_words(store: Store) -> None:
    one, two, three = added(store, a_memory("one"), a_memory("two"), a_memory("three"))
    put(store, *((each.id, each.content, ONE) for each in (one, two, three)))

    saved(store, replace(one, content="another"))
    saved(store, replace(two, forgotten_at=NOON), MemoryAction.FORGOTTEN)
    saved(store, replace(three, tags=("harbour",)))

    with store.read(WORKSPACE_ID) as view:
        ids = [one.id, two.id, three.id]
        assert view.tokens.of_memories(ids, SPACE) == {three.id: ONE}
        assert view.tokens.without(SPACE, 10) == ((one.id, "another"),)


def test_tags_have_words_once_for_all_that_carry_them(store: Store) -> None:
    one, _, _ = added(
        store,
        a_memory("one", tags=("sea", "quay")),
        a_memory("two", tags=("sea",)),
        a_memory("three", tags=("never",), paused=True),
    )

    with store.read(WORKSPACE_ID) as view:
        assert set(view.tokens.tags_without(SPACE, 10)) == {"sea", "quay"}
        assert len(view.tokens.tags_without(SPACE, 1)) == 1
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tokens.put_tags(SPACE, {"sea": ONE, "stray": TWO})
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.tokens.tags_without(SPACE, 10) == ("quay",)
        assert view.tokens.tags_without(SPACE, 10, [one.id]) == ("quay",)
        assert view.tokens.tags_without(SPACE, 10, []) == ()
        assert view.tokens.of_tags(["sea", "stray", "quay"], SPACE) == {"sea": ONE, "stray": TWO}
        assert view.tokens.of_tags(["sea"], "other/words") == {}


def test_tags_that_nobody_carries_any_more_are_dropped(store: Store) -> None:
    added(store, a_memory("one", tags=("sea",)))
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tokens.put_tags(SPACE, {"sea": ONE, "stray": TWO})
        unit.tokens.drop_unused_tags()
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.tokens.of_tags(["sea", "stray"], SPACE) == {"sea": ONE}


def test_all_of_it_can_be_dropped(store: Store) -> None:
    (one,) = added(store, a_memory("one"))
    put(store, (one.id, "one", ONE))
    with store.read(WORKSPACE_ID) as view:
        assert not view.tokens.is_empty()

    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tokens.clear()
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert view.tokens.is_empty()
        assert view.tokens.n_without(SPACE) == 1
