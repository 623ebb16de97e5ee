"""How many notes a scope may hold, and what leaves so that more fit.

Facts and house rules never leave by the cap: it counts none of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import CapReachedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import CAP_REASON
from inklings_desktop.domain.memory import MemoryAction, MemoryKind
from inklings_desktop.usecases.steps.recording import record_memories

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


def make_room(
    unit: UnitOfWork,
    caller: Caller,
    scope: ScopeKey,
    n_coming: int,
    *,
    settings: Settings,
    now: datetime,
) -> None:
    """Forget the least relevant memories that may go, until the coming notes fit under the cap.

    Raises:
        CapReachedError: Too few may go.
    """
    surplus = n_above(unit, scope, settings.cap - n_coming)
    if surplus <= 0:
        return
    leaving = unit.memories.least_relevant(scope, surplus, settings.decay, now)
    if len(leaving) < surplus:
        raise CapReachedError(scope.tier.value, settings.cap)
    forgotten = [
        unit.memories.save(
            replace(one, forgotten_at=now, forgotten_reason=CAP_REASON),
            expected_version=one.version,
            action=MemoryAction.FORGOTTEN,
            changed_by=caller.name,
            door=caller.door.value,
            changed_at=now,
        )
        for one in leaving
    ]
    record_memories(unit, caller, EventKind.MEMORY_FORGOTTEN, forgotten, now, always=True)


def n_above(unit: StoreView, scope: ScopeKey, cap: int) -> int:
    """How many notes of a scope key are more than a cap; 0 or less while there is room.

    The notes among all that a scope holds are counted only where it is full.
    """
    every = unit.memories.active_count(scope) - cap
    return every if every <= 0 else unit.memories.note_count(scope) - cap


def note_counts(view: StoreView) -> dict[ScopeKey, int]:
    """Active notes of every scope key of a file that holds any memory."""
    return {one: view.memories.note_count(one) for one in view.memories.active_counts()}


def refuse_full(unit: StoreView, entry: MemoryEntry, cap: int) -> None:
    """Return only if a forgotten memory may stand again, as far as the cap goes.

    Raises:
        CapReachedError: It is a note, and its scope is full.
    """
    if entry.kind is MemoryKind.NOTE and n_above(unit, entry.scope, cap - 1) > 0:
        raise CapReachedError(entry.scope.tier.value, cap)
