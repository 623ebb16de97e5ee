"""Tab goes through a dialog as it is read: by its layouts, whenever its parts were made."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QSplitter, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator


def order_tabs(top: QWidget) -> None:
    """Let Tab go through everything in a window, shown now or later, in reading order."""
    for earlier, later in pairwise(_stops(top)):
        QWidget.setTabOrder(earlier, later)


def focus_first(top: QWidget, reason: Qt.FocusReason, *, besides: QWidget | None = None) -> bool:
    """Bring the keyboard to the first control on show in a window; whether there is one.

    Args:
        top: The window.
        reason: Why the keyboard comes.
        besides: A control that is passed over.
    """
    for stop in _stops(top):
        if stop.isVisibleTo(top) and stop.isEnabled() and stop is not besides:
            stop.setFocus(reason)
            return True
    return False


def _stops(widget: QWidget) -> Iterator[QWidget]:
    by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    if by_tab and widget.focusProxy() is None and not widget.isWindow():
        yield widget
    for child in _children(widget):
        yield from _stops(child)


def _children(widget: QWidget) -> Iterator[QWidget]:
    """What stands in a widget, in the order of its layout; then what no layout has."""
    told: set[QWidget] = set()
    only = Qt.FindChildOption.FindDirectChildrenOnly
    direct = widget.findChildren(QWidget, options=only)
    if isinstance(widget, QScrollArea):
        placed = [inner] if (inner := widget.widget()) is not None else []
    elif isinstance(widget, QSplitter):
        placed = [pane for n in range(widget.count()) if (pane := widget.widget(n)) is not None]
    else:
        layout: QLayout | None = widget.layout()
        placed = list(_placed(layout, direct)) if layout is not None else []
    for child in placed:
        if child not in told:
            told.add(child)
            yield child
    for child in direct:
        if child not in told and not child.isWindow() and child not in _viewports(placed):
            yield child


def _viewports(placed: list[QWidget]) -> set[QWidget | None]:
    return {one.parentWidget() for one in placed}


def _placed(layout: QLayout, children: list[QWidget]) -> Iterator[QWidget]:
    """The children that a layout places, in its order.

    Its items are not asked for: one that was handed to Python stands for whatever is made at its
    place once Qt has deleted it with its widget.
    """
    placed: dict[int, QWidget | QLayout] = {layout.indexOf(one): one for one in children}
    for inner in layout.children():
        if isinstance(inner, QLayout):
            placed[layout.indexOf(inner)] = inner
    placed.pop(-1, None)  # placed by another layout
    for _, one in sorted(placed.items(), key=lambda place: place[0]):
        if isinstance(one, QLayout):
            yield from _placed(one, children)
        else:
            yield one
