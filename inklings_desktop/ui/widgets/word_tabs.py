"""Tabs of a page: plain words, of which the chosen one is strong and underlined."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QWidget

from inklings_desktop.ui.theme import Theme
from inklings_desktop.ui.widgets.row_table import KEYBOARD_REASONS

_HEIGHT = 40
_BETWEEN = 22
_UNDERLINE = 3
INSET = 6
"""How far the words stand from the left edge: room for the ring around the first tab."""


@dataclass(frozen=True, slots=True)
class WordTab:
    """One tab: its key and its name."""

    key: str
    name: str


class WordTabBar(QTabBar):
    """A row of such tabs, as wide as their words.

    Signals:
        tab_chosen: Key of the tab that is chosen now.
    """

    tab_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tabs: list[WordTab] = []
        self._hovered = -1
        self._ring = False
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ring", "none")
        self.currentChanged.connect(self._on_current_changed)
        theme.changed.connect(self._on_theme_changed)

    def set_tabs(self, tabs: Sequence[WordTab]) -> None:
        """Show these tabs; the first one becomes the chosen one, without a signal."""
        self.blockSignals(True)
        while self.count():
            self.removeTab(self.count() - 1)
        self._tabs = list(tabs)
        for number, tab in enumerate(self._tabs):
            self.addTab(tab.name)
            self.setTabData(number, tab.key)
            self.setAccessibleTabName(number, tab.name)
        self.blockSignals(False)
        self.updateGeometry()

    def current_key(self) -> str:
        """Key of the chosen tab, empty while there is none."""
        current = self.currentIndex()
        return self._tabs[current].key if 0 <= current < len(self._tabs) else ""

    def choose(self, key: str) -> None:
        """Choose a tab by its key; says so like a click."""
        for number, tab in enumerate(self._tabs):
            if tab.key == key:
                self.setCurrentIndex(number)

    def step(self, by: int) -> None:
        """Choose a tab further on, beginning anew after the last."""
        if self._tabs:
            self.setCurrentIndex((self.currentIndex() + by) % len(self._tabs))

    def tabSizeHint(self, index: int) -> QSize:
        """The word, and the room to the next tab."""
        if index >= len(self._tabs):
            return QSize(0, self._height())
        return QSize(round(self._word_width(index)) + _BETWEEN, self._height())

    def sizeHint(self) -> QSize:
        """All words side by side."""
        width = sum(self.tabSizeHint(number).width() for number in range(self.count()))
        return QSize(width, self._height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Tabs are never squeezed."""
        return self.tabSizeHint(index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows the ring when focus came by key."""
        self._ring = event.reason() in KEYBOARD_REASONS
        super().focusInEvent(event)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses; the ring leaves."""
        self._ring = False
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follows the pointer."""
        self._hover(self.tabAt(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Forgets the pointer."""
        self._hover(-1)
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws all tabs."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, tab in enumerate(self._tabs):
            self._paint_tab(painter, number, tab)
        painter.end()

    def _paint_tab(self, painter: QPainter, number: int, tab: WordTab) -> None:
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
        painter.fillRect(line, theme.color("accent"))
        if self._ring and self.hasFocus():
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            frame = QRectF(rect.left() - 5, middle - 14, width + 10, 27)
            painter.drawRoundedRect(
                frame.intersected(QRectF(self.rect()).adjusted(1, 1, -1, -1)), 5, 5
            )

    def _word_width(self, number: int) -> float:
        # A tab keeps its width when it becomes the strong one.
        metrics = QFontMetricsF(self._theme.font("bodyStrong"))
        return metrics.horizontalAdvance(self._tabs[number].name)

    def _height(self) -> int:
        return self._theme.scaled(_HEIGHT)

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.update()

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        if 0 <= index < len(self._tabs):
            self.tab_chosen.emit(self._tabs[index].key)

    @Slot()
    def _on_theme_changed(self) -> None:
        # The bar measures its tabs again only when one of them is set.
        for number, tab in enumerate(self._tabs):
            self.setTabText(number, "")
            self.setTabText(number, tab.name)
        self.updateGeometry()
        self.update()
