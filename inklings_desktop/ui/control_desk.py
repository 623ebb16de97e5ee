"""Joins presenters and views of the Control plane page: who says what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.event_log_desk import EventLogDesk
from inklings_desktop.ui.views.control_page import EVENTS_TAB, TIERS_TAB
from inklings_desktop.ui.views.event_log_view import EventLogView

if TYPE_CHECKING:
    from inklings_desktop.domain.changes import MemoryChanges
    from inklings_desktop.ui.background import Background
    from inklings_desktop.ui.views.control_page import ControlPage
    from inklings_desktop.usecases.bundle import Inklings


class ControlDesk(QObject):
    """One opened data root behind the Control plane page.

    Signals:
        message_raised: A ``Message`` for the person.
    """

    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, *, page: ControlPage, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._page = page
        self._workspace_id = ""
        self.tiers = QWidget(page)
        page.add_tab(TIERS_TAB, self.tr("Memory tiers"), self.tiers)
        events = EventLogView(page.theme, page)
        page.add_tab(EVENTS_TAB, self.tr("Event log"), events, events.panes)
        self.log = EventLogDesk(background, inklings, view=events, parent=self)
        self.log.message_raised.connect(self.message_raised)

    async def open(self, workspace_id: str) -> None:
        """Show the control plane of a workspace."""
        self._workspace_id = workspace_id
        await self.log.open(workspace_id)

    @Slot(object, int)
    def show_event(self, workspace_id: str | None, number: int) -> None:
        """Show one event in the log it is in.

        Args:
            workspace_id: Whose log; None for the account's.
            number: Its number there.
        """
        self._page.show_tab(EVENTS_TAB)
        self.log.show_event(workspace_id, number)

    @Slot()
    def show_log(self) -> None:
        """Show the log, from the newest event."""
        self._page.show_tab(EVENTS_TAB)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.log.on_changes(changes)
        if changes.workspace_id in {self._workspace_id, None}:
            self.refresh()

    def refresh(self) -> None:
        """Count again."""
