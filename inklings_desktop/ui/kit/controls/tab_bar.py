"""Tabs that show a ring mark, a name and a count."""

from dataclasses import dataclass, replace
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, Slot
from PySide6.QtGui import (
    QEnterEvent,
    QFont,
    QFontMetricsF,
    QPainter,
)
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.controls.keyed_tabs import KeyedTabBar
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.tier_mark import paint_tier_mark

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


class RingTabBar(KeyedTabBar[RingTab]):
    """A row of such tabs; the chosen one is underlined."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._room = TabRoom.FULL

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
                self.measure_anew()

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
        """Height of every tab in pixels."""
        return self._theme.scaled(_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """No width of its own: whoever holds the bar fits it by ``set_room``."""
        return QSize(0, self.tab_height())

    def enterEvent(self, event: QEnterEvent) -> None:
        """Follows the pointer."""
        self._hover(self.tabAt(event.position().toPoint()))
        super().enterEvent(event)

    def paint_tab(self, painter: QPainter, number: int, tab: RingTab) -> None:
        """Draws mark, name and count."""
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
            role = "ink" if strong else "inkSoft"
            x = self._write(painter, x, middle, tab.name, self._name_font(), role) + _GAP
        if tab.count_text:
            self._write(painter, x, middle, tab.count_text, self._count_font(), "inkFaint")
        width = self._content_width(number)
        if chosen:
            line = QRectF(rect.left(), rect.bottom() - _UNDERLINE, width, _UNDERLINE)
            ring = QRectF(rect.left() - 3, middle - 15, width + 6, 30)
            self.paint_chosen(painter, line, ring)

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
        return _BETWEEN if self._room is TabRoom.FULL else _NARROW_BETWEEN

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        if self._room is TabRoom.MARKS:
            self.measure_anew()
        super()._on_current_changed(index)
