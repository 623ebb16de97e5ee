"""What a consolidation would do, planned before anything is touched.

Score, promote, prune, merge, cap, in this order. The plan is data: it can be shown, judged piece
by piece, tested and carried out. Nothing that an author wrote, pinned or locked is merged or
pruned without a person's word, and nothing is that differs in a word: it is listed for review.
What a channel repeats in other words is listed there as one roll-up, for a model to word.
"""

from __future__ import annotations

import uuid
from dataclasses import field
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.cadence import PruneMode
from inklings_desktop.domain.likeness.rewording import repeats
from inklings_desktop.domain.likeness.sameness import says_the_same
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import (
    MAX_DERIVATIONS,
    MERGED_SOURCE,
    Curator,
    Lifetime,
    MemoryEntry,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.memory_values import MAX_TAGS
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

PROMOTE_RELEVANCE = 0.7
PROMOTE_READS = 3
PRUNE_RELEVANCE = 0.01
GUARD_SHARE = 0.2
GUARD_MIN = 20
MAX_GROUP = 32
MIN_REPEATS = 3
"""What two memories say alike is a pair; what three do, a channel repeats."""
STRANGE_GAP_HOURS = 400 * 24.0
"""A longer silence than this may be a clock that was set wrong: nothing is pruned unasked."""

MERGED_REASON = "consolidated"
PRUNED_REASON = "pruned"
_MERGED_NAMESPACE = uuid.UUID("5a0c9c1e-4b5e-4d0f-9f5d-2f6b7d1c8a11")

_TRUST = {Curator.AUTHOR: 2, Curator.AGENT: 1, Curator.IMPORT: 0}


class ReviewReason(StrEnum):
    """Why a person has to look before anything is merged or forgotten."""

    DIFFERENT = "different"
    AUTHOR = "author"
    PINNED = "pinned"
    LOCKED = "locked"
    RESTORED = "restored"
    REPEATED = "repeated"
    FADED = "faded"
    LONG_SILENCE = "long_silence"
    ON_PAGE = "on_page"


@dataclass(frozen=True, slots=True)
class ConsolidationPolicy:
    """The numbers a person may set.

    Attributes:
        decay: Rates per tier.
        cap: Most active memories per scope key.
        prune: What becomes of faded short-term memories.
        allow_large: Go on even if a large share of the scope would be forgotten.
        rolls_up: Whether a model may word what a channel repeats.
    """

    decay: DecayConfig = field(default_factory=DecayConfig)
    cap: int = 10_000
    prune: PruneMode = PruneMode.REVIEW
    allow_large: bool = False
    rolls_up: bool = False


@dataclass(frozen=True, slots=True)
class ScopeFigures:
    """What deciding needs of every active memory of one scope key, as arrays.

    Attributes:
        sequences: int64, shape (n_active,), rising.
        relevance: float64, shape (n_active,), as of the instant of planning.
        access_count: float64, shape (n_active,).
        short_term: bool, shape (n_active,).
        guarded: bool, shape (n_active,): author-made, pinned, locked or paused.
        idle_hours: Hours since the last sign of life in the scope: a memory written or read.
    """

    sequences: Integers
    relevance: FloatArray
    access_count: FloatArray
    short_term: Mask
    guarded: Mask
    idle_hours: float = 0.0

    @property
    def n_active(self) -> int:
        """Active memories of the scope key."""
        return len(self.sequences)

    def to_promote(self) -> list[int]:
        """Sequences of short-term memories that proved themselves."""
        chosen = (
            self.short_term
            & (self.relevance > PROMOTE_RELEVANCE)
            & (self.access_count > PROMOTE_READS)
        )
        return [int(one) for one in self.sequences[chosen]]

    def faded(self) -> list[int]:
        """Sequences of unguarded short-term memories whose relevance is all but gone."""
        chosen = self.short_term & ~self.guarded & (self.relevance < PRUNE_RELEVANCE)
        return [int(one) for one in self.sequences[chosen]]


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two memories that are alike; ``first`` was written earlier."""

    first: str
    second: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Alike:
    """What of one scope key is alike.

    Attributes:
        pairs: Memories whose vectors are, and on which nobody has decided.
        same: Ids of memories that may say the same, group by group.
    """

    pairs: Sequence[NearPair] = ()
    same: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class MergeGroup:
    """Memories that may become one.

    Attributes:
        key: Names this group with these versions of its members; also the merged memory's id, so
            that a run which is resumed never merges the same twice.
        members: The best text first.
        cosine: How alike they are; 1 where they say the same.
        reasons: Why a person has to look first; empty when it may be merged unasked.
    """

    key: str
    members: tuple[MemoryEntry, ...]
    cosine: float
    reasons: tuple[ReviewReason, ...] = ()


@dataclass(frozen=True, slots=True)
class FadedMemory:
    """A memory that would be pruned if a person agreed."""

    entry: MemoryEntry
    reasons: tuple[ReviewReason, ...]


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """What one run would do to one scope key.

    Attributes:
        planned_at: The instant that relevance was computed for.
        n_active: Active memories before.
        promote: Short-term memories that become long-term.
        prune: Short-term memories that are forgotten because they faded.
        merge: Groups that become one memory each.
        cap: What is forgotten because the scope holds more than it may.
        review: Pairs that wait for a person's word, the most alike first.
        review_faded: Faded memories, and such as their page says by now, that wait for a
            person's word.
        roll_ups: What the channel repeats, for a person's word too; the pairs in it are in
            ``review`` as well. Without a model's words none is carried out.
        allow_large: Whether a person has agreed to a large run.
    """

    scope: ScopeKey
    planned_at: datetime
    n_active: int
    promote: tuple[MemoryEntry, ...] = ()
    prune: tuple[MemoryEntry, ...] = ()
    merge: tuple[MergeGroup, ...] = ()
    cap: tuple[MemoryEntry, ...] = ()
    review: tuple[MergeGroup, ...] = ()
    review_faded: tuple[FadedMemory, ...] = ()
    roll_ups: tuple[MergeGroup, ...] = ()
    allow_large: bool = False

    @property
    def asked(self) -> tuple[MergeGroup, ...]:
        """Every group that a person may decide on."""
        return (*self.merge, *self.review, *self.roll_ups)

    @property
    def n_forgetting(self) -> int:
        """Memories that the run would forget, those that live on in a merged one included."""
        merged = sum(len(group.members) for group in self.merge)
        return len(self.prune) + merged + len(self.cap)

    @property
    def is_empty(self) -> bool:
        """Whether the run would change nothing."""
        return not (self.promote or self.prune or self.merge or self.cap)

    @property
    def is_large(self) -> bool:
        """Whether it would forget at least 20 memories and more than a fifth of the scope."""
        return self.n_forgetting >= GUARD_MIN and self.n_forgetting > GUARD_SHARE * self.n_active

    @property
    def refused_because_large(self) -> bool:
        """Whether a person has to agree before anything is done."""
        return self.is_large and not self.allow_large


def _go_on() -> None:
    """Nobody wants it to stop."""


def plan_consolidation(
    scope: ScopeKey,
    figures: ScopeFigures,
    alike: Alike,
    entries: Mapping[str, MemoryEntry],
    policy: ConsolidationPolicy,
    planned_at: datetime,
    *,
    restored: frozenset[str] = frozenset(),
    checkpoint: Callable[[], None] = _go_on,
) -> ConsolidationPlan:
    """What a run would do, the cap aside: whoever holds the figures fills that in.

    Args:
        figures: Every active memory of it.
        alike: Which of them are alike.
        entries: By id: every memory that is in a pair, may say the same as another, has faded or
            is to be promoted. Those that are missing, forgotten or paused take no part.
        policy: The numbers.
        planned_at: The instant that the figures are as of.
        restored: Ids that a person has brought back once: never taken again unasked.
        checkpoint: Called between groups; whatever it raises ends the planning.
    """
    by_sequence = {
        entry.sequence: entry
        for entry in entries.values()
        if entry.is_retrievable and entry.scope == scope
    }
    has_lifetimes = scope.tier is not Tier.CONVERSATION
    promote = _named(figures.to_promote(), by_sequence) if has_lifetimes else ()
    faded = _named(figures.faded(), by_sequence) if has_lifetimes else ()
    prune, review_faded = _sorted_out(faded, figures, policy, restored)
    leaving = {entry.id for entry in prune}
    staying = {entry.id: entry for entry in by_sequence.values() if entry.id not in leaving}
    merge, review = _saying_the_same(alike, staying, restored, checkpoint)
    taken = {one.id for group in merge for one in group.members}
    free = {id_: one for id_, one in staying.items() if id_ not in taken}
    review += _for_review(alike, free, restored)
    repeated = policy.rolls_up and scope.tier is Tier.CHANNEL
    return ConsolidationPlan(
        scope,
        planned_at,
        figures.n_active,
        promote=promote,
        prune=prune,
        merge=tuple(merge),
        review=tuple(review),
        review_faded=review_faded,
        roll_ups=_repeated(review, checkpoint) if repeated else (),
        allow_large=policy.allow_large,
    )


def merged_entry(group: MergeGroup, content: str, run_id: str, now: datetime) -> MemoryEntry:
    """The memory that a group becomes.

    It inherits the highest importance, all reads, the oldest creation, every tag and reference
    that fits, and the lowest curator of its sources (author above agent above import).

    Args:
        group: Its sources.
        now: When it is written.
    """
    members = group.members
    best = members[0]
    conversations = {one.source_conversation for one in members}
    writers = {one.written_by for one in members}
    is_long_term = any(one.lifetime is Lifetime.LONG_TERM for one in members)
    tags = dict.fromkeys(tag for one in members for tag in one.tags)
    derivations = dict.fromkeys(ref for one in members for ref in one.derived_from)
    return MemoryEntry(
        id=group.key,
        sequence=0,
        version=1,
        scope=best.scope,
        content=content,
        lifetime=Lifetime.LONG_TERM if is_long_term else best.lifetime,
        source=MERGED_SOURCE,
        curator=min((one.curator for one in members), key=_TRUST.__getitem__),
        importance=max(one.importance for one in members),
        tags=tuple(tags)[:MAX_TAGS],
        created_at=min(one.created_at for one in members),
        written_by=writers.pop() if len(writers) == 1 else MERGED_SOURCE,
        agent_id=best.agent_id,
        source_conversation=conversations.pop() if len(conversations) == 1 else None,
        derived_from=tuple(derivations)[:MAX_DERIVATIONS],
        edited_at=now,
        accessed_at=_latest(one.accessed_at for one in members),
        access_count=sum(one.access_count for one in members),
        confirmed_at=_latest(one.confirmed_at for one in members),
        imported_at=_latest(one.imported_at for one in members),
        pinned=any(one.pinned for one in members),
        locked=any(one.locked for one in members),
        run_id=run_id,
    )


def group_key(members: Iterable[MemoryEntry]) -> str:
    """The id of what these memories, in these versions, become; the same in every run."""
    names = sorted(f"{one.id} {one.version}" for one in members)
    return str(uuid.uuid5(_MERGED_NAMESPACE, "\n".join(names)))


def _named(
    sequences: Iterable[int], by_sequence: Mapping[int, MemoryEntry]
) -> tuple[MemoryEntry, ...]:
    return tuple(by_sequence[one] for one in sequences if one in by_sequence)


def _sorted_out(
    faded: Iterable[MemoryEntry],
    figures: ScopeFigures,
    policy: ConsolidationPolicy,
    restored: frozenset[str],
) -> tuple[tuple[MemoryEntry, ...], tuple[FadedMemory, ...]]:
    """Faded memories: those to forget, and those a person is asked about."""
    if policy.prune is PruneMode.KEEP:
        return (), ()
    general: list[ReviewReason] = []
    if policy.prune is PruneMode.REVIEW:
        general.append(ReviewReason.FADED)
    if figures.idle_hours > STRANGE_GAP_HOURS and not policy.allow_large:
        general.append(ReviewReason.LONG_SILENCE)
    prune: list[MemoryEntry] = []
    review: list[FadedMemory] = []
    for entry in faded:
        reasons = [*general, *([ReviewReason.RESTORED] if entry.id in restored else [])]
        if reasons:
            review.append(FadedMemory(entry, tuple(reasons)))
        else:
            prune.append(entry)
    return tuple(prune), tuple(review)


def _saying_the_same(
    alike: Alike,
    entries: Mapping[str, MemoryEntry],
    restored: frozenset[str],
    checkpoint: Callable[[], None],
) -> tuple[list[MergeGroup], list[MergeGroup]]:
    """Groups that are merged unasked, each two of whose members say the same; pairs for review.

    A pair is for review where one of the two is protected: each such memory is shown beside the
    best that says the same.
    """

    def are_one(one: MemoryEntry, other: MemoryEntry) -> bool:
        return one.agent_id == other.agent_id and says_the_same(one.content, other.content)

    merge: list[MergeGroup] = []
    review: dict[str, MergeGroup] = {}
    for ids in alike.same:
        checkpoint()
        several = sorted((entries[id_] for id_ in ids if id_ in entries), key=_rank)
        free = [one for one in several if not _protected(one, restored)]
        groups: list[list[MemoryEntry]] = []
        for entry in free:
            for members in groups:
                if len(members) < MAX_GROUP and all(are_one(one, entry) for one in members):
                    members.append(entry)
                    break
            else:
                groups.append([entry])
        merge += [_group(members) for members in groups if len(members) > 1]
        taken = {one.id for members in groups if len(members) > 1 for one in members}
        waiting = [one for one in several if one.id not in taken]
        for entry in waiting:
            if not (reasons := _protected(entry, restored)):
                continue
            for best in waiting:
                if best is not entry and are_one(best, entry):
                    pair = sorted((best, entry), key=_rank)
                    reasons += _protected(best, restored)
                    group = _group(pair, tuple(dict.fromkeys(reasons)))
                    review[group.key] = group
                    break
    return merge, list(review.values())


def _for_review(
    alike: Alike, entries: Mapping[str, MemoryEntry], restored: frozenset[str]
) -> Iterator[MergeGroup]:
    """Pairs that are alike and do not say the same, the most alike first."""
    numbers = {id_: number for number, ids in enumerate(alike.same) for id_ in ids}
    for pair in sorted(alike.pairs, key=lambda one: -one.cosine):
        one, other = entries.get(pair.first), entries.get(pair.second)
        if one is None or other is None or one.agent_id != other.agent_id:
            continue
        may_be_one = one.id in numbers and numbers[one.id] == numbers.get(other.id)
        if may_be_one and says_the_same(one.content, other.content):
            continue
        members = sorted((one, other), key=_rank)
        reasons = [reason for member in members for reason in _protected(member, restored)]
        yield _group(members, tuple(dict.fromkeys([ReviewReason.DIFFERENT, *reasons])), pair.cosine)


def _repeated(
    pairs: Iterable[MergeGroup], checkpoint: Callable[[], None]
) -> tuple[MergeGroup, ...]:
    """Groups of agents' memories each two of which are alike and repeat one another."""
    near: dict[str, dict[str, float]] = {}
    entries: dict[str, MemoryEntry] = {}
    for pair in pairs:
        one, other = pair.members
        are_agents = one.curator is other.curator is Curator.AGENT
        if pair.reasons == (ReviewReason.DIFFERENT,) and are_agents:
            entries |= {one.id: one, other.id: other}
            near.setdefault(one.id, {})[other.id] = pair.cosine
            near.setdefault(other.id, {})[one.id] = pair.cosine
    groups, taken = [], set[str]()
    for best in sorted(entries.values(), key=_rank):
        checkpoint()
        members = [best] if best.id not in taken else []
        for id_ in sorted(near[best.id], key=lambda one: -near[best.id][one]) if members else ():
            if id_ not in taken and len(members) < MAX_GROUP and all(
                id_ in near[one.id] and repeats(one.content, entries[id_].content)
                for one in members
            ):  # fmt: skip
                members.append(entries[id_])
        if len(members) >= MIN_REPEATS:
            taken |= {one.id for one in members}
            least = min(near[one.id][other.id] for one, other in combinations(members, 2))
            groups.append(_group(sorted(members, key=_rank), (ReviewReason.REPEATED,), least))
    return tuple(groups)


def _group(
    members: Sequence[MemoryEntry], reasons: tuple[ReviewReason, ...] = (), cosine: float = 1.0
) -> MergeGroup:
    return MergeGroup(group_key(members), tuple(members), cosine, reasons)


def _protected(entry: MemoryEntry, restored: frozenset[str]) -> tuple[ReviewReason, ...]:
    """Why this memory is not merged unasked."""
    found = {
        ReviewReason.AUTHOR: entry.is_authors,
        ReviewReason.PINNED: entry.pinned,
        ReviewReason.LOCKED: entry.locked and not entry.is_authors,
        ReviewReason.RESTORED: entry.id in restored,
    }
    return tuple(reason for reason, holds in found.items() if holds)


def _rank(entry: MemoryEntry) -> tuple[int, float, int, int]:
    """Which text is the best: the most trusted, the most important, the longest, the earliest."""
    return -_TRUST[entry.curator], -entry.importance, -len(entry.content), entry.sequence


def _latest(instants: Iterable[datetime | None]) -> datetime | None:
    return max((one for one in instants if one is not None), default=None)
