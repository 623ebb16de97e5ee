"""How long the window's thread is busy while a person types, scrolls and changes tabs.

A heartbeat in the window's own thread beats every millisecond; a gap between two beats is how
long the thread was busy. Prints the 95th percentile and the longest gap per activity.

    python -m benchmarks.window_responsiveness [--memories 10000] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from benchmarks.made_worlds import make_world
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.app.application import GarbageCollection
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.usecases.bundle import Inklings

TYPED = "harbour glass and the ledger of gulls"
KEY_SECONDS = 0.06
N_ROUNDS = 3
FRAME_MS = 16.0


class Heartbeat(QObject):
    """Notes the time between two turns of the event loop, in milliseconds.

    Beside it the processor time of the window's thread in that gap: what other programs and the
    machine take away is in the first and not in the second.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps_ms: list[float] = []
        self.worked_ms: list[float] = []
        self._last = time.perf_counter()
        self._last_work = time.thread_time()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._on_timeout)

    @contextmanager
    def listening(self) -> Iterator[list[float]]:
        """The gaps while the block runs."""
        self.gaps_ms, self.worked_ms = [], []
        self._last, self._last_work = time.perf_counter(), time.thread_time()
        self._timer.start()
        try:
            yield self.gaps_ms
        finally:
            self._timer.stop()

    @Slot()
    def _on_timeout(self) -> None:
        now, work = time.perf_counter(), time.thread_time()
        self.gaps_ms.append((now - self._last) * 1000)
        self.worked_ms.append((work - self._last_work) * 1000)
        self._last, self._last_work = now, work


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_world(root, chosen.memories)
        app = QApplication([])
        theme = Theme(SchemeChoice.LIGHT)
        theme.apply(app)
        with (
            open_inklings(root, caller=Caller.person("Ada", Door.WINDOW)) as inklings,
            asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner,
        ):
            figures = runner.run(measured(theme, root, inklings))
    document = {"memories": chosen.memories, "frame_ms": FRAME_MS, "activities": figures}
    if chosen.json:
        print(json.dumps(document, indent=2))
        return
    print(f"{chosen.memories} memories in the tier; milliseconds that the window's thread was busy")
    for name, row in figures.items():
        print(
            f"{name:28} p95 {row['p95_ms']:7.2f}   longest {row['max_ms']:7.2f}   "
            f"most work {row['worked_max_ms']:6.2f}   n {row['n']}"
        )


async def measured(theme: Theme, root: Path, inklings: Inklings) -> dict[str, dict[str, float]]:
    """Figures per activity, over the real window."""
    background = Background(lambda error: print("bug:", repr(error)))
    window = MainWindow(theme, root, Appearance())
    window.show()
    collection = GarbageCollection()  # as the program does
    await window.attach(background, inklings)
    collection.settle()
    beat = Heartbeat()
    figures = {}
    try:
        for name, activity in (
            ("typing a search, keyword", typing_by_keyword),
            ("typing a search, hybrid", typing_hybrid),
            ("scrolling two pages", scrolling),
            ("jumping through the list", jumping),
            ("filtering and sorting", filtering),
            ("going to the end and back", going_to_the_end),
            ("changing tabs", changing_tabs),
            ("idle", idling),
        ):
            await activity(window)  # once unmeasured: fonts, model and caches are warm after it
            with beat.listening() as gaps:
                for _ in range(N_ROUNDS):
                    await activity(window)
            figures[name] = summary(gaps) | {"worked_max_ms": round(max(beat.worked_ms), 2)}
    finally:
        collection.stop()
        window.detach()
        window.hide()
        await background.close()
        window.deleteLater()
    return figures


def summary(gaps: list[float]) -> dict[str, float]:
    """p95, longest and number of gaps."""
    return {
        "p95_ms": round(statistics.quantiles(gaps, n=20)[-1], 2),
        "max_ms": round(max(gaps), 2),
        "over_frame": sum(gap > FRAME_MS for gap in gaps),
        "n": len(gaps),
    }


async def typing_by_keyword(window: MainWindow) -> None:
    """Type a search that is answered by words."""
    window.page.header.search.set_mode("keyword")
    await typed(window)


async def typing_hybrid(window: MainWindow) -> None:
    """Type a search that is answered by words and meaning."""
    window.page.header.search.set_mode("hybrid")
    await typed(window)


async def typed(window: MainWindow) -> None:
    """Press one key after another, wait for the answer, clear the field."""
    field = window.page.header.search
    for character in TYPED:
        QTest.keyClicks(field.edit, character)
        await asyncio.sleep(KEY_SECONDS)
    await asyncio.sleep(0.5)
    field.set_text("")
    await asyncio.sleep(0.3)


async def scrolling(window: MainWindow) -> None:
    """Scroll through the first pages in steps of a row."""
    bar = window.page.table.verticalScrollBar()
    bar.setValue(0)
    for _ in range(120):
        bar.setValue(bar.value() + 260)
        await asyncio.sleep(0.01)
    bar.setValue(0)


async def jumping(window: MainWindow) -> None:
    """Drag the scroll bar through the whole list, as fast as a hand does."""
    bar = window.page.table.verticalScrollBar()
    for step in range(60):
        bar.setValue(round(bar.maximum() * step / 59))
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    bar.setValue(0)


async def filtering(window: MainWindow) -> None:
    """Show the memories of one curator, in each order, then all of them again."""
    desk = window.memory
    assert desk is not None
    whole = desk.list.request
    for sort in MemorySort:
        for curators in (frozenset({Curator.AGENT}), frozenset[Curator]()):
            where = replace(whole.where, curators=curators)
            desk.list.ask(replace(whole, where=where, sort=sort))
            await asyncio.sleep(0.25)
    desk.list.ask(whole)
    await asyncio.sleep(0.25)


async def going_to_the_end(window: MainWindow) -> None:
    """Make the last memory current, then the first; each opens in the inspector."""
    table = window.page.table
    for key in (Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Home):
        QTest.keyClick(table, key)
        await asyncio.sleep(0.3)


async def changing_tabs(window: MainWindow) -> None:
    """Go through the four tiers."""
    desk = window.memory
    assert desk is not None
    for tier in (*Tier, Tier.WORKSPACE):
        desk.shell.go(Place(tier))
        await asyncio.sleep(0.25)


async def idling(_window: MainWindow) -> None:
    """Do nothing: what the machine itself costs."""
    await asyncio.sleep(1.0)


if __name__ == "__main__":
    main()
