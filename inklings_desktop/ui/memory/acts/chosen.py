"""The memories of a selection, without their texts, and what they have in common."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Self, TypeVar

from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memory_values import MAX_TAGS
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, MemoryRef, Tier
    from inklings_desktop.usecases.bundle import Inklings

READ_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Chosen:
    """One memory of a selection, as it was last read.

    Attributes are those of ``MemoryEntry``; ``relevance`` is of that moment.
    """

    ref: MemoryRef
    version: int
    curator: Curator
    lifetime: Lifetime
    importance: float
    relevance: float
    tags: tuple[str, ...]
    pinned: bool
    paused: bool
    locked: bool
    is_forgotten: bool

    @classmethod
    def of(cls, entry: MemoryEntry, decay: DecayConfig, as_of: datetime) -> Self:
        """What a selection keeps of a memory."""
        return cls(
            entry.ref,
            entry.version,
            entry.curator,
            entry.lifetime,
            entry.importance,
            relevance_of(entry, decay, as_of),
            entry.tags,
            entry.pinned,
            entry.paused,
            entry.locked,
            entry.is_forgotten,
        )


def chosen_of(inklings: Inklings, entries: Iterable[MemoryEntry]) -> dict[str, Chosen]:
    """What a selection keeps of memories, by id, as of one instant."""
    decay, now = inklings.settings.decay, inklings.clock()
    return {one.id: Chosen.of(one, decay, now) for one in entries}


def shown_all(inklings: Inklings, refs: Sequence[MemoryRef]) -> Iterator[MemoryEntry]:
    """Memories as they are now, however many; called off the UI thread."""
    for start in range(0, len(refs), READ_AT_ONCE):
        yield from inklings.listing.show_all(refs[start : start + READ_AT_ONCE])


@dataclass(frozen=True, slots=True)
class Retag:
    """Tags to add to every memory of a selection, and tags to take from it.

    A tag stands on one side at most.
    """

    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it would change nothing at all."""
        return not (self.adds or self.removes)

    def with_added(self, tag: str) -> Retag:
        """Add one more; a tag that was to go stays instead."""
        if tag in self.removes:
            return Retag(self.adds, _without(self.removes, tag))
        return self if tag in self.adds else Retag((*self.adds, tag), self.removes)

    def with_removed(self, tag: str) -> Retag:
        """Take one more away; a tag that was to be added is not."""
        if tag in self.adds:
            return Retag(_without(self.adds, tag), self.removes)
        return self if tag in self.removes else Retag(self.adds, (*self.removes, tag))

    def without(self, tag: str) -> Retag:
        """Leave a tag as it is."""
        return Retag(_without(self.adds, tag), _without(self.removes, tag))

    def n_added(self, tag: str, tag_sets: Mapping[tuple[str, ...], int]) -> int:
        """Memories that would get the tag: those that lack it.

        Args:
            tag: To be added.
            tag_sets: How many memories carry which tags.
        """
        return sum(count for tags, count in tag_sets.items() if tag not in tags)

    def n_removed(self, tag: str, tag_sets: Mapping[tuple[str, ...], int]) -> int:
        """Memories that would lose the tag."""
        return sum(count for tags, count in tag_sets.items() if tag in tags)

    def changes_any(self, tag_sets: Mapping[tuple[str, ...], int]) -> bool:
        """Whether at least one memory would get or lose a tag."""
        adds, removes = set(self.adds), set(self.removes)
        return any(not adds <= set(tags) or removes & set(tags) for tags in tag_sets)

    def n_over(self, tag_sets: Mapping[tuple[str, ...], int]) -> int:
        """Memories that would carry more tags than one may."""
        adds, removes = set(self.adds), set(self.removes)
        return sum(
            count for tags, count in tag_sets.items() if len(set(tags) - removes | adds) > MAX_TAGS
        )


def _without(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tuple(one for one in tags if one != tag)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shared:
    """What the memories of a selection have in common.

    Attributes:
        count: How many there are.
        tiers: Where they are.
        lifetime: Of all of them; None where they differ.
        importance: Of all of them; None where they differ.
        importances: Least, mean and greatest.
        curators: How many each vouches for, most first.
        relevance: Least and greatest.
        tags: How many carry each tag, most first, then by name.
        tag_sets: How many carry exactly these tags.
        pinned: How many are; likewise ``paused`` and ``locked``.
        is_forgotten: Whether they are forgotten ones.
    """

    count: int
    tiers: frozenset[Tier]
    lifetime: Lifetime | None
    importance: float | None
    importances: tuple[float, float, float]
    curators: tuple[tuple[Curator, int], ...]
    relevance: tuple[float, float]
    tags: tuple[tuple[str, int], ...]
    tag_sets: Mapping[tuple[str, ...], int]
    pinned: int
    paused: int
    locked: int
    is_forgotten: bool


class Tally:
    """Counts every value that the memories of a selection have."""

    def __init__(self, chosen: Collection[Chosen] = ()) -> None:
        self._count = len(chosen)
        # The methods of ``Counter`` count without a step of Python for each memory.
        self._tiers = Counter(map(attrgetter("ref.scope.tier"), chosen))
        self._lifetimes = Counter(map(attrgetter("lifetime"), chosen))
        self._importances = Counter(map(attrgetter("importance"), chosen))
        self._curators = Counter(map(attrgetter("curator"), chosen))
        self._relevances = Counter(map(attrgetter("relevance"), chosen))
        self._tag_sets = Counter(map(attrgetter("tags"), chosen))
        self._states = Counter(map(_STATE, chosen))

    def add(self, one: Chosen) -> None:
        """One more memory."""
        self._turn(one, 1)

    def drop(self, one: Chosen) -> None:
        """One memory less; it was counted before."""
        self._turn(one, -1)

    @property
    def n_forgotten(self) -> int:
        """How many of them are forgotten."""
        return self._n_in_state(3)

    def shared(self) -> Shared:
        """What they have in common; there is at least one."""
        tags: Counter[str] = Counter()
        for names, count in self._tag_sets.items():
            for name in names:
                tags[name] += count
        total = sum(value * count for value, count in self._importances.items())
        return Shared(
            self._count,
            frozenset(self._tiers),
            _only(self._lifetimes),
            _only(self._importances),
            (min(self._importances), total / self._count, max(self._importances)),
            tuple(self._curators.most_common()),
            (min(self._relevances), max(self._relevances)),
            tuple(sorted(tags.items(), key=lambda item: (-item[1], item[0]))),
            dict(self._tag_sets),
            self._n_in_state(0),
            self._n_in_state(1),
            self._n_in_state(2),
            self.n_forgotten == self._count,
        )

    def _turn(self, one: Chosen, by: int) -> None:
        self._count += by
        _count(self._tiers, one.ref.scope.tier, by)
        _count(self._lifetimes, one.lifetime, by)
        _count(self._importances, one.importance, by)
        _count(self._curators, one.curator, by)
        _count(self._relevances, one.relevance, by)
        _count(self._tag_sets, one.tags, by)
        _count(self._states, _STATE(one), by)

    def _n_in_state(self, place: int) -> int:
        return sum(count for state, count in self._states.items() if state[place])


_STATE = attrgetter("pinned", "paused", "locked", "is_forgotten")


def _count(counts: Counter[T], value: T, by: int) -> None:
    left = counts[value] + by
    if left:
        counts[value] = left
    else:
        del counts[value]


def _only(counts: Counter[T]) -> T | None:
    return next(iter(counts)) if len(counts) == 1 else None
