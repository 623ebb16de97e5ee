"""What is opened about consolidation: plans, runs and golden questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.consolidation.golden_process import GoldenProcess
from inklings_desktop.ui.consolidation.reads import scope_of_tier
from inklings_desktop.ui.consolidation.review_process import ReviewProcess
from inklings_desktop.ui.consolidation.runs_process import RunsProcess
from inklings_desktop.ui.kit.page.destinations import ToGolden, ToGoldenQuestion, ToPlan, ToRuns

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination


class ConsolidationDialogs(QObject):
    """Opens one dialog of a kind at a time over the open workspace.

    Signals:
        changed: Memories were merged, forgotten, promoted or brought back, or golden questions
            are answered otherwise than before.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.review = ReviewProcess(context, self)
        self.runs = RunsProcess(context, self)
        self.golden = GoldenProcess(context, self)
        for one in (self.review, self.runs, self.golden):
            one.changed.connect(self.changed)

    def open(self, where: Destination) -> None:
        """Show a plan, the runs or the golden questions; nothing while they are on show."""
        here = self._context.here()
        workspace_id = here.workspace.id if here is not None else ""
        match where:
            case ToPlan(ScopeKey() as scope):
                self.review.open(scope)
            case ToPlan(Tier() as tier):
                self._context.background.spawn(self._review_tier(workspace_id, tier))
            case ToRuns(tier):
                self.runs.open(workspace_id, tier)
            case ToGolden():
                self.golden.open(workspace_id)
            case ToGoldenQuestion():
                self.golden.open(workspace_id, where)

    async def _review_tier(self, workspace_id: str, tier: Tier) -> None:
        """Show the plan of a tier; of the channels, the one where most waits."""
        context = self._context
        scope = await context.background.read(scope_of_tier, context.inklings, workspace_id, tier)
        if scope is not None:
            self.review.open(scope)
