"""Look back at what background work did to memories, and take it back: a run, or one memory."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize, authorize_management
from inklings_desktop.domain.background.golden import GoldenCause
from inklings_desktop.domain.background.tasks import SETS_ASIDE, RunState, StepKind
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import UNDONE_REASON
from inklings_desktop.domain.memory import Lifetime, MemoryAction, MemoryEntry, MemoryRef
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.consolidation_steps import event_of
from inklings_desktop.usecases.consolidation.golden_watch import UNWATCHED, Watched
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.changing_memories import save_restored
from inklings_desktop.usecases.steps.leases import leased

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import RunStep, TaskRun
    from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import (
        Clock,
        IdSource,
        SettingsSource,
        Store,
        StoreView,
        UnitOfWork,
    )
    from inklings_desktop.usecases.steps.leases import Lease

STEP = 50
MAX_GENERATIONS = 64
MAX_RUNS = 200


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """One memory of a family tree, with the memories it was merged from."""

    entry: MemoryEntry
    parents: tuple[FamilyMember, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowFamily:
    """Where a memory comes from, and what became of it."""

    store: Store

    def __call__(self, caller: Caller, ref: MemoryRef) -> FamilyMember:
        """The tree of the memory that this one lives on in, forgotten sources included.

        Raises:
            ScopeDeniedError: The scope is closed to the caller, or the caller is an agent.
            NotFoundError: No such memory in this scope.
        """
        authorize_management(caller)
        authorize(caller, Action.READ, ref.scope)
        with self.store.read(ref.scope.workspace_id) as view:
            top = view.memories.get(ref, caller.sees_private_of)
            for _ in range(MAX_GENERATIONS):
                if top.successor_id is None:
                    break
                later = view.memories.get_many([top.successor_id])
                if top.successor_id not in later:
                    break  # it was scrubbed
                top = later[top.successor_id]
            return _family(view, top, MAX_GENERATIONS)


def _family(view: StoreView, entry: MemoryEntry, generations: int) -> FamilyMember:
    if generations == 0:
        return FamilyMember(entry)
    parents = view.consolidation.parents(entry.id)
    return FamilyMember(entry, tuple(_family(view, one, generations - 1) for one in parents))


@dataclass(frozen=True, slots=True)
class ListRuns:
    """The history of background work on one file."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str | None, *, limit: int = 50
    ) -> tuple[TaskRun, ...]:
        """The latest runs, newest first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The limit is not from 1 to 200.
        """
        authorize_management(caller)
        if not 1 <= limit <= MAX_RUNS:
            raise InvalidValueError("limit", "range", MAX_RUNS)
        with self.store.read(workspace_id) as view:
            return view.tasks.runs(limit)


@dataclass(frozen=True, slots=True)
class FindRun:
    """One run by the beginning of its id: in the workspace first, then in the account."""

    store: Store

    def __call__(self, caller: Caller, run_id: str, workspace_id: str | None) -> TaskRun:
        """The run.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
            InvalidValueError: Several ids begin so.
        """
        authorize_management(caller)
        for file in dict.fromkeys((workspace_id, None)):
            with self.store.read(file) as view:
                try:
                    return view.tasks.run(run_id)
                except NotFoundError:
                    continue
        raise NotFoundError("run", run_id)


@dataclass(frozen=True, slots=True)
class RunUndone:
    """What taking a run back did.

    Attributes:
        run: The run, undone.
        n_restored: Memories that are active again.
        n_demoted: Memories that are short-term again.
        n_left: Memories left as they are: changed since, gone, or without room under the cap.
    """

    run: TaskRun
    n_restored: int = 0
    n_demoted: int = 0
    n_left: int = 0


@dataclass(frozen=True, slots=True)
class UndoConsolidation:
    """Take a whole run back, one coherent step after the other: what it set aside returns.

    What a person or an agent changed since stays as they left it; a merged memory that somebody
    edited stays beside the sources that return.
    """

    store: Store
    clock: Clock
    new_id: IdSource
    settings: SettingsSource
    golden: GoldenWatch = UNWATCHED

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        run_id: str,
        *,
        progress: Progress = UNHEARD,
    ) -> RunUndone:
        """What was taken back; undoing again after a stop goes on.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such run.
            ConflictError: It was undone before.
            InvalidValueError: It set nothing aside: it is another kind of work.
            AlreadyRunningError: This part of the memory is being consolidated right now.
            StoppedError: The person stopped it.
        """
        authorize_management(caller)
        with self.store.read(workspace_id) as view:
            run = view.tasks.run(run_id)
            steps = view.tasks.steps(run.id)
        if run.target.kind not in SETS_ASIDE:
            raise InvalidValueError("run", "not_a_consolidation")
        if run.state is RunState.UNDONE:
            raise ConflictError("run", run.id)
        places = [Watched(workspace_id, run.target.scope)]
        with (
            leased(self.store, run.target, self.new_id(), self.clock) as lease,
            self.golden.around(caller, places, GoldenCause.UNDO, progress) as watching,
        ):
            watching.run_id = run.id
            undoing = _Undoing(self, caller, lease, run)
            total = len(steps)
            done = 0
            for some in _in_groups(steps):
                progress.require_wanted()
                undoing.take_back(some)
                done += len(some)
                progress.report("undo", done, total)
            return undoing.finish()


