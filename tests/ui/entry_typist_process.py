"""Types into the Named entries page for ever, one word after the other, until it is killed.

Says ``ready``, then every word with the moment at which it was typed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.stopwatch import Stopwatch
from tests.ui.entries_bench import drive

if TYPE_CHECKING:
    from tests.ui.entries_bench import EntriesBench
    from tests.ui.presenter_bench import Bench

os.environ["QT_QPA_PLATFORM"] = "offscreen"

SECONDS_PER_WORD = 0.03


def main() -> None:
    """Type into VOICE of the data root that is named on the command line."""
    app = QApplication([])
    drive(Path(sys.argv[1]), _nothing, _type_for_ever)
    app.quit()


def _nothing(_bench: Bench) -> None:
    """VOICE is there from the first moment."""


async def _type_for_ever(bench: EntriesBench) -> None:
    await bench.open("VOICE")
    editor = bench.view.editor.editor
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
