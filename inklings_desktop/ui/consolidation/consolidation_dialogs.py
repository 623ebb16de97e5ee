"""What is opened about consolidation: plans, runs and golden questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.consolidation.golden_process import GoldenProcess
from inklings_desktop.ui.consolidation.reads import scope_of_tier
from inklings_desktop.ui.consolidation.review_process import ReviewProcess
from inklings_desktop.ui.consolidation.runs_process import RunsProcess

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.ui.kit.page.context import Context


class ConsolidationDialogs(QObject):
    """Opens one dialog at a time over the open workspace.

    Attributes:
        workspace_id: What is opened is about this workspace and the account.

    Signals:
        changed: Memories were merged, forgotten, promoted or brought back, or golden questions
            are answered otherwise than before.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.workspace_id = ""
        self.review = ReviewProcess(context, self, self.show_runs)
        self.runs = RunsProcess(context, self)
        self.golden = GoldenProcess(context, self)
        for one in (self.review, self.runs, self.golden):
            one.changed.connect(self.changed)

    @Slot(object)
    def review_scope(self, scope: ScopeKey) -> None:
        """Show the plan of one scope key."""
        self.review.open(scope)

    @Slot(object)
    def show_runs(self, tier: Tier | None = None) -> None:
        """Show the history of a tier, or of all of them."""
        self.runs.open(self.workspace_id, tier)

    @Slot()
    def show_golden(self) -> None:
        """Show the golden questions."""
        self.golden.open(self.workspace_id)

    @Slot(object)
    def review_tier(self, tier: Tier) -> None:
        """Show the plan of a tier; of the channels, the one where most waits."""
        self._context.background.spawn(self._review_tier(tier))

    async def _review_tier(self, tier: Tier) -> None:
        context = self._context
        scope = await context.background.read(
            scope_of_tier, context.inklings, self.workspace_id, tier
        )
        if scope is not None:
            self.review.open(scope)
