"""Types into a memory for ever, one word after the other, until it is killed.

Says ``ready``, then every word with the moment at which it was typed. With ``new`` as its second
argument it types into a memory that was never stored.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.memory.subject.state import InspectorMode
from tests.support.stopwatch import Stopwatch
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

os.environ["QT_QPA_PLATFORM"] = "offscreen"

SECONDS_PER_WORD = 0.03


def main() -> None:
    """Type into the only memory of the data root that is named on the command line."""
    app = QApplication([])
    drive(Path(sys.argv[1]), _one_memory, _type_for_ever)
    app.quit()


def _one_memory(bench: Bench) -> None:
    bench.put("As it was saved.")


async def _type_for_ever(bench: WindowBench) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    subject = bench.memory.subject
    if sys.argv[2:] == ["new"]:
        bench.memory.new_memory()
        await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    else:
        page = bench.window.page
        page.list_cursor.select(page.rows[1].id)
        await bench.until(lambda: subject.current_entry is not None)
    editor = bench.window.inspector.editor
    editor.setFocus()
    editor.selectAll()
    print("ready", flush=True)  # noqa: T201  the parent listens
    number, watch = 0, Stopwatch()
    while True:
        number += 1
        QTest.keyClicks(editor, f"w{number} ")
        print(f"w{number} {watch.seconds}", flush=True)  # noqa: T201  the parent listens
        await asyncio.sleep(SECONDS_PER_WORD)


if __name__ == "__main__":
    main()
