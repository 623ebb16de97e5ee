"""States of the tour on what is settled, and on who may read and write it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.knowledge.grants_tab import GrantsTab
from inklings_desktop.ui.tour.tour import settle, until

if TYPE_CHECKING:
    from inklings_desktop.ui.knowledge.page import KnowledgePage
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

SAYS = "eleven years after the flood"


async def show_facts(_memory: MemoryPage, window: MainWindow) -> None:
    """A fact that took the place of two, with what it was concluded from."""
    opened = window.opened
    assert opened is not None
    window.show_page(KNOWLEDGE_PAGE)
    await until(lambda: opened.pages.page(KNOWLEDGE_PAGE) is not None)
    tab = cast("KnowledgePage", opened.pages.page(KNOWLEDGE_PAGE)).facts
    await until(lambda: tab.content is not None and bool(tab.content.shown))
    assert tab.content is not None
    (fact,) = [one for one in tab.content.shown if SAYS in one.fact.memory.content]
    tab.go_to(fact.fact.memory.id)
    id_ = fact.fact.memory.id
    await until(lambda: tab.known is not None and tab.known.id == id_)
    await settle()


async def show_grants(_memory: MemoryPage, window: MainWindow) -> None:
    """House rules, which role may do what in which domain, and what agents keep."""
    assert window.opened is not None
    page = cast("KnowledgePage", window.opened.pages.page(KNOWLEDGE_PAGE))
    page.show_tab(GrantsTab.key)
    await until(lambda: page.tabs[GrantsTab.key].content is not None)
    await settle()
