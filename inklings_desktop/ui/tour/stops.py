"""The pictures of the tour: one state of each page, and how the window comes to show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.tour.steps import go, select, until
from inklings_desktop.ui.turn.rows import CandidateRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

FULL = (1440, 900)
ASKED = "What does Nerys notice first when the keeper tilts the plate?"


@dataclass(frozen=True, slots=True)
class Stop:
    """One state, drawn in both themes.

    Attributes:
        name: File name without theme and ending.
        go: Brings the window into the state to be drawn.
        size: Width and height of the window in pixels.
    """

    name: str
    go: Callable[[MemoryPage, MainWindow], Awaitable[None]]
    size: tuple[int, int] = FULL


async def show_workspace(memory: MemoryPage, window: MainWindow) -> None:
    """The Workspace tier with a memory in the inspector."""
    await go(memory, Place(Tier.WORKSPACE))
    await select(memory, window, 3)


async def show_entries(_memory: MemoryPage, window: MainWindow) -> None:
    """Named entries, split."""
    window.show_page(ENTRIES_PAGE)


async def show_preview(_memory: MemoryPage, window: MainWindow) -> None:
    """The next turn, with one memory explained."""
    window.show_page(PREVIEW_PAGE)
    opened = window.opened
    await until(lambda: opened is not None and opened.preview is not None)  # it may be loaded now
    preview = opened.preview if opened is not None else None
    if preview is None:
        return
    await until(lambda: preview.content is not None)
    page = preview.view
    page.message.set_text(ASKED)
    await until(lambda: preview.content is not None and preview.content.request.message == ASKED)
    found = [row.id for row in page.table.rows if isinstance(row, CandidateRow)]
    scored = [one for one in found if (at := preview.place_of(one)) and at.why.order]
    if scored:
        page.table.select(scored[len(scored) // 2])


async def show_control(_memory: MemoryPage, window: MainWindow) -> None:
    """The tiers in the Control plane."""
    window.show_page(CONTROL_PAGE)
    await until(lambda: window.opened is None or window.opened.control is not None)
    control = window.opened.control if window.opened is not None else None
    if control is not None:
        control.refresh()
        await until(lambda: control.tiers.content is not None and control.tiers.has_table)
        await control.tiers.settled()


STOPS = (
    Stop("01-memory", show_workspace),
    Stop("02-named-entries", show_entries),
    Stop("06-orientation-preview", show_preview),
    Stop("04a-control-plane", show_control),
)
