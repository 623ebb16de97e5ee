"""Finding memories, and what an agent is given of them; each imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.parts import By, Parts, Verb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.rooms.orient import Orient, PreviewOrientation
    from inklings_desktop.usecases.rooms.rehearse_rates import RehearseRates
    from inklings_desktop.usecases.search.explain_missing import ExplainMissing
    from inklings_desktop.usecases.search.get_memories import GetMemories, NameMemory
    from inklings_desktop.usecases.search.likely_duplicates import ListLikelyDuplicates
    from inklings_desktop.usecases.search.overview import OverlookTiers, WorthALook
    from inklings_desktop.usecases.search.read_memories import ReadMemories
    from inklings_desktop.usecases.search.recent_changes import RecentChanges
    from inklings_desktop.usecases.search.retrieval import SearchRequest
    from inklings_desktop.usecases.search.saved_filters import (
        DeleteFilter,
        ListSavedFilters,
        RenameFilter,
        SaveFilter,
    )
    from inklings_desktop.usecases.search.search_memories import SearchMemories, SearchResult
    from inklings_desktop.usecases.search.search_open import SearchOpen
    from inklings_desktop.usecases.search.search_set_aside import SearchSetAside


def search_of(parts: Parts) -> SearchMemories:
    """The search that others build on."""
    from inklings_desktop.usecases.search import search_memories

    return search_memories.search_of(parts)


def _look(parts: Parts) -> Callable[[Caller, Sequence[ScopeKey], SearchRequest], SearchResult]:
    return search_of(parts).look


def _set_aside(parts: Parts) -> SearchSetAside:
    from inklings_desktop.usecases.search.search_set_aside import SearchSetAside

    return SearchSetAside(parts.store)


def _open(parts: Parts) -> SearchOpen:
    from inklings_desktop.usecases.search.browse_memories import BrowseMemories
    from inklings_desktop.usecases.search.search_open import SearchOpen

    store, clock, settings = parts.store, parts.clock, parts.settings
    browse = BrowseMemories(store, clock, settings, parts.embedder)
    return SearchOpen(store, search_of(parts), browse, clock, settings, parts.count_reads)


def _get(parts: Parts) -> GetMemories:
    from inklings_desktop.usecases.search.get_memories import GetMemories

    return GetMemories(parts.store, parts.clock, parts.settings, parts.count_reads)


def _name(parts: Parts) -> NameMemory:
    from inklings_desktop.usecases.search.get_memories import NameMemory

    return NameMemory(parts.store)


def _read(parts: Parts) -> ReadMemories:
    from inklings_desktop.usecases.search.read_memories import ReadMemories

    find = search_of(parts)
    return ReadMemories(parts.store, find, parts.clock, parts.settings, parts.count_reads)


def _recent_changes(parts: Parts) -> RecentChanges:
    from inklings_desktop.usecases.search.recent_changes import RecentChanges

    return RecentChanges(parts.store)


def _explain_missing(parts: Parts) -> ExplainMissing:
    from inklings_desktop.usecases.search.explain_missing import ExplainMissing

    return ExplainMissing(search_of(parts).retrieval, parts.store)


def _likely_duplicates(parts: Parts) -> ListLikelyDuplicates:
    from inklings_desktop.usecases.search.likely_duplicates import ListLikelyDuplicates

    return ListLikelyDuplicates(parts.store)


def _tiers(parts: Parts) -> OverlookTiers:
    from inklings_desktop.usecases.search.overview import OverlookTiers

    return OverlookTiers(parts.store, parts.embedder, parts.clock, parts.settings)


def _worth_a_look(parts: Parts) -> WorthALook:
    from inklings_desktop.usecases.search.overview import WorthALook

    return WorthALook(parts.store, parts.embedder, parts.clock, parts.settings)


def _save_filter(parts: Parts) -> SaveFilter:
    from inklings_desktop.usecases.search.saved_filters import SaveFilter

    return SaveFilter(parts.store, parts.clock, parts.new_id)


def _filters(parts: Parts) -> ListSavedFilters:
    from inklings_desktop.usecases.search.saved_filters import ListSavedFilters

    return ListSavedFilters(parts.store)


def _rename_filter(parts: Parts) -> RenameFilter:
    from inklings_desktop.usecases.search.saved_filters import RenameFilter

    return RenameFilter(parts.store)


def _delete_filter(parts: Parts) -> DeleteFilter:
    from inklings_desktop.usecases.search.saved_filters import DeleteFilter

    return DeleteFilter(parts.store)


def _orient(parts: Parts) -> Orient:
    from inklings_desktop.usecases.rooms.orient import Orient

    find = search_of(parts)
    return Orient(parts.store, find, parts.clock, parts.settings, parts.count_reads)


def _preview(parts: Parts) -> PreviewOrientation:
    from inklings_desktop.usecases.rooms.orient import PreviewOrientation

    return PreviewOrientation(_orient(parts))


def _rehearse_rates(parts: Parts) -> RehearseRates:
    from inklings_desktop.usecases.rooms.rehearse_rates import RehearseRates

    return RehearseRates(_preview(parts), parts.embedder)


@dataclass
class Search:
    """Searching, reading, and looking over what there is.

    Attributes:
        look: As ``find``, without counting a read.
    """

    parts: Parts
    by: By

    find = Verb(search_of)
    look = Verb(_look)
    find_set_aside = Verb(_set_aside)
    find_open = Verb(_open)
    get = Verb(_get)
    name = Verb(_name)
    read = Verb(_read)
    recent_changes = Verb(_recent_changes)
    explain_missing = Verb(_explain_missing)
    likely_duplicates = Verb(_likely_duplicates)
    tiers = Verb(_tiers)
    worth_a_look = Verb(_worth_a_look)
    save_filter = Verb(_save_filter)
    filters = Verb(_filters)
    rename_filter = Verb(_rename_filter)
    delete_filter = Verb(_delete_filter)


@dataclass
class Orientation:
    """What an agent is given at the beginning of a turn."""

    parts: Parts
    by: By

    orient = Verb(_orient)
    preview = Verb(_preview)
    rehearse_rates = Verb(_rehearse_rates)
