from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from inklings_desktop.domain.background.cadence import PruneMode
from inklings_desktop.domain.background.consolidation import (
    Alike,
    ConsolidationPlan,
    ConsolidationPolicy,
    NearPair,
    ReviewReason,
    ScopeFigures,
    group_key,
    merged_entry,
    plan_consolidation,
)
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memory import Curator, Derivation, Lifetime, MemoryEntry, ScopeKey
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.said_twice import DIFFERENT

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
DECAY = DecayConfig()
LONG_AGO = NOON - timedelta(days=200)


def figures_of(entries: list[MemoryEntry], idle_hours: float = 0.0) -> ScopeFigures:
    active = sorted((one for one in entries if not one.is_forgotten), key=lambda one: one.sequence)
    return ScopeFigures(
        np.array([one.sequence for one in active], np.int64),
        np.array([relevance_of(one, DECAY, NOON) for one in active], np.float64),
        np.array([one.access_count for one in active], np.float64),
        np.array([one.lifetime is Lifetime.SHORT_TERM for one in active], np.bool_),
        np.array(
            [one.pinned or one.locked or one.paused or one.curator is Curator.AUTHOR
             for one in active], np.bool_),
        idle_hours,
    )  # fmt: skip


def plan_of(
    entries: list[MemoryEntry],
    *pairs: tuple[int, int],
    policy: ConsolidationPolicy | None = None,
    restored: frozenset[str] = frozenset(),
    idle_hours: float = 0.0,
) -> ConsolidationPlan:
    near = [NearPair(entries[one].id, entries[other].id, 0.97) for one, other in pairs]
    return plan_consolidation(
        SCOPE,
        figures_of(entries, idle_hours),
        Alike(near, same_keys_of(entries)),
        {one.id: one for one in entries},
        policy or ConsolidationPolicy(DECAY, prune=PruneMode.PRUNE),
        NOON,
        restored=restored,
    )


def same_keys_of(entries: list[MemoryEntry]) -> list[list[str]]:
    groups: defaultdict[bytes, list[str]] = defaultdict(list)
    for one in entries:
        groups[key_of(one.content)].append(one.id)
    return [ids for ids in groups.values() if len(ids) > 1]


def memories(*texts: str, **values: Any) -> list[MemoryEntry]:
    return [a_memory(text, sequence=place, **values) for place, text in enumerate(texts, start=1)]


def test_what_is_read_often_and_still_vivid_becomes_long_term() -> None:
    entries = [
        a_memory(sequence=1, importance=0.5, access_count=4, accessed_at=NOON),
        a_memory(sequence=2, importance=0.5, access_count=3, accessed_at=NOON),
        a_memory(sequence=3, importance=0.2, access_count=4, accessed_at=NOON),
        a_memory(sequence=4, importance=0.9, access_count=9, lifetime=Lifetime.LONG_TERM),
    ]
    assert [one.sequence for one in plan_of(entries).promote] == [1]


def test_faded_short_term_memories_are_pruned_and_nothing_else() -> None:
    entries = [
        a_memory(sequence=1, created_at=LONG_AGO),
        a_memory(sequence=2, created_at=LONG_AGO, lifetime=Lifetime.LONG_TERM),
        a_memory(sequence=3, created_at=LONG_AGO, curator=Curator.AUTHOR),
        a_memory(sequence=4, created_at=LONG_AGO, pinned=True),
        a_memory(sequence=5, created_at=LONG_AGO, locked=True),
        a_memory(sequence=6, created_at=LONG_AGO, paused=True),
        a_memory(sequence=7, created_at=NOON),
        a_memory(sequence=8, created_at=LONG_AGO, forgotten_at=NOON),
    ]
    plan = plan_of(entries)
    assert [one.sequence for one in plan.prune] == [1]
    assert plan.review_faded == ()


@pytest.mark.parametrize(
    ("policy", "idle_hours", "restored", "expected"),
    [
        (ConsolidationPolicy(prune=PruneMode.KEEP), 0.0, False, []),
        (ConsolidationPolicy(), 0.0, False, [ReviewReason.FADED]),
        (None, 10_000.0, False, [ReviewReason.LONG_SILENCE]),
        (None, 0.0, True, [ReviewReason.RESTORED]),
    ],
)
def test_pruning_waits_for_a_person_when_told_so(
    policy: ConsolidationPolicy | None,
    idle_hours: float,
    *,
    restored: bool,
    expected: list[ReviewReason],
) -> None:
    entries = [a_memory(sequence=1, created_at=LONG_AGO)]
    ids = frozenset({entries[0].id} if restored else ())
    plan = plan_of(entries, policy=policy, restored=ids, idle_hours=idle_hours)
    assert plan.prune == ()
    assert [reason for one in plan.review_faded for reason in one.reasons] == expected


