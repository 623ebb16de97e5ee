"""Tabs of a page: plain words, of which the chosen one is strong and underlined."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter

from inklings_desktop.ui.kit.controls.keyed_tabs import KeyedTabBar

_HEIGHT = 40
_BETWEEN = 22
_UNDERLINE = 3
INSET = 6
"""How far the words stand from the left edge: room for the ring around the first tab."""


@dataclass(frozen=True, slots=True)
class WordTab:
    """One tab: its key, its name, and what is read aloud if that is something else."""

    key: str
    name: str
    accessible_name: str = ""


class WordTabBar(KeyedTabBar[WordTab]):
    """A row of such tabs, as wide as their words."""

    def step(self, by: int) -> None:
        """Choose a tab further on, beginning anew after the last."""
        if self._tabs:
            self.setCurrentIndex((self.currentIndex() + by) % len(self._tabs))

    def tab_width(self, number: int) -> int:
        """The word, and the room to the next tab."""
        return round(self._word_width(number)) + _BETWEEN

    def tab_height(self) -> int:
        """Height of every tab in pixels."""
        return self._theme.scaled(_HEIGHT)

    def sizeHint(self) -> QSize:
        """All words side by side."""
        return QSize(self.needed_width(), self.tab_height())

    def paint_tab(self, painter: QPainter, number: int, tab: WordTab) -> None:
        """Draws the word, strong where it is chosen."""
        theme = self._theme
        rect = QRectF(self.tabRect(number)).translated(INSET, 0)
        chosen = number == self.currentIndex()
        font = theme.font("bodyStrong" if chosen else "body")
        metrics = QFontMetricsF(font)
        middle = rect.center().y()
        painter.setFont(font)
        painter.setPen(theme.color("ink" if chosen or number == self._hovered else "inkSoft"))
        baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(rect.left(), baseline), tab.name)
        if not chosen:
            return
        width = self._word_width(number)
        line = QRectF(rect.left(), rect.bottom() - _UNDERLINE + 1, width, _UNDERLINE)
        ring = QRectF(rect.left() - 5, middle - 14, width + 10, 27)
        self.paint_chosen(painter, line, ring)

    def _word_width(self, number: int) -> float:
        # A tab keeps its width when it becomes the strong one.
        metrics = QFontMetricsF(self._theme.font("bodyStrong"))
        return metrics.horizontalAdvance(self._tabs[number].name)
