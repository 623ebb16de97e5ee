"""The steps of one consolidation, each of them whole.

One transaction per group: the merged memory is written and indexed before its sources are
forgotten. Its id follows from its sources and their versions, so a run that was killed and goes
on never merges the same twice. An edit that comes in between wins: its group is left alone.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.consolidation import (
    MERGED_REASON,
    PRUNE_RELEVANCE,
    PRUNED_REASON,
    ReviewReason,
    merged_entry,
)
from inklings_desktop.domain.background.tasks import (
    CANCELLED,
    LARGE,
    KeptPair,
    PairState,
    RunState,
    RunStep,
    StepKind,
    TaskState,
)
from inklings_desktop.domain.errors import (
    EmbeddingUnavailableError,
    InklingsError,
    StoppedError,
)
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.forgetting import CAP_REASON
from inklings_desktop.domain.memory import MERGED_SOURCE, Lifetime, MemoryAction
from inklings_desktop.domain.memory_values import checked_content
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.consolidation_plans import Verdict, is_worded
from inklings_desktop.usecases.steps.caps import n_above
from inklings_desktop.usecases.steps.recording import MAX_IDS
from inklings_desktop.usecases.steps.sources import join_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.cadence import BackgroundConfig
    from inklings_desktop.domain.background.consolidation import (
        ConsolidationPlan,
        ConsolidationPolicy,
        MergeGroup,
    )
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.consolidation.consolidation_plans import Decisions, Planned
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock, Embedder, Store, UnitOfWork
    from inklings_desktop.usecases.ports.tasks import Consolidator
    from inklings_desktop.usecases.steps.leases import Lease

STEP = 50
MAX_WAITING = 2_000
"""Most pairs that wait for a person; the least alike of more are not asked about."""


@dataclass(frozen=True, slots=True)
class Means:
    """What the steps of a run need."""

    store: Store
    embedder: Embedder
    clock: Clock
    policy: ConsolidationPolicy
    background: BackgroundConfig
    consolidator: Consolidator


class ConsolidationAtWork:
    """One run at work."""

    def __init__(
        self,
        means: Means,
        caller: Caller,
        lease: Lease,
        run: TaskRun,
        progress: Progress,
    ) -> None:
        """Know the run; nothing is done yet.

        Args:
            means: What the steps need.
            caller: The person, or the clock.
            lease: The right to work, renewed by every step.
            run: The run; one that a killed program left behind goes on under its id.
            progress: Hears of every step and says when to stop.
        """
        self._own = means
        self._caller = caller
        self._lease = lease
        self._run = run
        self._progress = progress
        self._passed_over = 0

    def carried_out(
        self, plan: ConsolidationPlan, found: Planned, decisions: Decisions | None
    ) -> TaskRun:
        """The finished run."""
        try:
            if not plan.is_empty:
                self._begin(found, decisions)
                self._apply(plan, decisions)
            return self._ended(RunState.FINISHED, "", found, decisions)
        except StoppedError:
            self._ended(RunState.STOPPED, CANCELLED, None, None)
            raise
        except InklingsError as error:
            with suppress(InklingsError):  # what could not be written then cannot be written now
                self._ended(RunState.FAILED, type(error).__name__, None, None)
            raise

    def with_broken(self, run: TaskRun, n_broken: int) -> TaskRun:
        """The run with how many golden questions it broke, if it broke any."""
        if not n_broken:
            return run
        counted = replace(run, counts={**run.counts, "broken": n_broken})
        with self._unit() as unit:
            unit.tasks.put_run(counted)
            unit.commit()
        return counted

    def refused(self, plan: ConsolidationPlan) -> TaskRun:
        """The run, stopped because a person has to agree first."""
        counts = {"forgetting": plan.n_forgetting, "memories": plan.n_active}
        run = replace(
            self._run,
            state=RunState.STOPPED,
            ended_at=self._own.clock(),
            problem=LARGE,
            counts=counts,
        )
        self._close(run, None, None)
        return run

    def _apply(self, plan: ConsolidationPlan, decisions: Decisions | None) -> None:
        asked = frozenset(() if decisions is None else decisions.forget)
        total = len(plan.promote) + len(plan.prune) + len(plan.merge) + len(plan.cap)
        done = 0

        def said(step: str, n_more: int) -> None:
            nonlocal done
            done += n_more
            self._progress.report(step, done, total)
            self._progress.require_wanted()

        said("promote", 0)
        for some in _in_steps(plan.promote):
            self._promote(some)
            said("promote", len(some))
        for some in _in_steps(plan.prune):
            self._prune(some, asked)
            said("prune", len(some))
        for group in plan.merge:
            self._merge(group, decisions)
            said("merge", 1)
        for some in _in_steps(plan.cap):
            self._cap(plan.scope, some)
            said("cap", len(some))

    def _begin(self, found: Planned, decisions: Decisions | None) -> None:
        with self._unit() as unit:
            unit.tasks.put_run(replace(self._run, state=RunState.RUNNING, ended_at=None))
            if decisions is not None:  # a run that is stopped must not take the answers with it
                unit.tasks.keep_pairs(found.plan.scope, _still_apart(unit, found, decisions))
            unit.commit()

    @contextmanager
    def _unit(self) -> Iterator[UnitOfWork]:
        """A transaction that begins by renewing the right to work."""
        workspace_id = self._run.target.workspace_id
        with self._own.store.write(workspace_id, initiator=self._caller.name) as unit:
            self._lease.renew(unit)
            yield unit

    def _promote(self, entries: Sequence[MemoryEntry]) -> None:
        now = self._own.clock()
        with self._unit() as unit:
            current = unit.memories.get_many([one.id for one in entries])
            steps = []
            for planned_as in entries:
                before = current.get(planned_as.id)
                if before is None or before.version != planned_as.version or before.is_forgotten:
                    self._passed_over += 1
                    continue
                after = replace(before, lifetime=Lifetime.LONG_TERM)
                saved = self._save(unit, after, MemoryAction.RELABELLED, now)
                steps.append(RunStep(self._run.id, saved.id, StepKind.PROMOTED, saved.version))
            unit.tasks.add_steps(steps)
            unit.commit()

    def _prune(self, entries: Sequence[MemoryEntry], asked: frozenset[str]) -> None:
        now = self._own.clock()
        decay = self._own.policy.decay
        with self._unit() as unit:
            current = unit.memories.get_many([one.id for one in entries])
            steps = []
            for planned_as in entries:
                before = current.get(planned_as.id)
                if (
                    before is None
                    or before.version != planned_as.version
                    or not before.is_retrievable
                    # Somebody may have read it since; then it is not faded any more.
                    or (relevance_of(before, decay, now) >= PRUNE_RELEVANCE
                        and before.id not in asked)
                ):  # fmt: skip
                    self._passed_over += 1
                    continue
                steps.append(self._forget(unit, before, StepKind.PRUNED, PRUNED_REASON, now))
            unit.tasks.add_steps(steps)
            unit.commit()

    def _merge(self, group: MergeGroup, decisions: Decisions | None) -> None:
        decision = None if decisions is None else decisions.groups.get(group.key)
        text = decision.text if decision is not None else None
        is_theirs = text is not None
        if text is None:
            text = checked_content(self._own.consolidator.merged(group.members))
        is_worded_anew = not is_theirs and is_worded(text, group.members)
        if ReviewReason.REPEATED in group.reasons and not (is_theirs or is_worded_anew):
            self._passed_over += 1  # without a model nothing is rolled up
            return
        vector = self._vector_of(text)  # no model is asked inside a transaction
        now = self._own.clock()
        with self._unit() as unit:
            ids = [one.id for one in group.members]
            current = unit.memories.get_many([*ids, group.key])
            if group.key in current or not _is_as_planned(group, current):
                self._passed_over += 1
                return
            # Reads that came in between count: they raise no version.
            as_it_is = replace(group, members=tuple(current[id_] for id_ in ids))
            fresh = merged_entry(as_it_is, text, self._run.id, now)
            if is_theirs:
                fresh = replace(fresh, written_by=self._caller.signs_as)
            elif is_worded_anew:
                fresh = replace(fresh, written_by=MERGED_SOURCE)  # a model's words are nobody's
            (merged,) = unit.memories.add([fresh])
            if merged.derived_from:
                join_sources(unit, merged, as_it_is.members)
            if vector is not None:
                model_id, values = vector
                unit.memories.put_vectors(model_id, [(merged.id, merged.content, values)])
            steps = [RunStep(self._run.id, merged.id, StepKind.MERGED, merged.version)]
            steps += [
                self._forget(unit, one, StepKind.PARENT, MERGED_REASON, now, merged.id)
                for one in as_it_is.members
            ]
            unit.tasks.add_steps(steps)
            unit.commit()

    def _cap(self, scope: ScopeKey, entries: Sequence[MemoryEntry]) -> None:
        now = self._own.clock()
        with self._unit() as unit:
            surplus = n_above(unit, scope, self._own.policy.cap)
            current = unit.memories.get_many([one.id for one in entries])
            going = [
                current[one.id]
                for one in entries
                if one.id in current
                and current[one.id].version == one.version
                and not current[one.id].is_forgotten
            ][: max(0, surplus)]
            unit.tasks.add_steps(
                [self._forget(unit, one, StepKind.CAPPED, CAP_REASON, now) for one in going]
            )
            unit.commit()

    def _vector_of(self, text: str) -> tuple[str, FloatVector] | None:
        embedder = self._own.embedder.pinned()
        if not embedder.is_available:
            return None
        try:
            vector: FloatVector = embedder.embed([text])[0]
        except EmbeddingUnavailableError:
            return None  # the merged memory is found by its words; backfill follows
        return embedder.model_id, vector

    def _forget(
        self,
        unit: UnitOfWork,
        before: MemoryEntry,
        kind: StepKind,
        reason: str,
        now: datetime,
        successor_id: str | None = None,
    ) -> RunStep:
        after = replace(
            before,
            forgotten_at=now,
            forgotten_reason=reason,
            successor_id=successor_id,
            run_id=self._run.id,
        )
        saved = self._save(unit, after, MemoryAction.FORGOTTEN, now)
        return RunStep(self._run.id, saved.id, kind, saved.version, successor_id)

    def _save(
        self, unit: UnitOfWork, after: MemoryEntry, action: MemoryAction, now: datetime
    ) -> MemoryEntry:
        return unit.memories.save(
            after,
            expected_version=after.version,
            action=action,
            changed_by=self._caller.name,
            door=self._caller.door.value,
            changed_at=now,
        )

    def _ended(
        self,
        state: RunState,
        problem: str,
        found: Planned | None,
        decisions: Decisions | None,
    ) -> TaskRun:
        with self._own.store.read(self._run.target.workspace_id) as view:
            counts = step_counts(view.tasks.steps(self._run.id))
        if self._passed_over:
            counts["passed_over"] = self._passed_over
        run = replace(
            self._run, state=state, ended_at=self._own.clock(), counts=counts, problem=problem
        )
        self._close(run, found, decisions)
        return run

    def _close(self, run: TaskRun, found: Planned | None, decisions: Decisions | None) -> None:
        """Store how the run ended; a finished or refused one also says when the next is due."""
        # One moment for both: a run that ended before its mark counts as one of earlier.
        now, scope = run.ended_at, run.target.scope
        assert now is not None
        assert scope is not None
        with self._unit() as unit:
            unit.tasks.put_run(run)
            if run.state is RunState.FINISHED or run.problem == LARGE:
                before = unit.tasks.state(run.target) or TaskState(now)
                interval = self._own.background.cadence(scope.tier).interval
                state = replace(
                    before,
                    last_run_at=now,
                    next_due_at=None if interval is None else now + interval,
                    seen_sequence=unit.consolidation.newest_sequence(scope),
                )
                if found is not None:
                    unit.tasks.keep_pairs(scope, _still_apart(unit, found, decisions))
                    if found.model_id:
                        state = replace(
                            state,
                            compared_seq=found.found.change_seq,
                            model_id=found.model_id,
                        )
                unit.tasks.put_state(run.target, state)
            if run.state is RunState.FINISHED and any(run.counts.values()):
                unit.events.append(
                    event_of(unit, self._caller, EventKind.CONSOLIDATION_RUN, run), now
                )
            unit.commit()


def step_counts(steps: Sequence[RunStep]) -> dict[str, int]:
    """How many memories a run treated in which way."""
    counts: dict[str, int] = {}
    for step in steps:
        counts[step.kind.value] = counts.get(step.kind.value, 0) + 1
    return counts


def event_of(unit: UnitOfWork, caller: Caller, kind: EventKind, run: TaskRun) -> EventDraft:
    """The event of a run: ids of what it wrote or forgot, and how many."""
    scope = run.target.scope
    ids = [step.memory_id for step in unit.tasks.steps(run.id)]
    return EventDraft(
        kind,
        caller.name,
        caller.kind.value,
        caller.door.value,
        None if scope is None else scope.tier.value,
        None if scope is None else scope.key,
        tuple(ids[:MAX_IDS]),
        dict(run.counts),
        {"run": run.id},
    )


def _is_as_planned(group: MergeGroup, current: dict[str, MemoryEntry]) -> bool:
    return all(
        one.id in current
        and current[one.id].version == one.version
        and current[one.id].is_retrievable
        for one in group.members
    )


def _still_apart(unit: UnitOfWork, found: Planned, decisions: Decisions | None) -> list[KeptPair]:
    """Every answer of a person, then the pairs without one of which both are still there.

    What says the same is found again without having been kept: only its answers are.
    """
    pairs = {
        (one.first, one.second): one
        for one in found.pairs
        if one.state is PairState.SKIPPED or one.first_said != one.second_said
    }
    for group in found.plan.asked:
        decision = None if decisions is None else decisions.groups.get(group.key)
        is_skipped = decision is not None and decision.verdict is Verdict.SKIP
        # The pairs inside a roll-up wait for themselves.
        if not is_skipped and group.reasons in {(), (ReviewReason.REPEATED,)}:
            continue
        state = PairState.SKIPPED if is_skipped else PairState.WAITING
        for one, other in combinations(sorted(group.members, key=lambda one: one.sequence), 2):
            said = key_of(one.content), key_of(other.content)
            pairs[one.id, other.id] = KeptPair(one.id, other.id, *said, group.cosine, state)
    answered = [one for one in pairs.values() if one.state is PairState.SKIPPED]
    waiting = [one for one in pairs.values() if one.state is PairState.WAITING]
    there = unit.consolidation.said([id_ for one in waiting for id_ in (one.first, one.second)])
    waiting = [one for one in waiting if one.first in there and one.second in there]
    return [*answered, *sorted(waiting, key=lambda one: -one.cosine)[:MAX_WAITING]]


def _in_steps(entries: Sequence[MemoryEntry]) -> Iterator[Sequence[MemoryEntry]]:
    for start in range(0, len(entries), STEP):
        yield entries[start : start + STEP]
