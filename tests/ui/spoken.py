"""The window as a screen reader hears it: names, roles and the way of the Tab key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QAccessibleInterface


def showing_windows() -> list[QWidget]:
    """Windows, dialogs and popups on show."""
    return [one for one in QApplication.topLevelWidgets() if one.isVisible()]


def focusable(window: QWidget) -> Iterator[QWidget]:
    """Every control of a window that the keyboard can reach now."""
    for one in window.findChildren(QWidget):
        by_tab = one.focusPolicy() & Qt.FocusPolicy.TabFocus
        takes_focus = by_tab and one.focusProxy() is None
        if one.window() is window and one.isVisibleTo(window) and one.isEnabled() and takes_focus:
            yield one


def accessible_name(control: QWidget) -> str:
    """What a screen reader calls a control; of an editor, not what is typed in it."""
    interface: QAccessibleInterface | None = QAccessible.queryAccessibleInterface(control)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


def described(control: QWidget) -> str:
    """A control, so that whoever reads a failure finds it."""
    owners: list[str] = []
    above: QWidget | None = control
    while above is not None and len(owners) < 5:
        owners.append(above.objectName() or type(above).__name__)
        above = above.parentWidget()
    return " < ".join(owners)


def nameless(windows: list[QWidget]) -> set[str]:
    """Controls that get the keyboard and have no name."""
    return {
        described(one)
        for window in windows
        for one in focusable(window)
        if not accessible_name(one)
    }


def tab_order(window: QWidget, start: QWidget, *, most: int = 200) -> list[QWidget]:
    """The controls that the Tab key goes through, from one on and back to it.

    Args:
        window: Hears the key where nothing has the keyboard.
        start: Begins and ends the round; it is the first of the list.
        most: Where a round that never ends is broken off.

    Raises:
        AssertionError: The round does not come back to its start.
    """
    start.setFocus(Qt.FocusReason.TabFocusReason)
    found = [start]
    while len(found) < most:
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        assert now is not None, described(found[-1])
        if now is start:
            return found
        assert now not in found, "\n".join(map(described, [*found, now]))  # a circle past its start
        found.append(now)
    raise AssertionError(described(found[-1]))
