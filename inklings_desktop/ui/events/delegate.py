"""Paints the cells of the event log; a lock and madder mark what is final or was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter

from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate
from inklings_desktop.ui.kit.lists.event_list_model import EventColumn, EventRole, EventTone

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.look.theme import Theme

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


class EventDelegate(ColumnDelegate):
    """Draws one cell of the log."""

    def paint_cell(
        self, painter: QPainter, rect: QRectF, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draws what is known of an event in one column."""
        self._paint_text(painter, rect, index.data(EventRole.ROW), EventColumn(index.column()))

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
            self.write(painter, x, middle, row.number_text, font, role)
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
        self.write(painter, rect.left(), middle, shown, font, role)
        if column is EventColumn.KIND and row.is_permanent:
            x = rect.left() + metrics.horizontalAdvance(shown) + LOCK_GAP
            edge = theme.icon_px(LOCK)
            ratio = painter.device().devicePixelRatioF()
            picture = theme.pixmap("lock-simple", "madder", LOCK, ratio=ratio)
            painter.drawPixmap(QPointF(round(x), round(middle - edge / 2)), picture)


def cell_font(theme: Theme, column: EventColumn) -> QFont:
    """The face of a column: fixed for kinds, figures of one width for numbers and ages."""
    if column is EventColumn.KIND:
        return theme.font("mono")
    return theme.font("meta", tabular=column in {EventColumn.NUMBER, EventColumn.WHEN})
