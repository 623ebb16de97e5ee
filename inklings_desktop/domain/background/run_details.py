"""What one consolidation did, memory by memory, as the history tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import MemoryEntry


@dataclass(frozen=True, slots=True)
class MergedByRun:
    """One memory that a run wrote, and what it was made from; as all of them are now."""

    merged: MemoryEntry
    sources: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class RunDetails:
    """One run and the memories it treated; those that were scrubbed since are left out.

    Attributes:
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
