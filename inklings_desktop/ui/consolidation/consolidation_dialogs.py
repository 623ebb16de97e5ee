"""What is opened about consolidation: plans, runs and golden questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.consolidation.golden_process import GoldenDesk
from inklings_desktop.ui.consolidation.reads import scope_of_tier
from inklings_desktop.ui.consolidation.review_process import ReviewDesk
from inklings_desktop.ui.consolidation.runs_process import RunsDesk
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class ConsolidationDialogs(QObject):
    """Opens one dialog at a time over the open workspace.

    Signals:
        changed: Memories were merged, forgotten, promoted or brought back, or golden questions
            are answered otherwise than before.
        message_raised: A ``Message``, when a dialog cannot even be opened.
    """

    changed = Signal()
    message_raised = Signal(object)

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
        self._workspace_id = ""
        self.review = ReviewDesk(background, inklings, theme=theme, window=window, parent=self)
        self.review.applied.connect(self._on_changed)
        self.review.history_wanted.connect(self._on_history_wanted)
        self.runs = RunsDesk(background, inklings, theme=theme, window=window, parent=self)
        self.runs.undone.connect(self._on_changed)
        self.golden = GoldenDesk(background, inklings, theme=theme, window=window, parent=self)
        self.golden.fared_otherwise.connect(self._on_changed)

    def open_workspace(self, workspace_id: str) -> None:
        """From now on, what is opened is about this workspace and the account."""
        self._workspace_id = workspace_id

    @Slot(object)
    def review_scope(self, scope: ScopeKey) -> None:
        """Show the plan of one scope key."""
        self.review.open(scope)

    @Slot(object)
    def show_runs(self, tier: Tier | None = None) -> None:
        """Show the history of a tier, or of all of them."""
        self.runs.open(self._workspace_id, tier)

    @Slot()
    def show_golden(self) -> None:
        """Show the golden questions."""
        self.golden.open(self._workspace_id)

    @Slot(object)
    def review_tier(self, tier: Tier) -> None:
        """Show the plan of a tier; of the channels, the one where most waits."""
        self._background.spawn(self._review_tier(tier))

    async def _review_tier(self, tier: Tier) -> None:
        try:
            scope = await self._background.read(
                scope_of_tier, self._inklings, self._workspace_id, tier
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        if scope is not None:
            self.review.open(scope)

    @Slot(object)
    def _on_history_wanted(self, scope: ScopeKey) -> None:
        self.show_runs(scope.tier)

    @Slot()
    def _on_changed(self) -> None:
        self.changed.emit()
