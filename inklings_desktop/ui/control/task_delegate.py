"""Paints the cells of the table of background work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from inklings_desktop.ui.control.task_list_model import TaskColumn, TaskRole, TaskTone
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.panes.pieces import PADDING

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from inklings_desktop.ui.control.task_list_model import TaskRow

GAP = 14
MARK = 16
MARK_GAP = 9
_ROW = 41
_BAR_HEIGHT = 4
_BAR_MOST = 110
_WARNING = 14


class TaskDelegate(ColumnDelegate):
    """Draws one cell of the table of background work."""

    @property
    def row_height(self) -> int:
        """Height of every row in pixels."""
        return self._theme.scaled(_ROW)

    def is_ground_selected(self, *, selected: bool, current: bool) -> bool:
        """Only while the keyboard is in the table: here a row is chosen for its button alone."""
        return selected and current

    def paint_cell(
        self, painter: QPainter, rect: QRectF, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draws what is known of a task in one column."""
        row: TaskRow = index.data(TaskRole.ROW)
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
        room = max(0.0, rect.right() - GAP - x)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
        self.write(painter, x, rect.center().y(), shown, font, role)
