"""States of the tour on what an agent reads, on finding, and with something to say."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.log.backup import Backup
from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.ui.entries.opened import EntryMode
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, MEMORY_PAGE
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.tour.tour import settle, show_workspace
from inklings_desktop.ui.turn.rows import EntryRow, SectionRow
from inklings_desktop.ui.turn.view import MARKDOWN, TurnView
from inklings_desktop.ui.window.banners.damage import damage_banner
from inklings_desktop.ui.window.banners.opened_data import CATCH_UP
from inklings_desktop.ui.window.banners.words import catch_up_banner
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus
from tests.pictures.memory import show_empty

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.turn.page import TurnPage
    from inklings_desktop.ui.window.main_window import MainWindow


async def show_entry_history(_memory: MemoryPage, window: MainWindow) -> None:
    """Revisions of a named entry."""
    entries = window.opened.entries if window.opened is not None else None
    if entries is not None:
        entries.show_mode(EntryMode.HISTORY)
        await entries.history.settled()
    window.show_page(ENTRIES_PAGE)


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


SOUGHT = "sked"
OPERATORS = 'tag:saltglass importance:>0.5 after:2020 "glass"'
PAUSE_SECONDS = 0.4


async def show_palette(_memory: MemoryPage, window: MainWindow) -> None:
    """The command palette over the page, with what a word may mean."""
    window.menus["palette"].trigger()
    palette = window.finding.palette
    if palette is not None and palette.dialog is not None:
        await palette.presenter.settled()
        palette.dialog.field.setText(SOUGHT)
        await palette.presenter.settled()


async def show_sheet(_memory: MemoryPage, window: MainWindow) -> None:
    """The keyboard sheet."""
    palette = window.finding.palette
    if palette is not None and palette.dialog is not None:
        palette.dialog.reject()
    window.menus["keyboard"].trigger()


async def show_operators(memory: MemoryPage, window: MainWindow) -> None:
    """A search with operators, after Enter."""
    window.finding.close_sheet()
    page = window.page
    page.clear_filters_requested.emit()
    page.header.search.put_text(OPERATORS)
    page.header.search.submitted.emit(OPERATORS)
    await memory.list.settled()
    await asyncio.sleep(PAUSE_SECONDS)


_LEFT_BYTES, _PLENTY_BYTES = 143_000_000, 1 << 40
_N_FORGOTTEN = 19
_COPIED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def show_low_disk(memory: MemoryPage, window: MainWindow) -> None:
    """The disk is nearly full."""
    window.show_page(MEMORY_PAGE)
    window.page.header.search.set_text("")
    await show_workspace(memory, window)
    await _have_room(window, _LEFT_BYTES)


async def _have_room(window: MainWindow, free_bytes: int) -> None:
    """Find so much on the disk, also in the look of every minute."""
    assert window.banners is not None
    disk = window.banners.disk
    vars(disk.inklings.keeping)["measure_disk"] = lambda: DiskRoom(free_bytes)
    disk.refresh()
    await disk.settled()


async def show_damage(_memory: MemoryPage, window: MainWindow) -> None:
    """Part of a database could not be read, and there is a copy of it."""
    copy = Backup("", "", _COPIED_AT, 0)
    window.pages.banners.say(BannerCause.DAMAGE, damage_banner(copy))


async def show_repair(_memory: MemoryPage, window: MainWindow) -> None:
    """Only what can be computed anew is damaged: a repair loses nothing."""
    window.pages.banners.say(BannerCause.DAMAGE, damage_banner(None, is_repairable=True))


async def show_catching_up(memory: MemoryPage, window: MainWindow) -> None:
    """A run makes up for missed ones."""
    window.pages.banners.say(BannerCause.DAMAGE, None)
    await _have_room(window, _PLENTY_BYTES)
    here = memory.shell.surroundings
    if here is not None:
        target = TaskTarget(TaskKind.BACKFILL, here.workspace.id)
        run = TaskStatus(target, TaskPhase.RUNNING, "embed", 6, 16, CATCH_UP)
        window.pages.banners.say(BannerCause.CATCH_UP, catch_up_banner(run))


async def show_empty_after_banners(memory: MemoryPage, window: MainWindow) -> None:
    """An empty workspace, with nothing to say above it."""
    window.pages.banners.say(BannerCause.CATCH_UP, None)
    await show_empty(memory, window)


async def show_all_forgotten(memory: MemoryPage, window: MainWindow) -> None:
    """A workspace whose memories are all forgotten."""
    content, here = memory.list.content, memory.shell.surroundings
    if content is not None and here is not None:
        facets = replace(content.facets, forgotten=_N_FORGOTTEN)
        window.page.show_content(replace(content, facets=facets), here, memory.shell.place)
