"""The card of what was done in a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath

from inklings_desktop.ui.conversation.drawing.ink import ICON
from inklings_desktop.ui.conversation.drawing.piece import FOLD, MEMORY, Part, Piece
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from inklings_desktop.ui.conversation.drawing.ink import Ink
    from inklings_desktop.ui.conversation.drawing.piece import Look
    from inklings_desktop.ui.conversation.drawing.steps import StepRow


class StepsPiece(Piece):
    """The card of what was done: a row for each group of calls, unfolded to what it found."""

    gap = 7
    _ROW, _DETAIL = 32, 27
    _CARET, _MARK, _TEXT, _RIGHT = 13, 35, 59, 13

    def __init__(self, ink: Ink, rows: Sequence[StepRow], unfolded: frozenset[str]) -> None:
        super().__init__(ink)
        self._rows, self._unfolded = rows, unfolded
        self._lines: list[tuple[float, float, StepRow, int]] = []

    def lay(self, width: float) -> None:
        """Rows and the lines below the unfolded ones."""
        self.width = width
        self._lines, self.turns, y = [], [], 1.0
        row_height, line = self.theme.scaled(self._ROW), self.theme.scaled(self._DETAIL)
        edge = self.theme.icon_px(ICON)
        for row in self._rows:
            if self._lines:
                y += 1
            self._lines.append((y, row_height, row, -1))
            if row.is_running:
                taken = self.ink.width(row.time, self.ink.font()) + (9 if row.time else 0)
                left = width - self._RIGHT - taken - edge
                self.turns.append(QRectF(left, y, edge, row_height))
            y += row_height
            if row.key in self._unfolded:
                for number in range(len(row.details)):
                    self._lines.append((y + 1, line, row, number))
                    y += line + 1
        self.height = y + 1

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw the card."""
        theme = self.theme
        self.ink.card(painter, QRectF(0, 0, self.width, self.height), "canvas", "line")
        for position, (top, height, row, number) in enumerate(self._lines):
            if number < 0 and row.key in self._unfolded:
                self._paint_open(painter, QRectF(1, top, self.width - 2, height))
            if position:
                painter.fillRect(QRectF(1, top - 1, self.width - 2, 1), theme.color("line"))
            if number < 0:
                self._paint_row(painter, top + height / 2, row, look)
            else:
                self._paint_detail(painter, top + height / 2, row, number)
        for part in self.parts():
            if part.key == look.focused:
                self.ink.ring(painter, part.rect.adjusted(2, 2, -2, -2))

    def parts(self) -> Sequence[Part]:
        """Rows that unfold, and the memories below them."""
        found = []
        for top, height, row, number in self._lines:
            rect = QRectF(0, top, self.width, height)
            if number < 0 and row.details:
                is_open = row.key in self._unfolded
                name = f"{row.spoken}, {tr('unfolded') if is_open else tr('folded')}"
                found.append(Part(self._key(row.key), rect, name, (FOLD, row.key)))
            elif number >= 0 and (touched := row.details[number].touched) is not None:
                name, act = row.details[number].text, (MEMORY, touched)
                found.append(Part(self._key(f"{row.key}:{number}"), rect, name, act))
        return found

    def spoken(self) -> str:
        """What was done."""
        return "; ".join(row.spoken for row in self._rows)

    def _paint_open(self, painter: QPainter, row: QRectF) -> None:
        """Lift the ground of an unfolded row, within the corners of the card."""
        card = QPainterPath()
        card.addRoundedRect(QRectF(1, 1, self.width - 2, self.height - 2), 7, 7)
        painter.save()
        painter.setClipPath(card, Qt.ClipOperation.IntersectClip)
        painter.fillRect(row, self.theme.color("surface"))
        painter.restore()

    def _paint_row(self, painter: QPainter, middle: float, row: StepRow, look: Look) -> None:
        ink, edge = self.ink, self.theme.icon_px(ICON)
        if row.details:
            caret = "caret-down" if row.key in self._unfolded else "caret-right"
            hovered = look.hovered == self._key(row.key)
            ink.icon(painter, self._CARET, middle, caret, "ink" if hovered else "inkFaint", 14)
        ink.icon(painter, self._MARK, middle, row.icon, row.role)
        end = self.width - self._RIGHT - ink.width(row.time, ink.font())
        ink.text(painter, end, middle, row.time, ink.font(), "inkSoft")
        if row.is_running:
            end -= edge + (9 if row.time else 0)
            ink.turning(painter, end, middle, look.angle)
        x: float = max(self._TEXT, self._MARK + edge + 8)
        strong = ink.font(weight=600)
        shown = ink.fitted(row.done, strong, end - x - 12)
        x = ink.text(painter, x, middle, shown, strong, "ink") + 9
        about = ink.fitted(row.about, ink.font(), end - x - 12)
        ink.text(painter, x, middle, about, ink.font(), "inkFaint")

    def _paint_detail(self, painter: QPainter, middle: float, row: StepRow, number: int) -> None:
        ink, detail = self.ink, row.details[number]
        edge = self.theme.icon_px(ICON)
        x, end = max(self._TEXT, self._MARK + edge + 8), self.width - self._RIGHT
        if detail.touched is not None:
            ink.icon(painter, self._MARK + 2, middle, "stack", "inkFaint", 14)
            end -= edge
            ink.tier(painter, end, middle, detail.touched.tier)
        shown = ink.fitted(detail.text, ink.font(), end - x - 12)
        ink.text(painter, x, middle, shown, ink.font(), "ink")
