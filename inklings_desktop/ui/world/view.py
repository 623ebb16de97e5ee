"""Pieces of the tab of pages: its tree, blocks, a page as it is written, axes, memories."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QStyle

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.lists.row_table import WHOLE_ROW, RowTable
from inklings_desktop.ui.kit.look.cells import Cell, Dot, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import across, grid, link, mark, plate, sized, words
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.panes.pieces import Notice
from inklings_desktop.ui.kit.words.axis_words import axis_rows, reasons_line
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    importance_figure,
    reads_label,
    relative_age,
    tier_title,
)
from inklings_desktop.ui.markdown.block_preview import Piece, PieceMark
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit
from inklings_desktop.ui.world.state import UNSURE, RowKind, TreeRow, is_as_written, markdown_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.world.state import Derived, PageOnShow

    Act = Callable[[], object]

_ROW, _SIDE, _INDENT, _ROW_RIGHT = 28, 14, 21, 14
_CARET, _AFTER_CARET = 14, 8
_BEFORE_PAGE = _CARET + _AFTER_CARET
_LOZENGE = 6
_SOURCE_AIR = 24
_AXIS = sized(minimumWidth=58)


# -- the tree -----------------------------------------------------------------------------------


class PageTree(RowTable):
    """Folders and pages, of which one is read.

    Signals:
        row_chosen: Key of the row that became current.
        row_used: Key of a row that was clicked, or on which Enter, Space, Left or Right was
            pressed, with 1 to open, -1 to close and 0 for the other one than now.
    """

    row_chosen = Signal(str)
    row_used = Signal(str, int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(CellDelegate(theme, _tree_said, _ROW), parent=parent)
        self._rows: RowListModel[TreeRow] = _TreeModel(self)
        self.setAccessibleName(tr("Pages"))
        self.setProperty("ground", "canvas")
        self.setFrameShape(RowTable.Shape.NoFrame)
        self.setModel(self._rows)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.activated_by_key.connect(lambda index: self._use(index, 0))
        self.clicked.connect(lambda index: self._use(index, 0))
        theme.changed.connect(self.refresh_heights)

    @property
    def rows(self) -> tuple[TreeRow, ...]:
        """What is on show, top to bottom."""
        return self._rows.rows

    def show_said(self, said: tuple[Sequence[TreeRow], str]) -> None:
        """Show other rows; the one with this key is current, or the one that was."""
        rows, current = said
        before = self._rows.row_at(self.currentIndex())
        if tuple(rows) == self._rows.rows and before is not None and before.key == current:
            return
        with self.unmoved():
            self._rows.replace_rows(rows)
            index = self._rows.index_of(current)
            if not index.isValid() and before is not None:
                index = self._rows.index_of(before.key)
            is_other = index != self.currentIndex()
            self.selectionModel().setCurrentIndex(index, WHOLE_ROW)
        if is_other and index.isValid():
            self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, Right and Space fold; everything else is the table's own."""
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Space: 0}
        way = ways.get(Qt.Key(event.key()))
        if way is not None and not event.modifiers():
            self._use(self.currentIndex(), way)
            return
        super().keyPressEvent(event)

    def _use(self, index: QModelIndex, way: int) -> None:
        row = self._rows.row_at(index)
        if row is not None:
            self.row_used.emit(row.key, way)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = self._rows.row_at(current)
        if row is not None:
            self.row_chosen.emit(row.key)


class _TreeModel(RowListModel[TreeRow]):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            lambda row: row.key, parent, text=_row_text, description=_row_spoken, tool_tip=_row_tip
        )

    def is_heading(self, row: TreeRow) -> bool:
        return row.kind is RowKind.HEADING


def _row_text(row: TreeRow) -> str:
    if row.kind is RowKind.MORE:
        return counted(row.count, "1 more", "{n} more")
    if row.kind is RowKind.HEADING:
        return tr("In the pages") if row.count else tr("Nothing is found.")
    return row.text


def _row_spoken(row: TreeRow) -> str:
    if row.kind is RowKind.FOLDER:
        return counted(row.count, "1 page", "{n} pages")
    said = [counted(row.count, "1 memory", "{n} memories")] if row.count else []
    said += [tr("changed since")] if row.is_changed else []
    return row.detail or ", ".join(said)


def _row_tip(row: TreeRow) -> str | None:
    return plain_tool_tip(f"{row.text}: {row.detail}" if row.detail else row.text)


