"""Work that waits, and missing vectors."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.background.cadence import QUIET
from inklings_desktop.domain.background.tasks import (
    CANCELLED,
    SETS_ASIDE,
    RunState,
    TaskRun,
    TaskState,
    TaskTarget,
    backup_of,
)
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.usecases.background.backfill_embeddings import Embedding, backfill_of, wanted
from inklings_desktop.usecases.background.background_work import STEP
from inklings_desktop.usecases.consolidation.consolidation_plans import target_of
from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.rooms.close_conversations import close_of
from inklings_desktop.usecases.steps.leases import leased

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.world.pages import WorldFolder
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import (
        StoreView,
    )
    from inklings_desktop.usecases.steps.leases import Lease

RETCON_SETTLES = timedelta(seconds=60)
"""So long after it was found a change under memory is one that the author meant."""


@dataclass(frozen=True, slots=True)
class TaskSituation:
    """One target as the file knows it.

    Attributes:
        target: Which work, on what.
        state: When it was last done, and how far.
        n_new: Memories written since; 0 where that does not matter.
        left_behind: Whether a killed program left a run unfinished.
        quiet_until: Before this only a person brings it; None where nothing holds it back.
        every: How often the clock brings it; None leaves that to the settings.
        folders: World folders that it is about.
        wanted_from: From then on a change under memory brings it, once the person is away; None
            while there is none.
        due_at: When the clock brings it once; None leaves that to intervals.
        after_new: So many new memories bring it; 0 leaves that to the settings.
    """

    target: TaskTarget
    state: TaskState
    n_new: int = 0
    left_behind: bool = False
    quiet_until: datetime | None = None
    every: timedelta | None = None
    folders: tuple[WorldFolder, ...] = ()
    wanted_from: datetime | None = None
    due_at: datetime | None = None
    after_new: int = 0


class Tasks(Asked):
    """Work that waits, and missing vectors; None names the account's file."""

    def look(self, workspace_id: str | None) -> tuple[TaskSituation, ...]:
        """Looks at the background work of one file, and how far each has come.

        Backfill, closed conversations, every scope key that can be consolidated, the backup.
        Intervals count from the first look at a target, which is noted unless nothing can be
        stored. All that may set memories aside rests for a day from the first look at the file.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(self.caller)
        now = self.clock()
        with self.store.read(workspace_id) as view:
            targets = _targets(view, workspace_id)
            states = {target: view.tasks.state(target) for target in targets}
            quiet_until = _quiet_until(states[targets[0]], now)
            found = tuple(
                TaskSituation(
                    target,
                    state or TaskState(now),
                    0
                    if target.scope is None
                    else view.consolidation.n_since(
                        target.scope, 0 if state is None else state.seen_sequence
                    ),
                    target.scope is not None and view.tasks.unfinished(target) is not None,
                    quiet_until if target.kind in SETS_ASIDE else None,
                    wanted_from=_retcon_settles(view, target, state or TaskState(now)),
                )
                for target, state in states.items()
            )
        met = [target for target, state in states.items() if state is None]
        if met and not self.parts.is_sealed:
            with self.writing(workspace_id, durable=False) as unit:
                for target in met:
                    if unit.tasks.state(target) is None:
                        unit.tasks.put_state(target, TaskState(now))
                unit.commit()
        return found

    def embed(
        self,
        workspace_id: str | None,
        *,
        ids: Sequence[str] | None = None,
        limit: int = STEP,
        is_wanted: Callable[[], bool] = wanted,
    ) -> int:
        """Embeds memories that lack a vector of the model in use, in one step; says how many.

        It is 0 without a model, and when none is missing.

        Args:
            workspace_id: None names the account's file.
            ids: Only these memories; None asks for any.
            limit: Most entries in this step, committed together.
            is_wanted: Asked between batches; what is computed by then is stored.

        Raises:
            ScopeDeniedError: The caller is an agent.
            EmbeddingUnavailableError: The model is there but failed.
        """
        authorize_management(self.caller)
        work = Embedding(self, workspace_id, is_wanted=is_wanted)
        return work.some(ids, limit) if work.is_available else 0

    def backfill(
        self,
        workspace_id: str | None,
        *,
        trigger: str = "request",
        n_workers: int = 1,
        goes_on: Callable[[], bool] = wanted,
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """Embeds whatever lacks a vector in one file, step after step; the run as it ended.

        Silent without a model: finished, with nothing done.

        Args:
            workspace_id: None names the account's file.
            trigger: Why it runs, a stable word for the history.
            n_workers: Steps that are embedded side by side.
            goes_on: Asked after every step; when it says no, the run ends with the problem
                ``busy`` and its remainder waits.
            progress: Hears of every step and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            AlreadyRunningError: It is running elsewhere.
            EmbeddingUnavailableError: The model is there but failed; finished steps stay.
            StoppedError: The person stopped it; what was computed stays.
        """
        authorize_management(self.caller)
        target = backfill_of(workspace_id)
        run = TaskRun(self.new_id(), target, trigger, RunState.RUNNING, self.clock())
        with leased(self.store, target, run.id, self.clock) as lease:
            work = Embedding(self, workspace_id, lease=lease, progress=progress)
            try:
                problem = work.all_steps(n_workers, goes_on) if work.is_available else ""
            except StoppedError:
                self._end(lease, run, work.n_stored, RunState.STOPPED, CANCELLED)
                raise
            except InklingsError as error:
                with suppress(InklingsError):
                    word = type(error).__name__
                    self._end(lease, run, work.n_stored, RunState.FAILED, word)
                raise
            state = RunState.STOPPED if problem else RunState.FINISHED
            ended = self._end(lease, run, work.n_stored, state, problem)
        if state is RunState.FINISHED:  # the vectors of another model are all there now
            GoldenWatch(self.parts, self.caller).settle(workspace_id)
        return ended

    def _end(
        self, lease: Lease, run: TaskRun, n_stored: int, state: RunState, problem: str
    ) -> TaskRun:
        """Store when it ran; the history keeps only runs that did something, or failed."""
        now = self.clock()
        ended = replace(
            run, state=state, ended_at=now, counts={"embedded": n_stored}, problem=problem
        )
        minutes = self.parts.settings().background.backfill_minutes
        workspace_id = run.target.workspace_id
        with self.writing(workspace_id, durable=False) as unit:
            lease.renew(unit)
            if n_stored or state is RunState.FAILED:
                unit.tasks.put_run(ended)
            before = unit.tasks.state(run.target) or TaskState(now)
            due = now + timedelta(minutes=minutes) if minutes else None
            unit.tasks.put_state(run.target, replace(before, last_run_at=now, next_due_at=due))
            unit.commit()
        return ended


def _quiet_until(met: TaskState | None, now: datetime) -> datetime | None:
    """The end of a file's first day; None when it is over, or the clock was set back since."""
    begun = now if met is None else met.first_seen_at
    return begun + QUIET if begun <= now < begun + QUIET else None


def _retcon_settles(view: StoreView, target: TaskTarget, state: TaskState) -> datetime | None:
    """When the first change under memory that no run of a workspace has met is settled."""
    if target.scope is None or target.scope.tier is not Tier.WORKSPACE:
        return None
    found = [one.found_at for one in view.world.retcons({RetconState.OPEN})]
    since = state.last_run_at or state.first_seen_at
    return min((one + RETCON_SETTLES for one in found if one > since), default=None)


def _targets(view: StoreView, workspace_id: str | None) -> list[TaskTarget]:
    found = [backfill_of(workspace_id)]
    if workspace_id is None:
        return [*found, target_of(ScopeKey.account()), backup_of(None)]
    found += [close_of(workspace_id), target_of(ScopeKey.workspace(workspace_id))]
    held = view.memories.active_counts()
    for channel in view.conversations.channels(include_archived=False):
        scope = ScopeKey.channel(workspace_id, channel.id)
        # An empty channel is no work, but one that was worked on stays in sight.
        if scope in held or view.tasks.state(target_of(scope)) is not None:
            found.append(target_of(scope))
    return [*found, backup_of(workspace_id)]
