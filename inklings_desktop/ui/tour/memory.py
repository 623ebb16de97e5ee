"""States of the tour on the Memory page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.content import selectable_ids
from inklings_desktop.ui.tour.steps import (
    Once,
    go,
    select,
)

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryDesk
    from inklings_desktop.ui.window.main_window import MainWindow

SEARCHED = "harbour glass"
CHECKED = 3
TAG = "atlas"


async def show_workspace(desk: MemoryDesk, window: MainWindow) -> None:
    """The Workspace tier with a memory in the inspector."""
    await go(desk, Place(Tier.WORKSPACE))
    await select(desk, window, 3)


async def show_conversation(desk: MemoryDesk, window: MainWindow) -> None:
    """One conversation with its working notes."""
    here = desk.shell.surroundings
    rooms = here.open_conversations if here else ()
    await go(desk, Place(Tier.CONVERSATION, rooms[0].id if rooms else None))
    await select(desk, window, 0)


async def show_search(desk: MemoryDesk, window: MainWindow) -> None:
    """What a search finds."""
    await go(desk, Place(Tier.WORKSPACE))
    answer = Once(desk.list.content_changed)
    window.page.header.search.set_text(SEARCHED)
    await answer
    await select(desk, window, 0)


async def check_many(desk: MemoryDesk, window: MainWindow) -> None:
    """Three memories checked and a tag to be added."""
    desk.acts.selection.check(selectable_ids(window.page.rows)[:CHECKED])
    window.inspector.many.field.added.emit(TAG)


async def show_all_tiers(desk: MemoryDesk, window: MainWindow) -> None:
    """The same search in all tiers."""
    desk.acts.selection.clear()
    answer = Once(desk.list.content_changed)
    window.page.foot.toggle_everywhere()
    await answer


async def show_missing(desk: MemoryDesk, window: MainWindow) -> None:
    """Why one memory is not among the hits."""
    answer = Once(desk.list.content_changed)
    window.page.foot.toggle_everywhere()
    await answer
    window.page.foot.missing.click()
    await desk.why.settled()
    if desk.why.popover is not None and desk.why.popover.list.count():
        desk.why.popover.list.setCurrentRow(0)
        await desk.why.settled()


async def leave_missing(desk: MemoryDesk, _window: MainWindow) -> None:
    """Close the question why."""
    if desk.why.popover is not None:
        desk.why.popover.close()


async def show_channels(desk: MemoryDesk, window: MainWindow) -> None:
    """All channels by relevance."""
    answer = Once(desk.list.content_changed)
    window.page.header.search.set_text("")
    await answer
    await go(desk, Place(Tier.CHANNEL))
    answer = Once(desk.list.content_changed)
    window.page.header.sort_chosen.emit(MemorySort.RELEVANCE)
    await answer
    await select(desk, window, 4)


async def show_account(desk: MemoryDesk, window: MainWindow) -> None:
    """The Account tier."""
    await go(desk, Place(Tier.ACCOUNT))
    await select(desk, window, 0)


async def show_new(desk: MemoryDesk, _window: MainWindow) -> None:
    """A memory about to be written."""
    await go(desk, Place(Tier.WORKSPACE))
    answer = Once(desk.subject.state_changed)
    desk.new_memory()
    await answer


async def show_worth_a_look(desk: MemoryDesk, window: MainWindow) -> None:
    """A list worth a look, opened from the Control plane."""
    control = window.desks.control if window.desks is not None else None
    rows = control.tiers.view.look.rows if control is not None else ()
    if rows:
        answer = Once(desk.list.content_changed)
        kind, (tier, *_) = rows[0].facts.kind, rows[0].facts.tiers[-1]
        rows[0].chosen.emit(kind, tier)
        await answer


async def show_empty(desk: MemoryDesk, window: MainWindow) -> None:
    """A workspace without memories."""
    window.show_page(MEMORY_PAGE)
    desk.subject.show_nothing()
    here = desk.shell.surroundings
    if here is not None:
        answer = Once(desk.list.content_changed)
        await desk.shell.open_workspace(here.workspaces[-1].id)
        await answer
