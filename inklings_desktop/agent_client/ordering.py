"""The order of a turn's updates: repeats are dropped, a late one is put before those that wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_HELD: Final = 32
MAX_MISSING: Final = 1000


@dataclass(slots=True)
class TurnOrder:
    """What came of one turn, by the numbers that its updates carry, from 1."""

    expected: int = 1
    _held: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    _missing: set[int] = field(default_factory=set)

    def take(self, seq: int, update: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """What can be applied now that this came, in order; empty for a repeat."""
        if seq in self._missing:
            self._missing.discard(seq)
            return [update]
        if seq < self.expected or seq in self._held:
            return []
        self._held[seq] = update
        return self.release() if len(self._held) > MAX_HELD else self._in_order()

    def release(self) -> list[Mapping[str, Any]]:
        """What waits for an update that did not come, in order."""
        if not self._held:
            return []
        held = [self._held[seq] for seq in sorted(self._held)]
        last = max(self._held)
        gaps = range(self.expected, min(last, self.expected + MAX_MISSING))
        self._missing.update(seq for seq in gaps if seq not in self._held)
        self.expected = last + 1
        self._held = {}
        return held

    def _in_order(self) -> list[Mapping[str, Any]]:
        ready = []
        while self.expected in self._held:
            ready.append(self._held.pop(self.expected))
            self.expected += 1
        return ready
