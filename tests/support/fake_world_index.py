"""An index of pages in memory, and a workspace with a folder linked to it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.world.block_matching import match_blocks
from inklings_desktop.domain.world.folding import digest_of, folded_words
from inklings_desktop.domain.world.pages import (
    Block,
    BlockKind,
    FolderKind,
    FolderRules,
    Page,
    PageChange,
    PageEvent,
    PageState,
    WholePage,
    WorldFolder,
)
from tests.support.builders import NOON, WORKSPACE_ID

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from tests.support.sqlite_store import SqliteWorld

FOLDER = WorldFolder(
    "isles", "Isles", FolderKind.VAULT, "/isles", "here", FolderRules(), False, NOON
)


@dataclass
class FakeWorldIndex:
    """Pages as they are written with ``write``; ids stay with what a block says."""

    whole: dict[str, WholePage] = field(default_factory=dict)
    number: int = 0

    def write(
        self,
        path: str,
        text: str,
        at: datetime,
        *,
        front: Mapping[str, object] | None = None,
    ) -> PageChange:
        """A page as it is from now on: blocks parted by blank lines, ``# Heading``, ``^id``."""
        before = self.whole.get(path)
        told = front or {}
        page = Page(
            before.page.id if before else str(uuid.uuid4()), FOLDER.id, path,
            path.rpartition("/")[2].removesuffix(".md"), (), told, dict.fromkeys(told, 2), None,
            (), PageState.READ, "utf-8", "lf", digest_of(text), len(text), None, at, at,
        )  # fmt: skip
        blocks = _blocks(text)
        old = before.blocks if before else ()
        for match in match_blocks(old, blocks):
            if match.new is not None:
                blocks[match.new] = replace(blocks[match.new], id=old[match.old].id)
        self.whole[path] = WholePage(page, tuple(blocks), ())
        return self._change(page, PageEvent.EDITED if before else PageEvent.ADDED, at)

    def move(self, path: str, to: str, at: datetime) -> PageChange:
        """A page under another name."""
        whole = self.whole.pop(path)
        page = replace(whole.page, path=to, title=to.rpartition("/")[2].removesuffix(".md"))
        self.whole[to] = replace(whole, page=page)
        return self._change(page, PageEvent.MOVED, at)

    def remove(self, path: str, at: datetime) -> PageChange:
        """A page that is gone."""
        return self._change(self.whole.pop(path).page, PageEvent.GONE, at)

    def lose(self, at: datetime) -> tuple[PageChange, ...]:
        """The index made anew: the same pages, and no id that was known."""
        pages, self.whole = self.whole, {}
        self.log.clear()
        return tuple(
            self.write(path, "\n\n".join(_written(one) for one in whole.blocks), at)
            for path, whole in pages.items()
        )

    log: list[PageChange] = field(default_factory=list)

    def _change(self, page: Page, what: PageEvent, at: datetime) -> PageChange:
        self.number += 1
        self.log.append(PageChange(self.number, page.id, page.folder_id, page.path, what, at, {}))
        return self.log[-1]

    def block(self, path: str, begins: str) -> Block:
        """The block of a page that begins so."""
        return next(one for one in self.whole[path].blocks if one.text.startswith(begins))

    def pages(
        self, *, folder_id: str = "", under: str = "", limit: int = 500, after: str = ""
    ) -> tuple[Page, ...]:
        return tuple(one.page for one in self.whole.values())[:limit]

    def named(self, key: str) -> tuple[Page, ...]:
        pages = [one.page for one in self.whole.values()]
        wanted = name_key(key)
        return tuple(
            one for one in pages if one.id == key or wanted in map(name_key, (one.path, one.title))
        )

    def page(self, page_id: str) -> WholePage:
        for one in self.whole.values():
            if one.page.id == page_id:
                return one
        raise NotFoundError("page", page_id)

    def block_page(self, block_id: str) -> WholePage:
        ((page, _),) = self.blocks([block_id]).values()
        return self.page(page.id)

    def blocks(self, ids: Collection[str]) -> Mapping[str, tuple[Page, Block]]:
        every = ((one.page, block) for one in self.whole.values() for block in one.blocks)
        return {block.id: (page, block) for page, block in every if block.id in ids}

    def changes(self, since: int, limit: int) -> tuple[PageChange, ...]:
        return tuple(one for one in self.log if one.number > since)[:limit]

    def passages_sharing(self, words: Sequence[str], limit: int) -> tuple[tuple[str, str], ...]:
        every = [block for one in self.whole.values() for block in one.blocks]
        shared = [(len(set(words) & set(folded_words(one.text))), one) for one in every]
        best = sorted((one for one in shared if one[0]), key=lambda one: -one[0])
        return tuple((one.id, one.text) for _, one in best[:limit])

    def page_read(self) -> Page | None:
        return next((one.page for one in self.whole.values()), None)

    def knows_name(self, name: str) -> bool:
        return any(
            name_key(name) in folded_words(block.text)
            for one in self.whole.values()
            for block in one.blocks
        )


def link(world: SqliteWorld, rules: FolderRules = FOLDER.rules) -> FakeWorldIndex:
    """Link a folder to the workspace; the index of it, which every use case sees from now on."""
    index = FakeWorldIndex()
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.world.save_folder(replace(FOLDER, rules=rules))
        unit.commit()
    world.adapters = SimpleNamespace(world_indexes=SimpleNamespace(of=lambda _id: index))
    return index


def _blocks(text: str) -> list[Block]:
    heading, found = "", []
    for part in text.split("\n\n"):
        if part.startswith("# "):
            heading = part[2:]
            continue
        plain, _, own_id = part.partition(" ^")
        found.append(
            Block(
                str(uuid.uuid4()), BlockKind.PARAGRAPH, heading, part, digest_of(plain), own_id,
                1, 1,
            )
        )  # fmt: skip
    return found


def _written(block: Block) -> str:
    return f"# {block.heading}\n\n{block.text}" if block.heading else block.text
