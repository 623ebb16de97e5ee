"""The pictures of the tour: what each is called and how the window comes to show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.ui.tour.bulk import (
    show_checked,
    show_forgetting_many,
    show_lifetimes,
    show_replacing,
    show_retag,
)
from inklings_desktop.ui.tour.components import show_components
from inklings_desktop.ui.tour.control import (
    confirm_scrub,
    count_scrub,
    leave_scrub,
    show_access,
    show_background_work,
    show_connections,
    show_control,
    show_event_log,
    show_golden,
    show_review,
    show_scrub_scope_after_work,
    show_worth_a_look_after_connections,
)
from inklings_desktop.ui.tour.looks import (
    at_rest,
    show_by_agents,
    show_compact,
    show_importance,
    show_large_text,
    show_largest_text,
    show_loading,
    show_no_results,
    show_sheet_of_memory,
    show_small_text,
    show_sources,
    show_unfolded_filters,
    show_unreadable,
)
from inklings_desktop.ui.tour.memory import (
    check_many,
    leave_missing,
    show_account,
    show_all_tiers,
    show_channels,
    show_conversation,
    show_missing,
    show_new,
    show_search,
    show_workspace,
)
from inklings_desktop.ui.tour.reading import (
    show_all_forgotten,
    show_catching_up,
    show_damage,
    show_empty_after_banners,
    show_entries,
    show_entry_history,
    show_low_disk,
    show_operators,
    show_palette,
    show_preview,
    show_preview_entry,
    show_preview_markdown,
    show_preview_opened,
    show_repair,
    show_sheet,
)
from inklings_desktop.ui.tour.steps import as_it_is

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

FULL = (1440, 900)
NARROW = (1024, 700)
MIDDLE = (1200, 800)
LOW = (1440, 660)
LEAST = (960, 600)


@dataclass(frozen=True, slots=True)
class Stop:
    """One state, drawn in both themes.

    Attributes:
        name: File name without theme and ending.
        go: Brings the window into the state to be drawn.
        size: Width and height of the window in pixels.
    """

    name: str
    go: Callable[[MemoryPage, MainWindow], Awaitable[None]]
    size: tuple[int, int] = FULL


STOPS = (
    Stop("01-memory", show_workspace),
    Stop("01c-conversation-working-notes", show_conversation),
    Stop("01d-search", show_search),
    Stop("01d-search-multiselect", check_many),
    Stop("01d-search-all-tiers", show_all_tiers),
    Stop("01d-search-missing", show_missing),
    Stop("01d-search-narrow", leave_missing, size=NARROW),
    Stop("08-channel-narrow", show_channels, size=NARROW),
    Stop("account", show_account),
    Stop("new-memory", show_new),
    Stop("01d-retag", show_retag),
    Stop("01d-retag-narrow", as_it_is, size=NARROW),
    Stop("01d-checked-mixed", show_checked),
    Stop("01d-lifetimes", show_lifetimes),
    Stop("01d-forget-many", show_forgetting_many),
    Stop("01d-replace", show_replacing),
    Stop("10-component-states", show_components),
    Stop("01-memory-1200", at_rest, size=MIDDLE),
    Stop("01-memory-low", as_it_is, size=LOW),
    Stop("01-memory-minimum", as_it_is, size=LEAST),
    Stop("08-filters-unfolded", show_unfolded_filters, size=NARROW),
    Stop("01-memory-compact", show_compact),
    Stop("01-memory-text-90", show_small_text),
    Stop("01-memory-text-125", show_large_text),
    Stop("01-memory-text-125-narrow", as_it_is, size=NARROW),
    Stop("01-memory-text-140", show_largest_text),
    Stop("01-memory-text-140-minimum", as_it_is, size=LEAST),
    Stop("01-memory-sheet", show_sheet_of_memory),
    Stop("01-filter-sources", show_sources),
    Stop("01-filter-importance", show_importance),
    Stop("01-by-agents-since", show_by_agents),
    Stop("01-no-results", show_no_results),
    Stop("01-loading", show_loading),
    Stop("01-unreadable", show_unreadable),
    Stop("02-named-entries", show_entries),
    Stop("02c-named-entries-history", show_entry_history),
    Stop("06-orientation-preview", show_preview),
    Stop("06-orientation-preview-narrow", as_it_is, size=NARROW),
    Stop("06-orientation-preview-cut", show_preview_opened),
    Stop("06-orientation-preview-entry", show_preview_entry),
    Stop("06-orientation-preview-markdown", show_preview_markdown),
    Stop("04a-control-plane", show_control),
    Stop("04a-background-work", show_background_work),
    Stop("08-background-work-narrow", as_it_is, size=NARROW),
    Stop("03a-scrub-scope", show_scrub_scope_after_work),
    Stop("03b-scrub-dry-run", count_scrub),
    Stop("03c-scrub-confirm", confirm_scrub),
    Stop("03c-scrub-confirm-narrow", as_it_is, size=NARROW),
    Stop("04a-control-plane-narrow", leave_scrub, size=NARROW),
    Stop("review-plan", show_review),
    Stop("golden-questions", show_golden),
    Stop("04b-event-log", show_event_log),
    Stop("04c-access", show_access),
    Stop("04c-connections", show_connections),
    Stop("04a-worth-a-look", show_worth_a_look_after_connections),
    Stop("09b-command-palette", show_palette),
    Stop("keyboard-sheet", show_sheet),
    Stop("01d-search-operators", show_operators),
    Stop("banner-low-disk", show_low_disk),
    Stop("banner-damage", show_damage),
    Stop("banner-repair", show_repair),
    Stop("banner-catching-up", show_catching_up),
    Stop("07a-empty-workspace", show_empty_after_banners),
    Stop("07a-empty-workspace-narrow", as_it_is, size=NARROW),
    Stop("07a-empty-workspace-minimum", as_it_is, size=LEAST),
    Stop("07a-all-forgotten", show_all_forgotten),
)

_ONE_OF_EACH = {"01-memory", "02-named-entries", "06-orientation-preview", "04a-control-plane"}
SHORT = tuple(stop for stop in STOPS if stop.name in _ONE_OF_EACH)
"""One state of each page: enough to know that all of them can be drawn."""
