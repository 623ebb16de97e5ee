"""Background work on one file, in memory: runs, leases, marks, golden questions."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.background.consolidation import NearPair, ScopeFigures
from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.errors import AlreadyRunningError, InvalidValueError, NotFoundError
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.decay import relevance_of, touched_at
from inklings_desktop.domain.memory import MERGED_SOURCE, Lifetime, MemoryAction
from inklings_desktop.usecases.ports.tasks import FoundPairs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.domain.background.tasks import (
        KeptPair,
        RunStep,
        TaskRun,
        TaskState,
        TaskTarget,
    )
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports.tasks import Comparing
    from tests.support.fake_file import FakeFile

MIN_ID_PREFIX = 4


class FakeTaskRepository:
    """The ``TaskRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def hold(self, name: str, holder: str, now: datetime, seconds: float) -> None:
        """Take or renew a lease."""
        length = timedelta(seconds=seconds)
        held = self._file.leases.get(name)
        if held is not None and held[0] != holder and held[1] - length <= now < held[2]:
            raise AlreadyRunningError(name, held[2])
        self._file.leases[name] = (holder, now, now + length)

    def release(self, name: str, holder: str) -> None:
        """Give the own lease back."""
        if name in self._file.leases and self._file.leases[name][0] == holder:
            del self._file.leases[name]

    def put_run(self, run: TaskRun) -> None:
        """Store a run."""
        self._file.runs[run.id] = run

    def run(self, run_id: str) -> TaskRun:
        """One run by the beginning of its id."""
        if len(run_id) < MIN_ID_PREFIX:
            raise InvalidValueError("run", "too_short", MIN_ID_PREFIX)
        found = [run for key, run in self._file.runs.items() if key.startswith(run_id)]
        if not found:
            raise NotFoundError("run", run_id)
        if len(found) > 1:
            raise InvalidValueError("run", "ambiguous")
        return found[0]

    def runs(self, limit: int) -> tuple[TaskRun, ...]:
        """The latest runs."""
        return tuple(reversed(self._file.runs.values()))[:limit]

    def unfinished(self, target: TaskTarget) -> TaskRun | None:
        """A run left behind."""
        for run in self.runs(len(self._file.runs)):
            if run.target == target and run.state is RunState.RUNNING:
                return run
        return None

    def add_steps(self, steps: Sequence[RunStep]) -> None:
        """Note what a run did."""
        for step in steps:
            self._file.steps[step.run_id, step.memory_id] = step

    def steps(self, run_id: str) -> tuple[RunStep, ...]:
        """What a run did."""
        return tuple(step for step in self._file.steps.values() if step.run_id == run_id)

    def state(self, target: TaskTarget) -> TaskState | None:
        """How far the target has come."""
        return self._file.states.get(target.name)

    def put_state(self, target: TaskTarget, state: TaskState) -> None:
        """Store how far it has come."""
        self._file.states[target.name] = state

    def kept_pairs(self, scope: ScopeKey) -> tuple[KeptPair, ...]:
        """Pairs of earlier comparisons."""
        kept = self._file.pairs.get(scope, ())
        return tuple(sorted(kept, key=lambda one: (-one.cosine, one.first, one.second)))

    def keep_pairs(self, scope: ScopeKey, pairs: Sequence[KeptPair]) -> None:
        """Replace every kept pair."""
        self._file.pairs[scope] = tuple(pairs)


