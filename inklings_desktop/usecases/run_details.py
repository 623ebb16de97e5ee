"""What one consolidation did, memory by memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import authorize_management
from inklings_desktop.domain.tasks import StepKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.tasks import RunStep, TaskRun
    from inklings_desktop.usecases.ports import Store

MAX_SHOWN = 500


@dataclass(frozen=True, slots=True)
class MergedByRun:
    """One memory that a run wrote, and what it was made from; as all of them are now."""

    merged: MemoryEntry
    sources: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class RunDetails:
    """One run and the memories it treated; those that were scrubbed since are left out.

    Attributes:
        run: The run.
        merged: What it wrote.
        pruned: What it forgot because it had faded.
        promoted: What it made long-term.
        capped: What it forgot because there was no room.
        n_more: Steps beyond the first five hundred, which are not shown.
    """

    run: TaskRun
    merged: tuple[MergedByRun, ...] = ()
    pruned: tuple[MemoryEntry, ...] = ()
    promoted: tuple[MemoryEntry, ...] = ()
    capped: tuple[MemoryEntry, ...] = ()
    n_more: int = 0


@dataclass(frozen=True, slots=True)
class ShowRun:
    """One run of the history in full; for the person."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str | None, run_id: str) -> RunDetails:
        """What it did.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such run.
        """
        authorize_management(caller)
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
                MergedByRun(one, tuple(families.get(one.id, ())))
                for one in by_kind[StepKind.MERGED]
            ),
            by_kind[StepKind.PRUNED],
            by_kind[StepKind.PROMOTED],
            by_kind[StepKind.CAPPED],
            len(steps) - len(shown),
        )


def _entries(
    steps: Sequence[RunStep], kind: StepKind, entries: Mapping[str, MemoryEntry]
) -> tuple[MemoryEntry, ...]:
    return tuple(
        entries[step.memory_id] for step in steps if step.kind is kind and step.memory_id in entries
    )
