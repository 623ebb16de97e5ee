"""Which memories the filters of the latest searches let through, kept until their file changes.

To find them takes longer than the search among them, and needs neither its words nor its vector:
whoever types a question behind a filter has them found with the first letter. A turn asks behind
three filters: for rules, for facts, and for notes.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.vector_snapshot import Integers


MOST_KEPT = 4


class Selection(NamedTuple):
    """What a search is narrowed to: these scope keys of the file, and this filter."""

    scopes: tuple[ScopeKey, ...]
    where: MemoryFilter


class KeptSelection:
    """The memories of the latest selections of a file; safe to ask from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters = (0, 0)
        self._held: dict[Selection, Integers] = {}

    def clear(self) -> None:
        """Let go of them."""
        with self._lock:
            self._held.clear()

    def of(
        self, transaction: Snapshot, selection: Selection, find: Callable[[], Integers]
    ) -> Integers:
        """Their sequences as this transaction sees them.

        Args:
            transaction: What a write sees is found anew and never kept.
            selection: Which.
            find: Finds them in the file; int64.
        """
        if transaction.is_write:
            return find()
        counters = transaction.counters()
        with self._lock:
            held = self._held.get(selection) if counters == self._counters else None
        if held is not None:
            return held
        sequences = find()
        with self._lock:
            if counters != self._counters:
                self._counters, self._held = counters, {}
            self._held[selection] = sequences
            if len(self._held) > MOST_KEPT:
                del self._held[next(iter(self._held))]
        return sequences


def allowed(
    transaction: Snapshot, kept: KeptSelection, scopes: Sequence[ScopeKey], where: MemoryFilter
) -> Integers:
    """Sequences of what a filter lets through of these scope keys; int64."""

    def find() -> Integers:
        import numpy as np

        from inklings_desktop.storage.search.matches import sequences_of

        rows = transaction.rows(*sequences_of(scopes, where))
        return np.array([one for (one,) in rows], np.int64)

    return kept.of(transaction, Selection(tuple(scopes), where), find)
