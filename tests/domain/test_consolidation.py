from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from inklings_desktop.domain.cadence import PruneMode
from inklings_desktop.domain.consolidation import (
    ConsolidationPlan,
    ConsolidationPolicy,
    NearPair,
    ReviewReason,
    ScopeFigures,
    group_key,
    merged_entry,
    plan_consolidation,
)
from inklings_desktop.domain.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memory import Curator, Derivation, Lifetime, ScopeKey
from tests.support.builders import NOON, WORKSPACE_ID, a_memory

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

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
        near,
        {one.id: one for one in entries},
        policy or ConsolidationPolicy(DECAY),
        NOON,
        restored=restored,
    )


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
        (ConsolidationPolicy(prune=PruneMode.REVIEW), 0.0, False, [ReviewReason.FADED]),
        (ConsolidationPolicy(), 10_000.0, False, [ReviewReason.LONG_SILENCE]),
        (ConsolidationPolicy(), 0.0, True, [ReviewReason.RESTORED]),
    ],
)
def test_pruning_waits_for_a_person_when_told_so(
    policy: ConsolidationPolicy, idle_hours: float, *, restored: bool, expected: list[ReviewReason]
) -> None:
    entries = [a_memory(sequence=1, created_at=LONG_AGO)]
    ids = frozenset({entries[0].id} if restored else ())
    plan = plan_of(entries, policy=policy, restored=ids, idle_hours=idle_hours)
    assert plan.prune == ()
    assert [reason for one in plan.review_faded for reason in one.reasons] == expected


def test_near_duplicates_form_a_group_around_the_best_text() -> None:
    entries = memories("The queen fears the sea", "The queen fears the open sea", "A cat")
    entries[1] = replace(entries[1], importance=0.9)
    plan = plan_of(entries, (0, 1))
    (group,) = plan.merge
    assert [one.sequence for one in group.members] == [2, 1]
    assert group.key == group_key(entries[:2]) == group_key(reversed(entries[:2]))
    assert plan.review == ()
    assert plan.n_forgetting == 2


def test_a_chain_of_near_pairs_is_not_one_group() -> None:
    entries = memories("One grey gull", "One grey old gull", "One old gull")
    entries[0] = replace(entries[0], importance=0.9)
    plan = plan_of(entries, (0, 1), (1, 2))
    assert [[one.sequence for one in group.members] for group in plan.merge] == [[1, 2]]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"content": "She ruled for six years"}, ReviewReason.NUMBERS),
        ({"content": "She never ruled for five years"}, ReviewReason.NEGATION),
        ({"curator": Curator.AUTHOR, "locked": True}, ReviewReason.AUTHOR),
        ({"pinned": True}, ReviewReason.PINNED),
        ({"locked": True}, ReviewReason.LOCKED),
    ],
)
def test_what_needs_a_person_is_listed_for_review(
    changes: dict[str, Any], reason: ReviewReason
) -> None:
    one, other = memories("She ruled for five years", "She ruled for five long years")
    plan = plan_of([one, replace(other, **changes)], (0, 1))
    assert plan.merge == ()
    (group,) = plan.review
    assert group.reasons == (reason,)
    assert plan.n_forgetting == 0


def test_what_a_person_brought_back_is_never_merged_unasked() -> None:
    entries = memories("The queen fears the sea", "The queen fears the open sea")
    plan = plan_of(entries, (0, 1), restored=frozenset({entries[1].id}))
    assert [group.reasons for group in plan.review] == [(ReviewReason.RESTORED,)]


def test_private_and_shared_memories_never_meet() -> None:
    entries = memories("The queen fears the sea", "The queen fears the open sea")
    entries[1] = replace(entries[1], agent_id="researcher")
    plan = plan_of(entries, (0, 1))
    assert (plan.merge, plan.review) == ((), ())


def test_what_is_about_to_be_pruned_is_not_merged_as_well() -> None:
    entries = memories("A grey gull", "A grey old gull", created_at=LONG_AGO)
    plan = plan_of(entries, (0, 1))
    assert (len(plan.prune), plan.merge) == (2, ())


@pytest.mark.parametrize(
    ("n_faded", "n_fresh", "is_large"), [(19, 0, False), (20, 79, True), (20, 80, False)]
)
def test_a_run_that_forgets_much_of_a_scope_stops_and_asks(
    n_faded: int, n_fresh: int, *, is_large: bool
) -> None:
    entries = memories(*["Old"] * n_faded, created_at=LONG_AGO)
    entries += [a_memory(sequence=n_faded + n + 1) for n in range(n_fresh)]
    plan = plan_of(entries)
    assert plan.refused_because_large == is_large
    asked = plan_of(entries, policy=ConsolidationPolicy(DECAY, allow_large=True))
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
    (group,) = plan_of([one, other], (0, 1)).merge
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
