"""States of the tour on what an agent reads: named entries, the next turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inklings_desktop.ui.entries.opened import EntryMode
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.tour.steps import (
    ANSWER_SECONDS,
    settle,
)
from inklings_desktop.ui.turn.rows import CandidateRow, EntryRow, SectionRow
from inklings_desktop.ui.turn.view import MARKDOWN

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.turn.page import TurnPage
    from inklings_desktop.ui.turn.view import TurnView
    from inklings_desktop.ui.window.main_window import MainWindow

ASKED = "What does Nerys notice first when the keeper tilts the plate?"


async def show_entries(_memory: MemoryPage, window: MainWindow) -> None:
    """Named entries, split."""
    window.show_page(ENTRIES_PAGE)


async def show_entry_history(_memory: MemoryPage, window: MainWindow) -> None:
    """Revisions of a named entry."""
    entries = window.opened.entries if window.opened is not None else None
    if entries is not None:
        entries.show_mode(EntryMode.HISTORY)
        await entries.history.settled()
    window.show_page(ENTRIES_PAGE)


async def show_preview(_memory: MemoryPage, window: MainWindow) -> None:
    """The next turn, with one memory explained."""
    window.show_page(PREVIEW_PAGE)
    async with asyncio.timeout(ANSWER_SECONDS):
        while (preview := _turn(window)) is None or preview.content is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # it may be loaded only now
        page = preview.view
        page.message.set_text(ASKED)
        while preview.content.request.message != ASKED:  # noqa: ASYNC110 - pages have no event
            await asyncio.sleep(0.01)
    found = [row.id for row in page.table.rows if isinstance(row, CandidateRow)]
    scored = [one for one in found if (at := preview.place_of(one)) and at.why.order]
    if scored:
        page.table.select(scored[len(scored) // 2])


async def show_preview_opened(_memory: MemoryPage, window: MainWindow) -> None:
    """Everything that was not sent, down to the cut line."""
    page = _turn_view(window)
    if page is not None:
        for row in page.table.rows:
            if isinstance(row, SectionRow) and row.link:
                page.table.toggle(row.id)
        await settle()
        page.table.scroll_to_row("cut:section:channel")


async def show_preview_entry(_memory: MemoryPage, window: MainWindow) -> None:
    """A named entry of the standing slice, opened."""
    page = _turn_view(window)
    if page is not None:
        await show_preview_opened(_memory, window)
        entry = next((row.id for row in page.table.rows if isinstance(row, EntryRow)), None)
        if entry is not None:
            page.table.toggle(entry)
        page.table.scrollToTop()


async def show_preview_markdown(_memory: MemoryPage, window: MainWindow) -> None:
    """The document as it is sent."""
    page = _turn_view(window)
    if page is not None:
        page.show_view(MARKDOWN)


def _turn(window: MainWindow) -> TurnPage | None:
    return window.opened.preview if window.opened is not None else None


def _turn_view(window: MainWindow) -> TurnView | None:
    page = _turn(window)
    return page.view if page is not None else None
