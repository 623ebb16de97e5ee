"""Who hears of every committed change, and keeps it for the test to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges


class FakePublisher:
    """Remembers every change record."""

    def __init__(self) -> None:
        self.published: list[MemoryChanges] = []

    def publish(self, changes: MemoryChanges) -> None:
        """Remember it."""
        self.published.append(changes)
