"""The window in a process of its own, used by nobody patient, until it is told to stop.

Says ``ready`` on standard output once its first rows are on show, then searches, scrolls and
changes tabs; at the next line on standard input it ends with one JSON line: the gaps between two
turns of the window's event loop, and how many memories the header counts.

    python -m benchmarks.window_in_use ROOT
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from benchmarks.window_responsiveness import (
    Heartbeat,
    changing_tabs,
    idling,
    scrolling,
    typing_by_keyword,
    typing_hybrid,
)
from inklings_desktop.bootstrap import WINDOW_DRAIN_SECONDS, open_inklings
from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.scheduler.hosting import clock_running
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings

ACTIVITIES = (typing_by_keyword, scrolling, changing_tabs, typing_hybrid, idling)


def main(root: Path) -> None:
    """Open the window and use it."""
    app = QApplication([])
    theme = Theme(SchemeChoice.LIGHT)
    theme.apply(app)
    person = Caller.person("Ada", Door.WINDOW)
    with (
        open_inklings(
            root, caller=person, embed_writes=False, drain_seconds=WINDOW_DRAIN_SECONDS
        ) as inklings,
        clock_running(inklings, WINDOW_DRAIN_SECONDS) as running,
        asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner,
    ):
        gaps = runner.run(used(theme, root, running))
    print(json.dumps({"gaps_ms": [round(gap, 2) for gap in gaps]}), flush=True)


async def used(theme: Theme, root: Path, inklings: Inklings) -> list[float]:
    """The gaps in milliseconds while the window was used."""
    background = Background(lambda error: print("bug:", repr(error), file=sys.stderr))
    window = MainWindow(theme, root, Appearance())
    window.show()
    await window.attach(background, inklings)
    beat = Heartbeat()
    try:
        for activity in ACTIVITIES:  # once unmeasured: fonts, model and caches are warm after it
            await activity(window)
        print("ready", flush=True)
        told = asyncio.ensure_future(asyncio.to_thread(sys.stdin.readline))
        with beat.listening() as gaps:
            while not told.done():
                for activity in ACTIVITIES:
                    await activity(window)
                    if told.done():
                        break
    finally:
        window.detach()
        window.hide()
        await background.close()
        window.deleteLater()
    return gaps


if __name__ == "__main__":
    main(Path(sys.argv[1]))
