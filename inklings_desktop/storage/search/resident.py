"""Derived arrays kept in memory between transactions, checked against the file at each use."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from inklings_desktop.storage.rows.snapshot import Snapshot

T = TypeVar("T")

STATES_KEPT = 8
"""Committed states per key: under load a view is rarely further behind than this."""


class _Held(NamedTuple, Generic[T]):
    change_seq: int
    reload_seq: int
    value: T


class ResidentCache(Generic[T]):
    """The latest committed states per key; safe to ask from any thread.

    The file's own counters say whether a state still holds, so a commit of another process is
    seen as soon as a transaction sees it. States are never changed, only replaced. A few are kept,
    since a view that was opened before somebody's commit asks for the state from before it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Hashable, list[_Held[T]]] = {}
        self._aside: WeakKeyDictionary[Snapshot, dict[Hashable, T]] = WeakKeyDictionary()

    def clear(self) -> None:
        """Let go of every state."""
        with self._lock:
            self._held.clear()
            self._aside.clear()

    def current(
        self,
        transaction: Snapshot,
        key: Hashable,
        *,
        build: Callable[[], T],
        refresh: Callable[[T, int, bool], T],
    ) -> T:
        """The state as this transaction sees it.

        Args:
            transaction: Its snapshot decides; what a write has not yet committed is never kept.
            key: Which state.
            build: Makes it from nothing.
            refresh: Makes it from an earlier one and the change number that one stands for. The
                last argument says whether it follows the newest committed state and will be kept.
        """
        change_seq, reload_seq = transaction.counters()
        with self._lock:
            found = self._found(transaction, key, change_seq, reload_seq)
            if found is not None:
                return found
            states = self._held.get(key, [])
            if not states or states[-1].reload_seq < reload_seq:
                states = []
            elif states[-1].reload_seq > reload_seq:
                return build()  # a view from before somebody let everything be read anew
            earlier = [one for one in states if one.change_seq < change_seq]
            is_next = len(earlier) == len(states) and not transaction.has_written
            if earlier:
                value = refresh(earlier[-1].value, earlier[-1].change_seq, is_next)
            else:
                value = build()
            if is_next:
                newest = _Held(change_seq, reload_seq, value)
                self._held[key] = [*states[1 - STATES_KEPT :], newest]
            elif not transaction.is_write:
                self._aside.setdefault(transaction, {})[key] = value
            return value

    def at_hand(self, transaction: Snapshot, key: Hashable) -> T | None:
        """The state as this transaction sees it, if it need not be made first."""
        change_seq, reload_seq = transaction.counters()
        with self._lock:
            return self._found(transaction, key, change_seq, reload_seq)

    def latest(self, transaction: Snapshot, key: Hashable) -> tuple[int, T] | None:
        """The newest kept state that this transaction does not precede, and its change number."""
        change_seq, reload_seq = transaction.counters()
        with self._lock:
            for held in reversed(self._held.get(key, ())):
                if held.reload_seq == reload_seq and held.change_seq <= change_seq:
                    return held.change_seq, held.value
        return None

    def _found(
        self, transaction: Snapshot, key: Hashable, change_seq: int, reload_seq: int
    ) -> T | None:
        for held in reversed(self._held.get(key, ())):
            if (held.change_seq, held.reload_seq) == (change_seq, reload_seq):
                return held.value
        return self._aside.get(transaction, {}).get(key)
