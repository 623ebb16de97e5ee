"""The tab of pages: found in the tree, read by blocks, with what memory derives from each."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton, MenuButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.controls.text_fields import FindField
from inklings_desktop.ui.kit.dialogs.ask import ask_text, begin_asking
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import Chip, IconMark
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.storing import why_withheld
from inklings_desktop.ui.kit.page.declared import LOOK, Declared, part
from inklings_desktop.ui.kit.page.destinations import ToConversation, ToMemory
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    choice,
    hairline,
    link,
    pages,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.kit.words.memory_facts import relative_age
from inklings_desktop.ui.markdown.block_preview import BlockPreview, parts_of
from inklings_desktop.ui.world.state import (
    PageOnShow,
    PagesContent,
    RowKind,
    TreeState,
    block_at,
    in_order,
    link_target,
    markdown_of,
    source_of,
    tree_rows,
)
from inklings_desktop.ui.world.view import (
    Note,
    PageSource,
    PageTree,
    axes_parts,
    memory_cards,
    piece_of,
    step_button,
)

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.finding import WorldHit
    from inklings_desktop.domain.world.pages import Page as WorldPageRecord
    from inklings_desktop.domain.world.pages import WholePage
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.world.state import Derived, TreeRow

    _Known = tuple[tuple[str, int, tuple[str, ...]], tuple[WorldPageRecord, ...]]
    """Workspace, number of the last change and folders, and the pages that there were then."""

TREE, NARROW_TREE, PANE, NARROW_PANE = 264, 220, 372, 340
READ, SOURCE = "read", "source"
MEMORY_KEY = "M"
_HEAD, _FOOT, _PANE_SIDE = 52, 52, 20
MIDDLE_BELOW, NARROW_BELOW, TIGHT_BELOW = 1076, 970, 1150
"""Widths of the tab, in pixels at text scale 1, below which its columns are smaller, or fewer, or
what can be done with a page has no word."""
_BATCH = 500
_LEAST_SOUGHT, _MOST_HITS = 3, 20
_REMEMBER_HEIGHT, _REMEMBER_WIDTH = 120, 480


class PagesTab(Declared[PagesContent]):
    """Tree, reader and pane; where there is no room for all of them, one stands beside the reader.

    Attributes:
        key: Names the tab.

    Signals:
        folder_wanted: The person wants to link one more folder.
    """

    folder_wanted = Signal()
    key: ClassVar = "pages"
    watches = About.MEMORIES | About.EVENTS | About.SETTINGS
    page_id = block_id = ""
    mode = READ
    _read_id = _path = _query = ""
    _beside = ""
    _hits: tuple[WorldHit, ...] | None = ()
    _made: tuple[PagesContent, tuple[object, ...], tuple[TreeRow, ...]] | None = None

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.axes: dict[str, Axes] = {}
        self._folded: frozenset[str] = frozenset()
        self._unfolded: frozenset[str] = frozenset()
        self._known: _Known = (("", 0, ()), ())
        view = QWidget(parent)
        view.setObjectName("worldPages")
        view.setMinimumWidth(1)  # its columns give way to one another
        on_ground(view, "canvas")
        super().__init__(context, view, hbox(view, margins=0, spacing=0))
        self._going = Latest(context.background)
        self._searching = Latest(context.background)
        self._standing = Latest(context.background)
        for keys, act in (("/", self.focus_find), ("Escape", self.focus_reader)):
            shortcut = QShortcut(QKeySequence(keys), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        context.theme.changed.connect(self.say_again)

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("Pages")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many pages there are; runs on a reader."""
        return sum(one.n_pages for one in context.inklings.world.folders(workspace_id))

    # -- reading ----------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Show the pages of a workspace."""
        if workspace_id != self.workspace_id:
            self.page_id = self._read_id = self._path = ""
            self.block_id = self._query = ""
            self._hits, self.content = (), None
        await super().open(workspace_id)

    def read_content(self) -> PagesContent:
        inklings, here = self.inklings, self.workspace_id
        looks = inklings.world.folders(here)
        ids = [one.folder.id for one in looks]
        counts = {
            (folder_id, path): figures
            for folder_id in ids
            for path, figures in inklings.derivations.counts(here, folder_id).items()
        }
        found = self._pages_of(ids)
        shown = self._read_page(found)
        return PagesContent(looks, found, counts, shown, inklings.clock())

    def _pages_of(self, folder_ids: list[str]) -> tuple[WorldPageRecord, ...]:
        """All pages; those that are known while nothing was noticed since."""
        world, here = self.inklings.world, self.workspace_id
        number = self._known[0][1] if self._known[0][0] == here else 0
        while news := world.changes(here, since=number, limit=_BATCH):
            number = news[-1].number
        state = (here, number, tuple(folder_ids))
        if state == self._known[0]:
            return self._known[1]
        found: list[WorldPageRecord] = []
        for folder_id in folder_ids:
            after = ""
            while True:
                some = world.outline(here, folder=folder_id, limit=_BATCH, after=after)
                found += some
                if len(some) < _BATCH:
                    break
                after = some[-1].path
        self._known = (state, in_order(found))
        return self._known[1]

    def _read_page(self, found: tuple[WorldPageRecord, ...]) -> PageOnShow | None:
        """The page that is wanted; the first one where that is gone or none is.

        After the index was made anew a page has another id, and is known by its path.
        """
        same = next((one.id for one in found if one.id == self.page_id), "")
        again = next((one.id for one in found if one.path == self._path), "")
        first = min(found, key=lambda one: one.path, default=None)
        wanted = same or again or (first.id if first is not None else "")
        if not wanted:
            return None
        try:
            whole: WholePage = self.inklings.world.page(self.workspace_id, wanted)
            derived = self.inklings.derivations.from_page(self.workspace_id, wanted)
        except NotFoundError:  # it went meanwhile
            return None
        by_block: dict[str, tuple[Derived, ...]] = {}
        for block_id, entry, standing in derived:
            by_block[block_id] = (*by_block.get(block_id, ()), (entry, standing))
        starts = parts_of([markdown_of(one) for one in whole.blocks]) if whole.blocks else (0,)
        return PageOnShow(whole, by_block, starts)

    def show_content(self, content: PagesContent) -> None:
        """Show it; the block that was current stays so where it is still there."""
        self.content, shown, before = content, content.shown, self._read_id
        self._read_id = shown.whole.page.id if shown is not None else ""
        if shown is not None:
            self.page_id, self._path = self._read_id, shown.whole.page.path
            if shown.block(self.block_id) is None:
                self.block_id = shown.first()
        if self._read_id != before:
            self.axes = {}
            here = self.inklings.world.read_here  # an agent may know what the author reads
            self.spawn(self.background.read(here, self.workspace_id, self._read_id or None))
        self.say_again()
        self._standing.run(self._read_axes())

    async def _read_axes(self) -> None:
        shown = self.shown
        block = shown.block(self.block_id) if shown is not None else None
        if shown is None or block is None:
            return
        self.axes[block.id] = await self.background.read(
            self.inklings.world.axes, self.workspace_id, shown.whole.page, (block,)
        )
        self.say_again()

    @property
    def shown(self) -> PageOnShow | None:
        """The page on show; None for none."""
        return self.content.shown if self.content is not None else None

    # -- what is on show --------------------------------------------------------------------

    def said(self, content: PagesContent | None) -> tuple[Part, ...]:
        theme, width = self.context.theme, self.view.width()
        is_middle = width < MIDDLE_BELOW * theme.text_scale
        is_narrow = width < NARROW_BELOW * theme.text_scale
        has_tree = not is_narrow or self._beside == "tree"
        has_pane = not is_narrow or self._beside == "pane"
        tree = self._tree(px=NARROW_TREE if is_middle else TREE, visible=has_tree)
        line = part(VerticalRule, LOOK, visible=has_tree)
        if content is None or content.shown is None:
            is_bare = content is not None and not content.pages
            nothing = words(tr("There is no page here yet.") if is_bare else "", place=(1,))
            return (tree, line, plate(nothing, ground="surface", margins=28, place=(1,)))
        return (
            *(tree, line),
            self._reader(content.shown, content.now, is_narrow=is_narrow),
            part(VerticalRule, LOOK, visible=has_pane),
            self._pane(content.shown, px=NARROW_PANE if is_middle else PANE, visible=has_pane),
        )

    def _tree(self, *, px: int, visible: bool) -> Part:
        """The find field, the tree, and where its pages come from; so wide at text scale 1."""
        return plate(
            plate(
                part(
                    *(FindField, LOOK, tr("Find a page")), name="worldFind", query_changed=self.find
                ),
                margins=(12, 10, 12, 10),
            ),
            part(
                *(PageTree, LOOK),
                name="worldTree",
                said=(self.rows(), self.page_id),
                row_chosen=self.on_row_chosen,
                row_used=self.on_row_used,
                place=(1,),
            ),
            hairline(),
            plate(
                words(tr("Read from disk, never written unless you say so."), "caption"),
                across(link(tr("Other folder\u2026"), self.folder_wanted.emit), STRETCH),
                box=vbox,
                margins=(14, 10, 14, 10),
                spacing=2,
            ),
            box=vbox,
            spacing=0,
            visible=visible,
            dress=sized(fixedWidth=px),
        )

    def _reader(self, shown: PageOnShow, now: datetime, *, is_narrow: bool) -> Part:
        """A page by blocks, or as it is written; where it is narrow, its name opens the tree."""
        page, span = shown.whole.page, shown.span(self.block_id)
        age = tr("changed {age} ago").format(age=relative_age(now - page.changed_at))
        modes = (Segment(READ, tr("Read")), Segment(SOURCE, tr("Source")))
        is_source = self.mode == SOURCE
        width = self.view.width() / self.context.theme.text_scale
        is_tight = NARROW_BELOW <= width < TIGHT_BELOW
        pieces = tuple(piece_of(shown, place, now) for place in span)
        return plate(
            plate(
                part(MenuButton, LOOK, text=page.title, clicked=self.open_tree, visible=is_narrow),
                part(IconMark, LOOK, "file-text", "inkSoft", 18, visible=not is_narrow),
                words(page.title, "tab", way="elided", name="worldTitle", visible=not is_narrow),
                words(age, way="plain", visible=not is_tight),
                STRETCH,
                choice(tr("How the page is shown"), *modes, now=self.mode, wanted=self.set_mode),
                part(
                    *(PushButton, LOOK, " "),
                    how={"icon": "arrow-square-out", "small": True},
                    word="" if is_tight else tr("Open in editor"),
                    spoken=tr("Open in editor"),
                    toolTip=plain_tool_tip(tr("Open in editor") if is_tight else page.path),
                    clicked=self.open_file,
                ),
                margins=(20, 0, 20, 0),
                spacing=12,
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            pages(
                part(
                    *(BlockPreview, LOOK, MEMORY_KEY),
                    name="worldReader",
                    spoken=page.title,
                    pieces=(f"{page.id}:{span.start}", pieces, self.block_id),
                    chosen=self.on_block_chosen,
                    entered=self.focus_pane,
                    letter_pressed=lambda _letter: self.write_memory(),
                    beyond=self.step,
                    anchorClicked=self.follow,
                ),
                part(
                    *(PageSource, LOOK),
                    name="worldSource",
                    spoken=tr("{page} as it is written").format(page=page.title),
                    plain_text=source_of(shown.whole.blocks) if is_source else "",
                    dress=lambda field, theme: field.setFont(theme.font("mono", px=14)),
                ),
                now=int(is_source),
                place=(1,),
            ),
            self._part_line(shown, span),
            box=vbox,
            spacing=0,
            ground="surface",
            place=(1,),
        )

    def _part_line(self, shown: PageOnShow, span: range) -> Part:
        """Which part of a long page is shown, and the way to its neighbours."""
        n_blocks = len(shown.whole.blocks)
        told = tr("Blocks {first} to {last} of {n}")
        return plate(
            link(tr("Earlier"), partial(self.go_to_place, span.start - 1), enabled=span.start > 0),
            STRETCH,
            words(told.format(first=span.start + 1, last=span.stop, n=n_blocks), "caption"),
            STRETCH,
            link(tr("Later"), partial(self.go_to_place, span.stop), enabled=span.stop < n_blocks),
            margins=(20, 6, 20, 6),
            visible=len(shown.starts) > 1 and self.mode == READ,
            name="worldParts",
        )

    def _pane(self, shown: PageOnShow, *, px: int, visible: bool) -> Part:
        """How the current block stands in the world, and what memory derives from it."""
        block = shown.block(self.block_id)
        derived = shown.derived.get(block.id, ()) if block is not None else ()
        of_page = shown.derived.get("", ())
        number = shown.place_of(block.id) + 1 if block is not None else 0
        heading = block.heading.rpartition("/")[2] if block is not None else ""
        return plate(
            plate(
                words(
                    tr("Block {n}").format(n=number), "bodyStrong", way="plain", name="blockName"
                ),
                part(
                    *(Chip, LOOK),
                    name="blockHeading",
                    text=heading,
                    visible=bool(heading),
                    place=(0, Qt.AlignmentFlag.AlignVCenter),
                ),
                STRETCH,
                step_button("caret-up", tr("Block before"), partial(self.step, -1)),
                step_button("caret-down", tr("Block after"), partial(self.step, 1)),
                margins=(_PANE_SIDE, 0, 10, 0),
                spacing=10,
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            scrolling(
                words(tr("In the world"), "label", way="plain"),
                *axes_parts(self.axes.get(self.block_id)),
                8,
                *memory_cards(tr("What memory derives from this block"), derived, self.open_memory),
                words(tr("Nothing is remembered from this block."), visible=not derived),
                part(
                    Note,
                    LOOK,
                    told=tr(
                        "These point at the block and keep no copy of it. If the block changes, "
                        "they are marked and you are asked."
                    ),
                    visible=bool(derived),
                ),
                *(
                    memory_cards(tr("From the page as a whole"), of_page, self.open_memory)
                    if of_page
                    else ()
                ),
                STRETCH,
                margins=(_PANE_SIDE, 14, _PANE_SIDE, 14),
                spacing=8,
                name="worldPane",
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
            ),
            hairline(),
            plate(
                STRETCH,
                button(
                    tr("Ask about it"),
                    self.ask_about,
                    kind="quiet",
                    icon="chat-circle",
                    name="askAbout",
                ),
                part(
                    *(KeyHintButton, LOOK, tr("Write a memory from it"), MEMORY_KEY),
                    how={"kind": "plain"},
                    name="writeMemory",
                    stores=True,
                    clicked=self.write_memory,
                    enabled=block is not None,
                ),
                margins=(14, 0, 14, 0),
                spacing=8,
                dress=sized(fixedHeight=_FOOT),
            ),
            box=vbox,
            spacing=0,
            ground="canvas",
            visible=visible,
            dress=sized(fixedWidth=px),
        )

    def rows(self) -> tuple[TreeRow, ...]:
        """The rows of the tree, made anew where something of theirs is another."""
        content = self.content
        if content is None:
            return ()
        beside = (self._folded, self._unfolded, self._query, self._hits, self.page_id)
        made = self._made
        if made is None or made[0] is not content or made[1] != beside:
            folders = tuple((one.folder.id, one.folder.name) for one in content.looks)
            state = TreeState(folders, content.pages, content.counts, *beside)
            made = self._made = (content, beside, tree_rows(state))
        return made[2]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Gives the page itself the room where there is little."""
        if event.type() is QEvent.Type.Resize:
            self.say_again()
        return super().eventFilter(watched, event)

    # -- the tree ---------------------------------------------------------------------------

    def find(self, query: str) -> None:
        is_long = len(query.strip()) >= _LEAST_SOUGHT
        self._query, self._hits = query, None if is_long else ()
        self._searching.cancel()
        self.say_again()
        if is_long:
            self._searching.run(self._search(query.strip()))

    async def _search(self, query: str) -> None:
        answer = await self.background.read(
            self.inklings.world.search, self.workspace_id, WorldQuery(query, limit=_MOST_HITS)
        )
        self._hits = answer.hits
        self.say_again()

    def _row(self, key: str) -> TreeRow | None:
        return next((one for one in self.rows() if one.key == key), None)

    def on_row_chosen(self, key: str) -> None:
        """Read the page of a row."""
        row = self._row(key)
        if row is not None and row.page_id:
            self.show_page(row.page_id, row.block_id)

    def on_row_used(self, key: str, way: int) -> None:
        """Fold a row, 1 open, -1 shut and 0 the other way, or go on to its page."""
        row = self._row(key)
        if row is None:
            return
        if row.kind is RowKind.MORE:
            self._unfolded |= {key.removeprefix("more:")}
        elif row.kind is RowKind.FOLDER:
            opens = not row.is_open if not way else way > 0
            self._folded = self._folded - {key} if opens else self._folded | {key}
        elif not way:
            self.focus_reader()
            return
        self.say_again()

    # -- the page that is read --------------------------------------------------------------

    def show_page(self, page_id: str, block_id: str = "") -> None:
        """Read a page, from a block on."""
        if page_id == self.page_id and (not block_id or block_id == self.block_id):
            return
        self.page_id, self._path, self.block_id = page_id, "", block_id
        self.read_again()

    def go_to(self, key: str, block_id: str = "", place: str = "") -> None:
        """Read the page of this name, from a block on, or from what is named so in it."""
        self._going.run(self._go_to(key, block_id, place))

    async def _go_to(self, key: str, block_id: str, place: str) -> None:
        try:
            whole: WholePage = await self.background.read(
                self.inklings.world.page, self.workspace_id, key
            )
        except NotFoundError:
            self.context.tell(tr("There is no page called {name}").format(name=key))
            return
        except InvalidValueError as error:
            self.context.tell(tr("Several pages are called so: {paths}").format(paths=error.limit))
            return
        self.show_page(whole.page.id, block_id or block_at(whole, place))

    def follow(self, url: QUrl) -> None:
        """Go where a link of the page leads, or say where that is."""
        shown = self.shown
        key, place = link_target(url.toString(), shown.whole.page.path) if shown else ("", "")
        if key:
            self.go_to(key, place=place)
        else:
            self.context.tell(url.toDisplayString())

    def on_block_chosen(self, block_id: str) -> None:
        """Let a block be the current one."""
        self.block_id = block_id
        self.say_again()
        self._standing.run(self._read_axes())

    def step(self, step: int) -> None:
        """Let the next block be the current one, 1 down and -1 up."""
        if self.shown is not None:
            self.go_to_place(self.shown.place_of(self.block_id) + step)

    def go_to_place(self, place: int) -> None:
        """Let the block at a place be the current one, so far as there is one."""
        blocks = self.shown.whole.blocks if self.shown is not None else ()
        if 0 <= place < len(blocks):
            self.on_block_chosen(blocks[place].id)

    def set_mode(self, mode: str) -> None:
        """Show the page as it reads, or as it is written."""
        self.mode = mode
        self.say_again()

    def open_file(self) -> None:
        """Open the page in the program that the system has for it."""
        if self.content is None or self.shown is None:
            return
        page = self.shown.whole.page
        for look in self.content.looks:
            if look.folder.id == page.folder_id:
                path = Path(look.folder.path, *page.path.split("/"))
                if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
                    self.context.tell(tr("No program answered for {path}").format(path=path))

    # -- what is done with a block ----------------------------------------------------------

    def open_memory(self, entry: MemoryEntry) -> None:
        """Show a memory in its list."""
        self.context.go(ToMemory(entry))

    def ask_about(self) -> None:
        """Take the block along to the conversation that was on show last."""
        block = self.shown.block(self.block_id) if self.shown is not None else None
        if self.shown is not None and block is not None:
            said = (block.id, self.shown.whole.page.title, block.text)
            self.context.go(ToConversation("", said))

    def write_memory(self) -> None:
        """Ask for a memory that comes from the block."""
        if self.block_id and not why_withheld():
            begin_asking(self.background, self._ask_memory(), self.view)

    async def _ask_memory(self) -> None:
        shown, block_id = self.shown, self.block_id
        assert shown is not None
        number = shown.place_of(block_id) + 1
        told = tr("It points at block {n} of {page} and keeps no copy of it.")
        typed = await ask_text(
            self.view.window(),
            tr("What is to be remembered?"),
            told.format(n=number, page=shown.whole.page.title),
            Field(
                ("memoryFromBlock", "memoryText", "memoryConfirm"),
                tr("Text of the memory"),
                tr("What the page does not say"),
                height=_REMEMBER_HEIGHT,
                width=_REMEMBER_WIDTH,
            ),
            yes=tr("Remember"),
            no=tr("Cancel"),
        )
        if not typed:
            return
        scope = ScopeKey.workspace(self.workspace_id)
        draft = MemoryDraft(scope, typed, derived_from=(Derivation(block_id),))
        if await self.change(self.inklings.memories.put, draft):
            self.context.tell(tr("Remembered"))

    # -- the keyboard -----------------------------------------------------------------------

    def _stand_beside(self, what: str, name: str) -> None:
        """Let a column stand beside the page where only one can, with the keyboard in it."""
        self._beside = what
        self.say_again()
        self._focus(name)

    def open_tree(self) -> None:
        """Bring the keyboard to the tree."""
        self._stand_beside("tree", "worldTree")

    def focus_find(self) -> None:
        """Bring the keyboard to where pages are looked for."""
        self._stand_beside("tree", "worldFind")

    def focus_pane(self) -> None:
        """Bring the keyboard to what memory derives from the block."""
        self._stand_beside("pane", "writeMemory")

    def focus_reader(self) -> None:
        """Bring the keyboard to the page, which has all the room then."""
        self._stand_beside("", "worldReader" if self.mode == READ else "worldSource")

    def _focus(self, name: str) -> None:
        found = self.view.findChild(QWidget, name)
        if found is not None:
            found.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        tree = self.view.findChild(PageTree)
        self._focus("worldTree" if tree is not None and tree.isVisible() else "worldReader")

    def panes(self) -> Panes:
        """What F6 goes through: tree, page and pane, so far as they are on show."""
        stops = (
            ("worldTree", self.open_tree),
            ("worldReader", self.focus_reader),
            ("worldPane", self.focus_pane),
        )
        found = ((self.view.findChild(QWidget, name), bring) for name, bring in stops)
        return [(widget, bring) for widget, bring in found if widget is not None]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys of the reader."""
        return (
            KeyHint(("J", "K"), tr("blocks")),
            KeyHint(("Enter",), tr("what derives")),
            KeyHint(("M",), tr("memory from block")),
            KeyHint(("Ctrl Tab",), tr("next tab")),
            KeyHint(("/",), tr("find a page")),
        )
