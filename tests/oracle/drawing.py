"""Draws every state in a process of its own, with nothing of the machine in the pictures.

python -m tests.oracle.drawing FOLDER [short]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

SHORT = "short"
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>'


def main(folder: Path, *, is_short: bool) -> None:
    """Draw into an empty folder: every state, or some."""
    with tempfile.TemporaryDirectory(prefix="inklings-states-") as name:
        scratch = Path(name)
        fonts = scratch / "fonts.conf"
        fonts.write_text(NO_FONTS, encoding="utf-8")
        os.environ |= {
            "QT_QPA_PLATFORM": "offscreen",
            "FONTCONFIG_FILE": str(fonts),  # the program's own faces are all there is
            "LOGNAME": "ottoline",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        time.tzset()
        draw(scratch, folder, is_short=is_short)


def draw(scratch: Path, folder: Path, *, is_short: bool) -> None:
    """Draw where everything of the machine is shut out."""
    from PySide6.QtGui import QAccessible
    from PySide6.QtWidgets import QApplication

    from inklings_desktop.ui.app.application import GarbageCollection
    from tests.end2end.state_tours import draw_all

    app = QApplication(sys.argv[:1])
    app.setApplicationName("Inklings")
    QAccessible.setActive(True)
    garbage = GarbageCollection()
    draw_all(scratch, folder, is_short=is_short)
    garbage.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), is_short=sys.argv[2:] == [SHORT])
