"""Remembers in which scope keys of a file the best matches of a search were too few."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

MAX_KNOWN = 1_000


class MixedScopes:
    """Scope keys whose share of a file's best matches was too small; safe from any thread.

    Where the best matches lie in other scope keys, having looked at them is time lost: the next
    search of these goes through every match at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: set[Hashable] = set()

    def has(self, key: Hashable) -> bool:
        """Whether an earlier search found too little."""
        with self._lock:
            return key in self._known

    def add(self, key: Hashable) -> None:
        """Remember that the best matches of the file held too little."""
        with self._lock:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known.add(key)
