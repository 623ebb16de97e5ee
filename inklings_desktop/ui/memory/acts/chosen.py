"""The memories of a selection, without their texts: a selection may be a whole tier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memory_values import MAX_TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, MemoryRef


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
