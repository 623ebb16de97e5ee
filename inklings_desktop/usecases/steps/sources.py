"""From the references that a memory is written with to the pages and blocks that they mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import Derivation, ScopeKey
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.world.derivations import DerivationKind, SourceState
from inklings_desktop.domain.world.references import (
    block_meant,
    is_id,
    page_reference,
    to_memory,
    to_page,
    to_words,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.derivations import PageDerivation
    from inklings_desktop.domain.world.pages import Page, WorldFolder
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.ports.world import WorldIndex

FROM_MEMORY = "memory"
"""Block of a reference whose target is the id of a memory in the same file."""
_MOST_NAMED = 8


class Sources(NamedTuple):
    """What some references mean.

    Attributes:
        rows: One for each, in their order; without the id of the memory.
        bases: For each digest the text of the block as it is now.
        references: The references themselves; an id that the index gave is led by the path, which
            tells people what is meant and outlives the index.
    """

    rows: tuple[PageDerivation, ...] = ()
    bases: Mapping[bytes, str] = {}
    references: tuple[Derivation, ...] = ()

    def keep(self, unit: UnitOfWork, memory_id: str) -> None:
        """Note them as what a memory comes from; nothing where there are none."""
        if self.rows:
            derived = [replace(one, memory_id=memory_id) for one in self.rows]
            unit.world.put_derivations(memory_id, derived, self.bases)


def reads_world(caller: Caller, workspace_id: str) -> bool:
    """Whether a caller may be told what pages of a workspace say."""
    return caller.may(Action.WORLD_READ, ScopeKey.workspace(workspace_id))


def sources_of(
    caller: Caller,
    index: WorldIndex | None,
    workspace_id: str | None,
    references: Sequence[Derivation],
) -> Sources:
    """What references mean; none of them where no folder is linked.

    A caller who may not read pages learns nothing by it: what means no page is taken as words.

    Raises:
        InvalidValueError: A reference that can only mean a page means none, or a title is that
            of several pages; the limit names them.
    """
    if index is None or workspace_id is None:
        return Sources(references=tuple(references))
    return resolved(index, references, tells=reads_world(caller, workspace_id))


def resolved(index: WorldIndex, references: Sequence[Derivation], *, tells: bool) -> Sources:
    """The same against an index.

    Args:
        index: Of the workspace's pages.
        references: In the order of the memory.
        tells: Whether what means nothing, or several pages, is refused; else it is words.
    """
    rows: list[PageDerivation] = []
    written: list[Derivation] = []
    bases: dict[bytes, str] = {}
    for place, one in enumerate(references):
        if one.block == FROM_MEMORY:
            row, text = to_memory(place, one.target), ""
        else:
            row, text = _meant(index, one, place, tells=tells)
        is_by_id = row.path and is_id(one.target)
        block_id = row.target_id if row.kind is DerivationKind.BLOCK else ""
        written.append(Derivation(row.path, block_id) if is_by_id else one)
        rows.append(row)
        if row.base_digest:
            bases[row.base_digest] = text
    return Sources(tuple(rows), bases, tuple(written))


def _meant(
    index: WorldIndex, reference: Derivation, place: int, *, tells: bool
) -> tuple[PageDerivation, str]:
    """The row of one reference, and the text of its block if it means one."""
    wanted = page_reference(reference)
    for page, block in index.blocks([wanted.block_id]).values() if wanted.block_id else ():
        return to_page(place, page, block), block.text
    pages = _called(index, wanted.page)
    if len(pages) > 1 and tells:
        paths = ", ".join(sorted(one.path for one in pages)[:_MOST_NAMED])
        raise InvalidValueError("derived_from", "ambiguous", paths)
    if len(pages) == 1:
        if not (wanted.heading or wanted.own_id):
            return to_page(place, pages[0], None), ""
        block_there = block_meant(wanted, index.page(pages[0].id).blocks)
        if block_there is not None:
            return to_page(place, pages[0], block_there), block_there.text
        if not tells:
            return to_page(place, pages[0], None), ""
    if tells and (pages or wanted.is_of_page):
        raise InvalidValueError("derived_from", "not_found", reference.target)
    return to_words(place), ""


def _called(index: WorldIndex, name: str) -> tuple[Page, ...]:
    """Pages that a name means: a whole path means one, whatever else is called so."""
    pages = index.named(name) if name else ()
    exact = tuple(one for one in pages if name in {one.id, one.path})
    return exact if len(exact) == 1 else pages


def join_sources(unit: UnitOfWork, merged: MemoryEntry, members: Sequence[MemoryEntry]) -> None:
    """Let a memory come from everything that those come from which it was merged from.

    Their texts stay the base of it: what changed under one of them has changed under it. Of
    several that have the same reference, one whose source changed is taken.
    """
    known = {one.id: one.derived_from for one in members}
    by_reference: dict[Derivation, PageDerivation] = {}
    for row in unit.world.derivations_of(known):
        reference = next(iter(known[row.memory_id][row.place :]), None)
        if reference is None:
            continue  # another program took it away
        before = by_reference.setdefault(reference, row)
        if before.state is SourceState.CURRENT:
            by_reference[reference] = row
    rows = [
        replace(by_reference[reference], memory_id=merged.id, place=place)
        for place, reference in enumerate(merged.derived_from)
        if reference in by_reference
    ]
    if rows:
        unit.world.put_derivations(merged.id, rows, {})


def folder_called(folders: Sequence[WorldFolder], key: str) -> WorldFolder:
    """The one with this id or name, as names are compared.

    Raises:
        NotFoundError: There is none; it names those that there are.
    """
    wanted = name_key(key)
    for one in folders:
        if one.id == key or name_key(one.name) == wanted:
            return one
    raise NotFoundError("world_folder", key, tuple(one.name for one in folders))
