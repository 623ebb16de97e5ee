"""Paints the rows of the named entries list: headings and entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from inklings_desktop.ui.entries.rows import EntryHeading, EntryRow
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowRole
from inklings_desktop.ui.kit.lists.row_table import RowDelegate
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import begin_cell
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

HEADING_HEIGHT = 28
ROW_HEIGHT = 83

_GUTTER = 20
_BAR = 3
_MARK = 14
_FIRST, _SECOND, _THIRD = 22.0, 42.0, 62.5
_BADGE_HEIGHT = 18
_BADGE_PADDING = 7
_GAP = 8


class EntryDelegate(RowDelegate):
    """Draws every row itself, from values that need no further work."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._unsaved_id = ""

    @property
    def row_height(self) -> int:
        """Height of entries in pixels."""
        return self._theme.scaled(ROW_HEIGHT)

    @property
    def heading_height(self) -> int:
        """Height of headings in pixels."""
        return self._theme.scaled(HEADING_HEIGHT)

    def set_unsaved(self, entry_id: str) -> None:
        """Mark the entry whose text in the editor is not saved; none if empty."""
        self._unsaved_id = entry_id

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """The height of a row; the list gives it its width."""
        heading = bool(index.data(RowRole.IS_HEADING))
        return QSize(0, self.heading_height if heading else self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws one row."""
        row = index.data(RowRole.ROW)
        rect = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        theme = self._theme
        is_ringed = self._ring and bool(state & QStyle.StateFlag.State_HasFocus)
        begin_cell(painter, option.rect)
        if isinstance(row, EntryHeading):
            self._paint_heading(painter, rect, row)
        else:
            selected = bool(state & QStyle.StateFlag.State_Selected)
            if selected:
                painter.fillRect(rect, theme.color("selected"))
                if not is_ringed:  # the ring runs where the bar would be
                    bar = QRectF(rect.left(), rect.top(), _BAR, rect.height() - 1)
                    painter.fillRect(bar, theme.color("accent"))
            elif state & QStyle.StateFlag.State_MouseOver:
                painter.fillRect(rect, theme.color("hover"))
            if isinstance(row, EntryRow):
                self._paint_entry(painter, rect, row, selected=selected)
        self.paint_hairline(painter, rect)
        if is_ringed:
            self.paint_ring(painter, rect)
        painter.restore()

    # -- one kind of row each -------------------------------------------------------------

    def _paint_heading(self, painter: QPainter, rect: QRectF, row: EntryHeading) -> None:
        theme = self._theme
        left, middle = rect.left() + _GUTTER, rect.center().y() - 0.5
        edge = theme.icon_px(_MARK)
        mark = QRectF(left, middle - edge / 2, edge, edge)
        paint_tier_mark(painter, mark, row.inked, theme.color(row.role))
        font = theme.font("label")
        x = left + edge + _GAP
        self.write(painter, x, middle, row.text, font, "inkSoft")

    def _paint_entry(
        self, painter: QPainter, rect: QRectF, row: EntryRow, *, selected: bool
    ) -> None:
        left, right = rect.left() + _GUTTER, rect.right() - _GUTTER
        first, second, third = self._lines(rect)
        end = right
        if row.is_built_in:
            end = self._badge(painter, right, first, tr("built in"), selected=selected)
        width = self._name(painter, left, first, end - left, row.name)
        if row.id == self._unsaved_id:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("ochre"))
            painter.drawEllipse(QPointF(left + width + 9, first + 1), 3.5, 3.5)
        end = right
        if row.n_proposals:
            end = self._proposals(painter, right, second, row.n_proposals)
        self._elided(painter, left, second, end - left, row.heading, "inkSoft")
        small = self._theme.font("meta", px=12)
        length = QFontMetricsF(small).horizontalAdvance(row.length_label)
        self.write(painter, right - length, third, row.length_label, small, "inkFaint")
        room = right - length - _GAP - left
        if not row.state_label:
            self._elided(painter, left, third, room, row.age_label, "inkFaint")
            return
        icon, role = ("warning", "ochre") if row.is_urgent else ("circle-dashed", "inkFaint")
        edge = self._theme.draw_icon(painter, (round(left), third), icon, role, 14)
        self._elided(painter, left + edge + 5, third, room - edge - 5, row.state_label, role)

    # -- pieces ---------------------------------------------------------------------------

    def _lines(self, rect: QRectF) -> tuple[float, float, float]:
        """The middles of the three lines of a row."""
        scale = self._theme.text_scale
        first, second, third = (rect.top() + line * scale for line in (_FIRST, _SECOND, _THIRD))
        return first, second, third

    def _name(self, painter: QPainter, left: float, middle: float, room: float, text: str) -> float:
        font = self._theme.font("tab", px=16)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        self.write(painter, left, middle, shown, font, "ink")
        return metrics.horizontalAdvance(shown)

    def _badge(
        self, painter: QPainter, right: float, middle: float, text: str, *, selected: bool
    ) -> float:
        """A word on a ground, ending at ``right``; returns where the name must end."""
        theme = self._theme
        font = theme.font("meta", px=12)
        width = QFontMetricsF(font).horizontalAdvance(text) + 2 * _BADGE_PADDING
        height = theme.scaled(_BADGE_HEIGHT)
        box = QRectF(right - width, middle - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("surface" if selected else "graphiteSoft"))
        painter.drawRoundedRect(box, theme.radius("chip"), theme.radius("chip"))
        self.write(painter, box.left() + _BADGE_PADDING, middle, text, font, "inkSoft")
        return box.left() - _GAP

    def _pill(self, painter: QPainter, right: float, middle: float, text: str) -> float:
        """A round count in lapis, ending at ``right``."""
        theme = self._theme
        font = theme.font("meta", px=12, weight=600, tabular=True)
        height = theme.scaled(_BADGE_HEIGHT)
        width = max(height, QFontMetricsF(font).horizontalAdvance(text) + 12)
        box = QRectF(right - width, middle - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("lapisSoft"))
        painter.drawRoundedRect(box, height / 2, height / 2)
        x = box.center().x() - QFontMetricsF(font).horizontalAdvance(text) / 2
        self.write(painter, x, middle, text, font, "lapis")
        return box.left() - _GAP

    def _proposals(self, painter: QPainter, right: float, middle: float, count: int) -> float:
        told = counted(count, "1 proposal", "{n} proposals")
        return self._pill(painter, right, middle, told)

    def _elided(
        self,
        painter: QPainter,
        left: float,
        middle: float,
        room: float,
        text: str,
        role: str,
    ) -> None:
        font = self._theme.font("meta", px=13 if role == "inkSoft" else 12)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0, room))
        self.write(painter, left, middle, shown, font, role)
