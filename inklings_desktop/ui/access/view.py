"""The Access tab of the control plane: clients by tier, one client's rights, what it asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inklings_desktop.ui.access.client_cards import ClientCallsCard, ClientRightsCard
from inklings_desktop.ui.access.client_matrix import ClientMatrix
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QResizeEvent

    from inklings_desktop.ui.access.state import AccessContent
    from inklings_desktop.ui.kit.look.theme import Theme

_GUTTER = 24
_TOP = 18
_GAP = 15
_BESIDE_FROM = 900


class AccessView(QWidget):
    """Everything below the tabs while access is on show.

    Signals:
        retry_requested: What failed is to be tried again.
        connect_requested: How a new client is connected.
    """

    retry_requested = Signal()
    connect_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("accessView")
        self._theme = theme
        self._content: AccessContent | None = None
        on_ground(self, "canvas")
        self.matrix = ClientMatrix(theme)
        self.matrix.table.client_chosen.connect(self._on_client_chosen)
        self.rights = ClientRightsCard(theme)
        self.calls = ClientCallsCard(theme)
        self.connect_new = named(LinkButton(tr("Connect another client\u2026")), "connectClient")
        self.matrix.add_foot(self.connect_new)
        self.connect_new.clicked.connect(self.connect_requested)
        storing(self.connect_new)
        self.empty = named(EmptyState(theme, self), "noClients")
        self.empty.action_requested.connect(self._on_empty_action)
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.empty)
        self._lay_out()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(tr("Access"))
        theme.changed.connect(self._arrange)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hands the keyboard on; as a focus proxy it would be a second stop of the Tab key."""
        super().focusInEvent(event)
        self.matrix.table.setFocus(event.reason())

    def show_content(self, content: AccessContent) -> None:
        """Show an answer; the chosen client stays chosen."""
        self._content = content
        if content.failure is not None:
            again = EmptyAction("retry", tr("Try again"), tr("Read it again."), "arrows-clockwise")
            self.empty.show_state(
                content.failure.title, content.failure.text, (again,), drawn=False
            )
            self._stack.setCurrentWidget(self.empty)
            return
        if not content.rows:
            how = EmptyAction(
                "connect",
                tr("Connect a client"),
                tr("What Claude Desktop, Cursor and others need, ready to copy."),
                "puzzle-piece",
                stores=True,
            )
            self.empty.show_state(
                tr("No client has come yet"),
                tr(
                    "Agents connect through programs. A new one reads one workspace and "
                    "its own conversations, and nothing about you."
                ),
                (how,),
                drawn=False,
            )
            self._stack.setCurrentWidget(self.empty)
            return
        self._stack.setCurrentWidget(self._scroll)
        table = self.matrix.table
        table.show_rows(content.rows)
        if not table.current_name():
            table.choose(content.rows[0].name)
        self._show_current()

    def current_name(self) -> str:
        """Name of the chosen client; empty if none is."""
        return self.matrix.table.current_name()

    def panes(self) -> list[tuple[QWidget, Callable[[], None]]]:
        """What F6 goes through, each with what brings the keyboard into it."""
        if self._stack.currentWidget() is self.empty:
            return [(self, self.focus_matrix)]
        return [(self.matrix, self.focus_matrix), (self.rights, self.focus_rights)]

    @Slot()
    def focus_matrix(self) -> None:
        """Bring the keyboard to the clients."""
        target = self.empty if self._stack.currentWidget() is self.empty else self.matrix.table
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def focus_rights(self) -> None:
        """Bring the keyboard to the first switch."""
        if self.rights.rows:
            self.rights.rows[0].switch.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts cards under each other where the window is narrow."""
        super().resizeEvent(event)
        self._arrange()
        self._fit_gutter()

    def _lay_out(self) -> None:
        ground = QWidget(self)
        on_ground(ground, "canvas")
        self._below = QGridLayout()
        self._below.setSpacing(_GAP)
        column = self._column = QVBoxLayout(ground)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._fit_gutter)
        column.setSpacing(_GAP)
        fill(column, self.matrix, self._below, STRETCH)
        self._scroll.setWidget(ground)
        vbox(self, self._stack, margins=0)
        self._arrange()
        self._fit_gutter()

    @Slot()
    def _arrange(self) -> None:
        beside = self.width() >= self._theme.scaled(_BESIDE_FROM)
        for part in (self.rights, self.calls):
            self._below.removeWidget(part)
        top = Qt.AlignmentFlag.AlignTop
        self._below.addWidget(self.rights, 0, 0, top)
        self._below.addWidget(self.calls, 0 if beside else 1, 1 if beside else 0, top)
        for column in range(2):
            self._below.setColumnStretch(column, 1 if beside or column == 0 else 0)

    @Slot()
    def _fit_gutter(self) -> None:
        """Let cards end where the head ends, with a scroll bar as without one."""
        bar = self._scroll.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > bar.minimum() else 0
        self._column.setContentsMargins(_GUTTER, _TOP, max(_GUTTER - taken, 0), _GUTTER)

    def _show_current(self) -> None:
        detail = (self._content.details if self._content else {}).get(self.current_name())
        if detail is not None:
            self.rights.show_detail(detail)
            self.calls.show_calls(detail.calls)

    @Slot(str)
    def _on_client_chosen(self, _name: str) -> None:
        self._show_current()

    @Slot(str)
    def _on_empty_action(self, key: str) -> None:
        if key == "connect":
            self.connect_requested.emit()
        else:
            self.retry_requested.emit()
