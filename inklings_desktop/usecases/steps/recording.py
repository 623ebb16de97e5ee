"""What of an operation goes into the event log: ids and counts, never content.

Of a request that its client may send again the same is kept beside it. What agents were handed is
counted; a disk that refuses the count never costs the answer.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports.store import Store, UnitOfWork

MOST_WAITING = 1_000
"""Answers per file whose reads wait for the disk; of more the oldest are not counted."""


class ReadCounter(Protocol):
    """Counts what an agent was handed, as ``CountReads`` does."""

    def __call__(
        self, caller: Caller, workspace_id: str | None, ids: Sequence[str], at: datetime, /
    ) -> None:
        """Count one read of each of these memories."""
        ...


@dataclass(frozen=True, slots=True)
class CountReads:
    """Count reads in the file that holds the memories, or keep the count for the next time."""

    store: Store
    _waiting: defaultdict[str | None, list[tuple[tuple[str, ...], datetime]]] = field(
        default_factory=lambda: defaultdict(list), init=False
    )
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __call__(
        self, caller: Caller, workspace_id: str | None, ids: Sequence[str], at: datetime
    ) -> None:
        """Count one read of each of these memories; never fails.

        Args:
            caller: The agent that was answered.
            workspace_id: Whose file holds them; None for the account's.
            ids: What it was handed.
            at: When.
        """
        if not ids:
            return
        with self._lock:
            waiting = [*self._waiting.pop(workspace_id, ()), (tuple(ids), at)]
        try:
            with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
                for read, when in waiting:
                    unit.memories.count_reads(read, when)
                unit.commit()
        except StorageError:
            with self._lock:
                later = self._waiting[workspace_id]
                later[:0] = waiting
                del later[:-MOST_WAITING]


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
