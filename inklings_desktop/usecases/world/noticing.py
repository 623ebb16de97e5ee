"""Whether what memories come from still says so: looked at after the pages were.

A block is found by the id that the index gave it. After an index was made anew no id is known any
more: then the texts that memories were made from are looked for in the pages, as the index itself
looks for blocks of a changed page.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.block_matching import Fate, match_blocks
from inklings_desktop.domain.world.derivations import DerivationKind, SourceState
from inklings_desktop.domain.world.pages import Block, BlockKind, PageEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import TypeAlias

    from inklings_desktop.domain.world.derivations import PageDerivation
    from inklings_desktop.domain.world.pages import Page, WholePage
    from inklings_desktop.usecases.ports.world import WorldIndex

    _Place: TypeAlias = tuple[Page, Block]

SETTLED_AFTER = timedelta(seconds=5)
"""Before that a page may be half written, and nothing in it is taken for a change."""
_MOST_CHANGES = 5_000
_UNLIKE = frozenset({SourceState.CHANGED, SourceState.GONE})


@dataclass(frozen=True, slots=True)
class Looking:
    """One look at the pages that memories come from.

    Attributes:
        base: The text of a digest.
        now: When it is looked.
    """

    index: WorldIndex
    base: Callable[[bytes], str]
    now: datetime

    def after(self, rows: Sequence[PageDerivation]) -> Iterator[PageDerivation]:
        """Each row as it stands now, in their order; of a folder without pages as it was."""
        folders = {one.folder_id for one in rows}
        known = {one for one in folders if self.index.pages(folder_id=one, limit=1)}
        there = [one for one in rows if one.folder_id in known]
        blocks = dict(self.index.blocks({one.target_id for one in there if _is_of_block(one)}))
        found = {one: blocks[one.target_id] for one in there if one.target_id in blocks}
        rebuilt = known - {one.folder_id for one in found}
        lost = [one for one in there if _is_of_block(one) and one not in found]
        by_text = self._by_text([one for one in lost if one.folder_id in rebuilt])
        for one in rows:
            if one.folder_id not in known:
                yield one
            elif not _is_of_block(one):
                yield self._of_page(one)
            elif (place := found.get(one) or by_text.get(one)) is not None:
                yield self._of_block(one, *place, may_wait=one in found)
            else:
                yield self._gone(one)

    def relinked(self, row: PageDerivation, folders: Iterable[str]) -> PageDerivation:
        """A row of a folder that was unlinked, found again in one of those linked now."""
        for folder_id in folders:
            if self.page_at(folder_id, row.path) is not None:
                there = replace(row, folder_id=folder_id, state=SourceState.CURRENT)
                return next(self.after([there]))
        return row

    def page_at(self, folder_id: str, path: str) -> Page | None:
        """The page of a folder at a path; None where there is none."""
        found = (one for one in self.index.named(path) if one.path == path)
        return next((one for one in found if one.folder_id == folder_id), None)

    def what_became(self, row: PageDerivation) -> tuple[str, str]:
        """What became of a block that says something else: a word of a retcon, and the text."""
        if row.state is SourceState.GONE:
            return "gone", ""
        whole = self.index.block_page(row.target_id)
        block = next(one for one in whole.blocks if one.id == row.target_id)
        (match,) = match_blocks([_as_block(row, self.base(row.base_digest))], whole.blocks)
        return "split" if match.fate is Fate.SPLIT else "changed", block.text

    def _by_text(self, rows: Sequence[PageDerivation]) -> Mapping[PageDerivation, _Place]:
        """Where the blocks of rows are whose ids nobody knows any more."""
        by_page: defaultdict[tuple[str, str], list[PageDerivation]] = defaultdict(list)
        for one in rows:
            by_page[one.folder_id, one.path].append(one)
        edited = self._edited() if rows else frozenset()
        found: dict[PageDerivation, _Place] = {}
        for (folder_id, path), of_page in by_page.items():
            if (folder_id, path) in edited:
                continue  # the index has compared the page itself, and the block is gone
            page = self.page_at(folder_id, path)
            whole = None if page is None else self.index.page(page.id)
            found |= self._matched(of_page, whole)
        return found

    def _matched(
        self, rows: Sequence[PageDerivation], whole: WholePage | None
    ) -> dict[PageDerivation, _Place]:
        old = [_as_block(one, self.base(one.base_digest)) for one in rows]
        different = list({(one.digest, one.heading, one.own_id): one for one in old}.values())
        blocks = () if whole is None else whole.blocks
        places: dict[tuple[bytes, str, str], _Place] = {}
        for match in match_blocks(different, blocks):
            one = different[match.old]
            if match.new is not None and whole is not None:
                places[one.digest, one.heading, one.own_id] = (whole.page, blocks[match.new])
            elif (place := self._elsewhere(one)) is not None:
                places[one.digest, one.heading, one.own_id] = place
        keys = [(one.digest, one.heading, one.own_id) for one in old]
        return {row: places[key] for row, key in zip(rows, keys, strict=True) if key in places}

    def _elsewhere(self, old: Block) -> _Place | None:
        """Where a block is that its own page does not have any more."""
        words = tuple(dict.fromkeys(old.text.casefold().split()))
        ids = [id_ for id_, _ in self.index.passages_sharing(words, 12)]
        there = list(self.index.blocks(ids).values())
        (match,) = match_blocks([old], (), [block for _, block in there])
        return None if match.new is None else there[match.new]

    def _edited(self) -> frozenset[tuple[str, str]]:
        changes = self.index.changes(0, _MOST_CHANGES)
        of_text = {PageEvent.EDITED, PageEvent.GONE}
        return frozenset((one.folder_id, one.path) for one in changes if one.what in of_text)

    def _of_block(
        self, row: PageDerivation, page: Page, block: Block, *, may_wait: bool
    ) -> PageDerivation:
        says_so = block.digest == row.base_digest
        if not says_so and may_wait and not self._is_settled(page):
            return row
        has_moved = (page.folder_id, page.path) != (row.folder_id, row.path)
        there = replace(
            row,
            target_id=block.id,
            folder_id=page.folder_id,
            path=page.path,
            heading=block.heading,
            own_id=block.own_id,
            seen_digest=block.digest,
        )
        if says_so:
            # A page that got another name is the same page; only its blocks can move to another.
            is_elsewhere = has_moved and self.page_at(row.folder_id, row.path) is not None
            stays = row.state is SourceState.MOVED and not has_moved
            state = SourceState.MOVED if is_elsewhere or stays else SourceState.CURRENT
            return replace(there, state=state, changed_at=None)
        is_news = row.state is not SourceState.CHANGED or row.seen_digest != block.digest
        at = self.now if is_news else row.changed_at
        return replace(there, state=SourceState.CHANGED, changed_at=at)

    def _of_page(self, row: PageDerivation) -> PageDerivation:
        named = [one for one in self.index.named(row.target_id) if one.id == row.target_id]
        page = named[0] if named else self.page_at(row.folder_id, row.path)
        if page is None:
            return self._gone(row)
        there = replace(row, target_id=page.id, folder_id=page.folder_id, path=page.path)
        return replace(there, state=SourceState.CURRENT, changed_at=None)

    def _gone(self, row: PageDerivation) -> PageDerivation:
        page = self.page_at(row.folder_id, row.path)
        is_waiting = page is not None and not self._is_settled(page)
        if row.state is SourceState.GONE or is_waiting:
            return row
        return replace(row, state=SourceState.GONE, seen_digest=b"", changed_at=self.now)

    def _is_settled(self, page: Page) -> bool:
        return min(page.changed_at, page.noticed_at) + SETTLED_AFTER <= self.now


def is_unlike(row: PageDerivation) -> bool:
    """Whether a block does not say any more what a memory was made from."""
    return _is_of_block(row) and row.state in _UNLIKE


def _is_of_block(row: PageDerivation) -> bool:
    return row.kind is DerivationKind.BLOCK


def _as_block(row: PageDerivation, text: str) -> Block:
    """What a memory was made from, as a block of the page as it was."""
    return Block("", BlockKind.PARAGRAPH, row.heading, text, row.base_digest, row.own_id, 0, 0)
