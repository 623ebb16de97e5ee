"""Tabs that show a ring mark, a name and a count."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QTabBar, QWidget

from inklings_desktop.ui.theme import Theme
from inklings_desktop.ui.widgets.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.widgets.tier_mark import paint_tier_mark

_HEIGHT = 52
_MARK = 18
_GAP = 8
_BETWEEN = 20
_NARROW_BETWEEN = 15
_NARROW_PX = 15
_UNDERLINE = 3


@dataclass(frozen=True, slots=True)
class RingTab:
    """One tab: its key, the inked rings of its mark in a role's colour, name and count.

    ``accessible_name`` says name and count in words.
    """

    key: str
    name: str
    inked: int
    role: str
    count_text: str = ""
    accessible_name: str = ""


class TabRoom(Enum):
    """How much room tabs may take: full names, small ones, or the chosen one's name alone."""

    FULL = "full"
    SMALL = "small"
    MARKS = "marks"


class RingTabBar(QTabBar):
    """A row of such tabs; the chosen one is underlined."""

    tab_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tabs: list[RingTab] = []
        self._room = TabRoom.FULL
        self._ring = False
        self._hovered = -1
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ring", "none")
        self.currentChanged.connect(self._on_current_changed)
        theme.changed.connect(self._on_theme_changed)

    def set_tabs(self, tabs: Sequence[RingTab]) -> None:
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

    def set_count(self, key: str, count_text: str, accessible_name: str) -> None:
        """Show another count beside one tab's name."""
        for number, tab in enumerate(self._tabs):
            if tab.key == key and (tab.count_text, tab.accessible_name) != (
                count_text,
                accessible_name,
            ):
                self._tabs[number] = replace(
                    tab, count_text=count_text, accessible_name=accessible_name
                )
                self.setAccessibleTabName(number, accessible_name)
                self._on_theme_changed()

    def set_room(self, room: TabRoom) -> None:
        """Set names smaller, or leave out those of tabs that are not chosen."""
        if room is not self._room:
            self._room = room
            for number, tab in enumerate(self._tabs):
                self.setTabToolTip(number, tab.name if room is TabRoom.MARKS else "")
            self._on_theme_changed()

    def current_key(self) -> str:
        """Key of the chosen tab, empty while there is none."""
        current = self.currentIndex()
        return self._tabs[current].key if 0 <= current < len(self._tabs) else ""

    def choose(self, key: str) -> None:
        """Choose a tab by its key; says so like a click."""
        for number, tab in enumerate(self._tabs):
            if tab.key == key:
                self.setCurrentIndex(number)

    def tabSizeHint(self, index: int) -> QSize:
        """Mark, name, count, and the room to the next tab."""
        if index >= len(self._tabs):
            return QSize(0, _HEIGHT)
        return QSize(round(self._content_width(index)) + self._between(), self._height())

    def needed_width(self) -> int:
        """Room that all tabs need side by side, in pixels."""
        return sum(self.tabSizeHint(number).width() for number in range(self.count()))

    def minimumSizeHint(self) -> QSize:
        """No width of its own: whoever holds the bar fits it by ``set_room``."""
        return QSize(0, self._height())

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

    def enterEvent(self, event: QEnterEvent) -> None:
        """Follows the pointer."""
        self._hover(self.tabAt(event.position().toPoint()))
        super().enterEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws all tabs."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, tab in enumerate(self._tabs):
            self._paint_tab(painter, number, tab)
        painter.end()

    def _paint_tab(self, painter: QPainter, number: int, tab: RingTab) -> None:
        theme = self._theme
        rect = QRectF(self.tabRect(number))
        chosen = number == self.currentIndex()
        middle = rect.center().y() + 0.5
        mark = QRectF(rect.left(), middle - _MARK / 2, _MARK, _MARK)
        paint_tier_mark(painter, mark, tab.inked, theme.color(tab.role))
        x = rect.left() + _MARK + _GAP
        strong = chosen or number == self._hovered
        if self._shows_name(number):
            role = "ink" if strong else "inkSoft"
            x = self._write(painter, x, middle, tab.name, self._name_font(), role) + _GAP
        if tab.count_text:
            self._write(painter, x, middle, tab.count_text, self._count_font(), "inkSoft")
        width = self._content_width(number)
        if chosen:
            line = QRectF(rect.left(), rect.bottom() - _UNDERLINE, width, _UNDERLINE)
            painter.fillRect(line, theme.color("accent"))
        if chosen and self._ring and self.hasFocus():
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            frame = QRectF(rect.left() - 3, middle - 15, width + 6, 30)
            painter.drawRoundedRect(
                frame.intersected(QRectF(self.rect()).adjusted(1, 1, -1, -1)), 5, 5
            )

    def _write(
        self, painter: QPainter, x: float, middle: float, text: str, font: QFont, role: str
    ) -> float:
        """Writes text centred on a height; returns where it ends."""
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        painter.drawText(
            QPointF(x, round(middle + (metrics.ascent() - metrics.descent()) / 2)), text
        )
        return x + metrics.horizontalAdvance(text)

    def _content_width(self, number: int) -> float:
        tab = self._tabs[number]
        width = float(_MARK)
        if self._shows_name(number):
            width += _GAP + QFontMetricsF(self._name_font()).horizontalAdvance(tab.name)
        if tab.count_text:
            width += _GAP + QFontMetricsF(self._count_font()).horizontalAdvance(tab.count_text)
        return width

    def _shows_name(self, number: int) -> bool:
        return self._room is not TabRoom.MARKS or number == self.currentIndex()

    def _name_font(self) -> QFont:
        return self._theme.font("tab", px=None if self._room is TabRoom.FULL else _NARROW_PX)

    def _count_font(self) -> QFont:
        return self._theme.font("meta", tabular=True)

    def _between(self) -> int:
        return _BETWEEN if self._room is TabRoom.FULL else _NARROW_BETWEEN

    def _height(self) -> int:
        return self._theme.scaled(_HEIGHT)

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.update()

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        if self._room is TabRoom.MARKS:
            self._on_theme_changed()
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
