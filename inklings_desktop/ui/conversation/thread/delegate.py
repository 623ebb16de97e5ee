"""Paints the rows of a thread: turns and the rules between days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.conversation.thread.thread_rows import LIVE, DayRow, TurnRow
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.kit.look.mirror import turn_in

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.conversation.drawing.ink import Ink
    from inklings_desktop.ui.conversation.drawing.piece import Look
    from inklings_desktop.ui.conversation.drawing.turn_layout import TurnLayout
    from inklings_desktop.ui.kit.look.theme import Theme

DAY_HEIGHT = 30
_CARET, _CARET_GAP = 12, 4


class LaysTurnsOut(Protocol):
    """What the delegate asks of the view that it paints for."""

    @property
    def theme(self) -> Theme:
        """The look."""

    @property
    def ink(self) -> Ink:
        """Faces and colours."""

    @property
    def shows_ring(self) -> bool:
        """Whether the current turn has a ring."""

    def column(self) -> tuple[int, int]:
        """Left edge and width of the column, in pixels."""

    def top_of(self, row: int) -> int:
        """How far below the upper edge of its row a turn begins, in pixels."""

    def layout_of(self, row: TurnRow) -> TurnLayout:
        """A turn, laid out."""

    def look_of(self, row: TurnRow) -> Look:
        """How a turn is drawn just now."""

    def viewport(self) -> QWidget:
        """What is painted on."""

    def currentIndex(self) -> QModelIndex:  # noqa: N802 - Qt calls it so
        """Where the keyboard is."""


class TurnDelegate(QStyledItemDelegate):
    """Paints turns and the rules between days."""

    def __init__(self, view: LaysTurnsOut, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The view sizes its rows itself."""
        return QSize(0, 1)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row; the live turn draws itself."""
        view, row = self._view, index.data(RowRole.ROW)
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = view.column()
        top = option.rect.top() + view.top_of(index.row())
        is_current = view.shows_ring and view.currentIndex() == index
        if isinstance(row, DayRow):
            _paint_day(painter, view, QRectF(left, top, width, 0), row, is_current=is_current)
        elif isinstance(row, TurnRow):
            layout = view.layout_of(row)
            if row.key != LIVE:
                painter.translate(left, top)
                seen = view.viewport().rect().translated(0, -top)
                layout.paint(painter, view.look_of(row), seen.top(), seen.bottom())
                painter.translate(-left, -top)
            if is_current:
                ring = QRectF(left - 10, top - 7, width + 20, layout.height + 14)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(view.theme.color("focus"), 2))
                painter.drawRoundedRect(ring, 8, 8)
        painter.restore()


def day_place(ink: Ink, row: DayRow, line: QRectF) -> QRectF:
    """Where the words of a rule between days stand, and its caret."""
    theme = ink.theme
    width = ink.width(row.text, theme.font("label"))
    if row.opens:
        width += _CARET_GAP + theme.icon_px(_CARET)
    left = line.center().x() - width / 2
    return QRectF(left, line.top(), width, theme.scaled(DAY_HEIGHT))


def _paint_day(
    painter: QPainter, view: LaysTurnsOut, line: QRectF, row: DayRow, *, is_current: bool
) -> None:
    """A rule across, with the day in the middle of it."""
    ink, theme = view.ink, view.theme
    place = day_place(ink, row, line)
    middle = place.center().y()
    role = "inkSoft" if row.opens else "inkFaint"
    x = ink.text(painter, place.left(), middle, row.text, theme.font("label"), role)
    if row.opens:
        ink.icon(painter, x + _CARET_GAP, middle, "caret-down", role, _CARET)
    for start, stop in ((line.left(), place.left() - 12), (place.right() + 12, line.right())):
        painter.fillRect(QRectF(start, round(middle), stop - start, 1), theme.color("line"))
    if is_current:
        ink.ring(painter, place.adjusted(-6, 3, 6, -3))
