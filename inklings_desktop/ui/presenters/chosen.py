"""The memories of a selection, without their texts: a selection may be a whole tier."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeVar

from inklings_desktop.domain.decay import relevance_of
from inklings_desktop.domain.memory_values import MAX_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, MemoryRef

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True)
class Shared:
    """What the memories of a selection have in common.

    Attributes:
        count: How many there are.
        lifetime: Of all of them; None where they differ.
        importance: Of all of them; None where they differ.
        curators: How many each vouches for, most first.
        relevance: Least and greatest.
        tags: How many carry each tag, most first, then by name.
        pinned: How many are; likewise ``paused`` and ``locked``.
        is_forgotten: Whether they are forgotten ones.
    """

    count: int
    lifetime: Lifetime | None
    importance: float | None
    curators: tuple[tuple[Curator, int], ...]
    relevance: tuple[float, float]
    tags: tuple[tuple[str, int], ...]
    pinned: int
    paused: int
    locked: int
    is_forgotten: bool


def shared_by(chosen: Iterable[Chosen]) -> Shared:
    """What these memories have in common; there is at least one."""
    every = list(chosen)
    tags = Counter(tag for one in every for tag in one.tags)
    figures = [one.relevance for one in every]
    return Shared(
        len(every),
        _only({one.lifetime for one in every}),
        _only({one.importance for one in every}),
        tuple(Counter(one.curator for one in every).most_common()),
        (min(figures), max(figures)),
        tuple(sorted(tags.items(), key=lambda item: (-item[1], item[0]))),
        sum(one.pinned for one in every),
        sum(one.paused for one in every),
        sum(one.locked for one in every),
        all(one.is_forgotten for one in every),
    )


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

    def n_added(self, tag: str, chosen: Iterable[Chosen]) -> int:
        """Memories that would get the tag: those that lack it."""
        return sum(tag not in one.tags for one in chosen)

    def n_removed(self, tag: str, chosen: Iterable[Chosen]) -> int:
        """Memories that would lose the tag."""
        return sum(tag in one.tags for one in chosen)

    def changes_any(self, chosen: Iterable[Chosen]) -> bool:
        """Whether at least one memory would get or lose a tag."""
        adds, removes = set(self.adds), set(self.removes)
        return any(not adds <= set(one.tags) or removes & set(one.tags) for one in chosen)

    def n_over(self, chosen: Iterable[Chosen]) -> int:
        """Memories that would carry more tags than one may."""
        adds, removes = set(self.adds), set(self.removes)
        return sum(len(set(one.tags) - removes | adds) > MAX_TAGS for one in chosen)


def _without(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tuple(one for one in tags if one != tag)


def _only(values: set[T]) -> T | None:
    return next(iter(values)) if len(values) == 1 else None
