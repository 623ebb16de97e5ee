"""What of an operation goes into the event log: ids and counts, never content.

Of a request that its client may send again the same is kept beside it.
"""

from __future__ import annotations

from dataclasses import replace
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
        ids = tuple(entry.id for entry in group)
        draft = EventDraft(
            kind,
            caller.name,
            caller.kind.value,
            caller.door.value,
            scope.tier.value,
            scope.key,
            ids[:MAX_IDS],
            {"memories": len(ids)},
        )
        _append(unit, caller, draft, at)


def record_known(
    unit: UnitOfWork,
    caller: Caller,
    kind: EventKind,
    scope: ScopeKey,
    ids: Sequence[str],
    at: datetime,
    *,
    did: str = "things",
) -> None:
    """Append one event about what is held for settled: which, never what it says."""
    about = _about(caller, kind, scope, "", {did: len(ids)})
    _append(unit, caller, replace(about, ids=tuple(ids)), at)


def record_room(
    unit: UnitOfWork,
    caller: Caller,
    kind: EventKind,
    scope: ScopeKey,
    at: datetime,
    counts: Mapping[str, int] | None = None,
) -> None:
    """Append one event of a conversation's life."""
    _append(unit, caller, _about(caller, kind, scope, scope.key, counts or {}), at)


def record_entry(
    unit: UnitOfWork, caller: Caller, kind: EventKind, entry: NamedEntry, at: datetime
) -> None:
    """Append one event of a named entry; every save is one, whoever makes it."""
    counts = {"version": entry.version, "characters": entry.n_characters}
    _append(unit, caller, _about(caller, kind, entry.scope, entry.id, counts), at)


def record_proposal(
    unit: UnitOfWork, caller: Caller, kind: EventKind, proposal: Proposal, at: datetime
) -> None:
    """Append one event of a proposal: what kind it is, and how far the author has come."""
    counts = {proposal.kind.value: 1, proposal.state.value: 1}
    _append(unit, caller, _about(caller, kind, proposal.scope, proposal.id, counts), at)


def keep_request(
    unit: UnitOfWork, caller: Caller, word: str, ids: tuple[str, ...], at: datetime
) -> None:
    """Keep what a write that may be sent again has done, in the transaction that does it."""
    if caller.request is not None:
        unit.requests.keep(caller.name, caller.request, word, ids, at)


def _append(unit: UnitOfWork, caller: Caller, draft: EventDraft, at: datetime) -> None:
    unit.events.append(draft, at)
    keep_request(unit, caller, draft.kind.value, draft.ids, at)


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
