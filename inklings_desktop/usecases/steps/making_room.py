"""Keep a scope key at its cap: what may be forgotten makes room for what comes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import CapReachedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import CAP_REASON
from inklings_desktop.domain.memory import MemoryAction
from inklings_desktop.usecases.steps.recording import record_memories

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.ports.store import UnitOfWork


def make_room(
    unit: UnitOfWork,
    caller: Caller,
    scope: ScopeKey,
    n_coming: int,
    *,
    settings: Settings,
    now: datetime,
) -> None:
    """Forget the least relevant memories that may go, until the coming ones fit under the cap.

    Raises:
        CapReachedError: Too few may go.
    """
    surplus = unit.memories.active_count(scope) + n_coming - settings.cap
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
