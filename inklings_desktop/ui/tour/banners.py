"""States of the tour with something to say above the page; nothing of it is so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.log.backup import Backup
from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause
from inklings_desktop.ui.tour.memory import show_empty, show_workspace
from inklings_desktop.ui.window.banners.damage_words import damage_banner
from inklings_desktop.ui.window.banners.watches import CATCH_UP
from inklings_desktop.ui.window.banners.words import catch_up_banner, low_disk_banner
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

_LEFT_BYTES = 143_000_000
_N_FORGOTTEN = 19
_COPIED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def show_low_disk(memory: MemoryPage, window: MainWindow) -> None:
    """The disk is nearly full."""
    window.show_page(MEMORY_PAGE)
    window.page.header.search.set_text("")
    await show_workspace(memory, window)
    window.pages.banners.say(BannerCause.LOW_DISK, low_disk_banner(DiskRoom(_LEFT_BYTES)))


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
    window.pages.banners.say(BannerCause.LOW_DISK, None)
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
