"""What of an operation on memories goes into the event log: ids and counts, never content."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.events import EventDraft, EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports.store import UnitOfWork

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
    unit.events.append(_about(caller, kind, scope, scope.key, counts or {}), at)


def record_entry(
    unit: UnitOfWork, caller: Caller, kind: EventKind, entry: NamedEntry, at: datetime
) -> None:
    """Append one event of a named entry; every save is one, whoever makes it."""
    counts = {"version": entry.version, "characters": entry.n_characters}
    unit.events.append(_about(caller, kind, entry.scope, entry.id, counts), at)


def record_proposal(
    unit: UnitOfWork, caller: Caller, kind: EventKind, proposal: Proposal, at: datetime
) -> None:
    """Append one event of a proposal: what kind it is, and how far the author has come."""
    counts = {proposal.kind.value: 1, proposal.state.value: 1}
    unit.events.append(_about(caller, kind, proposal.scope, proposal.id, counts), at)


def _about(
    caller: Caller, kind: EventKind, scope: ScopeKey, id_: str, counts: Mapping[str, int]
) -> EventDraft:
    return EventDraft(
        kind,
        caller.name,
        caller.kind.value,
        caller.door.value,
        scope.tier.value,
        scope.key,
        (id_,),
        counts,
    )


def _scope(entry: MemoryEntry) -> ScopeKey:
    return entry.scope
