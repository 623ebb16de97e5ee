"""Paints the rows of an import preview: box, status, tier, text, importance, what happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from inklings_desktop.ui.kit.controls.toggles import box_edge, paint_check_box
from inklings_desktop.ui.kit.lists.memory_rows import reads_right_to_left
from inklings_desktop.ui.kit.lists.row_delegate import RowDelegate
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.transfer.import_lines import ImportLine, ImportRole

if TYPE_CHECKING:
    from PySide6.QtGui import QFont


ROW_HEIGHT = 44
MARGIN = 28
_STATUS_AT, _TIER_AT, _TEXT_AT = 34, 146, 264
_IMPORTANCE_WIDTH, _WHAT_WIDTH, _GAP = 70, 236, 20
_LEAST_TEXT, _BARE_TIER = 120, 40
_BADGE_HEIGHT, _BADGE_PADDING, _RADIUS = 21, 7, 4
_RINGS = 16
_SEGMENT_PADDING, _SEGMENT_HEIGHT, _FRAME = 10, 26, 2


@dataclass(frozen=True, slots=True)
class ImportColumns:
    """Where the columns begin and end at a width, in pixels; heads and rows share it."""

    box: float
    status: float
    tier: float
    text: float
    text_end: float
    importance_end: float
    what: float
    end: float
    names_tier: bool

    @classmethod
    def at(cls, width: float, scale: float) -> ImportColumns:
        """The columns of a row of this width."""
        end = width - MARGIN
        what = end - _WHAT_WIDTH * scale
        importance_end = what - _GAP
        text_end = importance_end - _IMPORTANCE_WIDTH * scale
        tier, text = MARGIN + _TIER_AT * scale, MARGIN + _TEXT_AT * scale
        names_tier = text_end - text >= _LEAST_TEXT * scale
        if not names_tier:  # the rings say it alone, and the text gets the room
            text = tier + _BARE_TIER * scale
        return cls(
            MARGIN, MARGIN + _STATUS_AT, tier, text, text_end, importance_end, what, end, names_tier
        )


class ImportDelegate(RowDelegate):
    """Draws rows of one height; the current one has a bar at its left."""

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return self._theme.scaled(ROW_HEIGHT)

    def hit(self, line: ImportLine, rect: QRectF, at: QPointF) -> str:
        """What is under a point of a row: ``box``, the key of a choice, or nothing."""
        if line.can_check and at.x() < rect.left() + MARGIN + box_edge(self._theme) + 8:
            return "box"
        for key, _label, box in self._segments(line, rect):
            if box.contains(at):
                return key
        return ""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row."""
        line: ImportLine = index.data(ImportRole.LINE)
        rect = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, state, line)
        columns = ImportColumns.at(rect.width(), self._theme.text_scale)
        middle = rect.center().y()
        edge = box_edge(self._theme)
        box = QRectF(rect.left() + columns.box, round(middle - edge / 2), edge, edge)
        checked = Qt.CheckState.Checked if line.is_checked else Qt.CheckState.Unchecked
        paint_check_box(painter, box, self._theme, checked, enabled=line.can_check)
        self._paint_badge(painter, rect.left() + columns.status, middle, line)
        place = QPointF(rect.left() + columns.tier, middle)
        self._paint_tier(painter, place, line, is_named=columns.names_tier)
        self._paint_text(painter, rect, columns, line)
        meta = self._theme.font("meta", tabular=True)
        width = QFontMetricsF(meta).horizontalAdvance(line.importance)
        at = rect.left() + columns.importance_end - width
        self.write(painter, at, middle, line.importance, meta, "ink")
        if line.choices:
            self._paint_choices(painter, rect, line)
        else:
            room = columns.end - columns.what
            what = QFontMetricsF(meta).elidedText(line.what, Qt.TextElideMode.ElideRight, room)
            self.write(painter, rect.left() + columns.what, middle, what, meta, "inkSoft")
        if self._ring and state & QStyle.StateFlag.State_HasFocus:
            self.paint_ring(painter, rect)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, line: ImportLine
    ) -> None:
        theme = self._theme
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("ochreSoft" if line.needs_eye else "selected"))
            bar = QRectF(rect.left(), rect.top(), 3, rect.height())
            painter.fillRect(bar, theme.color("ochre" if line.needs_eye else "accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        self.paint_hairline(painter, rect)

    def _paint_badge(self, painter: QPainter, x: float, middle: float, line: ImportLine) -> None:
        theme = self._theme
        font = theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(line.status) + 2 * _BADGE_PADDING
        height = theme.scaled(_BADGE_HEIGHT)
        box = QRectF(x, round(middle - height / 2), width, height)
        painter.setPen(QPen(QColor(theme.wash(line.role, 0.35)), 1))
        painter.setBrush(theme.color(f"{line.role}Soft"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        self.write(painter, x + _BADGE_PADDING, middle, line.status, font, line.role)

    def _paint_tier(
        self, painter: QPainter, place: QPointF, line: ImportLine, *, is_named: bool
    ) -> None:
        edge = self._theme.icon_px(_RINGS)
        mark = QRectF(place.x(), place.y() - edge / 2, edge, edge)
        paint_tier_mark(painter, mark, line.inked, self._theme.color(line.tier_role))
        if is_named:
            font = self._theme.font("meta")
            self.write(painter, place.x() + edge + 6, place.y(), line.tier, font, "ink")

    def _paint_text(
        self, painter: QPainter, rect: QRectF, columns: ImportColumns, line: ImportLine
    ) -> None:
        middle = rect.center().y()
        step = self._theme.scaled(9)
        font = self._theme.font("reading" if line.is_remembered else "body", px=15)
        left, right = rect.left() + columns.text, rect.left() + columns.text_end
        first = middle - step if line.under else middle
        self._elided(painter, QRectF(left, first, right - left, 0), line.text, font, "ink")
        if line.under:
            meta = self._theme.font("meta", px=12)
            below = QRectF(left, middle + step + 1, right - left, 0)
            role = "inkSoft" if line.needs_eye else "inkFaint"
            self._elided(painter, below, line.under, meta, role)

    def _paint_choices(self, painter: QPainter, rect: QRectF, line: ImportLine) -> None:
        theme = self._theme
        segments = self._segments(line, rect)
        frame = segments[0][2].united(segments[-1][2]).adjusted(-_FRAME, -_FRAME, _FRAME, _FRAME)
        painter.setPen(QPen(theme.color("lineStrong"), 1))
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(frame, 6, 6)
        for key, label, box in segments:
            is_chosen = key == line.chosen
            if is_chosen:
                painter.setPen(QPen(theme.color("lineStrong"), 1))
                painter.setBrush(theme.color("surface"))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            font = theme.font("meta", weight=600 if is_chosen else 400)
            width = QFontMetricsF(font).horizontalAdvance(label)
            x = box.center().x() - width / 2
            role = "ink" if is_chosen else "inkSoft"
            self.write(painter, x, box.center().y(), label, font, role)

    def _segments(self, line: ImportLine, rect: QRectF) -> list[tuple[str, str, QRectF]]:
        """Where the choices of a conflict stand."""
        columns = ImportColumns.at(rect.width(), self._theme.text_scale)
        metrics = QFontMetricsF(self._theme.font("meta", weight=600))
        height = self._theme.scaled(_SEGMENT_HEIGHT)
        x = rect.left() + columns.what
        found = []
        for key, label in line.choices:
            width = metrics.horizontalAdvance(label) + 2 * _SEGMENT_PADDING
            found.append((key, label, QRectF(x, rect.center().y() - height / 2, width, height)))
            x += width
        return found

    def _elided(self, painter: QPainter, line: QRectF, text: str, font: QFont, role: str) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        x = line.left()
        if reads_right_to_left(text):
            x = line.right() - metrics.horizontalAdvance(shown)
        self.write(painter, x, line.top(), shown, font, role)
