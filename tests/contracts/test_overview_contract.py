"""Figures of whole tiers, and lists of things worth a look, by every store the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import (
    AttentionKind,
    DecayConfig,
    deserves_attention,
    relevance_of,
)
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, RelevanceBand
from inklings_desktop.domain.memories.overview import TierOverview
from inklings_desktop.domain.memory import Lifetime, MemoryAction, MemoryEntry, ScopeKey, Tier
from inklings_desktop.usecases.ports.store import Store
from tests.contracts.memory_steps import CHANNEL, SCOPE, added, listed, saved, texts, vector
from tests.support.builders import NOON, WORKSPACE_ID, a_memory

MODEL = "fake"
OLD_ROOM = ScopeKey.channel(WORKSPACE_ID, "old-room")
TALK = ScopeKey.conversation(WORKSPACE_ID, "talk")
OPEN = (TALK, CHANNEL, SCOPE)


def tiers(store: Store, workspace_id: str | None = WORKSPACE_ID) -> dict[Tier, TierOverview]:
    with store.read(workspace_id) as view:
        found = view.overview.tiers(OPEN, decay=DecayConfig(), model_id=MODEL, as_of=NOON)
    return {one.tier: one for one in found}


def standing_in(
    store: Store, kind: AttentionKind, scopes: Sequence[ScopeKey] = (SCOPE,)
) -> list[str]:
    with store.read(WORKSPACE_ID) as view:
        found = view.overview.deserving(
            scopes, kind, decay=DecayConfig(), model_id=MODEL, as_of=NOON
        )
    where = MemoryFilter(attention=kind, sequences=found)
    return sorted(texts(listed(store, scopes=scopes, where=where)))


def test_each_file_answers_for_its_own_tiers(store: Store) -> None:
    assert list(tiers(store)) == [Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE]
    assert list(tiers(store, None)) == [Tier.ACCOUNT]
    empty = tiers(store)[Tier.CHANNEL]
    assert (empty.n_active, empty.n_new, empty.n_retrievable, empty.n_embedded) == (0, 0, 0, 0)
    assert empty.growth == (0,) * 31
    assert dict(empty.bands) == dict.fromkeys(RelevanceBand, 0)
    assert empty.rate == DecayConfig().channel


def test_growth_tells_what_was_active_on_each_day(store: Store) -> None:
    ages = {"first": 100, "second": 20, "third": 2, "today": 0}
    stored = added(
        store, *(a_memory(name, created_at=NOON - timedelta(days=n)) for name, n in ages.items())
    )
    saved(
        store,
        replace(stored[0], forgotten_at=NOON - timedelta(days=10), forgotten_reason="by hand"),
        action=MemoryAction.FORGOTTEN,
    )

    workspace = tiers(store)[Tier.WORKSPACE]

    assert workspace.n_active == 3
    assert workspace.n_new == 3
    assert len(workspace.growth) == 31
    by_age = dict(zip(range(30, -1, -1), workspace.growth, strict=True))
    assert (by_age[30], by_age[20], by_age[11], by_age[10]) == (1, 2, 2, 1)
    assert (by_age[3], by_age[2], by_age[1], by_age[0]) == (1, 2, 2, 3)


def test_what_was_forgotten_long_ago_leaves_no_trace_in_the_figures(store: Store) -> None:
    (entry,) = added(store, a_memory("gone", created_at=NOON - timedelta(days=300)))
    gone = replace(entry, forgotten_at=NOON - timedelta(days=200), forgotten_reason="by hand")
    saved(store, gone, action=MemoryAction.FORGOTTEN)

    assert tiers(store)[Tier.WORKSPACE].growth == (0,) * 31


def test_bands_pins_and_rooms_are_told_apart(store: Store) -> None:
    old = NOON - timedelta(days=60)
    added(
        store,
        a_memory("vivid", importance=0.9, accessed_at=NOON, access_count=9),
        a_memory("pinned", importance=0.9, created_at=old, pinned=True),
        a_memory("gone", importance=0.9, created_at=old),
        a_memory("here", scope=CHANNEL),
        a_memory("archived", scope=OLD_ROOM),
        a_memory("archived too", scope=OLD_ROOM, paused=True),
        a_memory("said", scope=TALK),
    )

    found = tiers(store)

    assert dict(found[Tier.WORKSPACE].bands) == {
        RelevanceBand.VIVID: 1,
        RelevanceBand.STEADY: 1,
        RelevanceBand.FADING: 0,
        RelevanceBand.NEARLY_GONE: 1,
    }
    channel = found[Tier.CHANNEL]
    assert (channel.n_active, channel.n_archived, channel.n_retrievable) == (3, 2, 2)
    assert (found[Tier.CONVERSATION].n_active, found[Tier.CONVERSATION].n_archived) == (1, 0)


def test_coverage_counts_vectors_of_this_model_alone(store: Store) -> None:
    mine, theirs, _, paused = added(
        store, a_memory("mine"), a_memory("theirs"), a_memory("none"), a_memory("paused")
    )
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.put_vectors(MODEL, [(mine.id, "mine", vector(1.0, 0.0))])
        unit.memories.put_vectors("other", [(theirs.id, "theirs", vector(1.0, 0.0))])
        unit.commit()
    saved(store, replace(paused, paused=True), action=MemoryAction.RELABELLED)

    workspace = tiers(store)[Tier.WORKSPACE]

    assert (workspace.n_active, workspace.n_retrievable, workspace.n_embedded) == (4, 3, 1)
    assert standing_in(store, AttentionKind.WAITING_FOR_EMBEDDING) == ["none", "theirs"]


def test_figures_follow_every_change(store: Store) -> None:
    first, second = added(store, a_memory("first"), a_memory("second"))
    assert tiers(store)[Tier.WORKSPACE].n_active == 2
    added(store, a_memory("elsewhere", scope=CHANNEL))
    saved(store, replace(first, forgotten_at=NOON), action=MemoryAction.FORGOTTEN)
    with store.write(WORKSPACE_ID, initiator="researcher", durable=False) as unit:
        unit.memories.count_reads([second.id], NOON)
        unit.commit()

    assert tiers(store)[Tier.WORKSPACE].n_active == 1
    assert tiers(store)[Tier.CHANNEL].n_active == 1
    assert standing_in(store, AttentionKind.NEVER_READ) == []

    with store.read(WORKSPACE_ID) as view:
        gone = view.memories.get(first.ref, None)
    saved(store, replace(gone, forgotten_at=None), action=MemoryAction.RESTORED)
    assert tiers(store)[Tier.WORKSPACE].n_active == 2
    assert standing_in(store, AttentionKind.NEVER_READ) == ["first"]


def a_population(n: int) -> list[MemoryEntry]:
    chance = random.Random(4)  # noqa: S311 - guards nothing
    return [
        a_memory(
            f"m{number}",
            scope=chance.choice((SCOPE, CHANNEL, OLD_ROOM)),
            lifetime=chance.choice((Lifetime.SHORT_TERM, Lifetime.LONG_TERM)),
            importance=chance.choice((0.0, 0.1, 0.5, 0.7, 1.0)),
            created_at=NOON - timedelta(days=chance.choice((0, 1, 19, 20, 60))),
            access_count=(reads := chance.choice((0, 3, 4, 30))),
            accessed_at=NOON - timedelta(hours=chance.choice((0, 70))) if reads else None,
            pinned=chance.random() < 0.2,
            paused=chance.random() < 0.2,
            forgotten_at=NOON - timedelta(days=1) if chance.random() < 0.2 else None,
        )
        for number in range(n)
    ]


def test_every_list_holds_what_the_domain_says_and_counts_it(store: Store) -> None:
    stored = added(store, *a_population(300))
    scopes = (SCOPE, CHANNEL)
    with store.read(WORKSPACE_ID) as view:
        counted = view.overview.attention(scopes, decay=DecayConfig(), model_id=MODEL, as_of=NOON)

    for kind in set(AttentionKind) - {AttentionKind.UNREADABLE}:  # nobody can add one of these
        for scope in scopes:
            wanted = sorted(
                one.content
                for one in stored
                if one.scope == scope
                and deserves_attention(
                    one,
                    kind,
                    relevance=relevance_of(one, DecayConfig(), NOON),
                    model_id=MODEL,
                )
            )
            assert wanted, kind
            assert standing_in(store, kind, (scope,)) == wanted
            assert counted[kind][scope.tier] == len(wanted)


def test_a_list_is_paged_and_sorted_like_any_other(store: Store) -> None:
    added(store, *a_population(300))
    scopes = (SCOPE,)
    with store.read(WORKSPACE_ID) as view:
        found = view.overview.deserving(
            scopes,
            AttentionKind.NEVER_READ,
            decay=DecayConfig(),
            model_id=MODEL,
            as_of=NOON,
        )
    where = MemoryFilter(attention=AttentionKind.NEVER_READ, sequences=found)
    for sort in MemorySort:
        whole = listed(store, where=where, sort=sort)
        assert whole.total == len(whole.entries) == sum(group.count for group in whole.groups)
        pages, cursor = [], None
        while True:
            page = listed(store, where=where, sort=sort, limit=7, after=cursor)
            pages += texts(page)
            cursor = page.next
            if cursor is None:
                break
        assert pages == texts(whole)


def test_a_list_that_nobody_looked_up_is_refused(store: Store) -> None:
    added(store, a_memory())
    with pytest.raises(InvalidValueError):
        listed(store, where=MemoryFilter(attention=AttentionKind.NEVER_READ))
