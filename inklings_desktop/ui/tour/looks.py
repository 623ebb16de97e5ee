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
from inklings_desktop.ui.memory.list.agents_since import Since
from inklings_desktop.ui.tour.steps import Once, go, select

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryDesk
    from inklings_desktop.ui.window.main_window import MainWindow

UNKNOWN = "glasswright\u2019s lantern"
SMALL, LARGE, LARGEST = 0.9, 1.25, 1.4
SKELETON_SECONDS = 0.5
SHOWN = 3


async def at_rest(desk: MemoryDesk, window: MainWindow) -> None:
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
    desk.acts.selection.clear()
    await go(desk, Place(Tier.WORKSPACE))
    await _search_by(desk, window, SearchMode.HYBRID)
    answer = Once(desk.list.content_changed)
    page.clear_filters_requested.emit()
    await answer
    page.table.scrollToTop()
    await select(desk, window, SHOWN)


def put_away(window: MainWindow) -> None:
    """Close what lies over the window; what it asked is answered with no."""
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()
    for kind in (Popover, QMenu):
        for card in window.findChildren(kind):
            if card.isVisible():
                card.close()


async def show_compact(desk: MemoryDesk, window: MainWindow) -> None:
    """One line of text per memory."""
    await at_rest(desk, window)
    window.page.set_compact(compact=True)


async def show_small_text(desk: MemoryDesk, window: MainWindow) -> None:
    """The smallest text size."""
    await at_rest(desk, window)
    window.page.theme.set_text_scale(SMALL)


async def show_large_text(desk: MemoryDesk, window: MainWindow) -> None:
    """A larger text size."""
    await at_rest(desk, window)
    window.page.theme.set_text_scale(LARGE)


async def show_largest_text(desk: MemoryDesk, window: MainWindow) -> None:
    """The largest text size."""
    await at_rest(desk, window)
    window.page.theme.set_text_scale(LARGEST)


async def show_sheet_of_memory(desk: MemoryDesk, window: MainWindow) -> None:
    """The inspector put away, then wanted: it comes as a sheet."""
    await at_rest(desk, window)
    window.menus["inspector"].setChecked(False)
    window.page.edit_requested.emit()


async def show_unfolded_filters(desk: MemoryDesk, window: MainWindow) -> None:
    """The chips of a window too small to show them always."""
    await at_rest(desk, window)
    window.page.header.filters.click()


async def show_sources(desk: MemoryDesk, window: MainWindow) -> None:
    """The checklist of one filter."""
    await at_rest(desk, window)
    window.page.filters.source.popover_requested.emit()


async def show_importance(desk: MemoryDesk, window: MainWindow) -> None:
    """The range of another filter."""
    await at_rest(desk, window)
    window.page.filters.importance.popover_requested.emit()


async def show_by_agents(desk: MemoryDesk, window: MainWindow) -> None:
    """What agents wrote of late, and the button that forgets it."""
    await at_rest(desk, window)
    answer = Once(desk.list.content_changed)
    window.page.filters.agents_since_chosen.emit(Since.MONTH)
    await answer
    await select(desk, window, 0)


async def show_loading(desk: MemoryDesk, window: MainWindow) -> None:
    """Where rows will stand while a slow list is read."""
    await at_rest(desk, window)
    skeleton = window.page.skeleton
    stack = skeleton.parentWidget()
    if isinstance(stack, QStackedWidget):
        stack.setCurrentWidget(skeleton)
        skeleton.expect()
        await asyncio.sleep(SKELETON_SECONDS)


async def show_unreadable(desk: MemoryDesk, window: MainWindow) -> None:
    """A list that could not be read."""
    await at_rest(desk, window)
    title = "Part of the database could not be read."
    window.page.show_failure(Message(title, "Nothing has been repaired yet."))


async def show_no_results(desk: MemoryDesk, window: MainWindow) -> None:
    """A search by words that nothing matches."""
    await at_rest(desk, window)
    await _search_by(desk, window, SearchMode.KEYWORD)
    answer = Once(desk.list.content_changed)
    window.page.header.search.set_text(UNKNOWN)
    await answer


async def _search_by(desk: MemoryDesk, window: MainWindow, mode: SearchMode) -> None:
    """Choose how to search, where that can be chosen: without a model it cannot."""
    field = window.page.header.search
    if field.mode() != mode.value and field.offers_mode(mode.value):
        answer = Once(desk.list.content_changed)
        field.set_mode(mode.value)
        await answer
