"""Paints the cells of the event log; a lock and madder mark what is final or was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.models.event_list_model import EventColumn, EventRole, EventTone

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from inklings_desktop.ui.models.event_list_model import EventRow
    from inklings_desktop.ui.theme import Theme

GUTTER = 24
GAP = 28
LOCK_GAP = 8
LOCK = 14

_ROLES = {
    EventColumn.NUMBER: "ink",
    EventColumn.WHEN: "inkSoft",
    EventColumn.KIND: "ink",
    EventColumn.ACTOR: "ink",
    EventColumn.WHAT: "inkSoft",
}


class EventDelegate(QStyledItemDelegate):
    """Draws one cell; ground, ring and hairline belong to the whole row."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ring = False
        self._hovered = -1
        self._current = -1
        self._width = 0

    @property
    def row_height(self) -> int:
        """Height of every row in pixels."""
        return self._theme.px("tableRow")

    @property
    def heading_height(self) -> int:
        """There are no headings; the same."""
        return self.row_height

    def set_ring(self, *, shown: bool) -> None:
        """Draw a ring around the current row, which is right after use of the keyboard."""
        self._ring = shown

    def set_rows(self, *, hovered: int, current: int, width: int) -> None:
        """Take note of which rows are under the mouse and current, and how wide rows are."""
        self._hovered, self._current, self._width = hovered, current, width

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The height of a row; the table gives the width."""
        return QSize(0, self.row_height)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one cell."""
        row: EventRow = index.data(EventRole.ROW)
        column = EventColumn(index.column())
        rect = QRectF(option.rect)
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
        elif index.row() == self._hovered:
            painter.fillRect(rect, theme.color("hover"))
        self._paint_text(painter, rect, row, column)
        painter.fillRect(
            QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.color("line")
        )
        if self._ring and index.row() == self._current:
            painter.setClipRect(rect)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("focus"), 2))
            whole = QRectF(0, rect.top(), self._width, rect.height())
            painter.drawRoundedRect(whole.adjusted(2, 1, -2, -2), 4, 4)
        painter.restore()

    def _paint_text(
        self, painter: QPainter, rect: QRectF, row: EventRow, column: EventColumn
    ) -> None:
        theme = self._theme
        font, role = cell_font(theme, column), _ROLES[column]
        metrics = QFontMetricsF(font)
        middle = rect.center().y() - 0.5
        if column is EventColumn.NUMBER:
            right = rect.right() - GAP
            x = right - metrics.horizontalAdvance(row.number_text)
            self._write(painter, QPointF(x, middle), row.number_text, font, role)
            return
        end = GUTTER if column is EventColumn.WHAT else GAP // 2
        room = rect.width() - end
        if column is EventColumn.KIND:
            if row.tone is not EventTone.PLAIN:
                role = "madder"
            if row.is_permanent:
                room -= theme.icon_px(LOCK) + LOCK_GAP
        text = {
            EventColumn.WHEN: row.age,
            EventColumn.KIND: row.kind,
            EventColumn.ACTOR: row.actor,
            EventColumn.WHAT: row.what,
        }[column]
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, room))
        self._write(painter, QPointF(rect.left(), middle), shown, font, role)
        if column is EventColumn.KIND and row.is_permanent:
            x = rect.left() + metrics.horizontalAdvance(shown) + LOCK_GAP
            edge = theme.icon_px(LOCK)
            ratio = painter.device().devicePixelRatioF()
            picture = theme.pixmap("lock-simple", "madder", LOCK, ratio=ratio)
            painter.drawPixmap(QPointF(round(x), round(middle - edge / 2)), picture)

    def _write(self, painter: QPainter, start: QPointF, text: str, font: QFont, role: str) -> None:
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        baseline = round(start.y() + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(start.x(), baseline), text)


def cell_font(theme: Theme, column: EventColumn) -> QFont:
    """The face of a column: fixed for kinds, figures of one width for numbers and ages."""
    if column is EventColumn.KIND:
        return theme.font("mono")
    return theme.font("meta", tabular=column in {EventColumn.NUMBER, EventColumn.WHEN})
