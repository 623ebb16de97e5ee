"""What the World page asks, answered from pages that a test made up, and the page over it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from qasync import QEventLoop

from inklings_desktop.domain.errors import AlreadyRunningError, NotFoundError
from inklings_desktop.domain.memory import MemoryEntry
from inklings_desktop.domain.world.axes import Axes, AxisSource, AxisValue
from inklings_desktop.domain.world.derivations import (
    DerivationKind,
    PageDerivation,
    SourceStanding,
    SourceState,
)
from inklings_desktop.domain.world.finding import WorldAnswer, WorldHit, WorldQuery
from inklings_desktop.domain.world.pages import (
    Block,
    BlockKind,
    FolderKind,
    FolderLook,
    FolderRules,
    Page,
    PageChange,
    PageEvent,
    PageState,
    WholePage,
    WorldFolder,
)
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.markdown.block_preview import BlockPreview
from inklings_desktop.ui.world.page import WorldPage
from inklings_desktop.ui.world.view import PageTree
from tests.support.stopwatch import until
from tests.ui.page_bench import SaidToWindow, a_context
from tests.ui.presenter_bench import Bench, a_bench

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SCENE_SECONDS = 30.0
NERYS = """# Nerys Talwater

Copyist at the Wend bindery.

## Before the flood

Her mother went to [[Thrennay]], see [the chapter](../chapters/09.md).

## After the flood

Since then she has no left and no right.

