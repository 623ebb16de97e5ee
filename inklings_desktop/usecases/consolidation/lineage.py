"""What a memory was made from, sources that were brought back included, or what it replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import StepKind
from inklings_desktop.domain.likeness.merging import left_out
from inklings_desktop.domain.memory import MERGED_SOURCE
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import StoreView

MAX_GENERATIONS = 12
MAX_ANCESTORS = 200


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A memory that went into another one, with those that it was made from itself.

    Attributes:
        entry: As it is now; active again if somebody brought it back.
        made_from: Its own sources.
        left_out: Sentences of it that the other one does not hold word for word.
    """

    entry: MemoryEntry
    made_from: tuple[Ancestor, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lineage:
    """What one memory was made from, and what became of it.

    Attributes:
        made_from: Its sources, or the memories whose place it took when it was written.
        merged_into: The memory that took its place; None while it stands for itself.
    """

    made_from: tuple[Ancestor, ...] = ()
    merged_into: MemoryEntry | None = None

    @property
    def ids(self) -> Iterator[str]:
        """Ids of all of them."""
        if self.merged_into is not None:
            yield self.merged_into.id
        ancestors = list(self.made_from)
        while ancestors:
            one = ancestors.pop()
            ancestors += one.made_from
            yield one.entry.id


def sources_of(view: StoreView, entry: MemoryEntry) -> tuple[Ancestor, ...]:
    """What a memory was made from, at most 200 sources over 12 generations."""
    return _Tree(view).of(entry, MAX_GENERATIONS)


class _Tree:
    """Reads sources until there are enough of them."""

    def __init__(self, view: StoreView) -> None:
        self._view = view
        self._n_left = MAX_ANCESTORS

    def of(self, entry: MemoryEntry, generations: int) -> tuple[Ancestor, ...]:
        if generations == 0:
            return ()
        found = []
        for source in self._sources(entry):
            if self._n_left <= 0:
                break
            self._n_left -= 1
            sentences = left_out(source.content, entry.content)
            found.append(Ancestor(source, self.of(source, generations - 1), sentences))
        return tuple(found)

    def _sources(self, entry: MemoryEntry) -> list[MemoryEntry]:
        """In order of writing; the run that wrote it knows those that were brought back since."""
        sources = {one.id: one for one in self._view.consolidation.parents(entry.id)}
        if entry.source == MERGED_SOURCE and entry.run_id is not None:
            ids = [
                step.memory_id
                for step in self._view.tasks.steps(entry.run_id)
                if step.kind is StepKind.PARENT and step.successor_id == entry.id
            ]
            sources |= self._view.memories.get_many([id_ for id_ in ids if id_ not in sources])
        return sorted(sources.values(), key=lambda one: one.sequence)
