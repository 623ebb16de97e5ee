from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import (
    MemoryFilter,
    MemorySort,
    MemoryState,
    PageOffset,
)
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryAction,
    ScopeKey,
)
from inklings_desktop.usecases.ports.store import Store
from tests.contracts.memory_steps import (
    CHANNEL,
    SCOPE,
    added,
    forgotten,
    got,
    listed,
    saved,
    texts,
    vector,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_memory


def test_pages_follow_each_other_without_gap_or_repeat(store: Store) -> None:
    entries = [
        a_memory(
            f"m{n}",
            created_at=NOON - timedelta(days=n % 5),
            importance=(n % 4) / 4,
            access_count=n % 3,
            accessed_at=NOON - timedelta(hours=n % 3) if n % 3 else None,
        )
        for n in range(23)
    ]
    added(store, *entries)

    for sort in MemorySort:
        whole = texts(listed(store, sort=sort))
        pages = []
        cursor = None
        while True:
            page = listed(store, sort=sort, limit=5, after=cursor)
            pages += texts(page)
            cursor = page.next
            if cursor is None:
                break
        assert pages == whole
        begin = listed(store, sort=sort, limit=1)
        for n_before in (0, 7, 20, 23, 40):
            jumped = listed(store, sort=sort, limit=5, after=PageOffset(n_before, begin.as_of))
            assert texts(jumped) == whole[n_before : n_before + 5]
            assert (jumped.total, jumped.groups) == (None, ())
            assert (jumped.next is None) == (n_before + 5 >= len(whole))
        assert sorted(pages) == sorted(entry.content for entry in entries)


def test_each_order_is_what_its_name_says(store: Store) -> None:
    added(
        store,
        a_memory("old", created_at=NOON - timedelta(days=40), importance=0.9),
        a_memory("middle", created_at=NOON - timedelta(days=3), importance=0.2,
                 access_count=4, accessed_at=NOON),
        a_memory("new", created_at=NOON, importance=0.5),
    )  # fmt: skip

    assert texts(listed(store, sort=MemorySort.NEWEST)) == ["new", "middle", "old"]
    assert texts(listed(store, sort=MemorySort.OLDEST)) == ["old", "middle", "new"]
    assert texts(listed(store, sort=MemorySort.LAST_READ)) == ["middle", "new", "old"]
    assert texts(listed(store, sort=MemorySort.IMPORTANCE)) == ["old", "new", "middle"]
    assert texts(listed(store, sort=MemorySort.RELEVANCE)) == ["middle", "new", "old"]


def test_equal_keys_show_the_later_written_first(store: Store) -> None:
    added(store, a_memory("first"), a_memory("second"))

    for sort in (MemorySort.NEWEST, MemorySort.IMPORTANCE, MemorySort.RELEVANCE):
        assert texts(listed(store, sort=sort)) == ["second", "first"]
    assert texts(listed(store, sort=MemorySort.OLDEST)) == ["first", "second"]


def test_the_first_page_counts_the_whole_list_under_its_headings(store: Store) -> None:
    added(
        store,
        a_memory("a", created_at=NOON - timedelta(days=60), importance=1.0),
        a_memory("b", created_at=NOON, importance=0.35, accessed_at=NOON, access_count=1),
        a_memory("c", created_at=NOON, importance=0.3),
    )

    def counts(sort: MemorySort) -> list[tuple[str, int]]:
        return [(group.key, group.count) for group in listed(store, sort=sort, limit=1).groups]

    assert counts(MemorySort.NEWEST) == [("2026-03", 2), ("2026-01", 1)]
    assert counts(MemorySort.OLDEST) == [("2026-01", 1), ("2026-03", 2)]
    assert counts(MemorySort.LAST_READ) == [("2026-03", 1), ("never", 2)]
    assert counts(MemorySort.IMPORTANCE) == [("0.9", 1), ("0.3", 2)]
    assert counts(MemorySort.RELEVANCE) == [("steady", 1), ("fading", 1), ("nearly_gone", 1)]
    page = listed(store, limit=1)
    assert page.total == 3
    second = listed(store, limit=1, after=page.next)
    assert (second.total, second.groups) == (None, ())


def test_filters_narrow_a_list(store: Store) -> None:
    stored = added(
        store,
        a_memory("a", source="user", curator=Curator.AUTHOR, tags=("sea", "maps")),
        a_memory("b", source="orchestrator", lifetime=Lifetime.LONG_TERM, importance=0.9),
        a_memory("c", source="user", tags=("court",), importance=0.1),
    )
    with store.write(WORKSPACE_ID, initiator="clock", durable=False) as unit:
        unit.memories.put_vectors("mini", [(stored[0].id, "a", vector(1.0, 0.0))])
        unit.commit()

    for sort in MemorySort:

        def found(where: MemoryFilter, sort: MemorySort = sort) -> set[str]:
            page = listed(store, where=where, sort=sort)
            assert page.total == len(page.entries)
            return set(texts(page))

        assert found(MemoryFilter(sources=frozenset({"user"}))) == {"a", "c"}
        assert found(MemoryFilter(curators=frozenset({Curator.AUTHOR}))) == {"a"}
        assert found(MemoryFilter(lifetimes=frozenset({Lifetime.LONG_TERM}))) == {"b"}
        assert found(MemoryFilter(tags=frozenset({"maps", "court"}))) == {"a", "c"}
        assert found(MemoryFilter(tags=frozenset({"MAPS", "Court"}))) == {"a", "c"}
        assert found(MemoryFilter(importance_min=0.5)) == {"a", "b"}
        assert found(MemoryFilter(importance_max=0.1)) == {"c"}
        assert found(MemoryFilter(without_embedding=True)) == {"b", "c"}


def test_forgotten_memories_have_a_list_of_their_own(store: Store) -> None:
    stay, leave = added(store, a_memory("stay"), a_memory("leave"))
    gone = forgotten(store, leave)

    for sort in MemorySort:
        assert texts(listed(store, sort=sort)) == ["stay"]
        hidden = listed(store, where=MemoryFilter(state=MemoryState.FORGOTTEN), sort=sort)
        assert hidden.entries == (gone,)
    assert got(store, stay).is_forgotten is False


def test_a_list_of_several_scope_keys_is_one_list(store: Store) -> None:
    other = ScopeKey.channel(WORKSPACE_ID, "court")
    added(store, a_memory("here", scope=CHANNEL), a_memory("there", scope=other))

    for sort in MemorySort:
        assert set(texts(listed(store, scopes=[CHANNEL, other], sort=sort))) == {"here", "there"}
        assert texts(listed(store, scopes=[other], sort=sort)) == ["there"]


def test_scope_keys_of_two_tiers_are_refused(store: Store) -> None:
    with pytest.raises(InvalidValueError):
        listed(store, scopes=[SCOPE, CHANNEL])


def test_a_list_hides_private_memories_of_other_agents(store: Store) -> None:
    added(store, a_memory("shared"), a_memory("own", agent_id="a"), a_memory("x", agent_id="b"))

    for sort in MemorySort:
        assert set(texts(listed(store, sort=sort, visible_to=frozenset({"a"})))) == {
            "shared",
            "own",
        }
        assert listed(store, sort=sort, visible_to=frozenset({"a"})).total == 2
        assert len(listed(store, sort=sort).entries) == 3


def test_facets_count_values_in_use(store: Store) -> None:
    entries = added(
        store,
        a_memory("a", source="user", tags=("sea", "maps")),
        a_memory("b", source="user", tags=("sea",), curator=Curator.AUTHOR),
        a_memory("c", source="system", lifetime=Lifetime.LONG_TERM),
        a_memory("d", source="gone"),
    )
    forgotten(store, entries[3])

    with store.read(WORKSPACE_ID) as view:
        facets = view.memories.facets([SCOPE], None)
        nothing = view.memories.facets([CHANNEL], None)

    assert facets.sources == (("user", 2), ("system", 1))
    assert facets.curators == (("agent", 2), ("author", 1))
    assert facets.lifetimes == (("short_term", 2), ("long_term", 1))
    assert facets.tags == (("sea", 2), ("maps", 1))
    assert (facets.without_embedding, facets.forgotten) == (3, 1)
    assert facets.kinds == (("note", 3),)
    assert nothing.sources == ()


def test_counts_follow_forgetting_and_restoring(store: Store) -> None:
    first, _ = added(store, a_memory("one"), a_memory("two"))
    added(store, a_memory("three", scope=CHANNEL))

    gone = forgotten(store, first)
    with store.read(WORKSPACE_ID) as view:
        assert dict(view.memories.active_counts()) == {SCOPE: 1, CHANNEL: 1}
    back = replace(gone, forgotten_at=None, forgotten_reason=None)
    restored = saved(store, back, action=MemoryAction.RESTORED)

    assert restored.version == 3
    with store.read(WORKSPACE_ID) as view:
        assert view.memories.active_count(SCOPE) == 2
        assert view.memories.active_count(ScopeKey.channel(WORKSPACE_ID, "empty")) == 0
