"""Plan a consolidation from what the file holds now, and fit a plan to a person's word."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.consolidation import (
    Alike,
    ConsolidationPlan,
    ConsolidationPolicy,
    FadedMemory,
    NearPair,
    ReviewReason,
    plan_consolidation,
)
from inklings_desktop.domain.background.tasks import KeptPair, PairState, TaskKind, TaskTarget
from inklings_desktop.domain.likeness.merging import merged_text
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.memory_values import checked_content
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.derivable import repeated_by
from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.ports.tasks import Comparing, FoundPairs
from inklings_desktop.usecases.steps.caps import n_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import (
        Embedder,
        StoreView,
    )

_NOTHING_FOUND = FoundPairs((), 0, 0, is_complete=False, change_seq=0)


class Verdict(StrEnum):
    """What a person says of one group."""

    ACCEPT = "accept"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word on one group.

    Attributes:
        verdict: Merge it, or keep all of its memories from now on.
        text: The merged text, where the person changed it; None for the planned one.

    Raises:
        InvalidValueError: The text cannot be remembered.
    """

    verdict: Verdict
    text: str | None = None

    def __post_init__(self) -> None:
        if self.text is not None:
            checked_content(self.text)


@dataclass(frozen=True, slots=True)
class Decisions:
    """A person's word on a plan that was shown.

    Attributes:
        groups: By the group's key; a group that is not named stays as it is and is shown again.
        forget: Ids of faded memories listed for review that may go.
        keep: Ids of memories that would be pruned, promoted or forgotten above the cap, and shall
            stay as they are this time.
    """

    groups: Mapping[str, Decision] = field(default_factory=dict)
    forget: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and what was found on the way.

    Attributes:
        plan: What would be done.
        found: What the comparison found.
        pairs: Every pair that counts, with what is known of it.
        model_id: Model whose vectors were compared; empty without one.
    """

    plan: ConsolidationPlan
    found: FoundPairs
    pairs: tuple[KeptPair, ...]
    model_id: str


@dataclass(frozen=True, slots=True)
class AppendingConsolidator:
    """The built-in ``Consolidator``: keeps the best text, appends the sentences it lacks."""

    def merged(self, members: Sequence[MemoryEntry]) -> str:
        """The text of what these memories become, the best of them first."""
        return merged_text([one.content for one in members])


def target_of(scope: ScopeKey) -> TaskTarget:
    """The consolidation of one scope key."""
    return TaskTarget(TaskKind.CONSOLIDATION, scope.workspace_id, scope)


def planned(
    view: StoreView,
    scope: ScopeKey,
    policy: ConsolidationPolicy,
    model: Comparing | None,
    now: datetime,
    progress: Progress = UNHEARD,
) -> Planned:
    """What a run would do now; reads only.

    Only memories that changed since the last comparison are compared with the others; all of them
    when another model made the vectors.

    Args:
        view: One consistent view, so that figures, pairs and texts fit together.
        scope: Where.
        policy: The numbers.
        model: Whose vectors are compared; None for none.
        now: For ages.
        progress: Asked between blocks whether to go on.

    Raises:
        StoppedError: The person stopped it.
    """
    index = view.consolidation
    found, is_known = _NOTHING_FOUND, True
    if model is not None:
        state = view.tasks.state(target_of(scope))
        is_known = state is not None and state.model_id == model.id and state.compared_seq > 0
        since = state.compared_seq if state is not None and is_known else None
        found = index.near_pairs(scope, model, since, progress.require_wanted)
    kept = view.tasks.kept_pairs(scope)
    apart = {_said(one) for one in kept if one.state is PairState.SKIPPED}
    pairs = _all_pairs(view, kept, found, apart, keep_waiting=is_known)
    same = index.same_keys(scope)
    said = index.said([ids[0] for ids in same])
    same = tuple(ids for ids in same if frozenset([said[ids[0]]]) not in apart)
    figures = index.figures(scope, policy.decay, now)
    chosen = [*figures.to_promote(), *figures.faded()]
    entries = {one.id: one for one in index.entries_at(sorted(set(chosen)))}
    waiting = [
        NearPair(pair.first, pair.second, pair.cosine)
        for pair in pairs
        if pair.state is PairState.WAITING
    ]
    wanted = {id_ for pair in waiting for id_ in (pair.first, pair.second)}
    wanted |= {id_ for ids in same for id_ in ids}
    entries |= view.memories.get_many(sorted(wanted - entries.keys()))
    restored = index.restored(sorted(entries))
    plan = plan_consolidation(
        scope,
        figures,
        Alike(waiting, same),
        entries,
        policy,
        now,
        restored=restored,
        checkpoint=progress.require_wanted,
    )
    plan = _capped(view, plan, policy, restored)
    plan = replace(plan, review_faded=(*plan.review_faded, *_on_pages(view, plan)))
    return Planned(plan, found, pairs, model.id if model else "")


def _on_pages(view: StoreView, plan: ConsolidationPlan) -> Iterator[FadedMemory]:
    """Agents' memories that the changed text of their page says now: it is read there."""
    if plan.scope.tier not in {Tier.WORKSPACE, Tier.CHANNEL}:
        return
    said: defaultdict[tuple[str, str, bytes], list[str]] = defaultdict(list)
    for one in view.world.retcons({RetconState.OPEN}):
        said[one.folder_id, one.path, one.base_digest].append(one.now_text)
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for row in view.world.derivations_changed() if said else ():
        texts[row.memory_id] += said.get((row.folder_id, row.path, row.base_digest), ())
    for listed in (*plan.prune, *(faded.entry for faded in plan.review_faded)):
        texts.pop(listed.id, None)
    for entry in view.memories.get_many(sorted(texts)).values():
        is_theirs = entry.curator is Curator.AGENT and not (entry.pinned or entry.locked)
        is_here = is_theirs and entry.is_retrievable and entry.scope == plan.scope
        if is_here and repeated_by(entry.content, texts[entry.id]) is not None:
            yield FadedMemory(entry, (ReviewReason.ON_PAGE,))