def test_what_says_the_same_forms_a_group_around_the_best_text() -> None:
    entries = memories("The queen fears the sea", "the queen fears the SEA!", "A cat")
    entries[1] = replace(entries[1], importance=0.9)
    plan = plan_of(entries)
    (group,) = plan.merge
    assert [one.sequence for one in group.members] == [2, 1]
    assert group.key == group_key(entries[:2]) == group_key(reversed(entries[:2]))
    assert (group.cosine, group.reasons, plan.review) == (1.0, (), ())
    assert plan.n_forgetting == 2


def test_what_is_alike_and_differs_is_never_merged_unasked() -> None:
    pairs = [pair for several in DIFFERENT.values() for pair in several]
    entries = memories(*(text for pair in pairs for text in pair))
    plan = plan_of(entries, *((2 * n, 2 * n + 1) for n in range(len(pairs))))
    assert plan.merge == ()
    assert len(plan.review) == len(pairs)
    assert {group.reasons for group in plan.review} == {(ReviewReason.DIFFERENT,)}


def test_each_two_members_of_a_group_say_the_same() -> None:
    # An article may be there or not; it is never another one.
    plan = plan_of(memories("Die See von Wend ruht", "See von Wend ruht", "Der See von Wend ruht"))
    assert [[one.sequence for one in group.members] for group in plan.merge] == [[1, 2]]


def test_the_most_alike_pairs_come_first() -> None:
    entries = memories("One grey gull", "One old gull", "One gull")
    near = [NearPair(entries[0].id, entries[n].id, 0.95 + n / 100) for n in (1, 2)]
    plan = plan_consolidation(
        SCOPE, figures_of(entries), Alike(near), {one.id: one for one in entries},
        ConsolidationPolicy(DECAY), NOON,
    )  # fmt: skip
    assert [round(group.cosine, 2) for group in plan.review] == [0.97, 0.96]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"curator": Curator.AUTHOR, "locked": True}, ReviewReason.AUTHOR),
        ({"pinned": True}, ReviewReason.PINNED),
        ({"locked": True}, ReviewReason.LOCKED),
    ],
)
def test_what_is_protected_is_listed_for_review(
    changes: dict[str, Any], reason: ReviewReason
) -> None:
    one, other, another = memories("She ruled", "She ruled!", "She ruled alone")
    plan = plan_of([one, replace(other, **changes), another], (1, 2))
    assert plan.merge == ()
    same, alike = plan.review
    assert (same.reasons, same.cosine) == ((reason,), 1.0)
    assert alike.reasons == (ReviewReason.DIFFERENT, reason)
    assert plan.n_forgetting == 0


def test_each_protected_copy_is_shown_once_beside_the_best() -> None:
    entries = memories(*["She ruled"] * 4, pinned=True)
    plan = plan_of(entries, *combinations(range(4), 2))
    assert [[one.sequence for one in group.members] for group in plan.review] == [
        [1, 2], [1, 3], [1, 4],
    ]  # fmt: skip


def test_what_a_person_brought_back_is_never_merged_unasked() -> None:
    entries = memories("The queen fears the sea", "The queen fears the sea.")
    plan = plan_of(entries, restored=frozenset({entries[1].id}))
    assert [group.reasons for group in plan.review] == [(ReviewReason.RESTORED,)]


ROOM = ScopeKey.channel(WORKSPACE_ID, "gate")
REPEATED = ("The lamp is lit", "A lamp is lit at night", "The lamp stays lit", "The lamp was lit")


def roll_ups_of(
    entries: list[MemoryEntry], *pairs: tuple[int, int], rolls_up: bool = True
) -> list[list[int]]:
    """Sequences of what each roll-up holds; every pair is less alike than the one before."""
    near = [
        NearPair(entries[one].id, entries[other].id, 0.99 - n / 100)
        for n, (one, other) in enumerate(pairs)
    ]
    plan = plan_consolidation(
        entries[0].scope, figures_of(entries), Alike(near), {one.id: one for one in entries},
        ConsolidationPolicy(DECAY, rolls_up=rolls_up), NOON,
    )  # fmt: skip
    assert {group.reasons for group in plan.roll_ups} <= {(ReviewReason.REPEATED,)}
    assert plan.is_empty  # nothing of it is done unasked
    assert len(plan.review) == len(pairs)
    return [sorted(one.sequence for one in group.members) for group in plan.roll_ups]