class _Undoing:
    def __init__(
        self, use_case: UndoConsolidation, caller: Caller, lease: Lease, run: TaskRun
    ) -> None:
        self._own = use_case
        self._caller = caller
        self._lease = lease
        self._run = run
        self._n_restored = self._n_demoted = self._n_left = 0

    def take_back(self, steps: Sequence[RunStep]) -> None:
        """Undo these steps in one transaction; a group's merged memory comes first."""
        now = self._own.clock()
        workspace_id = self._run.target.workspace_id
        with self._own.store.write(workspace_id, initiator=self._caller.name) as unit:
            self._lease.renew(unit)
            current = unit.memories.get_many([step.memory_id for step in steps])
            for step in sorted(steps, key=lambda one: one.kind is not StepKind.MERGED):
                entry = current.get(step.memory_id)
                if entry is None:
                    self._n_left += 1
                elif step.kind is StepKind.PROMOTED:
                    self._demote(unit, entry, step, now)
                elif step.kind is StepKind.MERGED:
                    self._dissolve(unit, entry, step, now)
                else:
                    self._restore(unit, entry, step, now)
            unit.commit()

    def finish(self) -> RunUndone:
        """Store that the run is undone."""
        now = self._own.clock()
        run = replace(self._run, state=RunState.UNDONE, ended_at=self._run.ended_at or now)
        workspace_id = self._run.target.workspace_id
        with self._own.store.write(workspace_id, initiator=self._caller.name) as unit:
            self._lease.renew(unit)
            unit.tasks.put_run(run)
            counted = replace(
                run,
                counts={
                    "restored": self._n_restored,
                    "demoted": self._n_demoted,
                    "left": self._n_left,
                },
            )
            unit.events.append(
                event_of(unit, self._caller, EventKind.CONSOLIDATION_UNDONE, counted), now
            )
            unit.commit()
        return RunUndone(run, self._n_restored, self._n_demoted, self._n_left)

    def _demote(self, unit: UnitOfWork, entry: MemoryEntry, step: RunStep, now: datetime) -> None:
        if entry.version != step.version:
            self._n_left += 1
            return
        short = replace(entry, lifetime=Lifetime.SHORT_TERM)
        self._save(unit, short, MemoryAction.RELABELLED, now)
        self._n_demoted += 1

    def _dissolve(self, unit: UnitOfWork, entry: MemoryEntry, step: RunStep, now: datetime) -> None:
        """Forget a merged memory, unless somebody made it their own by an edit."""
        if entry.version != step.version or entry.is_forgotten:
            self._n_left += 1
            return
        gone = replace(entry, forgotten_at=now, forgotten_reason=UNDONE_REASON)
        self._save(unit, gone, MemoryAction.FORGOTTEN, now)

    def _restore(self, unit: UnitOfWork, entry: MemoryEntry, step: RunStep, now: datetime) -> None:
        # Brought back since and forgotten again, it is as somebody left it.
        is_ours = entry.is_forgotten and entry.version == step.version
        if not is_ours or unit.memories.active_count(entry.scope) >= self._own.settings().cap:
            self._n_left += 1
            return
        save_restored(unit, self._caller, entry, now)
        self._n_restored += 1

    def _save(
        self, unit: UnitOfWork, after: MemoryEntry, action: MemoryAction, now: datetime
    ) -> None:
        unit.memories.save(
            after,
            expected_version=after.version,
            action=action,
            changed_by=self._caller.name,
            door=self._caller.door.value,
            changed_at=now,
        )


def _in_groups(steps: Iterable[RunStep]) -> list[list[RunStep]]:
    """A merged memory with its sources at a time, then the rest in steps of fifty."""
    families: dict[str, list[RunStep]] = defaultdict(list)
    others: list[RunStep] = []
    for step in steps:
        if step.kind is StepKind.MERGED:
            families[step.memory_id].append(step)
        elif step.kind is StepKind.PARENT and step.successor_id is not None:
            families[step.successor_id].append(step)
        else:
            others.append(step)
    rest = [others[start : start + STEP] for start in range(0, len(others), STEP)]
    return [*families.values(), *rest]
