"""Consolidate one scope key: promote, prune, merge, cap."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.access.access import Caller, authorize_management
from inklings_desktop.domain.background.golden import GoldenCause
from inklings_desktop.domain.background.tasks import RunState, TaskRun
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.consolidation_plans import (
    AppendingConsolidator,
    comparing,
    fitted,
    planned,
    policy_in,
    target_of,
)
from inklings_desktop.usecases.consolidation.consolidation_steps import ConsolidationAtWork, Means
from inklings_desktop.usecases.consolidation.golden_watch import UNWATCHED, Watched
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.leases import leased

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.consolidation.consolidation_plans import Decisions
    from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import (
        Clock,
        Embedder,
        IdSource,
        SettingsSource,
        Store,
    )
    from inklings_desktop.usecases.ports.tasks import Consolidator

ON_REQUEST = "request"


class BeforeForgetting(Protocol):
    """Keeps what is there safe before a run forgets some of it."""

    def __call__(self, workspace_id: str | None, progress: Progress, /) -> object:
        """Keep the state of one database.

        Raises:
            StorageError: It cannot be kept.
            StoppedError: The person stopped it.
        """
        ...


def _kept_elsewhere(_workspace_id: str | None, _progress: Progress) -> None:
    """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class RunConsolidation:
    """Promote, prune, merge and cap one scope key."""

    store: Store
    embedder: Embedder
    clock: Clock
    new_id: IdSource
    settings: SettingsSource
    consolidator: Consolidator = field(default_factory=AppendingConsolidator)
    golden: GoldenWatch = UNWATCHED
    keep_before: BeforeForgetting = _kept_elsewhere

    def __call__(
        self,
        caller: Caller,
        scope: ScopeKey,
        *,
        decisions: Decisions | None = None,
        allow_large: bool = False,
        trigger: str = ON_REQUEST,
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """The run as it ended: finished, or stopped with the problem ``large``.

        Args:
            caller: The person, or the clock.
            scope: Where.
            decisions: A person's word on the plan they saw; None carries out what needs none.
            allow_large: Go on even if a large share of the scope would be forgotten.
            trigger: Why it runs, a stable word for the history.
            progress: Hears of every step and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            AlreadyRunningError: It is running elsewhere.
            StorageError: What it would forget cannot be backed up first; nothing was changed.
            StoppedError: The person stopped it; finished steps stay and the next run goes on.
        """
        authorize_management(caller)
        target = target_of(scope)
        settings = self.settings()
        policy = policy_in(settings, allow_large=allow_large)
        with leased(self.store, target, self.new_id(), self.clock) as lease:
            progress.report("compare", 0, 0)
            with self.store.read(scope.workspace_id) as view:
                model = comparing(self.embedder)
                now = self.clock()
                found = planned(view, scope, policy, model, now, progress)
                left_behind = view.tasks.unfinished(target)
            run = left_behind or TaskRun(self.new_id(), target, trigger, RunState.RUNNING, now)
            means = Means(
                self.store,
                self.embedder,
                self.clock,
                policy,
                settings.background,
                self.consolidator,
            )
            at_work = ConsolidationAtWork(means, caller, lease, run, progress)
            plan = fitted(found.plan, decisions)
            if plan.refused_because_large:
                return at_work.refused(plan)
            if plan.n_forgetting:
                self.keep_before(scope.workspace_id, progress)
            places = [Watched(scope.workspace_id, scope)]
            with self.golden.around(
                caller, places, GoldenCause.CONSOLIDATION, progress
            ) as watching:
                watching.run_id = run.id
                ended = at_work.carried_out(plan, found, decisions)
            return at_work.with_broken(ended, len(watching.broken))
