"""The steps of taking a consolidation back."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import RunState, StepKind
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import UNDONE_REASON
from inklings_desktop.domain.memory import Lifetime, MemoryAction, MemoryEntry
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.consolidation_steps import event_of
from inklings_desktop.usecases.steps.caps import n_above
from inklings_desktop.usecases.steps.changing_memories import save_restored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.tasks import RunStep, TaskRun
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.store import (
        UnitOfWork,
    )
    from inklings_desktop.usecases.steps.leases import Lease

STEP = 50


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


class Undoing:
    """One run on its way back."""

    def __init__(self, parts: Parts, caller: Caller, lease: Lease, run: TaskRun) -> None:
        self._own = parts
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
        if not is_ours or n_above(unit, entry.scope, self._own.settings().cap - 1) > 0:
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


def in_groups(steps: Iterable[RunStep]) -> list[list[RunStep]]:
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