![[map.png]]"""
PAGES = {
    "chapters/09.md": "# Chapter 9\n\nA letter comes.",
    "chapters/12.md": "# Chapter 12\n\nThe gate.",
    "people/nerys.md": NERYS,
    "places/thrennay.md": "# Thrennay\n\n## The harbour\n\nGulls keep accounts. ^gulls",
    "Timeline.md": "# Timeline\n\nYear 0: the flood.",
}


def a_block(path: str, number: int, text: str, line: int, heading: str = "") -> Block:
    """A block as a simple reader cuts it."""
    kind = BlockKind.HEADING if text.startswith("#") else BlockKind.PARAGRAPH
    own = text.rpartition(" ^")[2] if " ^" in text else ""
    last = line + text.count("\n")
    return Block(f"{path}:{number}", kind, heading, text, b"", own, line, last)


def a_page(path: str, text: str = "", folder_id: str = "f", **values: Any) -> WholePage:
    """A page with its blocks."""
    blocks, line, heading = [], 1, ""
    for number, piece in enumerate(text.split("\n\n") if text else ()):
        blocks.append(a_block(path, number, piece, line, heading))
        if blocks[-1].kind is BlockKind.HEADING:
            heading = piece.lstrip("# ")
        line += piece.count("\n") + 2
    title = blocks[0].text.lstrip("# ") if blocks else path.rpartition("/")[2]
    page = Page(
        **{
            "id": path,
            "folder_id": folder_id,
            "path": path,
            "title": title,
            "aliases": (),
            "front": {},
            "front_lines": {},
            "front_problem": None,
            "tags": (),
            "state": PageState.READ,
            "encoding": "utf-8",
            "newline": "lf",
            "digest": b"",
            "size": len(text),
            "order": None,
            "changed_at": NOW - timedelta(hours=2),
            "noticed_at": NOW,
            **values,
        }
    )
    return WholePage(page, tuple(blocks), ())


def a_folder(path: Path, folder_id: str = "f", name: str = "saltglass-world") -> WorldFolder:
    """A linked folder."""
    return WorldFolder(
        folder_id, name, FolderKind.PLAIN, str(path), "here", FolderRules(), False, NOW
    )


def a_look(folder: WorldFolder, n_pages: int, **values: Any) -> FolderLook:
    """How it was looked at."""
    said: dict[str, Any] = {"state": "ready", "n_pages": n_pages, "unread": {}, "n_left_out": 0}
    said |= {"n_other": 0, "share_compared": 1.0, "looked_at": NOW - timedelta(minutes=2)}
    return FolderLook(folder, **{**said, "way": "watched", "every_seconds": 30, **values})


def a_standing(block_id: str, state: SourceState = SourceState.CURRENT) -> SourceStanding:
    """How the source of a memory stands."""
    changed_at = NOW - timedelta(hours=2) if state is SourceState.CHANGED else None
    derivation = PageDerivation(
        "m", 0, DerivationKind.BLOCK, block_id, "f", "", "", "", b"", state, b"", changed_at
    )
    return SourceStanding(derivation, "", "", block_id, None)


@dataclass
class FakeWorld:
    """Answers as ``inklings.world`` does; a test holds back a reading by its gate."""

    looks: tuple[FolderLook, ...] = ()
    wholes: dict[str, WholePage] = field(default_factory=dict)
    to_link: dict[str, WholePage] = field(default_factory=dict)
    n_changes: int = 1
    read: list[str | None] = field(default_factory=list)
    asked: list[tuple[str, ...]] = field(default_factory=list)
    threads: set[str] = field(default_factory=set)
    gate: threading.Event = field(default_factory=threading.Event)
    goes_on: Callable[[], bool] | None = None
    is_read_elsewhere: bool = False

    def folders(self, _here: str) -> tuple[FolderLook, ...]:
        self.threads.add(threading.current_thread().name)
        return self.looks

    def link(self, _here: str, path: Path) -> WorldFolder:
        folder = a_folder(path, name=path.name)
        self.looks = (*self.looks, a_look(folder, 0, state="unread", looked_at=None))
        return folder

    def unlink(self, _here: str, folder: str) -> None:
        self.looks = tuple(one for one in self.looks if one.folder.id != folder)

    def relocate(self, _here: str, folder: str, path: Path) -> WorldFolder:
        self.asked.append(("relocate", folder, str(path)))
        return a_folder(path)

    def take_proposals(self, _here: str, folder: str, *, allowed: bool) -> None:
        self.asked.append(("take", folder, str(allowed)))

    def set_rules(self, _here: str, folder: str, rules: FolderRules) -> None:
        self.asked.append(("rules", folder, *rules.ignore))

    def look(
        self,
        _here: str,
        folder: str,
        *,
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> tuple[PageChange, ...]:
        self.asked.append(("look", folder))
        if self.is_read_elsewhere:
            raise AlreadyRunningError("world", NOW)
        if not self.looks or not self.to_link:
            return ()
        self.goes_on = goes_on
        report(0, 34)
        self.gate.wait(SCENE_SECONDS)
        if goes_on():
            report(34, 34)
            self.wholes |= self.to_link
            n_pages = len(self.wholes)
            self.looks = tuple(a_look(one.folder, n_pages, n_other=3) for one in self.looks)
            self.n_changes += 1
        return ()

    def changes(self, _here: str, since: int = 0, limit: int = 200) -> tuple[PageChange, ...]:
        if since >= self.n_changes:
            return ()
        return (PageChange(self.n_changes, "", "f", "", PageEvent.EDITED, NOW, {}),)

    def outline(
        self, _here: str, *, folder: str, limit: int, after: str, under: str = ""
    ) -> tuple[Page, ...]:
        self.asked.append(("outline", folder))
        pages = [one.page for one in self.wholes.values() if one.page.folder_id == folder]
        pages = sorted((one for one in pages if one.path > after), key=lambda one: one.path)
        return tuple(pages[:limit])

    def page(self, _here: str, key: str) -> WholePage:
        for whole in self.wholes.values():
            if key in {whole.page.id, whole.page.path, whole.page.title}:
                return whole
        raise NotFoundError("page", key)

    def search(self, _here: str, query: WorldQuery) -> WorldAnswer:
        hits = tuple(
            WorldHit(one.page, block, "", block.text, ((0, 5),), 1.0, "words", an_axes())
            for one in self.wholes.values()
            for block in one.blocks
            if query.text in block.text
        )
        return WorldAnswer(hits[: query.limit], 1.0, is_stale=False)

    def axes(self, _here: str, page: Page, blocks: Sequence[Block] = ()) -> Axes:
        return an_axes(page.path)

    def read_here(self, _here: str, page_id: str | None) -> None:
        self.read.append(page_id)


def an_axes(path: str = "Nerys.md") -> Axes:
    """Axes of which one was read from the page."""
    canon = AxisValue("canon", AxisSource.KEY, "status", "Canon", 4, path)
    rest = (AxisValue(one, AxisSource.DEFAULT) for one in ("author", "normal", "settled"))
    origin, weight, standing = rest
    return Axes(origin, canon, weight, standing)


@dataclass
class FakeDerivations:
    """Answers as ``inklings.derivations`` does."""

    of_page: dict[str, list[tuple[str, MemoryEntry, SourceStanding]]] = field(default_factory=dict)

    def counts(self, _here: str, folder_id: str) -> Mapping[str, tuple[int, int]]:
        return {
            page: (len(said), sum(one[2].derivation.state is SourceState.CHANGED for one in said))
            for page, said in self.of_page.items()
        }

    def retcons(self, _here: str, **_states: object) -> tuple[Any, ...]:
        return ()

    def from_page(self, _here: str, page_id: str) -> tuple[Any, ...]:
        return tuple(self.of_page.get(page_id, ()))


class WorldBench:
    """The page, while a test drives it."""

    def __init__(self, page: WorldPage, said: SaidToWindow, bench: Bench) -> None:
        self.page, self.view, self.said, self.bench = page, page.view, said, bench
        self.world: FakeWorld = vars(bench.inklings)["world"]
        self.derivations: FakeDerivations = vars(bench.inklings)["derivations"]
        self.tab = page.pages_tab

    def named(self, name: str) -> Any:
        """A part of the page."""
        return self.view.findChild(QWidget, name)

    @property
    def tree(self) -> PageTree:
        """The tree."""
        found = self.view.findChild(PageTree)
        assert isinstance(found, PageTree)
        return found

    @property
    def reader(self) -> BlockPreview:
        """The page that is read."""
        found = self.view.findChild(BlockPreview)
        assert isinstance(found, BlockPreview)
        return found

    def texts(self) -> list[str]:
        """What the rows of the tree say."""
        model = self.tree.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    async def shows(self, title: str) -> None:
        """Return once the page of this title is read."""

        def is_shown() -> bool:
            content = self.tab.content
            shown = content.shown if content is not None else None
            return shown is not None and shown.whole.page.title == title

        await until(is_shown)


def linked(root: Path, scene: Callable[[WorldBench], Awaitable[None]], **options: Any) -> None:
    """The stage: the page over a folder of five pages, seen by somebody."""
    wholes = {path: a_page(path, text) for path, text in PAGES.items()}
    look = a_look(a_folder(root), len(wholes))
    play(root, scene, FakeWorld((look,), wholes), **options)


def unlinked(root: Path, scene: Callable[[WorldBench], Awaitable[None]]) -> None:
    """The stage: nothing is linked; what will be has the same five pages."""
    wholes = {path: a_page(path, text) for path, text in PAGES.items()}
    play(root, scene, FakeWorld(to_link=wholes))


def play(
    root: Path,
    scene: Callable[[WorldBench], Awaitable[None]],
    world: FakeWorld,
    *,
    width: int = 1212,
) -> None:
    """The page over a store until the scene ends, in a window of this width without the rail."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    bugs: list[BaseException] = []

    async def played() -> None:
        background = Background(bugs.append)
        theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
        theme.apply(app)
        window = QMainWindow()
        context, said, leave = a_context(background, inklings, theme, window)
        page = WorldPage(context, window)
        window.setCentralWidget(page.view)
        window.resize(width, 840)
        window.show()
        try:
            await page.open(bench.workspace.id)
            await until(lambda: page.content is not None)
            driven = WorldBench(page, said, replace(bench, inklings=inklings))
            await asyncio.wait_for(scene(driven), SCENE_SECONDS)
        finally:
            world.gate.set()
            leave()
            await background.close()
            window.hide()
            window.deleteLater()

    with a_bench(root / "data") as bench, asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as r:
        inklings = replace(bench.inklings, parts=replace(bench.inklings.parts, clock=lambda: NOW))
        vars(inklings).update(world=world, derivations=FakeDerivations())
        r.run(played())
    assert bugs == []
