"""Passes committed changes on to everyone in this process who wants to hear of them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memories.changes import MemoryChanges


class ChangeFeed:
    """The one ``ChangePublisher`` of a process; listeners are called in the publishing thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[object, Callable[[MemoryChanges], None]] = {}

    def publish(self, changes: MemoryChanges) -> None:
        """Tell every listener; an empty record is dropped."""
        if changes.is_empty:
            return
        with self._lock:
            listeners = tuple(self._listeners.values())
        for listener in listeners:
            listener(changes)

    def subscribe(self, listener: Callable[[MemoryChanges], None]) -> Callable[[], None]:
        """Add a listener; what comes back takes it out again."""
        ticket = object()
        with self._lock:
            self._listeners[ticket] = listener

        def unsubscribe() -> None:
            with self._lock:
                self._listeners.pop(ticket, None)

        return unsubscribe
