"""What a command brought about beyond what its use case returns."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.usecases.bundle import Inklings


class Heard:
    """Change records of this process, in order of commit."""

    def __init__(self) -> None:
        self._changes: list[MemoryChanges] = []

    def listen(self, changes: MemoryChanges) -> None:
        """Keep a record of what this process did."""
        if changes.own:
            self._changes.append(changes)

    @property
    def added(self) -> tuple[str, ...]:
        """Ids of new memories."""
        return tuple(memory_id for one in self._changes for memory_id in one.added)

    @property
    def forgotten(self) -> tuple[str, ...]:
        """Ids of memories that were forgotten."""
        return tuple(memory_id for one in self._changes for memory_id in one.forgotten)


@contextmanager
def listening(inklings: Inklings) -> Iterator[Heard]:
    """Hear of every change that is committed inside."""
    heard = Heard()
    stop = inklings.feed.subscribe(heard.listen)
    try:
        yield heard
    finally:
        stop()