def _tree_said(row: TreeRow, state: QStyle.StateFlag) -> Said:
    is_folder = row.kind is RowKind.FOLDER
    left = _SIDE + (row.depth if is_folder else max(row.depth - 1, 0)) * _INDENT
    is_current = bool(state & QStyle.StateFlag.State_Selected)
    text, count = _row_text(row), grouped(row.count) if row.count else ""
    ends: tuple[Cell, ...] = (Text(count, "inkFaint", px=12, gap=4),) if count else ()
    cells: tuple[Cell, ...]
    match row.kind:
        case RowKind.HEADING:
            cells = (Text(text, "inkSoft", "label"),)
        case RowKind.FOLDER:
            caret = "caret-down" if row.is_open else "caret-right"
            folder = "folder-open" if row.is_open else "folder"
            cells = (
                Icon(caret, size=_CARET),
                Icon(folder, size=16, gap=_AFTER_CARET),
                Text(text, weight=600, gap=8),
            )
        case RowKind.MORE:
            cells, ends = (Text(text, "lapis", gap=2 * _BEFORE_PAGE),), ()
        case _:
            weight = 600 if is_current else None
            page = Icon("file-text", size=16, gap=_BEFORE_PAGE if row.depth >= 0 else 0)
            title = Text(
                text, "ink" if is_current else "inkSoft", weight=weight, gap=8, is_read=True
            )
            cells = (page, title)
            if row.kind is RowKind.HIT:
                cells = (page, Text(text, gap=8, slot=84), Text(row.detail, "inkSoft", gap=4))
            if count:
                ends = (Icon("link-simple", "inkFaint", gap=8), *ends)
            if row.is_changed:
                ends = (Dot("ochre", _LOZENGE, is_lozenge=True), *ends)
    return Said((Line(cells, ends),), left, _ROW_RIGHT, Ground("canvas"), hairline="")


# -- the reader ---------------------------------------------------------------------------------


def piece_of(shown: PageOnShow, place: int, now: datetime) -> Piece:
    """A block as it is shown, with what memory leans on it."""
    block = shown.whole.blocks[place]
    n_memories, changed_at = len(shown.derived.get(block.id, ())), shown.changed_at(block.id)
    marks = []
    if n_memories:
        marks.append(PieceMark("link-simple", "inkFaint", grouped(n_memories)))
    if changed_at is not None:
        age = relative_age(now - changed_at)
        marks.append(PieceMark("warning", "ochre", tr("changed {age} ago").format(age=age)))
    return Piece(
        *(block.id, markdown_of(block), str(place + 1), tuple(marks)),
        edge="ochre" if changed_at is not None else "",
        spoken=tr("Block {n}").format(n=place + 1),
        is_plain=is_as_written(block),
    )


class PageSource(LongTextEdit):
    """A page as it is written, to read."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setProperty("source", "true")
        self.setReadOnly(True)
        self.document().setDocumentMargin(_SOURCE_AIR)


# -- beside it ----------------------------------------------------------------------------------


def step_button(icon: str, name: str, clicked: Act) -> Part:
    """A button that goes a block further."""
    return part(IconButton, LOOK, icon, name, clicked=clicked)


def axes_parts(axes: Axes | None) -> tuple[Part, ...]:
    """Name and value of each axis, two beside each other; below, where the words were read."""
    rows = axis_rows(axes)
    cells = []
    for number, (name, value, reason) in enumerate(rows):
        row, side = divmod(number, 2)
        cells.append(words(name, "caption", way="plain", dress=_AXIS, place=(row, 2 * side)))
        spoken = ", ".join(filter(None, (value, reason)))
        cells.append(
            words(
                *(value, "metaInk"),
                way="plain",
                spoken=spoken,
                toolTip=plain_tool_tip(reason),
                dress=_AXIS,
                place=(row, 2 * side + 1),
            )
        )
    told = reasons_line(rows)
    return (
        plate(grid(*cells, stretch=3, gap=16, verticalSpacing=6), name="worldAxes"),
        words(told, "caption", name="axesReason", visible=bool(told)),
    )


def memory_cards(
    title: str, derived: Sequence[Derived], open_memory: Callable[[MemoryEntry], object]
) -> tuple[Inside, ...]:
    """How many memories come from something, and each of them."""
    count = grouped(len(derived)) if derived else ""
    return (
        across(words(title, "label", way="plain"), STRETCH, words(count, "caption", way="plain")),
        *(_card(*one, open_memory) for one in derived),
    )


def _card(entry: MemoryEntry, standing: Any, open_memory: Callable[[MemoryEntry], object]) -> Part:
    """A memory, where it is kept, and whether the block still says so."""
    inked, role = TIER_MARKS[entry.scope.tier]
    is_unsure = standing.derivation.state in UNSURE
    remark = tr("check source") if is_unsure else tr("as the block says")
    curator = curator_mark(entry.curator.value, curator_label(entry.curator))
    importance = tr("importance {n}").format(n=importance_figure(entry.importance))
    return plate(
        across(
            part(TierMark, LOOK, how={"inked": inked, "role": role, "edge": 16}),
            link(tier_title(entry.scope.tier), partial(open_memory, entry)),
            STRETCH,
            mark("warning", "ochre", remark, visible=is_unsure),
            words(remark, "caption", way="plain", visible=not is_unsure),
            spacing=6,
        ),
        part(MarkedText, LOOK, text=entry.content),
        across(
            mark(curator.icon, curator.role, curator.text, inked=curator.role != "ink"),
            words(importance, "caption", way="plain"),
            words(reads_label(entry.access_count), "caption", way="plain"),
            STRETCH,
            spacing=12,
        ),
        box=vbox,
        kind="card",
        margins=(14, 10, 14, 10),
        spacing=5,
        key=entry.id,
        spoken=remark,
    )


class Note(Notice):
    """A sentence that a person should know."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, icon="info", role="lapis", ground="lapisSoft", parent=parent)

    def show_told(self, told: str) -> None:
        """Say another sentence."""
        self.say("", told)
