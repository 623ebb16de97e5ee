"""Paints rows of two lines with a badge, and the headings between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from inklings_desktop.ui.kit.lists.badge_rows import BadgeHeading, BadgeRole
from inklings_desktop.ui.kit.lists.memory_rows import reads_right_to_left
from inklings_desktop.ui.kit.lists.row_delegate import RowDelegate

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from inklings_desktop.ui.kit.lists.badge_rows import BadgeRow
    from inklings_desktop.ui.kit.look.theme import Theme

ROW_HEIGHT, HEADING_HEIGHT = 56, 30

_RIGHT = 14
_FIRST, _SECOND = 19.0, 39.0
_BADGE_HEIGHT, _BADGE_PADDING, _BADGE_RADIUS = 19, 7, 4
_GAP = 10
_BAR = 3


class BadgeDelegate(RowDelegate):
    """Draws one row; the current one stands on the selected ground with a bar at its left."""

    def __init__(self, theme: Theme, *, left: int, parent: QObject | None = None) -> None:
        """Build the delegate.

        Args:
            theme: Look of the window.
            left: Where words begin, in pixels.
            parent: Owner.
        """
        super().__init__(theme, parent)
        self._left = left

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return self._theme.scaled(ROW_HEIGHT)

    @property
    def heading_height(self) -> int:
        """Height of a heading in pixels."""
        return self._theme.scaled(HEADING_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws a row or a heading."""
        row = index.data(BadgeRole.ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, BadgeHeading):
            self._paint_heading(painter, QRectF(option.rect), row)
        else:
            self._paint_row(painter, QRectF(option.rect), option.state, row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRectF, row: BadgeHeading) -> None:
        theme = self._theme
        painter.fillRect(rect, theme.color("canvas"))
        self.paint_hairline(painter, rect)
        middle = rect.center().y()
        font = theme.font("label")
        x = rect.left() + self._left
        self.write(painter, x, middle, row.text, font, "inkSoft")
        x += QFontMetricsF(font).horizontalAdvance(row.text) + 8
        self.write(painter, x, middle, row.detail, theme.font("meta", px=12), "inkFaint")

    def _paint_row(
        self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, row: BadgeRow
    ) -> None:
        theme, scale = self._theme, self._theme.text_scale
        is_ringed = self._ring and bool(state & QStyle.StateFlag.State_HasFocus)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
            if not is_ringed:  # the ring runs where the bar would be
                bar = QRectF(rect.left(), rect.top(), _BAR, rect.height())
                painter.fillRect(bar, self._accent())
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        left, right = rect.left() + self._left, rect.right() - _RIGHT
        first, second = rect.top() + _FIRST * scale, rect.top() + _SECOND * scale
        edge = right
        if row.badge:
            edge = self._paint_badge(painter, right, second, row) - _GAP
        style = "reading" if row.is_remembered else "body"
        font = theme.font(style, px=14)
        self._elided(painter, QRectF(left, first, right - left, 0), row.text, font, "ink")
        meta = theme.font("meta", px=12)
        self._elided(painter, QRectF(left, second, edge - left, 0), row.meta, meta, row.meta_role)
        self.paint_hairline(painter, rect)
        if is_ringed:
            self.paint_ring(painter, rect)

    def _paint_badge(self, painter: QPainter, right: float, middle: float, row: BadgeRow) -> float:
        """The left edge of the badge."""
        theme = self._theme
        font = theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(row.badge) + 2 * _BADGE_PADDING
        height = theme.scaled(_BADGE_HEIGHT)
        box = QRectF(right - width, round(middle - height / 2), width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(f"{row.role}Soft"))
        painter.drawRoundedRect(box, _BADGE_RADIUS, _BADGE_RADIUS)
        x = box.left() + _BADGE_PADDING
        self.write(painter, x, box.center().y(), row.badge, font, row.role)
        return box.left()

    def _elided(self, painter: QPainter, line: QRectF, text: str, font: QFont, role: str) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        x = line.left()
        if reads_right_to_left(text):
            x = line.right() - metrics.horizontalAdvance(shown)
        self.write(painter, x, line.top(), shown, font, role)

    def _accent(self) -> QColor:
        return self._theme.color("accent")
