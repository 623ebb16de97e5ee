"""Joins presenters and views of the Control plane page: who says what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.views.control_page import TIERS_TAB

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

    async def open(self, workspace_id: str) -> None:
        """Show the control plane of a workspace."""
        self._workspace_id = workspace_id

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        if changes.workspace_id in {self._workspace_id, None}:
            self.refresh()

    def refresh(self) -> None:
        """Count again."""
