"""Counts what agents were handed; a disk that refuses the count never costs the answer."""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import Store

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
