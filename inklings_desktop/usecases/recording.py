"""What of an operation on memories goes into the event log: ids and counts, never content."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.events import EventDraft, EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports import UnitOfWork

MAX_IDS = 100


def record_memories(
    unit: UnitOfWork,
    caller: Caller,
    kind: EventKind,
    entries: Sequence[MemoryEntry],
    at: datetime,
    *,
    always: bool = False,
) -> None:
    """Append one event per scope key; a person's single edits are history, not events."""
    if not entries or (not caller.is_agent and len(entries) == 1 and not always):
        return
    for scope, group in groupby(sorted(entries, key=_scope), key=_scope):
        ids = [entry.id for entry in group]
        unit.events.append(
            EventDraft(
                kind,
                caller.name,
                caller.kind.value,
                caller.door.value,
                scope.tier.value,
                scope.key,
                tuple(ids[:MAX_IDS]),
                {"memories": len(ids)},
            ),
            at,
        )


def record_room(
    unit: UnitOfWork,
    caller: Caller,
    kind: EventKind,
    scope: ScopeKey,
    at: datetime,
    counts: Mapping[str, int] | None = None,
) -> None:
    """Append one event of a conversation's life."""
    unit.events.append(
        EventDraft(
            kind,
            caller.name,
            caller.kind.value,
            caller.door.value,
            scope.tier.value,
            scope.key,
            (scope.key,),
            counts or {},
        ),
        at,
    )


def _scope(entry: MemoryEntry) -> ScopeKey:
    return entry.scope
