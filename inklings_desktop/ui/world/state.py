"""What the tab of pages shows, as plain values: the tree, a page by blocks, where links lead."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote, unquote

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.derivations import SourceState
from inklings_desktop.domain.world.pages import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.derivations import SourceStanding
    from inklings_desktop.domain.world.finding import WorldHit
    from inklings_desktop.domain.world.pages import Block, FolderLook, Page, WholePage

    Derived: TypeAlias = tuple[MemoryEntry, SourceStanding]
    Counts: TypeAlias = Mapping[tuple[str, str], tuple[int, int]]
    """Folder and path of a page to memories that come from it, and how many wait for a word."""

MOST_IN_FOLDER = 12
_BEFORE_FOUND = 8
UNSURE = frozenset({SourceState.CHANGED, SourceState.GONE})
WORLD = "world:"
_WIKI = re.compile(r"(!?)\[\[([^\[\]|\n]+?)(?:\\?\|([^\[\]\n]+))?\]\]")
_DIGITS = re.compile(r"(\d+)")
_ENDINGS = (".md", ".markdown", ".txt")
_AS_WRITTEN = frozenset({BlockKind.FRONT, BlockKind.PLAIN, BlockKind.COMMENT})
_FENCE = "---"


# -- the tree -----------------------------------------------------------------------------------


class RowKind(StrEnum):
    """What a row of the tree is."""

    HEADING = "heading"
    FOLDER = "folder"
    PAGE = "page"
    MORE = "more"
    HIT = "hit"


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One row of the tree.

    Attributes:
        key: Names it; the id of its page for a page.
        depth: How far in it stands, from 0; -1 for what stands in no folder.
        count: Pages of a folder, or memories that come from a page.
        is_changed: Whether a source changed there, and nobody has answered yet.
        is_open: Whether what is below a folder shows.
        detail: What was found in a page, beside its title.
        page_id: What it opens; empty for what opens no page.
        block_id: Where in it; empty for its beginning.
    """

    key: str
    kind: RowKind
    text: str
    depth: int = 0
    count: int = 0
    is_changed: bool = False
    is_open: bool = False
    detail: str = ""
    page_id: str = ""
    block_id: str = ""


@dataclass(frozen=True, slots=True)
class TreeState:
    """What the tree is made of.

    Attributes:
        folders: Id and name of each linked folder; a single one is not named in the tree.
        pages: Of all folders, ``in_order``.
        folded: Keys of folders whose pages are hidden.
        whole: Keys of folders that show all of their many pages.
        query: What is looked for in titles and paths.
        hits: What was found in the pages themselves; None while they are looked through.
        current: Id of the page that is read.
    """

    folders: tuple[tuple[str, str], ...] = ()
    pages: tuple[Page, ...] = ()
    counts: Counts = field(default_factory=dict)
    folded: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    query: str = ""
    hits: tuple[WorldHit, ...] | None = ()
    current: str = ""


@dataclass(slots=True)
class _Shelf:
    name: str
    shelves: dict[str, _Shelf]
    pages: list[Page]

    def n_pages(self) -> int:
        return len(self.pages) + sum(one.n_pages() for one in self.shelves.values())


def tree_rows(state: TreeState) -> tuple[TreeRow, ...]:
    """The rows of the tree, or while something is looked for those that it is in."""
    if state.query.strip():
        return tuple(_found(state))
    rows: list[TreeRow] = []
    for folder_id, name in state.folders:
        shelf = _shelved([one for one in state.pages if one.folder_id == folder_id], name)
        if len(state.folders) > 1:
            rows += _shelf_rows(state, shelf, f"{folder_id}/", 0)
        else:
            rows += _inside(state, shelf, f"{folder_id}/", 0)
    return tuple(rows)


def _shelved(pages: Sequence[Page], name: str) -> _Shelf:
    root = _Shelf(name, {}, [])
    for page in pages:
        shelf = root
        for part in page.path.split("/")[:-1]:
            shelf = shelf.shelves.setdefault(part, _Shelf(part, {}, []))
        shelf.pages.append(page)
    return root


def _shelf_rows(state: TreeState, shelf: _Shelf, key: str, depth: int) -> Iterator[TreeRow]:
    is_open = key not in state.folded
    yield TreeRow(key, RowKind.FOLDER, shelf.name, depth, shelf.n_pages(), is_open=is_open)
    if is_open:
        yield from _inside(state, shelf, key, depth + 1)


def _inside(state: TreeState, shelf: _Shelf, key: str, depth: int) -> Iterator[TreeRow]:
    for name in sorted(shelf.shelves, key=_natural):
        yield from _shelf_rows(state, shelf.shelves[name], f"{key}{name}/", depth)
    shown = pages = shelf.pages
    if len(pages) > MOST_IN_FOLDER and key not in state.whole:
        leant_on = [one for one in pages if _is_shown_first(state, one)]
        shown = leant_on or pages[:MOST_IN_FOLDER]
    for page in shown:
        yield _page_row(state, page, depth)
    if n_more := len(pages) - len(shown):
        yield TreeRow(f"more:{key}", RowKind.MORE, "", depth, n_more)


def _is_shown_first(state: TreeState, page: Page) -> bool:
    return page.id == state.current or (page.folder_id, page.path) in state.counts


def _page_row(state: TreeState, page: Page, depth: int) -> TreeRow:
    n_memories, n_changed = state.counts.get((page.folder_id, page.path), (0, 0))
    return TreeRow(
        *(page.id, RowKind.PAGE, page.title, depth, n_memories, n_changed > 0), page_id=page.id
    )


