"""States of the tour on the Memory page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.content import selectable_ids
from inklings_desktop.ui.tour.tour import Once, go, select

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

SEARCHED = "harbour glass"
CHECKED = 3
TAG = "atlas"


async def show_conversation(memory: MemoryPage, window: MainWindow) -> None:
    """One conversation with its working notes."""
    here = memory.shell.surroundings
    rooms = here.open_conversations if here else ()
    await go(memory, Place(Tier.CONVERSATION, rooms[0].id if rooms else None))
    await select(memory, window, 0)


async def show_search(memory: MemoryPage, window: MainWindow) -> None:
    """What a search finds."""
    await go(memory, Place(Tier.WORKSPACE))
    answer = Once(memory.list.content_changed)
    window.page.header.search.set_text(SEARCHED)
    await answer
    await select(memory, window, 0)


async def check_many(memory: MemoryPage, window: MainWindow) -> None:
    """Three memories checked and a tag to be added."""
    memory.acts.selection.check(selectable_ids(window.page.rows)[:CHECKED])
    window.inspector.many.field.added.emit(TAG)


async def show_all_tiers(memory: MemoryPage, window: MainWindow) -> None:
    """The same search in all tiers."""
    memory.acts.selection.clear()
    answer = Once(memory.list.content_changed)
    window.page.foot.toggle_everywhere()
    await answer


async def show_missing(memory: MemoryPage, window: MainWindow) -> None:
    """Why one memory is not among the hits."""
    answer = Once(memory.list.content_changed)
    window.page.foot.toggle_everywhere()
    await answer
    window.page.foot.missing.click()
    await memory.why.settled()
    if memory.why.popover is not None and memory.why.popover.list.count():
        memory.why.popover.list.setCurrentRow(0)
        await memory.why.settled()


async def leave_missing(memory: MemoryPage, _window: MainWindow) -> None:
    """Close the question why."""
    if memory.why.popover is not None:
        memory.why.popover.close()


async def show_channels(memory: MemoryPage, window: MainWindow) -> None:
    """All channels by relevance."""
    answer = Once(memory.list.content_changed)
    window.page.header.search.set_text("")
    await answer
    await go(memory, Place(Tier.CHANNEL))
    answer = Once(memory.list.content_changed)
    window.page.header.sort_chosen.emit(MemorySort.RELEVANCE)
    await answer
    await select(memory, window, 4)


async def show_account(memory: MemoryPage, window: MainWindow) -> None:
    """The Account tier."""
    await go(memory, Place(Tier.ACCOUNT))
    await select(memory, window, 0)


async def show_new(memory: MemoryPage, _window: MainWindow) -> None:
    """A memory about to be written."""
    await go(memory, Place(Tier.WORKSPACE))
    answer = Once(memory.subject.state_changed)
    memory.new_memory()
    await answer


async def show_worth_a_look(memory: MemoryPage, window: MainWindow) -> None:
    """A list worth a look, opened from the Control plane."""
    control = window.opened.control if window.opened is not None else None
    rows = control.tiers.view.look.rows if control is not None else ()
    if rows:
        answer = Once(memory.list.content_changed)
        kind, (tier, *_) = rows[0].facts.kind, rows[0].facts.tiers[-1]
        rows[0].chosen.emit(kind, tier)
        await answer


async def show_empty(memory: MemoryPage, window: MainWindow) -> None:
    """A workspace without memories."""
    window.show_page(MEMORY_PAGE)
    memory.subject.show_nothing()
    here = memory.shell.surroundings
    if here is not None:
        answer = Once(memory.list.content_changed)
        await memory.shell.open_workspace(here.workspaces[-1].id)
        await answer