class FakeConsolidationIndex:
    """The ``ConsolidationIndex`` over a ``FakeFile``; it compares everything every time."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def figures(self, scope: ScopeKey, decay: DecayConfig, as_of: datetime) -> ScopeFigures:
        """Relevance of every active memory of a scope key."""
        active = [one for one in self._in(scope) if not one.is_forgotten]
        touched = max((touched_at(one) for one in self._in(scope)), default=as_of)
        return ScopeFigures(
            np.array([one.sequence for one in active], np.int64),
            np.array([relevance_of(one, decay, as_of) for one in active], np.float64),
            np.array([one.access_count for one in active], np.float64),
            np.array([one.lifetime is Lifetime.SHORT_TERM for one in active], np.bool_),
            np.array(
                [one.pinned or one.locked or one.paused or one.is_authors for one in active],
                np.bool_,
            ),
            max(0.0, (as_of - touched).total_seconds() / 3600.0),
        )

    def near_pairs(
        self, scope: ScopeKey, model: Comparing, since: int | None, checkpoint: Callable[[], None]
    ) -> FoundPairs:
        """Every near pair."""
        checkpoint()
        rows = []
        for one in self._in(scope):
            name, vector = self._file.vectors.get(one.id, ("", None))
            if one.is_retrievable and name == model.id and vector is not None:
                rows.append((one, vector))
        pairs = []
        for place, (one, vector) in enumerate(rows):
            for other, second in rows[place + 1 :]:
                cosine = float(vector @ second)
                if cosine > model.alike_above and one.agent_id == other.agent_id:
                    pairs.append(NearPair(one.id, other.id, min(cosine, 1.0)))
        return FoundPairs(tuple(pairs), len(rows), len(rows), is_complete=True, change_seq=1)

    def same_keys(self, scope: ScopeKey) -> tuple[tuple[str, ...], ...]:
        """Memories that may say the same."""
        groups: defaultdict[bytes, list[str]] = defaultdict(list)
        for one in sorted(self._in(scope), key=lambda one: one.sequence):
            if one.is_retrievable:
                groups[key_of(one.content)].append(one.id)
        return tuple(sorted(tuple(ids) for ids in groups.values() if len(ids) > 1))

    def said(self, ids: Sequence[str]) -> Mapping[str, bytes]:
        """Keys of what active memories say."""
        found = (self._file.memories.get(id_) for id_ in ids)
        return {
            one.id: key_of(one.content) for one in found if one is not None and not one.is_forgotten
        }

    def entries_at(self, sequences: Sequence[int]) -> tuple[MemoryEntry, ...]:
        """Memories by their sequence."""
        found = {one.sequence: one for one in self._file.memories.values()}
        return tuple(found[one] for one in sequences if one in found)

    def restored(self, ids: Sequence[str]) -> frozenset[str]:
        """Those brought back at least once."""
        return frozenset(
            id_
            for id_ in ids
            for version in self._file.versions.get(id_, ())
            if version.action is MemoryAction.RESTORED and version.door != Door.CLOCK.value
        )

    def parents(self, successor_id: str) -> tuple[MemoryEntry, ...]:
        """What a merged memory replaced."""
        found = [one for one in self._file.memories.values() if one.successor_id == successor_id]
        return tuple(sorted(found, key=lambda one: one.sequence))

    def newest_sequence(self, scope: ScopeKey) -> int:
        """Sequence of the newest memory."""
        return max((one.sequence for one in self._in(scope)), default=0)

    def n_since(self, scope: ScopeKey, sequence: int) -> int:
        """Active memories written after this one."""
        return sum(
            one.sequence > sequence and not one.is_forgotten and one.source != MERGED_SOURCE
            for one in self._in(scope)
        )

    def _in(self, scope: ScopeKey) -> list[MemoryEntry]:
        found = [one for one in self._file.memories.values() if one.scope == scope]
        return sorted(found, key=lambda one: one.sequence)


class FakeFilterRepository:
    """The ``FilterRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def put(self, saved: SavedFilter) -> None:
        """Store or replace a filter."""
        self._file.filters[saved.id] = saved

    def all(self) -> tuple[SavedFilter, ...]:
        """Every one, in order of saving."""
        return tuple(self._file.filters.values())

    def delete(self, filter_id: str) -> None:
        """Remove a filter."""
        if self._file.filters.pop(filter_id, None) is None:
            raise NotFoundError("saved_filter", filter_id)


class FakeGoldenRepository:
    """The ``GoldenRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def add(self, question: GoldenQuestion) -> None:
        """Store or replace a question; it was never asked as it is now."""
        self._file.records.pop(question.id, None)
        self._file.questions[question.id] = question

    def questions(self, scope: ScopeKey | None = None) -> tuple[GoldenQuestion, ...]:
        """Those of one scope key, or all."""
        return tuple(
            one for one in self._file.questions.values() if scope is None or one.scope == scope
        )

    def delete(self, question_id: str) -> None:
        """Remove a question."""
        if self._file.questions.pop(question_id, None) is None:
            raise NotFoundError("golden_question", question_id)
        self._file.records.pop(question_id, None)

    def put_records(self, records: Sequence[GoldenRecord]) -> None:
        """Keep how questions fared."""
        for one in records:
            if self._file.questions.get(one.answer.question.id) == one.answer.question:
                self._file.records[one.answer.question.id] = one

    def records(self, scope: ScopeKey | None = None) -> Mapping[str, GoldenRecord]:
        """How they fared last."""
        asked = self._file.records
        return {one.id: asked[one.id] for one in self.questions(scope) if one.id in asked}
