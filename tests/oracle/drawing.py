"""Draws every state in a process of its own, with nothing of the machine in the pictures.

python -m tests.oracle.drawing FOLDER [--short] [--voice de] [--text-scale 1.4] [--size 960x600]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

SHORT = "--short"
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>'


def main(chosen: argparse.Namespace) -> None:
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
        draw(scratch, chosen)


def draw(scratch: Path, chosen: argparse.Namespace) -> None:
    """Draw where everything of the machine is shut out."""
    from PySide6.QtGui import QAccessible
    from PySide6.QtWidgets import QApplication

    from inklings_desktop.ui.app.application import GarbageCollection
    from tests.end2end.state_tours import draw_all
    from tests.oracle.pose import Pose, take_pose

    app = QApplication(sys.argv[:1])
    app.setApplicationName("Inklings")
    QAccessible.setActive(True)
    garbage = GarbageCollection()
    width, _, height = chosen.size.partition("x")
    take_pose(app, Pose(chosen.voice, chosen.text_scale, (int(width), int(height))))
    draw_all(scratch, chosen.folder, is_short=chosen.short)
    garbage.stop()


def asked() -> argparse.Namespace:
    """What is to be drawn, as the command line has it."""
    parser = argparse.ArgumentParser(prog="drawing", description=__doc__)
    parser.add_argument("folder", type=Path, help="an empty folder for the pictures")
    parser.add_argument(SHORT, action="store_true", help="some states alone")
    parser.add_argument("--voice", default="en", help="en, de, fr, pseudo or mirrored")
    parser.add_argument("--text-scale", type=float, default=1.0, help="0.9 to 1.4")
    parser.add_argument("--size", default="1440x900", help="of the window, in pixels")
    return parser.parse_args()


if __name__ == "__main__":
    main(asked())
