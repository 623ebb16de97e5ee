"""What the delegates of all lists share: heights, the ring, the hairline, words on a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPen
from PySide6.QtWidgets import QStyledItemDelegate

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex
    from PySide6.QtGui import QFont, QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from inklings_desktop.ui.kit.look.theme import Theme


class RowDelegate(QStyledItemDelegate):
    """Rows of one height, a hairline below each and a ring around the one with the keyboard."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ring = False

    @property
    def row_height(self) -> int:
        """Height of every row but headings, in pixels."""
        return self._theme.px("tableRow")

    @property
    def heading_height(self) -> int:
        """Height of headings in pixels; that of rows where there are none."""
        return self.row_height

    def set_ring(self, *, shown: bool) -> None:
        """Draw a ring around the current row, which is right after use of the keyboard."""
        self._ring = shown

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The height of a row; the list gives it its width."""
        return QSize(0, self.row_height)

    def paint_hairline(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the line below a row; filling is many times faster than an antialiased line."""
        hairline = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(hairline, self._theme.color("line"))

    def paint_ring(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the ring inside a row."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("focus"), 2))
        painter.drawRoundedRect(rect.adjusted(2, 1, -2, -2), 4, 4)

    def write(
        self, painter: QPainter, x: float, middle: float, text: str, font: QFont, role: str
    ) -> None:
        """Write words from ``x``, the middle of their height at ``middle``, in a role's colour."""
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), text)
