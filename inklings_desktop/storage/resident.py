"""Derived arrays kept in memory between transactions, checked against the file at each use."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from inklings_desktop.storage.transaction import Transaction

T = TypeVar("T")


class _Held(NamedTuple, Generic[T]):
    change_seq: int
    reload_seq: int
    value: T


class ResidentCache(Generic[T]):
    """The newest committed state per key; safe to ask from any thread.

    The file's own counters say whether a state still holds, so a commit of another process is
    seen as soon as a transaction sees it. States are never changed, only replaced.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Hashable, _Held[T]] = {}

    def clear(self) -> None:
        """Let go of every state."""
        with self._lock:
            self._held.clear()

    def current(
        self,
        transaction: Transaction,
        key: Hashable,
        *,
        build: Callable[[], T],
        refresh: Callable[[T, int], T],
    ) -> T:
        """The state as this transaction sees it.

        Args:
            transaction: Its snapshot decides; what a write has not yet committed is never kept.
            key: Which state.
            build: Makes it from nothing.
            refresh: Makes it from an earlier one and the change number that one stands for.
        """
        change_seq, reload_seq = transaction.counters()
        with self._lock:
            held = self._held.get(key)
            if held is None or held.reload_seq != reload_seq:
                value = build()
            elif held.change_seq == change_seq:
                return held.value
            elif held.change_seq < change_seq:
                value = refresh(held.value, held.change_seq)
            else:
                # An older view than the newest one: made for it alone.
                return build()
            if not transaction.has_written:
                self._held[key] = _Held(change_seq, reload_seq, value)
            return value

    def at_hand(self, transaction: Transaction, key: Hashable) -> T | None:
        """The state as this transaction sees it, if it need not be made first."""
        counters = transaction.counters()
        with self._lock:
            held = self._held.get(key)
            if held is None or (held.change_seq, held.reload_seq) != counters:
                return None
            return held.value
