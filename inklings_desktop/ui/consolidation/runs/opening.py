"""Joins the run history with its presenter, and opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.consolidation.runs.dialog import RunsDialog
from inklings_desktop.ui.consolidation.runs.presenter import RunsPresenter
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.words.consolidation_words import undo_question

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.consolidation.runs.state import RunsState
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class RunsDesk(QObject):
    """Opens the history, one at a time.

    Signals:
        undone: The ``TaskRun`` that was taken back.
    """

    undone = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        theme: Theme,
        window: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._theme = theme
        self._window = window
        self.dialog: RunsDialog | None = None
        self.presenter = RunsPresenter(background, inklings, self)
        self.presenter.state_changed.connect(self._on_state_changed)
        self.presenter.undone.connect(self.undone)

    def open(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Show the runs of a workspace and of the account; nothing while they are on show."""
        if self.dialog is not None:
            return
        dialog = self.dialog = RunsDialog(self._theme, self._window)
        dialog.leave_requested.connect(self._on_leave_requested)
        dialog.tier_chosen.connect(self.presenter.choose_tier)
        dialog.looked_at.connect(self.presenter.look_at)
        dialog.undo_requested.connect(self._on_undo_requested)
        self._background.spawn(self.presenter.open(workspace_id, tier))
        dialog.show_state(self.presenter.state, self._inklings.clock())
        dialog.show_over_window()

    async def _undo(self) -> None:
        dialog, run = self.dialog, self.presenter.state.run
        if dialog is None or run is None:
            return
        question, text = undo_question(run)
        if await ask(dialog, question, text, yes=self.tr("Undo this run"), no=self.tr("Leave it")):
            await self.presenter.undo()

    @Slot(object)
    def _on_state_changed(self, state: RunsState) -> None:
        if self.dialog is not None:
            self.dialog.show_state(state, self._inklings.clock())

    @Slot()
    def _on_undo_requested(self) -> None:
        self._background.spawn(self._undo())

    @Slot()
    def _on_leave_requested(self) -> None:
        if self.presenter.state.is_undoing:
            return  # its result follows in a moment
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        self.presenter.close()
