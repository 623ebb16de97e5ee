"""A day of a fact: settled from a page, the page changes, superseded, told at the next turn."""

from __future__ import annotations

import os
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE, WORLD_PAGE
from inklings_desktop.ui.tour.tour import Stop, settle, show_preview, until
from inklings_desktop.ui.turn.rows import CandidateRow
from inklings_desktop.ui.world.changed_tab import ChangedTab
from inklings_desktop.usecases.knowledge.values import FactDraft, FactSearch
from tests.end2end.state_dialogs import cleared, over
from tests.end2end.state_worlds import WORLD
from tests.support.builders import NOON

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.domain.knowledge.facts import FactView
    from inklings_desktop.ui.knowledge.page import KnowledgePage
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.ui.world.page import WorldPage
    from inklings_desktop.usecases.bundle import Inklings

DAY = ("day-1-settled", "day-2-page-changed", "day-3-superseding", "day-4-next-turn")
TITLE = "Ysolde Prow"
BEFORE, AFTER = (
    f"She steers with her {hand} hand and ties no knot that she cannot open with her teeth."
    for hand in ("left", "right")
)
SETTLED, THEN = f"{TITLE} steers with her left hand.", f"{TITLE} steers with her right hand."
ASKED = "Which hand does Ysolde Prow steer with?"


def write_page(pages: Path, says: str, ago: timedelta) -> None:
    """Write the only page of a folder of the author's, so long ago."""
    pages.mkdir(exist_ok=True)
    page, at = pages / "ysolde-prow.md", (NOON - ago).timestamp()
    page.write_text(f"# {TITLE}\n\n## At the helm\n\n{says}\n", encoding="utf-8")
    os.utime(page, (at, at))


def settle_fact(inklings: Inklings, pages: Path) -> None:
    """Link the folder, and state what its page says as a fact."""
    here = world_id(inklings)
    write_page(pages, BEFORE, timedelta(days=3))
    inklings.world.link(here, pages, name="new-chapters")
    inklings.world.look(here)
    source = f"{TITLE}#At the helm"
    inklings.facts.put(here, FactDraft("people", "Ysolde/hand", SETTLED, sources=(source,)))


def world_id(inklings: Inklings) -> str:
    """Id of the workspace with the sample memories."""
    return next(one.id for one in inklings.places.workspaces() if one.name == WORLD)


def day_stops(inklings: Inklings, pages: Path) -> tuple[Stop, ...]:
    """In the order of ``DAY``: each follows from the one before."""
    first, second, third, fourth = DAY
    return (
        Stop(first, partial(show_fact, says=SETTLED)),
        Stop(second, partial(change_page, inklings=inklings, pages=pages)),
        Stop(third, begin_superseding),
        Stop(fourth, partial(tell_next_turn, inklings=inklings)),
    )


async def show_fact(_memory: MemoryPage, window: MainWindow, says: str) -> None:
    """The fact among the others of its domain, with the page that it comes from."""
    opened = window.opened
    assert opened is not None
    window.show_page(KNOWLEDGE_PAGE)
    await until(lambda: opened.pages.page(KNOWLEDGE_PAGE) is not None)
    tab = cast("KnowledgePage", opened.pages.page(KNOWLEDGE_PAGE)).facts
    await until(lambda: tab.content is not None and says in _texts(tab.content.shown))
    assert tab.content is not None
    id_ = next(one.fact.memory.id for one in tab.content.shown if one.fact.memory.content == says)
    tab.go_to(id_)
    await until(lambda: tab.known is not None and tab.known.id == id_)
    await settle()


async def change_page(
    _memory: MemoryPage, window: MainWindow, inklings: Inklings, pages: Path
) -> None:
    """The author writes otherwise, and the fact stands under what changed."""
    write_page(pages, AFTER, timedelta(hours=1))
    here = world_id(inklings)
    inklings.derivations.notice(here, inklings.world.look(here))
    assert window.opened is not None
    window.show_page(WORLD_PAGE)
    pages_of = window.opened.pages
    await until(lambda: pages_of.page(WORLD_PAGE) is not None)
    page = cast("WorldPage", pages_of.page(WORLD_PAGE))
    page.show_tab(ChangedTab.key)
    tab = cast("ChangedTab", page.tabs[ChangedTab.key])
    tab.read_again()
    await until(lambda: _doubted(tab) != "")
    tab.choose(_doubted(tab))
    await settle()


async def begin_superseding(memory: MemoryPage, window: MainWindow) -> None:
    """What is asked before a later fact takes the place of this one."""
    await show_fact(memory, window, SETTLED)
    button = window.findChild(QAbstractButton, "supersedeFact")
    assert button is not None
    button.click()
    await until(lambda: bool(over(window)))
    await settle()


async def tell_next_turn(memory: MemoryPage, window: MainWindow, inklings: Inklings) -> None:
    """The next turn is told the later fact."""
    await cleared(window)
    here = world_id(inklings)
    found = inklings.facts.search(here, FactSearch(SETTLED))[0].view.fact.memory
    inklings.facts.supersede(found.ref, THEN, reason="Chapter 9 turns her round.")
    await show_preview(memory, window)
    opened = window.opened
    assert opened is not None
    preview = opened.preview
    assert preview is not None
    preview.view.message.set_text(ASKED)
    await until(lambda: (now := preview.content) is not None and now.request.message == ASKED)
    table = preview.view.table
    told = next(one for one in table.rows if isinstance(one, CandidateRow) and THEN in one.excerpt)
    table.select(told.id)
    await settle()


def _doubted(tab: ChangedTab) -> str:
    """Key of what is remembered from the page, once its source changed; empty before."""
    doubts = () if tab.content is None else tab.content.doubts
    return next((one.key for one in doubts if one.memory.content == SETTLED), "")


def _texts(shown: Sequence[FactView]) -> list[str]:
    return [one.fact.memory.content for one in shown]
