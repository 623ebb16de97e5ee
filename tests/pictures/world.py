"""States of the tour on the author's own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inklings_desktop.ui.kit.ops.page_spec import WORLD_PAGE
from inklings_desktop.ui.tour.tour import settle, until
from inklings_desktop.ui.world.changed_tab import ChangedTab
from inklings_desktop.ui.world.proposed_tab import ProposedTab

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.ui.world.page import WorldPage

PAGE, SAYS = "people/nerys-talwater.md", "no left and no right"


async def show_pages(_memory: MemoryPage, window: MainWindow) -> None:
    """A page of the author's, at a block that memories come from."""
    opened = window.opened
    assert opened is not None
    window.show_page(WORLD_PAGE)
    await until(lambda: opened.pages.page(WORLD_PAGE) is not None)
    tab = cast("WorldPage", opened.pages.page(WORLD_PAGE)).pages_tab
    await until(lambda: tab.shown is not None)
    tab.go_to(PAGE)
    await until(lambda: tab.shown is not None and tab.shown.whole.page.path == PAGE)
    assert tab.shown is not None
    block = next(one for one in tab.shown.whole.blocks if SAYS in one.text)
    tab.on_block_chosen(block.id)
    await until(lambda: block.id in tab.axes)
    await settle()


async def show_changed(_memory: MemoryPage, window: MainWindow) -> None:
    """What changed under memory, the newest change open."""
    assert window.opened is not None
    page = cast("WorldPage", window.opened.pages.page(WORLD_PAGE))
    page.show_tab(ChangedTab.key)
    await until(lambda: page.tabs[ChangedTab.key].content is not None)
    await settle()


async def show_proposed(_memory: MemoryPage, window: MainWindow) -> None:
    """What agents would change of pages, the newest wish open."""
    assert window.opened is not None
    page = cast("WorldPage", window.opened.pages.page(WORLD_PAGE))
    page.show_tab(ProposedTab.key)
    await until(lambda: page.tabs[ProposedTab.key].content is not None)
    await settle()


async def show_no_folder(_memory: MemoryPage, window: MainWindow) -> None:
    """The same page where no folder is linked, as in a world that was just made."""
    opened = window.opened
    assert opened is not None
    window.show_page(WORLD_PAGE)
    page = cast("WorldPage", opened.pages.page(WORLD_PAGE))
    await until(lambda: page.content is not None and not page.content.looks)
    await settle()
