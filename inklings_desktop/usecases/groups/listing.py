"""What a list of memories and its surroundings show first; light, for a window waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.memories import show_memories
from inklings_desktop.usecases.search import browse_memories

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Listing:
    """Memories in lists, and one by one."""

    def __init__(self, parts: Parts, by: By) -> None:
        store = parts.store
        self.browse = by(
            browse_memories.BrowseMemories(store, parts.clock, parts.settings, parts.embedder)
        )
        self.show = by(browse_memories.ShowMemory(store))
        self.show_all = by(show_memories.ShowMemories(store))
        self.locate = by(browse_memories.LocateMemory(store))
        self.count = by(browse_memories.CountMemories(store))
        self.facets = by(browse_memories.ListFacets(store))
