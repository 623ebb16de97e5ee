"""Paints the revisions of an entry: a radio mark, when, what made it, and who vouches for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from inklings_desktop.ui.entries.entry.revision_list_model import RevisionRole
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.lists.row_delegate import RowDelegate

if TYPE_CHECKING:
    from inklings_desktop.ui.entries.entry.revision_list_model import RevisionRow

ROW_HEIGHT = 76

_GUTTER = 20
_TEXT_LEFT = 44
_RADIO = 15
_DOT = 2.6
_FIRST, _SECOND, _THIRD = 20.0, 39.0, 57.5


class RevisionDelegate(RowDelegate):
    """Draws one revision per row; the older side of the comparison has its radio filled."""

    @property
    def row_height(self) -> int:
        """Height of every row in pixels."""
        return self._theme.scaled(ROW_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row."""
        row: RevisionRow = index.data(RevisionRole.ROW)
        rect = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        theme, scale = self._theme, self._theme.text_scale
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.is_older or row.is_newer:
            painter.fillRect(rect, theme.color("selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        first, second, third = (rect.top() + line * scale for line in (_FIRST, _SECOND, _THIRD))
        self._paint_radio(painter, QPointF(rect.left() + _GUTTER + _RADIO / 2, first), row)
        left, right = rect.left() + _TEXT_LEFT, rect.right() - _GUTTER
        font = theme.font("meta", weight=600)
        self.write(painter, left, first, row.time, font, "ink")
        if row.is_newer:
            self._newer(painter, right, first)
        self._elided(painter, left, second, right - left, row.title)
        mark = curator_mark(row.curator, row.curator_label)
        edge = theme.icon_px(14)
        ratio = painter.device().devicePixelRatioF()
        picture = theme.pixmap(mark.icon, mark.role, 14, ratio=ratio)
        painter.drawPixmap(QPointF(round(left), round(third - edge / 2)), picture)
        x = left + edge + 4
        self.write(painter, x, third, mark.text, theme.font("meta"), mark.role)
        x += QFontMetricsF(theme.font("meta")).horizontalAdvance(mark.text) + 10
        self.write(painter, x, third, row.length, theme.font("meta"), "inkFaint")
        self.paint_hairline(painter, rect)
        if self._ring and state & QStyle.StateFlag.State_HasFocus:
            self.paint_ring(painter, rect)
        painter.restore()

    def _paint_radio(self, painter: QPainter, centre: QPointF, row: RevisionRow) -> None:
        theme, half = self._theme, self._theme.scaled(_RADIO) / 2
        if row.is_older:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(centre, half, half)
            painter.setBrush(theme.color("onAccent"))
            dot = _DOT * theme.text_scale
            painter.drawEllipse(centre, dot, dot)
            return
        painter.setPen(QPen(theme.color("accent" if row.is_newer else "controlBorder"), 1.4))
        painter.setBrush(theme.color("surface"))
        painter.drawEllipse(centre, half - 0.7, half - 0.7)

    def _newer(self, painter: QPainter, right: float, middle: float) -> None:
        text, font = self.tr("newer side"), self._theme.font("meta", px=12)
        x = right - QFontMetricsF(font).horizontalAdvance(text)
        self.write(painter, x, middle, text, font, "accent")

    def _elided(
        self, painter: QPainter, left: float, middle: float, room: float, text: str
    ) -> None:
        font = self._theme.font("meta")
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
        self.write(painter, left, middle, shown, font, "inkSoft")