def _found(state: TreeState) -> Iterator[TreeRow]:
    words = state.query.casefold().split()
    named = [one for one in state.pages if _has(words, f"{one.title} {one.path}", *one.aliases)]
    for page in named:
        yield _page_row(state, page, -1)
    if state.hits is None:
        return
    hits = [one for one in state.hits if one.spans or one.by != "words"]
    if hits or not named:
        yield TreeRow("hits", RowKind.HEADING, "", count=len(hits))
    for hit in hits:
        yield TreeRow(
            *(f"hit:{hit.block.id}", RowKind.HIT, hit.page.title, -1),
            detail=_around(hit),
            page_id=hit.page.id,
            block_id=hit.block.id,
        )


def _around(hit: WorldHit) -> str:
    """What was found, from shortly before it on."""
    start = hit.spans[0][0] if hit.spans else 0
    begin = hit.excerpt.rfind(" ", 0, max(0, start - _BEFORE_FOUND)) + 1 if start else 0
    text = " ".join(hit.excerpt[begin:].split())
    return f"\u2026 {text}" if begin else text


def _has(words: Sequence[str], *texts: str) -> bool:
    text = " ".join(texts).casefold()
    return all(word in text for word in words)


def in_order(pages: Iterable[Page]) -> tuple[Page, ...]:
    """Pages in the order of their project, else by their names, figures as numbers."""
    return tuple(
        sorted(pages, key=lambda one: (one.order or 0, _natural(one.path.rpartition("/")[2])))
    )


def _natural(name: str) -> tuple[object, ...]:
    """Sorts ``Chapter 9`` before ``Chapter 12``."""
    parts = _DIGITS.split(name.casefold())
    return tuple((0, int(one), "") if one.isdecimal() else (1, 0, one) for one in parts if one)


# -- a page -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PageOnShow:
    """A page that is read.

    Attributes:
        derived: For each block, by id, the memories that come from it; under an empty id those that
            come from the page.
        starts: Places of the blocks with which its parts begin.
    """

    whole: WholePage
    derived: Mapping[str, tuple[Derived, ...]]
    starts: tuple[int, ...] = (0,)

    def span(self, block_id: str) -> range:
        """Places of the blocks of the part that holds a block."""
        ends = (*self.starts[1:], len(self.whole.blocks))
        number = bisect_right(self.starts, self.place_of(block_id)) - 1
        return range(self.starts[number], ends[number])

    def place_of(self, block_id: str) -> int:
        """Place of a block; 0 where it is not there."""
        ids = [one.id for one in self.whole.blocks]
        return ids.index(block_id) if block_id in ids else 0

    def block(self, block_id: str) -> Block | None:
        """The block with this id."""
        return next((one for one in self.whole.blocks if one.id == block_id), None)

    def first(self) -> str:
        """Id of the block that is read first: what is no Markdown, as properties, is passed by."""
        read = (one.id for one in self.whole.blocks if one.kind not in _AS_WRITTEN)
        return next(read, self.whole.blocks[0].id if self.whole.blocks else "")

    def changed_at(self, block_id: str) -> datetime | None:
        """When a block was seen to say something else than what was remembered of it."""
        found = (one.derivation for _, one in self.derived.get(block_id, ()))
        times = [one.changed_at for one in found if one.state in UNSURE and one.changed_at]
        return max(times, default=None)


@dataclass(frozen=True, slots=True)
class PagesContent:
    """All that the tab of pages shows.

    Attributes:
        looks: The linked folders.
        shown: The page that is read; None for none.
        now: When this was so.
    """

    looks: tuple[FolderLook, ...]
    pages: tuple[Page, ...]
    counts: Counts
    shown: PageOnShow | None
    now: datetime


def markdown_of(block: Block) -> str:
    """A block as it is rendered: links between pages as links, the author's own mark left out."""
    text = block.text.rstrip()
    if block.own_id:
        text = text.removesuffix(f"^{block.own_id}").rstrip()
    if block.kind is BlockKind.CODE or block.kind in _AS_WRITTEN:
        return text
    return _WIKI.sub(_as_link, text)


def is_as_written(block: Block) -> bool:
    """Whether its signs are no Markdown."""
    return block.kind in _AS_WRITTEN


def _as_link(found: re.Match[str]) -> str:
    target, label = found[2].strip(), (found[3] or found[2]).strip()
    return f"[{label}]({WORLD}{quote(target, safe='')})"


def source_of(blocks: Sequence[Block]) -> str:
    """The text of a page as it is written, from its first block on."""
    lines: list[str] = []
    at = blocks[0].first_line if blocks else 1
    for block in blocks:
        lines += [""] * (block.first_line - at)
        is_front, text = block.kind is BlockKind.FRONT, block.text.rstrip("\n")
        lines += [_FENCE, text, _FENCE] if is_front else [text]
        at = block.last_line + (2 if is_front else 1)
    return "\n".join(lines)


def link_target(href: str, path: str) -> tuple[str, str]:
    """Key of the page that a link leads to and the place in it; an empty key for none.

    Args:
        href: As the renderer has it.
        path: Of the page that it stands in.
    """
    if href.startswith(WORLD):
        key, _, place = unquote(href.removeprefix(WORLD)).partition("#")
        return key or path, place
    key, _, place = unquote(href).partition("#")
    if "://" in key or key.startswith(("mailto:", "/")) or not key.casefold().endswith(_ENDINGS):
        return (path if href.startswith("#") else ""), place
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), key)), place


def block_at(whole: WholePage, place: str) -> str:
    """Id of the block that a link names by its heading or own mark; empty where there is none."""
    name = place.lstrip("^").casefold().strip()
    for block in whole.blocks if name else ():
        if place.startswith("^"):
            if block.own_id.casefold() == name:
                return block.id
        elif block.kind is BlockKind.HEADING and block.text.lstrip("# ").casefold().strip() == name:
            return block.id
    return ""