def test_three_that_are_alike_each_to_each_are_rolled_up_and_two_are_not() -> None:
    entries = memories(*REPEATED, scope=ROOM)
    assert roll_ups_of(entries, *combinations(range(3), 2)) == [[1, 2, 3]]
    assert roll_ups_of(entries, (0, 1)) == []
    assert roll_ups_of(entries, (0, 1), (1, 2)) == []
    assert roll_ups_of(entries, *combinations(range(4), 2)) == [[1, 2, 3, 4]]


def test_only_a_channel_is_rolled_up_and_only_where_a_model_may_word_it() -> None:
    pairs = tuple(combinations(range(3), 2))
    assert roll_ups_of(memories(*REPEATED), *pairs) == []
    assert roll_ups_of(memories(*REPEATED, scope=ROOM), *pairs, rolls_up=False) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"content": "The lamp is not lit"},
        {"content": "The lamp is lit 3 times"},
        {"content": "The lamp is lit by Mara"},
        {"curator": Curator.AUTHOR},
        {"written_by": "author"},
        {"curator": Curator.IMPORT},
        {"pinned": True},
        {"locked": True},
    ],
)
def test_what_differs_in_what_counts_or_is_protected_is_in_no_roll_up(
    changes: dict[str, Any],
) -> None:
    first, *others = memories(*REPEATED, scope=ROOM)
    entries = [replace(first, **changes), *others]
    assert roll_ups_of(entries, *combinations(range(4), 2)) == [[2, 3, 4]]


def test_private_and_shared_memories_never_meet() -> None:
    entries = memories("The queen fears the sea", "The queen fears the sea.", "The sea")
    entries[1] = replace(entries[1], agent_id="researcher")
    plan = plan_of(entries, (1, 2))
    assert (plan.merge, plan.review) == ((), ())


def test_what_is_about_to_be_pruned_is_not_merged_as_well() -> None:
    entries = memories("A grey gull", "A grey gull!", created_at=LONG_AGO)
    plan = plan_of(entries)
    assert (len(plan.prune), plan.merge) == (2, ())
    asked = plan_of(entries, policy=ConsolidationPolicy(DECAY))
    assert (len(asked.review_faded), len(asked.merge)) == (2, 1)


@pytest.mark.parametrize(
    ("n_faded", "n_fresh", "is_large"), [(19, 0, False), (20, 79, True), (20, 80, False)]
)
def test_a_run_that_forgets_much_of_a_scope_stops_and_asks(
    n_faded: int, n_fresh: int, *, is_large: bool
) -> None:
    entries = memories(*["Old"] * n_faded, created_at=LONG_AGO)
    entries += [a_memory(f"Fresh {n}", sequence=n_faded + n + 1) for n in range(n_fresh)]
    plan = plan_of(entries)
    assert plan.refused_because_large == is_large
    asked = plan_of(
        entries, policy=ConsolidationPolicy(DECAY, prune=PruneMode.PRUNE, allow_large=True)
    )
    assert not asked.refused_because_large
    assert asked.n_forgetting == n_faded


def test_a_merged_memory_inherits_from_all_its_sources() -> None:
    one = a_memory(
        "The queen fears the sea", sequence=1, importance=0.4, access_count=2, tags=("sea",),
        created_at=LONG_AGO, curator=Curator.AGENT, source_conversation="c1",
        confirmed_at=NOON,
    )  # fmt: skip
    other = replace(
        a_memory("The queen fears the sea", sequence=2, importance=0.8, access_count=3,
                 tags=("queen", "sea"), curator=Curator.IMPORT, source_conversation="c2",
                 lifetime=Lifetime.LONG_TERM, accessed_at=NOON),
        derived_from=(Derivation("Queen"),),
    )  # fmt: skip
    (group,) = plan_of([one, other]).merge
    merged = merged_entry(group, "text", "run-1", NOON)
    assert (merged.id, merged.content, merged.run_id) == (group.key, "text", "run-1")
    assert (merged.source, merged.curator) == ("consolidation", Curator.IMPORT)
    assert (merged.importance, merged.access_count) == (0.8, 5)
    assert (merged.created_at, merged.accessed_at) == (LONG_AGO, NOON)
    assert set(merged.tags) == {"sea", "queen"}
    assert merged.lifetime is Lifetime.LONG_TERM
    assert merged.derived_from == (Derivation("Queen"),)
    assert merged.source_conversation is None


def test_an_edit_gives_a_group_another_key() -> None:
    one, other = memories("a gull", "a gull")
    assert group_key([one, other]) != group_key([one, replace(other, version=2)])
