"""How the sources of memories stand just now, with the axes of their pages: read, never kept."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.world.axes import axes_of, marks_of
from inklings_desktop.domain.world.derivations import DerivationKind, SourceStanding, ToldSources
from inklings_desktop.domain.world.pages import FolderRules
from inklings_desktop.usecases.steps.sources import reads_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.derivations import PageDerivation
    from inklings_desktop.domain.world.pages import Block, Page, WorldFolder
    from inklings_desktop.usecases.ports.world import WorldIndex

T = TypeVar("T")

_NO_RULES = FolderRules()
_ON_PAGES = frozenset({DerivationKind.BLOCK, DerivationKind.PAGE})


class Standings:
    """The pages and blocks of some rows, read once."""

    def __init__(
        self,
        index: WorldIndex | None,
        folders: Sequence[WorldFolder],
        rows: Sequence[PageDerivation],
        entries: Mapping[str, MemoryEntry],
    ) -> None:
        """Read what the rows point at.

        Args:
            index: Of the workspace's pages; None while no folder is linked.
            folders: Linked ones, whose rules say what words mean.
            rows: Of any memories.
            entries: These memories by id: they say how a reference was written.
        """
        self._rules = {one.id: one.rules for one in folders}
        self._entries = entries
        self._blocks: Mapping[str, tuple[Page, Block]] = {}
        self._pages: dict[tuple[str, str], Page] = {}
        if index is None:
            return
        on_pages = [one for one in rows if one.kind in _ON_PAGES and one.folder_id in self._rules]
        ids = {one.target_id for one in on_pages if one.kind is DerivationKind.BLOCK}
        self._blocks = index.blocks(ids) if ids else {}
        there = {(page.folder_id, page.path): page for page, _ in self._blocks.values()}
        for one in on_pages:
            place = (one.folder_id, one.path)
            if one.target_id not in self._blocks and place not in there:
                there |= {(page.folder_id, page.path): page for page in index.named(one.path)}
        self._pages = there

    def of(self, row: PageDerivation) -> SourceStanding:
        """How one row stands."""
        page, block = self._blocks.get(row.target_id, (None, None))
        page = page or self._pages.get((row.folder_id, row.path))
        if page is None:
            return SourceStanding(row, self._written(row), "", "", None)
        axes = self._axes(page, block)
        return SourceStanding(row, page.title, page.id, block.id if block else "", axes)

    def _axes(self, page: Page, block: Block | None) -> Axes:
        return axes_of(
            page.front,
            page.tags,
            () if block is None else marks_of(block.text),
            self._rules.get(page.folder_id, _NO_RULES),
            path=page.path,
            front_lines=page.front_lines,
        )

    def _written(self, row: PageDerivation) -> str:
        entry = self._entries.get(row.memory_id)
        known = () if entry is None else entry.derived_from
        return known[row.place].target if row.place < len(known) else row.path


def told_sources(
    caller: Caller,
    workspace_id: str,
    stand: Standings,
    rows: Sequence[PageDerivation],
) -> Mapping[str, ToldSources]:
    """For each memory that comes from pages what a caller is told of them."""
    on_pages = [one for one in rows if one.kind in _ON_PAGES]
    if not reads_world(caller, workspace_id):
        return {one.memory_id: ToldSources(is_withheld=True) for one in on_pages}
    found: defaultdict[str, tuple[SourceStanding, ...]] = defaultdict(tuple)
    for one in on_pages:
        found[one.memory_id] += (stand.of(one),)
    return {memory_id: ToldSources(told) for memory_id, told in found.items()}


def changed_last(
    items: Iterable[T], weight: Callable[[T], object], sources: Callable[[T], ToldSources]
) -> list[T]:
    """Items in their order, but below equally weighty ones those whose source changed."""
    equals = (list(group) for _, group in groupby(items, weight))
    return [
        one for group in equals for one in sorted(group, key=lambda one: sources(one).has_changed)
    ]
