"""What the memories of a selection have in common, kept up while each is checked and unchecked.

A selection may be a tier of a hundred thousand: nothing here goes through all of them for one more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from inklings_desktop.domain.memory import Curator, Lifetime, Tier
    from inklings_desktop.ui.memory.acts.chosen import Chosen

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
        """Count these memories."""
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
