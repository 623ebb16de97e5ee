"""Paints the rows of the command palette: section names, things to go to, things to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.marks.key_hints import key_cap_height, key_cap_width, paint_key_cap
from inklings_desktop.ui.window.palette.model import PaletteHeading, PaletteItem, PaletteRole

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.window.palette.model import PaletteRow

ROW_HEIGHT = 36
_HEADING_HEIGHT = 32
_SIDE = 18
_INSET = 6
_ICON = 16
_TEXT_GAP = 14
_GAP = 16


class PaletteDelegate(QStyledItemDelegate):
    """Draws every row itself, from values that need no further work."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def height_of(self, row: PaletteHeading | PaletteItem) -> int:
        """Height of a row in pixels."""
        is_heading = isinstance(row, PaletteHeading)
        return self._theme.scaled(_HEADING_HEIGHT if is_heading else ROW_HEIGHT)

    def sizeHint(
        self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One of two heights."""
        row = index.data(PaletteRole.ROW)
        return QSize(0, self.height_of(row)) if row is not None else QSize()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws a row."""
        row: PaletteRow | None = index.data(PaletteRole.ROW)
        box = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, PaletteHeading):
            self._paint_heading(painter, box, row)
        elif row is not None:
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_item(painter, box, row, chosen=chosen)
        painter.restore()

    def _paint_heading(self, painter: QPainter, box: QRectF, row: PaletteHeading) -> None:
        painter.setFont(self._theme.font("label"))
        painter.setPen(self._theme.color("inkSoft"))
        inner = box.adjusted(_SIDE, 6, -_SIDE, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, row.text)

    def _paint_item(
        self, painter: QPainter, box: QRectF, row: PaletteItem, *, chosen: bool
    ) -> None:
        theme = self._theme
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected"))
            radius = theme.radius("control")
            painter.drawRoundedRect(box.adjusted(_INSET, 0, -_INSET, 0), radius, radius)
        edge = theme.icon_px(_ICON)
        mark = QRectF(box.left() + _SIDE, box.center().y() - edge / 2, edge, edge)
        if row.rings:
            paint_tier_mark(painter, mark, row.rings, theme.color(row.role))
        elif row.icon:
            ratio = painter.device().devicePixelRatio()
            painter.drawPixmap(
                mark.topLeft().toPoint(), theme.pixmap(row.icon, row.role, _ICON, ratio=ratio)
            )
        right = box.right() - _SIDE
        right = self._paint_keys(painter, box, row.keys, right)
        if not row.keys:
            right = self._paint_hint(painter, box, row.hint, right)
        left = mark.right() + _TEXT_GAP
        self._paint_text(painter, QRectF(left, box.top(), right - _GAP - left, box.height()), row)

    def _paint_keys(self, painter: QPainter, box: QRectF, keys: str, right: float) -> float:
        if not keys:
            return right
        font = self._theme.font("meta", px=12)
        width, height = key_cap_width(keys, font), key_cap_height(self._theme)
        cap = QRectF(right - width, round(box.center().y() - height / 2), width, height)
        paint_key_cap(painter, cap, keys, self._theme)
        return right - width

    def _paint_hint(self, painter: QPainter, box: QRectF, hint: str, right: float) -> float:
        if not hint:
            return right
        font = self._theme.font("meta")
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(hint, Qt.TextElideMode.ElideRight, box.width() / 3)
        painter.setFont(font)
        painter.setPen(self._theme.color("inkSoft"))
        width = metrics.horizontalAdvance(shown)
        painter.drawText(QPointF(right - width, self._baseline(box, metrics)), shown)
        return right - width

    def _paint_text(self, painter: QPainter, box: QRectF, row: PaletteItem) -> None:
        """Draws the text; what matches has a ground and a line, two cues."""
        theme = self._theme
        font = theme.font("reading", px=15) if row.is_memory else theme.font("body")
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, box.width())
        baseline = self._baseline(box, metrics)
        n_kept = len(text) if text == row.text else max(len(text) - 1, 0)
        for start, length in row.spans:
            end = min(start + length, n_kept)
            if start < end:
                self._paint_mark(painter, font, text, (start, end), (box.left(), baseline))
        painter.setFont(font)
        painter.setPen(theme.color("ink"))
        painter.drawText(QPointF(box.left(), baseline), text)

    def _paint_mark(
        self,
        painter: QPainter,
        font: QFont,
        text: str,
        ends: tuple[int, int],
        origin: tuple[float, float],
    ) -> None:
        metrics = QFontMetricsF(font)
        left = origin[0] + metrics.horizontalAdvance(text[: ends[0]])
        right = origin[0] + metrics.horizontalAdvance(text[: ends[1]])
        ground = QRectF(left, origin[1] - metrics.ascent(), right - left, metrics.height())
        painter.fillRect(ground, self._theme.color("ochreSoft"))
        painter.setPen(QPen(self._theme.color("ochre"), 1))
        painter.drawLine(QPointF(left, ground.bottom()), QPointF(right, ground.bottom()))

    @staticmethod
    def _baseline(box: QRectF, metrics: QFontMetricsF) -> float:
        return round(box.center().y() + (metrics.ascent() - metrics.descent()) / 2)