def fitted(plan: ConsolidationPlan, decisions: Decisions | None) -> ConsolidationPlan:
    """The plan as a person wants it; unchanged without their word."""
    if decisions is None:
        return plan

    def is_accepted(key: str) -> bool:
        decision = decisions.groups.get(key)
        return decision is not None and decision.verdict is Verdict.ACCEPT

    wanted, taken = [], set[str]()
    for group in plan.asked:
        ids = {one.id for one in group.members}
        if is_accepted(group.key) and not ids & taken:  # a memory goes into one merged one only
            taken |= ids
            wanted.append(group)
    agreed = [one.entry for one in plan.review_faded if one.entry.id in decisions.forget]
    prune, promote, cap = (
        tuple(one for one in several if one.id not in decisions.keep)
        for several in (plan.prune, plan.promote, plan.cap)
    )
    return replace(plan, merge=tuple(wanted), prune=(*prune, *agreed), promote=promote, cap=cap)


def without_wordless(plan: ConsolidationPlan, texts: Mapping[str, str]) -> ConsolidationPlan:
    """The plan with those roll-ups alone that a model worded, and without the pairs inside them.

    Args:
        plan: What a run would do.
        texts: What each roll-up would become, by its key.
    """
    worded = [one for one in plan.roll_ups if is_worded(texts[one.key], one.members)]
    inside = [{member.id for member in one.members} for one in worded]
    review = [
        pair
        for pair in plan.review
        if not any(ids.issuperset(one.id for one in pair.members) for ids in inside)
    ]
    return replace(plan, roll_ups=tuple(worded), review=tuple(review))


def is_worded(text: str, members: Sequence[MemoryEntry]) -> bool:
    """Whether a text is not what these memories become without a model."""
    return text != merged_text([one.content for one in members])


def _said(pair: KeptPair) -> frozenset[bytes]:
    """What the two say, whichever is first: an answer holds for all memories that say it."""
    return frozenset((pair.first_said, pair.second_said))


def _all_pairs(
    view: StoreView,
    kept: Sequence[KeptPair],
    found: FoundPairs,
    apart: AbstractSet[frozenset[bytes]],
    *,
    keep_waiting: bool,
) -> tuple[KeptPair, ...]:
    """Every answer, and the pairs without one: found just now, or before and unchanged since."""
    ids = {id_ for pair in found.pairs for id_ in (pair.first, pair.second)}
    ids |= {id_ for old in kept for id_ in (old.first, old.second)}
    said = view.consolidation.said(sorted(ids))
    pairs = {(one.first, one.second): one for one in kept if one.state is PairState.SKIPPED}
    waiting = [
        KeptPair(one.first, one.second, said[one.first], said[one.second], one.cosine)
        for one in found.pairs
        if one.first in said and one.second in said
    ]
    if keep_waiting:
        waiting += [
            one
            for one in kept
            if one.state is PairState.WAITING
            and (said.get(one.first), said.get(one.second)) == (one.first_said, one.second_said)
        ]
    pairs |= {(one.first, one.second): one for one in waiting if _said(one) not in apart}
    return tuple(pairs.values())


def _capped(
    view: StoreView,
    plan: ConsolidationPlan,
    policy: ConsolidationPolicy,
    restored: frozenset[str],
) -> ConsolidationPlan:
    """The plan with what has to go because the scope holds more than it may."""
    leaving = {one.id for one in plan.prune}
    merging = {one.id for group in plan.merge for one in group.members}
    above = n_above(view, plan.scope, policy.cap)
    surplus = above - len(leaving) - len(merging) + len(plan.merge)
    if surplus <= 0:
        return plan
    most = surplus + len(leaving) + len(merging) + len(restored)
    in_order = view.memories.least_relevant(plan.scope, most, policy.decay, plan.planned_at)
    going = [one for one in in_order if one.id not in leaving | merging | restored][:surplus]
    return replace(plan, cap=tuple(going))


def policy_in(settings: Settings, *, allow_large: bool) -> ConsolidationPolicy:
    """The numbers that a consolidation goes by now."""
    background = settings.background
    return ConsolidationPolicy(
        settings.decay, settings.cap, background.prune, allow_large, background.words_merges
    )


def comparing(embedder: Embedder) -> Comparing | None:
    """The model whose vectors can be compared, as far as it says from where on two are alike."""
    model = embedder.pinned()
    mark = model.calibration.merged
    return Comparing(model.model_id, mark) if model.is_available and mark is not None else None


def model_in_use(embedder: Embedder) -> str:
    """Id of the model that search goes by; empty without one."""
    return embedder.model_id if embedder.is_available else ""
