"""Boxes with what lies in them, in one call each, rows that flow over lines, and viewports."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, TypeAlias

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)


class Stretch(Enum):
    """Stands for the room that is left."""

    STRETCH = 1


STRETCH: Final = Stretch.STRETCH
"""Takes the room that is left."""

Thing: TypeAlias = "QWidget | QLayout"
Part: TypeAlias = "Thing | tuple[Thing, int] | tuple[Thing, int, Qt.AlignmentFlag] | int | Stretch"
"""A widget or layout, perhaps with its share of the room and its place there, or a distance."""
Margins: TypeAlias = "int | tuple[int, int, int, int]"


def own_viewport(area: QAbstractScrollArea) -> QWidget:
    """Give a scroll area a viewport like its own, but one that Python knows; returns it.

    Whoever asks Qt for the one that Qt made has PySide look through all kinds of widgets there are,
    once, for 20 milliseconds. Before the first page is on show nobody needs to.
    """
    viewport = QWidget()
    viewport.setObjectName("qt_scrollarea_viewport")
    if not isinstance(area, QScrollArea):  # what that one holds stands on its own ground
        viewport.setBackgroundRole(QPalette.ColorRole.Base)
    viewport.setAutoFillBackground(True)
    area.setViewport(viewport)
    return viewport


def hbox(
    on: QWidget | None, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Parts side by side.

    Args:
        on: The widget that is laid out; None for a box that goes into another.
        parts: What lies in it, in order.
        margins: All four, or left, top, right and bottom, in pixels; None for those of the style.
        spacing: Between two parts, in pixels; None for that of the style.
    """
    box = QHBoxLayout() if on is None else QHBoxLayout(on)
    _measure(box, margins, spacing)
    fill(box, *parts)
    return box


def vbox(
    on: QWidget | None, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Parts below each other; what is given is as for ``hbox``."""
    box = QVBoxLayout() if on is None else QVBoxLayout(on)
    _measure(box, margins, spacing)
    fill(box, *parts)
    return box


def fill(box: QBoxLayout, *parts: Part) -> None:
    """Put parts behind what lies in a box."""
    for part in parts:
        if isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, Stretch):
            box.addStretch(1)
        else:
            thing, *how = part if isinstance(part, tuple) else (part,)
            _put(box, thing, *how)


def _put(box: QBoxLayout, thing: Thing, *how: Any) -> None:
    if isinstance(thing, QWidget):
        box.addWidget(thing, *how)
    else:
        box.addLayout(thing, *how)


def _measure(box: QBoxLayout, margins: Margins | None, spacing: int | None) -> None:
    if margins is not None:
        box.setContentsMargins(*([margins] * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)


def on_ground(widget: QWidget, ground: str) -> None:
    """Let a widget stand on a ground of its own.

    Args:
        widget: One that draws nothing itself.
        ground: As the style sheet calls it: ``canvas``, ``surface``.
    """
    widget.setProperty("ground", ground)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def restyle(widget: QWidget, name: str, value: str) -> None:
    """Give a widget another value of a property that style sheets know; they look when told to."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


_LEAST_SQUEEZED = 96


class FlowLayout(QLayout):
    """Items side by side, on as many lines as they need."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        gap: int = 6,
        line_gap: int = 6,
        squeezes: bool = False,
    ) -> None:
        """Begin without items.

        Args:
            gap: Between two items of a line, in pixels.
            line_gap: Between two lines, in pixels.
            squeezes: Whether an item wider than the place is cut to it, rather than making the
                place wider; such an item draws itself with an ellipsis.
        """
        super().__init__(parent)
        self._squeezes = squeezes
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._line_gap = line_gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def insert_widget(self, position: int, widget: QWidget) -> None:
        """Puts a widget before the item that now stands at this position."""
        self.addWidget(widget)
        self._items.insert(position, self._items.pop())
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at a position, nothing beyond the end."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        inside = width - margins.left() - margins.right()
        lines = self._arrange(QRect(0, 0, inside, 0), move=False)
        return margins.top() + lines + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect.marginsRemoved(self.contentsMargins()), move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt calls it so
        size = QSize()
        for item in self._items:
            if item.isEmpty():
                continue
            least = item.minimumSize()
            if self._squeezes:
                least.setWidth(min(least.width(), _LEAST_SQUEEZED))
            size = size.expandedTo(least)
        return size.grownBy(self.contentsMargins())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Places the items, or only measures; returns the height that they take."""
        x, y, line_height = rect.x(), rect.y(), 0
        line: list[tuple[QLayoutItem, QRect]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint().boundedTo(QSize(max(1, rect.width()), item.sizeHint().height()))
            if line and x + hint.width() > rect.right() + 1:
                if move:
                    _set_line(line, line_height)
                x, y = rect.x(), y + line_height + self._line_gap
                line, line_height = [], 0
            line.append((item, QRect(QPoint(x, y), hint)))
            x += hint.width() + self._gap
            line_height = max(line_height, hint.height())
        if move:
            _set_line(line, line_height)
        return y + line_height - rect.y()


def _set_line(line: list[tuple[QLayoutItem, QRect]], height: int) -> None:
    """Items of one line stand on a common middle."""
    for item, place in line:
        item.setGeometry(place.translated(0, (height - place.height()) // 2))
