"""What the states of the tour share: going somewhere, and waiting until it is on show."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, SignalInstance, Slot

from inklings_desktop.ui.memory.list.content import selectable_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from inklings_desktop.ui.kit.words.places import Place
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
