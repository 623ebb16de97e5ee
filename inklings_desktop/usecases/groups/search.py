"""Finding memories, and what an agent is given of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.rooms import orient, rehearse_rates
from inklings_desktop.usecases.search import (
    browse_memories,
    explain_missing,
    get_memories,
    likely_duplicates,
    overview,
    read_memories,
    recent_changes,
    retrieval,
    saved_filters,
    search_memories,
    search_open,
    search_set_aside,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Search:
    """Searching, reading, and looking over what there is.

    Attributes:
        look: As ``find``, without counting a read.
    """

    def __init__(self, parts: Parts, by: By) -> None:
        """Ask for this caller."""
        count_reads = parts.count_reads
        store, clock, settings, embedder = parts.store, parts.clock, parts.settings, parts.embedder
        find = search_of(parts)
        browse = browse_memories.BrowseMemories(store, clock, settings, embedder)
        self.find = by(find)
        self.look = by(find.look)
        self.find_set_aside = by(search_set_aside.SearchSetAside(store))
        self.find_open = by(
            search_open.SearchOpen(store, find, browse, clock, settings, count_reads)
        )
        self.get = by(get_memories.GetMemories(store, clock, settings, count_reads))
        self.name = by(get_memories.NameMemory(store))
        self.read = by(read_memories.ReadMemories(store, find, clock, settings, count_reads))
        self.recent_changes = by(recent_changes.RecentChanges(store))
        self.explain_missing = by(explain_missing.ExplainMissing(find.retrieval, store))
        self.likely_duplicates = by(likely_duplicates.ListLikelyDuplicates(store))
        self.tiers = by(overview.OverlookTiers(store, embedder, clock, settings))
        self.worth_a_look = by(overview.WorthALook(store, embedder, clock, settings))
        self.save_filter = by(saved_filters.SaveFilter(store, clock, parts.new_id))
        self.filters = by(saved_filters.ListSavedFilters(store))
        self.rename_filter = by(saved_filters.RenameFilter(store))
        self.delete_filter = by(saved_filters.DeleteFilter(store))


class Orientation:
    """What an agent is given at the beginning of a turn."""

    def __init__(self, parts: Parts, by: By) -> None:
        """Ask for this caller."""
        made = orient.Orient(
            parts.store, search_of(parts), parts.clock, parts.settings, parts.count_reads
        )
        self.orient = by(made)
        preview = orient.PreviewOrientation(made)
        self.preview = by(preview)
        self.rehearse_rates = by(rehearse_rates.RehearseRates(preview, parts.embedder))


def search_of(parts: Parts) -> search_memories.SearchMemories:
    """The search that others build on."""
    ranked = retrieval.Retrieval(parts.store, parts.query_vectors, parts.clock, parts.settings)
    return search_memories.SearchMemories(ranked, parts.clock, parts.count_reads)
