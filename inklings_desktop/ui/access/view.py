"""What the Access tab stands in: a column of cards, or why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.access.matrix import ClientTable
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.kit.panes.pieces import PaneScroll

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QResizeEvent

    from inklings_desktop.ui.access.state import AccessContent
    from inklings_desktop.ui.kit.look.theme import Theme

_GUTTER, _TOP, GAP = 24, 18, 15
_BESIDE_FROM = 900
CONNECT = "connect"


class AccessView(QWidget):
    """Everything below the tabs while access is on show.

    Attributes:
        is_wide: Whether two cards have room beside each other.

    Signals:
        turned: They have room now, or none any more.
    """

    turned = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.is_wide = theme, False
        on_ground(named(self, "accessView", tr("Access")), "canvas")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.empty = named(EmptyState(theme, self), "noClients")
        self._scroll = PaneScroll(self, gutter=_GUTTER, top=_TOP)
        self.stack = self._scroll.stack
        self.stack.setSpacing(GAP)
        self._front = QStackedWidget(self)
        self._front.addWidget(self._scroll)
        self._front.addWidget(self.empty)
        vbox(self, self._front, margins=0)
        theme.changed.connect(self._turn)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hands the keyboard on; as a focus proxy it would be a second stop of the Tab key."""
        super().focusInEvent(event)
        self.focus_clients(event.reason())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts cards under each other where the window is narrow."""
        super().resizeEvent(event)
        self._turn()

    def show_front(self, content: AccessContent) -> None:
        """Make room for cards, or say why there are none and what can be done."""
        why = _why_empty(content)
        self._front.setCurrentWidget(self._scroll if why is None else self.empty)
        if why is not None:
            title, text, action = why
            self.empty.show_state(title, text, (action,), drawn=False)

    @property
    def is_empty(self) -> bool:
        """Whether it says why there are no clients."""
        return self._front.currentWidget() is self.empty

    def focus_clients(self, reason: Qt.FocusReason = Qt.FocusReason.ShortcutFocusReason) -> None:
        """Bring the keyboard to the clients."""
        table = self.findChild(ClientTable)
        (self.empty if table is None or self.is_empty else table).setFocus(reason)

    @Slot()
    def _turn(self) -> None:
        is_wide = self.width() >= self._theme.scaled(_BESIDE_FROM)
        if is_wide is not self.is_wide:
            self.is_wide = is_wide
            self.turned.emit()


def _why_empty(content: AccessContent) -> tuple[str, str, EmptyAction] | None:
    if content.failure is not None:
        again = EmptyAction("retry", tr("Try again"), tr("Read it again."), "arrows-clockwise")
        return content.failure.title, content.failure.text, again
    if content.rows:
        return None
    how = EmptyAction(
        CONNECT,
        tr("Connect a client"),
        tr("What Claude Desktop, Cursor and others need, ready to copy."),
        "puzzle-piece",
        stores=True,
    )
    text = tr(
        "Agents connect through programs. A new one reads one workspace and "
        "its own conversations, and nothing about you."
    )
    return tr("No client has come yet"), text, how
