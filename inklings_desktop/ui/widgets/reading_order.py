"""Tab goes through a dialog as it is read: by its layouts, whenever its parts were made."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QLayout


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
    if isinstance(widget, QScrollArea):
        placed = [inner] if (inner := widget.widget()) is not None else []
    elif isinstance(widget, QSplitter):
        placed = [pane for n in range(widget.count()) if (pane := widget.widget(n)) is not None]
    else:
        layout: QLayout | None = widget.layout()
        placed = list(_placed(layout)) if layout is not None else []
    for child in placed:
        if child not in told:
            told.add(child)
            yield child
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for child in widget.findChildren(QWidget, options=direct):
        if child not in told and not child.isWindow() and child not in _viewports(placed):
            yield child


def _viewports(placed: list[QWidget]) -> set[QWidget | None]:
    return {one.parentWidget() for one in placed}


def _placed(layout: QLayout) -> Iterator[QWidget]:
    for number in range(layout.count()):
        item = layout.itemAt(number)
        if item is None:
            continue
        if (inner := item.layout()) is not None:
            yield from _placed(inner)
        elif (widget := item.widget()) is not None:
            yield widget
