"""Tabs that are drawn by hand and told apart by keys; the chosen one is underlined."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
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

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import turn_in
from inklings_desktop.ui.kit.look.text_layout import write
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
        theme.changed.connect(self.measure_anew)

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
        return self.tabSizeHint(index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in KEYBOARD_REASONS
        super().focusInEvent(event)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring = False
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.tabAt(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, tab in enumerate(self._tabs):
            painter.save()
            turn_in(painter, self.tabRect(number))  # Qt has mirrored the places of the tabs
            self.paint_tab(painter, number, tab)
            painter.restore()
        painter.end()

    def paint_chosen(self, painter: QPainter, line: QRectF, ring: QRectF) -> None:
        """Underline the chosen tab and, after use of the keyboard, draw the ring around it.

        Args:
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
        for tab in self._tabs[:1]:
            self.setTabText(0, "")
            self.setTabText(0, tab.name)
        self.updateGeometry()
        self.update()

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        if 0 <= index < len(self._tabs):
            self.tab_chosen.emit(self._tabs[index].key)


_TAB_BAR_HEIGHT = 52
_MARK = 18
_GAP = 8
_TAB_BAR_BETWEEN = 20
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


class RingTabBar(KeyedTabBar[RingTab]):
    """A row of such tabs; the chosen one is underlined."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._room = TabRoom.FULL

    def set_counts(self, counts: Mapping[str, tuple[str, str]]) -> bool:
        """Show other counts beside the names of tabs; whether those take other room.

        Args:
            counts: By key of the tab, what stands there and how the tab is read aloud.
        """
        is_other = False
        for number, before in enumerate(self._tabs):
            text, spoken = counts.get(before.key, (before.count_text, before.accessible_name))
            tab = replace(before, count_text=text, accessible_name=spoken)
            if tab != before:
                width, self._tabs[number] = self._content_width(number), tab
                self.setAccessibleTabName(number, spoken)
                is_other |= self._content_width(number) != width
        if is_other:
            self.measure_anew()
        self.update()
        return is_other

    def set_room(self, room: TabRoom) -> None:
        """Set names smaller, or leave out those of tabs that are not chosen."""
        if room is not self._room:
            self._room = room
            for number, tab in enumerate(self._tabs):
                self.setTabToolTip(number, tab.name if room is TabRoom.MARKS else "")
            self.measure_anew()

    def tab_width(self, number: int) -> int:
        """Mark, name, count, and the room to the next tab; nothing follows the last one.

        What is too wide by no more than that room alone Qt would scroll, and cut the first one.
        """
        is_last = number == len(self._tabs) - 1
        return round(self._content_width(number)) + (0 if is_last else self._between())

    def tab_height(self) -> int:
        return self._theme.scaled(_TAB_BAR_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """No width of its own: whoever holds the bar fits it by ``set_room``."""
        return QSize(0, self.tab_height())

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hover(self.tabAt(event.position().toPoint()))
        super().enterEvent(event)

    def paint_tab(self, painter: QPainter, number: int, tab: RingTab) -> None:
        theme = self._theme
        rect = QRectF(self.tabRect(number))
        chosen = number == self.currentIndex()
        middle = rect.center().y() + 0.5
        edge = theme.icon_px(_MARK)
        mark = QRectF(rect.left(), middle - edge / 2, edge, edge)
        paint_tier_mark(painter, mark, tab.inked, theme.color(tab.role))
        x = rect.left() + edge + _GAP
        strong = chosen or number == self._hovered
        if self._shows_name(number):
            ink = theme.color("ink" if strong else "inkSoft")
            x = write(painter, x, middle, tab.name, self._name_font(), ink) + _GAP
        if tab.count_text:
            faint = theme.color("inkFaint")
            write(painter, x, middle, tab.count_text, self._count_font(), faint)
        width = self._content_width(number)
        if chosen:
            line = QRectF(rect.left(), rect.bottom() - _UNDERLINE, width, _UNDERLINE)
            ring = QRectF(rect.left() - 3, middle - 15, width + 6, 30)
            self.paint_chosen(painter, line, ring)

    def _content_width(self, number: int) -> float:
        tab = self._tabs[number]
        width = float(self._theme.icon_px(_MARK))
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
        return _TAB_BAR_BETWEEN if self._room is TabRoom.FULL else _NARROW_BETWEEN

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        if self._room is TabRoom.MARKS:
            self.measure_anew()
        super()._on_current_changed(index)


_WORD_TABS_HEIGHT = 40
_WORD_TABS_BETWEEN = 22
INSET = 6
"""How far the words stand from the left edge: room for the ring around the first tab."""


@dataclass(frozen=True, slots=True)
class WordTab:
    """One tab: its key, its name, what is read aloud if that is something else, and a count."""

    key: str
    name: str
    accessible_name: str = ""
    count_text: str = ""


class WordTabBar(KeyedTabBar[WordTab]):
    """A row of such tabs, as wide as their words."""

    def show_tabs(self, said: tuple[Sequence[WordTab], str]) -> None:
        """Show these tabs, the one with the key chosen; nothing is told of it."""
        tabs, chosen = said
        if list(tabs) != self._tabs:
            self.set_tabs(tabs)
        self.blockSignals(True)
        self.choose(chosen)
        self.blockSignals(False)

    def step(self, by: int) -> None:
        """Choose a tab further on, beginning anew after the last."""
        if self._tabs:
            self.setCurrentIndex((self.currentIndex() + by) % len(self._tabs))

    def tab_width(self, number: int) -> int:
        """The word, and the room to the next tab."""
        return round(self._word_width(number) + self._count_width(number)) + _WORD_TABS_BETWEEN

    def tab_height(self) -> int:
        return self._theme.scaled(_WORD_TABS_HEIGHT)

    def sizeHint(self) -> QSize:
        return QSize(self.needed_width(), self.tab_height())

    def paint_tab(self, painter: QPainter, number: int, tab: WordTab) -> None:
        theme = self._theme
        rect = QRectF(self.tabRect(number)).translated(INSET, 0)
        chosen = number == self.currentIndex()
        font = theme.font("bodyStrong" if chosen else "body")
        middle = rect.center().y()
        ink = theme.color("ink" if chosen or number == self._hovered else "inkSoft")
        write(painter, rect.left(), middle, tab.name, font, ink)
        width = self._word_width(number)
        if tab.count_text:
            faint, x = theme.color("inkFaint"), rect.left() + width + _GAP
            write(painter, x, middle, tab.count_text, self._count_font(), faint)
        if not chosen:
            return
        width += self._count_width(number)
        line = QRectF(rect.left(), rect.bottom() - _UNDERLINE + 1, width, _UNDERLINE)
        ring = QRectF(rect.left() - 5, middle - 14, width + 10, 27)
        self.paint_chosen(painter, line, ring)

    def _word_width(self, number: int) -> float:
        # A tab keeps its width when it becomes the strong one.
        metrics = QFontMetricsF(self._theme.font("bodyStrong"))
        return metrics.horizontalAdvance(self._tabs[number].name)

    def _count_width(self, number: int) -> float:
        text = self._tabs[number].count_text
        return _GAP + QFontMetricsF(self._count_font()).horizontalAdvance(text) if text else 0

    def _count_font(self) -> QFont:
        return self._theme.font("meta", tabular=True)
