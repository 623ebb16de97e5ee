"""Bring the index to what a look saw: what changed is read, and every block keeps its id."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.world.block_matching import Elsewhere, Fate, match_blocks
from inklings_desktop.domain.world.folding import folded_words
from inklings_desktop.domain.world.pages import MAX_PAGES, PageChange, PageEvent, PageState
from inklings_desktop.domain.world.path_rules import is_conflict_copy
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.world.page_rows import (
    BLOCK_COLUMNS,
    block_key,
    block_of,
    blocks_of,
    drop_pages,
    move_id,
    note_change,
    put_blocks,
    put_page,
)
from inklings_desktop.storage.world.passage_rows import (
    drop_passages,
    index_texts,
    passages_of_page,
    put_passages,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.world.block_matching import Match
    from inklings_desktop.domain.world.pages import Block, FileStamp, ReadPage
    from inklings_desktop.storage.world.passage_rows import IndexedText
    from inklings_desktop.storage.world.world_file import WorldFile

PAGES_AT_ONCE, BLOCKS_AT_ONCE, BYTES_AT_ONCE = 50, 5_000, 512 * 1024
"""After so much a transaction ends: a killed program loses no more, and whoever stops a look does
not wait for more."""
LARGE_BYTES = 64 * 1024
KEPT_GONE = timedelta(days=7)
"""A page that comes back within these is known again, with its blocks."""
MOST_FRESH = 20_000
"""New blocks of one look in which lost ones are looked for."""
LEAST_KEPT = 0.5
"""A file with the inode of a lost page is that page if so many of its blocks are in it: file
systems give an inode to the next file."""

_KNOWN = (
    "SELECT path, sequence, size, mtime_ns, inode, digest, state, gone_at"
    " FROM pages WHERE folder_id = ?"
)
_STAMPS = (
    "SELECT path, size, mtime_ns, inode, state = 'link' FROM pages"
    " WHERE folder_id = ? AND gone_at IS NULL AND state <> 'unreadable'"
)
"""What could not be read is tried again at every look."""
_LONG_GONE = "SELECT sequence FROM pages WHERE folder_id = ? AND gone_at < ?"
_N_OTHERS = "SELECT count(*) FROM pages WHERE folder_id <> ? AND gone_at IS NULL"
_TOUCH = "UPDATE pages SET size = ?, mtime_ns = ?, inode = ?, state = ? WHERE sequence = ?"
_TAKE_AWAY = "UPDATE pages SET gone_at = ? WHERE sequence = ? RETURNING id"
_TRIM = "DELETE FROM page_changes WHERE number <= (SELECT max(number) FROM page_changes) - 5000"
_FRESH = (
    f"SELECT b.key, {BLOCK_COLUMNS} FROM blocks b"  # noqa: S608 - our own
    " WHERE b.key IN (SELECT value FROM json_each(?))"
)
_ORDER = {Fate.SAME: 0, Fate.EDITED: 1, Fate.SPLIT: 2}


class _Known(NamedTuple):
    """A page as the index has it."""

    path: str
    sequence: int
    size: int
    mtime_ns: int
    inode: int
    digest: bytes
    state: str
    gone_at: int | None

    @property
    def is_gone(self) -> bool:
        return self.gone_at is not None


class _Origin(NamedTuple):
    """The page that a file was before, with its blocks and what became of them."""

    known: _Known | None
    blocks: Sequence[Block] = ()
    matches: Sequence[Match] = ()

    @property
    def share_kept(self) -> float:
        return sum(one.new is not None for one in self.matches) / max(len(self.blocks), 1)


class Settling:
    """One look at one folder.

    Attributes:
        changes: What was found so far.
        n_left_out: Files beyond the limit of a workspace, or with a name that is no text.
    """

    def __init__(
        self, file: WorldFile, folder_id: str, read: Callable[[FileStamp], ReadPage], at: datetime
    ) -> None:
        """Look at a folder whose files this reads."""
        self._file, self._folder_id, self._read, self._at = file, folder_id, read, at
        self._missing: dict[str, _Known] = {}
        self._lost: list[tuple[PageChange, dict[str, int], Block]] = []
        self._fresh: list[int] = []
        self._texts: list[IndexedText] = []
        self.changes: list[PageChange] = []
        self.n_left_out = 0

    def run(
        self,
        stamps: Sequence[FileStamp],
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> None:
        """Read what changed since the last look, note what is gone, follow what moved."""
        of_folder = (self._folder_id,)
        with self._file.reading() as view:
            held = set(view.rows(_STAMPS, of_folder))  # as a tuple is equal to a stamp
            ((n_others,),) = view.rows(_N_OTHERS, of_folder)
            named = [one for one in stamps if one.path.isascii() or _is_text(one.path)]
            del named[max(0, MAX_PAGES - n_others) :]
            self.n_left_out = len(stamps) - len(named)
            waiting = [one for one in named if one not in held]
            if waiting or len(held) > len(named):
                seen = {one.path for one in named}
                known = (_Known(*row) for row in view.rows(_KNOWN, of_folder))
                self._missing = {one.path: one for one in known if one.path not in seen}
        n_done = 0
        for pages in self._pages(waiting, report, goes_on):
            with self._file.writing() as connection:
                for page in pages:
                    self._settle(connection, page)
                connection.execute(_TRIM)
                index_texts(connection, self._texts)
            self._texts.clear()
            n_done += len(pages)
        if n_done == len(waiting):
            report(n_done, n_done)
            if any(not one.is_gone for one in self._missing.values()) and goes_on():
                self._take_away()
            self._forget_long_gone()
        self._follow_blocks()

    def _pages(
        self,
        waiting: Sequence[FileStamp],
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> Iterator[list[ReadPage]]:
        """Pages of these files, those of one transaction together; ended before it is over."""
        pages: list[ReadPage] = []
        n_blocks = n_bytes = 0
        for number, stamp in enumerate(waiting):
            report(number, len(waiting))
            if not goes_on():
                break
            page = self._read(stamp)
            if stamp.size >= LARGE_BYTES and not goes_on():
                break  # what took long to read would take as long to be stored
            pages.append(page)
            n_blocks += len(page.blocks)
            n_bytes += stamp.size
            is_enough = n_blocks >= BLOCKS_AT_ONCE or n_bytes >= BYTES_AT_ONCE
            if is_enough or len(pages) == PAGES_AT_ONCE:
                yield pages
                pages = []
                n_blocks = n_bytes = 0
        if pages:
            yield pages

    def _settle(self, connection: sqlite3.Connection, page: ReadPage) -> None:
        known, stamp = self._held(connection, page.stamp.path), page.stamp
        if known is not None and not known.is_gone:
            is_unread = page.state is PageState.UNREADABLE
            is_same = page.digest == known.digest and page.state == known.state and page.digest
            if is_unread or is_same:
                touched = (stamp.size, stamp.mtime_ns, stamp.inode, page.state.value)
                connection.execute(_TOUCH, (*touched, known.sequence))
                return
            what, origin = PageEvent.EDITED, self._origin(connection, known, page)
        elif (origin := self._moved_from(connection, page)).known is not None:
            what = PageEvent.MOVED
            if known is not None:
                drop_pages(connection, [known.sequence])
        else:
            what, origin = PageEvent.ADDED, self._origin(connection, known, page)
        self._put(connection, page, what, origin)

    def _put(
        self, connection: sqlite3.Connection, page: ReadPage, what: PageEvent, origin: _Origin
    ) -> None:
        counts: defaultdict[str, int] = defaultdict(int)
        ids = [""] * len(page.blocks)
        lost = []
        for one in sorted(origin.matches, key=lambda match: _ORDER.get(match.fate, 3)):
            if one.fate is not Fate.SAME:
                counts[one.fate.value] += 1
            if one.new is None:
                lost.append(origin.blocks[one.old])
            elif not ids[one.new]:  # what is in one block with others has no id of its own any more
                ids[one.new] = origin.blocks[one.old].id
        if n_new := ids.count(""):
            counts["added"] = n_new
        known = None if origin.known is None else origin.known.sequence
        sequence, id_ = put_page(connection, self._folder_id, page, known, to_ms(self._at))
        put_blocks(connection, sequence, page.blocks, ids)
        if page.state in {PageState.READ, PageState.TOO_LARGE}:
            self._texts += put_passages(connection, sequence, page)
        else:
            drop_passages(connection, passages_of_page(connection, sequence))
        change = self._note(connection, id_, page.stamp.path, what, counts)
        self._lost += ((change, counts, block) for block in lost)
        self._fresh += (block_key(sequence, place) for place, one in enumerate(ids) if not one)

    def _note(
        self,
        connection: sqlite3.Connection,
        page_id: str,
        path: str,
        what: PageEvent,
        counts: dict[str, int],
    ) -> PageChange:
        found = PageChange(0, page_id, self._folder_id, path, what, self._at, counts)
        change = note_change(connection, found)
        self.changes.append(change)
        return change

    def _held(self, connection: sqlite3.Connection, path: str) -> _Known | None:
        row = connection.execute(f"{_KNOWN} AND path = ?", (self._folder_id, path)).fetchone()
        return _Known(*row) if row else None

    def _origin(
        self, connection: sqlite3.Connection, known: _Known | None, page: ReadPage
    ) -> _Origin:
        if known is None:
            return _Origin(None)
        blocks = blocks_of(connection, known.sequence)
        return _Origin(known, blocks, match_blocks(blocks, page.blocks))

    def _moved_from(self, connection: sqlite3.Connection, page: ReadPage) -> _Origin:
        """The missing page that a new file was: the same inode, else the same bytes."""
        if is_conflict_copy(page.stamp.path) or not page.blocks:
            return _Origin(None)
        inode = page.stamp.inode
        alike = [one for one in self._missing.values() if one.digest == page.digest]
        alike += [one for one in self._missing.values() if one.inode == inode]
        alike.sort(key=lambda one: one.inode != inode)
        for known in alike:
            origin = self._origin(connection, known, page)
            if origin.share_kept >= LEAST_KEPT:
                del self._missing[known.path]
                return origin
        return _Origin(None)

    def _take_away(self) -> None:
        """Note every page that is gone; it is kept for some days, and found by nothing."""
        gone = [one for one in self._missing.values() if not one.is_gone]
        for start in range(0, len(gone), PAGES_AT_ONCE):
            with self._file.writing() as connection:
                for one in gone[start : start + PAGES_AT_ONCE]:
                    blocks = blocks_of(connection, one.sequence)
                    at = to_ms(self._at)
                    ((id_,),) = connection.execute(_TAKE_AWAY, (at, one.sequence)).fetchall()
                    drop_passages(connection, passages_of_page(connection, one.sequence))
                    counts = {"gone": len(blocks)}
                    change = self._note(connection, id_, one.path, PageEvent.GONE, counts)
                    self._lost += ((change, counts, block) for block in blocks)

    def _forget_long_gone(self) -> None:
        asked = (self._folder_id, to_ms(self._at - KEPT_GONE))
        with self._file.reading() as view:
            gone = [sequence for (sequence,) in view.rows(_LONG_GONE, asked)]
        if gone:
            with self._file.writing() as connection:
                drop_pages(connection, gone)

    def _follow_blocks(self) -> None:
        """Give blocks that left their page for another one their ids back."""
        if not (self._lost and self._fresh):
            return
        with self._file.writing() as connection:
            wanted = json.dumps(self._fresh[-MOST_FRESH:])
            fresh = [(key, block_of(row)) for key, *row in connection.execute(_FRESH, (wanted,))]
            elsewhere = Elsewhere([block for _, block in fresh])
            for change, counts, block in self._lost:
                found = elsewhere.take(block, folded_words(block.text))
                if found is None:
                    continue
                move_id(connection, block.id, fresh[found[0]][0])
                counts["gone"] -= 1
                counts["moved"] = counts.get("moved", 0) + 1
                stored = json.dumps({name: n for name, n in counts.items() if n})
                connection.execute(
                    "UPDATE page_changes SET counts = ? WHERE number = ?", (stored, change.number)
                )


def _is_text(path: str) -> bool:
    """Whether a name can be stored: some systems have names that are no text."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
