"""The window of a program that is ahead, on a data root of the version before.

Says what its status bar said until the data was on show, as one JSON list. Each step of the
upgrade waits until the bar has spoken of it: where the window hung meanwhile, nothing would end.
Argument: the data root.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from inklings_desktop.bootstrap import run_window
from inklings_desktop.storage.migrations.lineage import Lineage
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from inklings_desktop.ui.window.main_window import MainWindow
from tests.storage.later_schema import LATER, defaults
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LOOK_AGAIN_MS = 10


class Awaited:
    """The statements of a step, held back until the window has said which step it is."""

    def __init__(self, statements: Iterable[str], step: int, heard: threading.Condition) -> None:
        self._statements, self._heard = statements, heard
        self._word = f"step {step} of"

    def __iter__(self) -> Iterator[str]:
        with self._heard:
            assert self._heard.wait_for(lambda: said and self._word in said[-1], HANG_SECONDS)
        yield from self._statements


said: list[str] = []


def main(root: str) -> int:
    """Open the window, close it once its data is on show, and say what it said."""
    heard = threading.Condition()
    steps = tuple(
        replace(one, statements={k: Awaited(s, number, heard) for k, s in one.statements.items()})
        for number, one in enumerate(LATER.after(SCHEMA_VERSION), start=1)
    )
    before = LATER.migrations[: -len(steps)]
    defaults()["lineage"] = Lineage((*before, *steps), LATER.is_current)
    app = QApplication([])

    def look() -> None:
        for window in (one for one in app.topLevelWidgets() if isinstance(one, MainWindow)):
            text = window.status.currentMessage()
            if text != (said[-1] if said else ""):
                with heard:
                    said.append(text)
                    heard.notify_all()
            if window.memory is not None and window.memory.shell.surroundings is not None:
                looking.stop()
                window.close()

    looking = QTimer(app)
    looking.timeout.connect(look)
    looking.start(LOOK_AGAIN_MS)
    status = run_window(Path(root))
    sys.stdout.write(json.dumps(said))
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
