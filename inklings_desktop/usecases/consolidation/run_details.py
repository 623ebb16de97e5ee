"""The history of consolidations: the runs, and one of them memory by memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.background.run_details import MergedByRun, RunDetails
from inklings_desktop.domain.background.tasks import StepKind, TaskKind
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.tasks import RunStep, TaskRun
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import Store

MAX_SHOWN = 500
LOOKED_THROUGH = 5_000
"""Runs of every kind among which consolidations are looked for: backfill writes many."""


@dataclass(frozen=True, slots=True)
class ListConsolidations:
    """The consolidations of one file that the history keeps; for the person."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str | None, *, limit: int = 100
    ) -> tuple[TaskRun, ...]:
        """Newest first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The limit is not positive.
        """
        authorize_management(caller)
        if limit < 1:
            raise InvalidValueError("limit", "range", LOOKED_THROUGH)
        with self.store.read(workspace_id) as view:
            runs = view.tasks.runs(LOOKED_THROUGH)
        found = [one for one in runs if one.target.kind is TaskKind.CONSOLIDATION]
        return tuple(found[:limit])


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
                MergedByRun(one, tuple(sorted(families.get(one.id, ()), key=_written)))
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


def _written(entry: MemoryEntry) -> int:
    return entry.sequence
