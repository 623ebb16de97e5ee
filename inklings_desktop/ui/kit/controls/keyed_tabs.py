"""Tabs that are drawn by hand and told apart by keys; the chosen one is underlined."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QWidget

from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.theme import Theme


class KeyedTab(Protocol):
    """What every tab has."""

    @property
    def key(self) -> str:
        """Tells it apart from the others of its bar."""

    @property
    def name(self) -> str:
        """What is written on it."""

    @property
    def accessible_name(self) -> str:
        """What is read aloud; empty for its name."""


T = TypeVar("T", bound=KeyedTab)


class KeyedTabBar(QTabBar, Generic[T]):
    """A row of such tabs; how one looks is up to the bar that is built on this.

    Signals:
        tab_chosen: Key of the tab that is chosen now.
    """

    tab_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tabs: list[T] = []
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

    def set_tabs(self, tabs: Sequence[T]) -> None:
        """Show these tabs; the first one becomes the chosen one, without a signal."""
        self.blockSignals(True)
        while self.count():
            self.removeTab(self.count() - 1)
        self._tabs = list(tabs)
        for number, tab in enumerate(self._tabs):
            self.addTab(tab.name)
            self.setTabData(number, tab.key)
            self.setAccessibleTabName(number, tab.accessible_name or tab.name)
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

    def tab_width(self, _number: int) -> int:
        """Width of one tab with the room to the next, in pixels."""
        return 0

    def tab_height(self) -> int:
        """Height of every tab in pixels."""
        return 0

    def paint_tab(self, painter: QPainter, number: int, tab: T) -> None:
        """Draw one tab; here nothing."""

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as what is drawn, and the room to the next tab."""
        if index >= len(self._tabs):
            return QSize(0, self.tab_height())
        return QSize(self.tab_width(index), self.tab_height())

    def needed_width(self) -> int:
        """Room that all tabs need side by side, in pixels."""
        return sum(self.tabSizeHint(number).width() for number in range(self.count()))

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
            self.paint_tab(painter, number, tab)
        painter.end()

    def paint_chosen(self, painter: QPainter, line: QRectF, ring: QRectF) -> None:
        """Underline the chosen tab and, after use of the keyboard, draw the ring around it.

        Args:
            painter: Paints on the bar.
            line: Where the underline goes.
            ring: Where the ring goes, so far as the bar has room.
        """
        painter.fillRect(line, self._theme.color("accent"))
        if self._ring and self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring.intersected(room), 5, 5)

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.update()

    def measure_anew(self) -> None:
        """Take other widths into account; Qt measures tabs only when one of them is set."""
        for number, tab in enumerate(self._tabs):
            self.setTabText(number, "")
            self.setTabText(number, tab.name)
        self.updateGeometry()
        self.update()

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        if 0 <= index < len(self._tabs):
            self.tab_chosen.emit(self._tabs[index].key)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.measure_anew()
