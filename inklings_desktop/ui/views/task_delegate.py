"""Paints the cells of the table of background work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.models.task_list_model import TaskColumn, TaskRole, TaskTone
from inklings_desktop.ui.views.card_head import PADDING
from inklings_desktop.ui.views.memory_header import TIER_MARKS
from inklings_desktop.ui.widgets.tier_mark import paint_tier_mark

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from inklings_desktop.ui.models.task_list_model import TaskRow
    from inklings_desktop.ui.theme import Theme

GAP = 14
MARK = 16
MARK_GAP = 9
_ROW = 41
_BAR_HEIGHT = 4
_BAR_MOST = 110
_WARNING = 14


class TaskDelegate(QStyledItemDelegate):
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
        return self._theme.scaled(_ROW)

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
        row: TaskRow = index.data(TaskRole.ROW)
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_current = index.row() == self._current
        if is_current and option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
        elif index.row() == self._hovered:
            painter.fillRect(rect, theme.color("hover"))
        cell = rect.adjusted(0, 0, 0, -1)
        match TaskColumn(index.column()):
            case TaskColumn.TASK:
                self._paint_task(painter, cell, row)
            case TaskColumn.RUNS:
                self._paint_text(painter, cell, row.runs, "inkSoft")
            case TaskColumn.LAST:
                self._paint_last(painter, cell, row)
            case TaskColumn.NEXT:
                self._paint_text(painter, cell, row.next, "inkSoft")
            case TaskColumn.ACT:
                pass  # a button of its own stands there
        painter.fillRect(
            QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.color("line")
        )
        if self._ring and is_current:
            painter.setClipRect(rect)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("focus"), 2))
            whole = QRectF(0, rect.top(), self._width, rect.height())
            painter.drawRoundedRect(whole.adjusted(2, 1, -2, -2), 4, 4)
        painter.restore()

    def _paint_task(self, painter: QPainter, rect: QRectF, row: TaskRow) -> None:
        theme = self._theme
        is_running = row.tone is TaskTone.RUNNING
        edge = float(theme.icon_px(MARK))
        box = QRectF(rect.left() + PADDING, round(rect.center().y() - edge / 2), edge, edge)
        if row.tier is None:
            ratio = painter.device().devicePixelRatioF()
            role = "accent" if is_running else "inkSoft"
            picture = theme.pixmap("arrows-clockwise", role, MARK, ratio=ratio)
            painter.drawPixmap(box.topLeft(), picture)
        else:
            inked, role = TIER_MARKS[row.tier]
            paint_tier_mark(painter, box, inked, theme.color(role))
        font = theme.font("meta", weight=600) if is_running else theme.font("meta")
        self._write(painter, rect, box.right() + MARK_GAP, row.name, font, "ink")

    def _paint_last(self, painter: QPainter, rect: QRectF, row: TaskRow) -> None:
        theme = self._theme
        if row.tone is TaskTone.WARNING:
            ratio = painter.device().devicePixelRatioF()
            edge = theme.icon_px(_WARNING)
            picture = theme.pixmap("warning", "ochre", _WARNING, ratio=ratio)
            top = round(rect.center().y() - edge / 2)
            painter.drawPixmap(QPointF(rect.left(), top), picture)
            self._write(
                painter, rect, rect.left() + edge + 6, row.last, theme.font("meta"), "ochre"
            )
        elif row.tone is TaskTone.RUNNING:
            lift = theme.scaled(6)
            upper = rect.translated(0, -lift) if row.share is not None else rect
            self._write(
                painter, upper, rect.left(), row.last, theme.font("meta", tabular=True), "inkSoft"
            )
            if row.share is not None:
                self._paint_bar(painter, rect, row.share)
        else:
            self._paint_text(painter, rect, row.last, "inkSoft")

    def _paint_bar(self, painter: QPainter, rect: QRectF, share: float) -> None:
        theme = self._theme
        width = min(theme.scaled(_BAR_MOST), rect.width() - GAP)
        top = rect.center().y() + theme.scaled(8)
        track = QRectF(rect.left(), round(top), width, _BAR_HEIGHT)
        radius = _BAR_HEIGHT / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(track, radius, radius)
        if share > 0:
            track.setWidth(max(track.height(), width * share))
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(track, radius, radius)

    def _paint_text(self, painter: QPainter, rect: QRectF, text: str, role: str) -> None:
        self._write(painter, rect, rect.left(), text, self._theme.font("meta"), role)

    def _write(
        self, painter: QPainter, rect: QRectF, x: float, text: str, font: QFont, role: str
    ) -> None:
        metrics = QFontMetricsF(font)
        room = max(0.0, rect.right() - GAP - x)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        baseline = round(rect.center().y() + (metrics.ascent() - metrics.descent()) / 2)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(x, baseline), shown)
