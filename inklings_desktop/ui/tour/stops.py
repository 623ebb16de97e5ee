"""The pictures of the tour: one state of each page, and how the window comes to show it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, SignalInstance, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.content import selectable_ids
from inklings_desktop.ui.turn.rows import CandidateRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from typing import Any

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow


ANSWER_SECONDS = 20.0
PAUSE_SECONDS = 0.05
SETTLE_ROUNDS = 8


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, but not for ever."""
    for _ in range(round(ANSWER_SECONDS / PAUSE_SECONDS)):
        if holds():
            return
        await asyncio.sleep(PAUSE_SECONDS)


class Once(QObject):
    """The next time a signal is emitted, to be awaited."""

    def __init__(self, signal: SignalInstance) -> None:
        super().__init__()
        self._signal = signal
        self._heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        signal.connect(self._on_heard)

    def __await__(self) -> Generator[Any, None, None]:
        """Wait for the signal, but not for ever."""
        return asyncio.wait_for(self._heard, ANSWER_SECONDS).__await__()

    @Slot()
    def _on_heard(self) -> None:
        self._signal.disconnect(self._on_heard)
        if not self._heard.done():
            self._heard.set_result(None)


async def go(memory: MemoryPage, place: Place) -> None:
    """Show a place and wait for its list."""
    if memory.shell.place == place:
        return
    answer = Once(memory.list.content_changed)
    memory.shell.go(place)
    await answer


async def select(memory: MemoryPage, window: MainWindow, place: int) -> None:
    """Open the memory or note at a place of the list, or the last there is."""
    ids = selectable_ids(window.page.rows)
    if not ids:
        return
    wanted = ids[min(place, len(ids) - 1)]
    if window.page.list_cursor.current_id() == wanted:
        return
    shown = memory.subject.current_ref
    if shown is not None and shown.id == wanted:  # open already: nothing more will be said of it
        window.page.list_cursor.select(wanted, scroll=False)
        return
    answer = Once(memory.subject.state_changed)
    window.page.list_cursor.select(wanted, scroll=False)
    await answer


async def settle() -> None:
    """Let layouts and queued signals come to rest."""
    for _ in range(SETTLE_ROUNDS):
        await asyncio.sleep(0.01)


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
