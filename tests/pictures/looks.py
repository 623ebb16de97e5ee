"""States of the tour that a page passes through: sizes, densities, filters, nothing to show.

Every step begins from the Workspace tier at rest, so that it can be drawn alone.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QMenu, QStackedWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.search_words import Since
from inklings_desktop.ui.tour.tour import Once, go, select

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

UNKNOWN = "glasswright\u2019s lantern"
SMALL, LARGE, LARGEST = 0.9, 1.25, 1.4
SKELETON_SECONDS = 0.5
SHOWN = 3


async def at_rest(memory: MemoryPage, window: MainWindow) -> None:
    """The Workspace tier with nothing open, filtered, checked or put away."""
    put_away(window)
    page = window.page
    page.theme.set_text_scale(1.0)
    page.set_compact(compact=False)
    page.header.filters.setChecked(False)
    page.toast.close_note()
    page.skeleton.settle()
    window.menus["inspector"].setChecked(True)
    window.show_page(MEMORY_PAGE)
    memory.acts.selection.clear()
    await go(memory, Place(Tier.WORKSPACE))
    await _search_by(memory, window, SearchMode.HYBRID)
    answer = Once(memory.list.content_changed)
    page.clear_filters_requested.emit()
    await answer
    page.table.scrollToTop()
    await select(memory, window, SHOWN)


def put_away(window: MainWindow) -> None:
    """Close what lies over the window; what it asked is answered with no."""
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()
    for kind in (Popover, QMenu):
        for card in window.findChildren(kind):
            if card.isVisible():
                card.close()


async def show_compact(memory: MemoryPage, window: MainWindow) -> None:
    """One line of text per memory."""
    await at_rest(memory, window)
    window.page.set_compact(compact=True)


async def show_small_text(memory: MemoryPage, window: MainWindow) -> None:
    """The smallest text size."""
    await at_rest(memory, window)
    window.page.theme.set_text_scale(SMALL)


async def show_large_text(memory: MemoryPage, window: MainWindow) -> None:
    """A larger text size."""
    await at_rest(memory, window)
    window.page.theme.set_text_scale(LARGE)


async def show_largest_text(memory: MemoryPage, window: MainWindow) -> None:
    """The largest text size."""
    await at_rest(memory, window)
    window.page.theme.set_text_scale(LARGEST)


async def show_sheet_of_memory(memory: MemoryPage, window: MainWindow) -> None:
    """The inspector put away, then wanted: it comes as a sheet."""
    await at_rest(memory, window)
    window.menus["inspector"].setChecked(False)
    window.inspector.focus_editor()


async def show_unfolded_filters(memory: MemoryPage, window: MainWindow) -> None:
    """The chips of a window too small to show them always."""
    await at_rest(memory, window)
    window.page.header.filters.click()


async def show_sources(memory: MemoryPage, window: MainWindow) -> None:
    """The checklist of one filter."""
    await at_rest(memory, window)
    window.page.filters.source.popover_requested.emit()


async def show_importance(memory: MemoryPage, window: MainWindow) -> None:
    """The range of another filter."""
    await at_rest(memory, window)
    window.page.filters.importance.popover_requested.emit()


async def show_by_agents(memory: MemoryPage, window: MainWindow) -> None:
    """What agents wrote of late, and the button that forgets it."""
    await at_rest(memory, window)
    answer = Once(memory.list.content_changed)
    window.page.filters.agents_since_chosen.emit(Since.MONTH)
    await answer
    await select(memory, window, 0)


async def show_loading(memory: MemoryPage, window: MainWindow) -> None:
    """Where rows will stand while a slow list is read."""
    await at_rest(memory, window)
    skeleton = window.page.skeleton
    stack = skeleton.parentWidget()
    if isinstance(stack, QStackedWidget):
        stack.setCurrentWidget(skeleton)
        skeleton.expect()
        await asyncio.sleep(SKELETON_SECONDS)


async def show_unreadable(memory: MemoryPage, window: MainWindow) -> None:
    """A list that could not be read."""
    await at_rest(memory, window)
    title = "Part of the database could not be read."
    window.page.show_failure(Message(title, "Nothing has been repaired yet."))


async def show_no_results(memory: MemoryPage, window: MainWindow) -> None:
    """A search by words that nothing matches."""
    await at_rest(memory, window)
    await _search_by(memory, window, SearchMode.KEYWORD)
    answer = Once(memory.list.content_changed)
    window.page.header.search.set_text(UNKNOWN)
    await answer


async def _search_by(memory: MemoryPage, window: MainWindow, mode: SearchMode) -> None:
    """Choose how to search, where that can be chosen: without a model it cannot."""
    field = window.page.header.search
    before, answer = field.mode(), Once(memory.list.content_changed)
    field.set_mode(mode.value)
    if field.mode() != before:
        await answer
