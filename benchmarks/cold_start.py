"""What starting the window costs, each beside a process that shows a bare QMainWindow.

Both are the program as a person starts it, up to a moment: clock, watch on other processes and all.
CPU seconds of whole processes, user and system, medians over several runs in turn. Every program
starts from its bytecode, as an installed one does: it is kept in a folder of this run's own and
made by one uncounted start of each, whatever the surrounding environment says about writing it.

    python -m benchmarks.cold_start [--runs 7] [--memories 10000] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.made_worlds import make_world

BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.resize(1440, 900)
window.show()
app.processEvents()
window.grab()
"""

OURS = """
import os, sys
from pathlib import Path
from inklings_desktop.bootstrap import run_window
from inklings_desktop.ui.app.plain_imports import import_plainly
import_plainly()  # where the program itself does it, and no Qt before: PySide reads what follows
from PySide6.QtCore import QTimer
from inklings_desktop.ui.app import application as app
root, until = Path(sys.argv[1]), sys.argv[2]

class Watched(app.MainWindow):
    async def painted_once(self):
        await super().painted_once()
        if until == "paint":
            os._exit(0)

    def furnish(self):
        super().furnish()
        shown = self.page.show_content
        def show(content, *rest):
            shown(content, *rest)
            if content.rows:
                QTimer.singleShot(0, self.leave)
        self.page.show_content = show

    def leave(self):
        self.grab()
        os._exit(0)

app.MainWindow = Watched
run_window(root)
os._exit(1)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as bytecode:
        root = Path(folder)
        make_world(root, chosen.memories, with_vectors=False)
        programs = {
            "bare window": [BARE],
            "first paint": [OURS, folder, "paint"],
            "first page of rows": [OURS, folder, "rows"],
        }
        seconds: dict[str, list[float]] = {name: [] for name in programs}
        for round_ in range(chosen.runs + 1):
            for name, arguments in programs.items():
                spent = cpu_seconds(arguments, Path(bytecode))
                if round_:  # the first round fills the disk's cache and compiles the modules
                    seconds[name].append(spent)
    medians = {name: statistics.median(row) for name, row in seconds.items()}
    bare = medians["bare window"]
    document = {
        "runs": chosen.runs,
        "memories": chosen.memories,
        "rows": {
            name: {"cpu_s": round(median, 3), "ratio": round(median / bare, 2)}
            for name, median in medians.items()
        },
        "goals": {"first paint": 2.2, "first page of rows": 5.0},
    }
    if chosen.json:
        print(json.dumps(document, indent=2))
        return
    print(f"CPU seconds of the whole process, median of {chosen.runs}; {chosen.memories} memories")
    for name, median in medians.items():
        print(f"{name:20} {median:6.3f}   {median / bare:5.2f} x the bare window")


def cpu_seconds(arguments: list[str], bytecode: Path | None) -> float:
    """User and system time of one process that runs a program to its end.

    Args:
        arguments: The program and what it is told.
        bytecode: Folder where compiled modules are kept between processes; None for the usual one.
    """
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": ""}
    if bytecode is not None:
        environment["PYTHONPYCACHEPREFIX"] = str(bytecode)
    process = subprocess.Popen(
        [sys.executable, "-c", *arguments], env=environment, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, arguments[0][:40])
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
