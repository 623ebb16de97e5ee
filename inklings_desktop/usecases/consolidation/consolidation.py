"""Consolidations: plans, runs, and what they made of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.background.golden import GoldenCause
from inklings_desktop.domain.background.tasks import (
    SETS_ASIDE,
    MergedByRun,
    RunDetails,
    RunState,
    StepKind,
    TaskKind,
    TaskRun,
)
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.likeness.merging import merged_text
from inklings_desktop.domain.likeness.rewording import fault_of
from inklings_desktop.domain.memory import (
    AUTHOR,
    Curator,
    MemoryEntry,
    MemoryRef,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.consolidation_plans import (
    AppendingConsolidator,
    comparing,
    fitted,
    planned,
    policy_in,
    target_of,
)
from inklings_desktop.usecases.consolidation.consolidation_steps import (
    ConsolidationAtWork,
    Means,
)
from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch, Watched
from inklings_desktop.usecases.consolidation.lineage import Lineage, sources_of
from inklings_desktop.usecases.consolidation.undo_consolidation import Undoing, in_groups
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.backing_up import keep_before
from inklings_desktop.usecases.steps.leases import leased

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.background.consolidation import ConsolidationPlan
    from inklings_desktop.domain.background.tasks import RunStep
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.consolidation.consolidation_plans import Decisions
    from inklings_desktop.usecases.consolidation.undo_consolidation import RunUndone
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import StoreView
    from inklings_desktop.usecases.ports.tasks import Consolidator, Wording

MOST_A_RUN = 20
"""Texts that a model is asked for in one run, or one review; the others are merged without it."""


class WordedConsolidator:
    """The ``Consolidator`` that asks a model, and takes only what it can check.

    What the author wrote is never reworded. The sources of a worded text are forgotten, not lost:
    they can be restored, and the review shows them beside it.
    """

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._left = MOST_A_RUN

    def merged(self, members: Sequence[MemoryEntry]) -> str:
        texts = [one.content for one in members]
        plain = merged_text(texts)
        if plain == texts[0] or any(map(_is_authors, members)) or not self._left:
            return plain
        worded = self._wording.worded(members[0].scope.workspace_id, texts)
        # One that gave none now will hardly give one to the next group of this run.
        self._left = 0 if worded is None else self._left - 1
        return plain if worded is None or fault_of(worded, texts) else worded


def _is_authors(entry: MemoryEntry) -> bool:
    return entry.curator is Curator.AUTHOR or entry.written_by == AUTHOR


MAX_GENERATIONS = 64
MAX_RUNS = 200
MAX_SHOWN = 500
LOOKED_THROUGH = 5_000
"""Runs of every kind among which consolidations are looked for: backfill writes many."""


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """One memory of a family tree, with the memories it was merged from."""

    entry: MemoryEntry
    parents: tuple[FamilyMember, ...] = ()


class Consolidation(Asked):
    """Plans, runs and what they made of memories."""

    def consolidator(self) -> Consolidator:
        """Writes the texts of merged memories for one run, or one review."""
        if not self.parts.settings().background.words_merges:
            return AppendingConsolidator()
        return WordedConsolidator(self.adapters.wording)

    def preview(
        self, scope: ScopeKey, *, allow_large: bool = False, progress: Progress = UNHEARD
    ) -> ConsolidationPlan:
        """Says what a consolidation would do, without doing it.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            StoppedError: The person stopped it.
        """
        authorize_management(self.caller)
        policy = policy_in(self.parts.settings(), allow_large=allow_large)
        progress.report("compare", 0, 0)
        with self.store.read(scope.workspace_id) as view:
            model = comparing(self.parts.embedder)
            return planned(view, scope, policy, model, self.clock(), progress).plan

    def run(
        self,
        scope: ScopeKey,
        *,
        decisions: Decisions | None = None,
        allow_large: bool = False,
        trigger: str = "request",
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """Promotes, prunes, merges and caps one scope key; the run as it ended.

        It is finished, or stopped with the problem ``large``.

        Args:
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
        caller = self.caller
        authorize_management(caller)
        target = target_of(scope)
        settings = self.parts.settings()
        policy = policy_in(settings, allow_large=allow_large)
        with leased(self.store, target, self.new_id(), self.clock) as lease:
            progress.report("compare", 0, 0)
            with self.store.read(scope.workspace_id) as view:
                model = comparing(self.parts.embedder)
                now = self.clock()
                found = planned(view, scope, policy, model, now, progress)
                left_behind = view.tasks.unfinished(target)
            run = left_behind or TaskRun(self.new_id(), target, trigger, RunState.RUNNING, now)
            means = Means(
                self.store,
                self.parts.embedder,
                self.clock,
                policy,
                settings.background,
                self.consolidator(),
            )
            at_work = ConsolidationAtWork(means, caller, lease, run, progress)
            plan = fitted(found.plan, decisions)
            if plan.refused_because_large:
                return at_work.refused(plan)
            if plan.n_forgetting:
                keep_before(self.adapters.keeper, self.clock, scope.workspace_id, progress)
            places = [Watched(scope.workspace_id, scope)]
            watch = GoldenWatch(self.parts, caller)
            with watch.around(places, GoldenCause.CONSOLIDATION, progress) as watching:
                watching.run_id = run.id
                ended = at_work.carried_out(plan, found, decisions)
            return at_work.with_broken(ended, len(watching.broken))

    def undo(
        self, workspace_id: str | None, run_id: str, *, progress: Progress = UNHEARD
    ) -> RunUndone:
        """Takes a whole run back, one coherent step after the other: what it set aside returns.

        What a person or an agent changed since stays as they left it; a merged memory that somebody
        edited stays beside the sources that return. Undoing again after a stop goes on.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such run.
            ConflictError: It was undone before.
            InvalidValueError: It set nothing aside: it is another kind of work.
            AlreadyRunningError: This part of the memory is being consolidated right now.
            StoppedError: The person stopped it.
        """
        caller = self.caller
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
            GoldenWatch(self.parts, caller).around(places, GoldenCause.UNDO, progress) as watching,
        ):
            watching.run_id = run.id
            undoing = Undoing(self.parts, caller, lease, run)
            total = len(steps)
            done = 0
            for some in in_groups(steps):
                progress.require_wanted()
                undoing.take_back(some)
                done += len(some)
                progress.report("undo", done, total)
            return undoing.finish()

    def list(self, workspace_id: str | None, *, limit: int = 100) -> tuple[TaskRun, ...]:
        """Lists the consolidations of a file that the history keeps, the newest first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The limit is not positive.
        """
        authorize_management(self.caller)
        if limit < 1:
            raise InvalidValueError("limit", "range", LOOKED_THROUGH)
        with self.store.read(workspace_id) as view:
            runs = view.tasks.runs(LOOKED_THROUGH)
        found = [one for one in runs if one.target.kind is TaskKind.CONSOLIDATION]
        return tuple(found[:limit])

    def list_runs(self, workspace_id: str | None, *, limit: int = 50) -> tuple[TaskRun, ...]:
        """Lists the latest background work on a file, the newest first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The limit is not from 1 to 200.
        """
        authorize_management(self.caller)
        if not 1 <= limit <= MAX_RUNS:
            raise InvalidValueError("limit", "range", MAX_RUNS)
        with self.store.read(workspace_id) as view:
            return view.tasks.runs(limit)

    def find_run(self, run_id: str, workspace_id: str | None) -> TaskRun:
        """Finds a run by the beginning of its id: in the workspace first, then in the account.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
            InvalidValueError: Several ids begin so.
        """
        authorize_management(self.caller)
        for file in dict.fromkeys((workspace_id, None)):
            with self.store.read(file) as view:
                try:
                    return view.tasks.run(run_id)
                except NotFoundError:
                    continue
        raise NotFoundError("run", run_id)

    def show_run(self, workspace_id: str | None, run_id: str) -> RunDetails:
        """Shows what one run of the history did, memory by memory.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such run.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            run = view.tasks.run(run_id)
            steps = view.tasks.steps(run.id)
            shown = steps[:MAX_SHOWN]
            entries = view.memories.get_many([one.memory_id for one in shown])
        by_kind = {kind: _entries(shown, kind, entries) for kind in StepKind}
        families: dict[str, list[MemoryEntry]] = {}
        for step in shown:
            if step.kind is StepKind.PARENT and step.memory_id in entries:
                families.setdefault(step.successor_id or "", []).append(entries[step.memory_id])
        return RunDetails(
            run,
            tuple(
                MergedByRun(one, tuple(sorted(families.get(one.id, ()), key=_written)))
                for one in by_kind[StepKind.MERGED]
            ),
            by_kind[StepKind.PRUNED],
            by_kind[StepKind.PROMOTED],
            by_kind[StepKind.CAPPED],
            len(steps) - len(shown),
        )

    def family(self, ref: MemoryRef) -> FamilyMember:
        """Shows where a memory comes from, and what became of it, forgotten sources included.

        The tree begins with the memory that this one lives on in.

        Raises:
            ScopeDeniedError: The scope is closed to the caller, or the caller is an agent.
            NotFoundError: No such memory in this scope.
        """
        caller = self.caller
        authorize_management(caller)
        authorize(caller, Action.READ, ref.scope)
        with self.store.read(ref.scope.workspace_id) as view:
            top = view.memories.get(ref, caller.walls)
            for _ in range(MAX_GENERATIONS):
                if top.successor_id is None:
                    break
                later = view.memories.get_many([top.successor_id])
                if top.successor_id not in later:
                    break  # it was scrubbed
                top = later[top.successor_id]
            return _family(view, top, MAX_GENERATIONS)

    def lineage(self, ref: MemoryRef, *, known: MemoryEntry | None = None) -> Lineage:
        """Shows the sources of a memory and its successor, at most 200 sources over 12 generations.

        Args:
            ref: The memory.
            known: The same as it was just read; it is not read again.

        Raises:
            ScopeDeniedError: The scope is closed to the caller, or the caller is an agent.
            NotFoundError: No such memory in this scope.
        """
        caller = self.caller
        authorize_management(caller)
        authorize(caller, Action.READ, ref.scope)
        with self.store.read(ref.scope.workspace_id) as view:
            entry = known or view.memories.get(ref, caller.walls)
            later = None
            if entry.is_forgotten and entry.successor_id is not None:
                later = view.memories.get_many([entry.successor_id]).get(entry.successor_id)
            return Lineage(sources_of(view, entry), later)


def _family(view: StoreView, entry: MemoryEntry, generations: int) -> FamilyMember:
    if generations == 0:
        return FamilyMember(entry)
    parents = view.consolidation.parents(entry.id)
    return FamilyMember(entry, tuple(_family(view, one, generations - 1) for one in parents))


def _entries(
    steps: Sequence[RunStep], kind: StepKind, entries: Mapping[str, MemoryEntry]
) -> tuple[MemoryEntry, ...]:
    return tuple(
        entries[step.memory_id] for step in steps if step.kind is kind and step.memory_id in entries
    )


def _written(entry: MemoryEntry) -> int:
    return entry.sequence
