"""What the delegates of all lists share: heights, the ring, how a row writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.kit.look.mirror import draw_picture, draw_text

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.lists.memory_row_layout import Mark, RowMeasures
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
        draw_text(painter, QPointF(x, baseline), text)


class RowInk:
    """Writes with the measures of one density; ``centre`` is the middle of a line in pixels."""

    def __init__(self, theme: Theme, measures: RowMeasures) -> None:
        self._theme = theme
        self._measures = measures

    def text(
        self, painter: QPainter, x: float, centre: float, text: str, font: QFont, role: str
    ) -> None:
        """Text that begins at ``x``."""
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        draw_text(painter, QPointF(x, self._measures.baseline(font, centre)), text)

    def text_to(
        self,
        painter: QPainter,
        right: float,
        centre: float,
        text: str,
        font: QFont,
        role: str | None = "inkFaint",
    ) -> None:
        """Text that ends at ``right``; without a role the painter's own colour stays."""
        painter.setFont(font)
        if role is not None:
            painter.setPen(self._theme.color(role))
        x = right - self._measures.metrics(font).horizontalAdvance(text)
        draw_text(painter, QPointF(x, self._measures.baseline(font, centre)), text)

    def icon(self, painter: QPainter, x: float, centre: float, name: str, role: str) -> None:
        """A small icon in a colour of the theme."""
        edge = self._measures.icon_px
        ratio = painter.device().devicePixelRatioF()
        picture = self._theme.pixmap(name, role, 14, ratio=ratio)
        draw_picture(painter, QPointF(round(x), round(centre - edge / 2)), picture)

    def mark(
        self, painter: QPainter, x: float, centre: float, mark: Mark, *, on_selected: bool
    ) -> None:
        """A mark of the meta line: an icon, a word, or both in a chip."""
        measures = self._measures
        if mark.chip:
            box = QRectF(x, centre - measures.chip_height / 2, mark.width, measures.chip_height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("surface" if on_selected else "graphiteSoft"))
            painter.drawRoundedRect(box, 4, 4)
            x += 7
        if mark.icon:
            self.icon(painter, x, centre, mark.icon, mark.role)
            x += measures.icon_px + 4
        font = measures.chip if mark.chip else measures.meta
        text = mark.text
        if mark.is_tag:  # the sign of a tag stands back behind its word
            self.text(painter, x, centre, text[0], font, "inkFaint")
            x, text = x + measures.metrics(font).horizontalAdvance(text[0]), text[1:]
        self.text(painter, x, centre, text, font, mark.role)
