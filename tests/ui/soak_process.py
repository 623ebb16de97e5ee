"""Random actions on a window over the sample world, in a process of its own.

Arguments: the data root, the number of actions, the seed. Says one JSON document at the end; what
no code caught goes to standard error and fails the run.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sys
import traceback
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from benchmarks.measuring import resident_bytes
from inklings_desktop.freed_memory import give_back, share_one_heap
from inklings_desktop.settings import Appearance
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.ui.app.application import GarbageCollection
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.window.main_window import MainWindow
from tests.ui.monkey import Monkey, settle_popups
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from types import TracebackType

    from PySide6.QtCore import QMessageLogContext

    from tests.ui.presenter_bench import Bench

LOOK_EVERY = 1_000
"""Actions between two looks at what the process takes."""
N_COMPARED = 5
"""Looks of which the middle one counts: one alone is off by up to 5 % (measured)."""
SIZE = (1440, 900)
REST_SECONDS = 0.5
EXIT_BUGS = 70
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Look:
    """What a process takes, and what it has been given to keep.

    Attributes:
        resident_bytes: Memory in use, once what can be freed is freed.
        n_worlds: Workspaces.
        n_rows: Memories and events in all files.
        n_file_bytes: Size of all database files.
    """

    resident_bytes: int
    n_worlds: int
    n_rows: int
    n_file_bytes: int

    @classmethod
    def at(cls, root: Path) -> Look:
        """How it stands now."""
        gc.collect()
        give_back()
        files = [root / "agents.db", *root.glob("workspaces/*/agents.db")]
        n_bytes = sum(path.stat().st_size for path in files)
        n_rows = sum(map(_n_rows, files))
        return cls(resident_bytes(), len(files) - 1, n_rows, n_bytes)

    @property
    def mib(self) -> float:
        """Memory in use, in MiB."""
        return round(self.resident_bytes / MIB, 1)

    def told(self) -> dict[str, float]:
        """For a report."""
        return {
            "mib": self.mib,
            "worlds": self.n_worlds,
            "rows": self.n_rows,
            "files_mib": round(self.n_file_bytes / MIB, 1),
        }


def main(root: str, n_actions: str, seed: str) -> int:
    """Act, and say what it came to."""
    share_one_heap()
    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=False)
    theme.apply(app)
    bugs: list[str] = []
    _collect_into(bugs)
    with (
        a_bench(Path(root), with_clock=True) as bench,
        asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner,
    ):
        said = runner.run(_soaked(bench, theme, Path(root), int(n_actions), int(seed), bugs))
    sys.stdout.write(json.dumps(said) + "\n")
    if not bugs:
        return 0
    # Some only come up while the window closes.
    sys.stderr.write("\n".join(bugs) + "\n")
    return EXIT_BUGS


async def _soaked(
    bench: Bench, theme: Theme, root: Path, n_actions: int, seed: int, bugs: list[str]
) -> dict[str, object]:
    garbage = GarbageCollection()
    background = Background(lambda error: bugs.append(_told(error)))
    window = MainWindow(theme, root, Appearance())
    window.resize(*SIZE)
    window.show()
    await window.attach(background, bench.inklings)
    monkey = Monkey(window, random.Random(seed))  # noqa: S311 - a walk
    looks: list[Look] = []
    n_done = 0
    try:
        for n_done in range(n_actions):
            if n_done % LOOK_EVERY == 0:
                looks.append(await _look(window, theme, root))
            await monkey.act()
            if bugs:
                sys.stderr.write("\n".join(monkey.last) + "\n")
                break
        looks.append(await _look(window, theme, root))
    finally:
        garbage.stop()
        window.detach()
        window.hide()
        await background.close()
        window.deleteLater()
        await asyncio.sleep(0)
    # Pages are built when first shown and caches fill: growth is counted from a quarter on.
    quarter = len(looks) // 4 + 1
    warm, end = _middle(looks[:quarter]), _middle(looks)
    return {
        "n_actions": n_done + 1,
        "kinds": dict(monkey.done),
        "warm": warm.told(),
        "end": end.told(),
        "mib": [look.mib for look in looks],
        "growth": round(end.resident_bytes / warm.resident_bytes - 1.0, 4),
        "bugs": bugs,
    }


def _middle(looks: list[Look]) -> Look:
    """The look of the last few that is larger than half of them."""
    few = sorted(looks[-N_COMPARED:], key=lambda look: look.resident_bytes)
    return few[len(few) // 2]


async def _look(window: MainWindow, theme: Theme, root: Path) -> Look:
    """How it stands with nothing over the window, at one size of it and of its text.

    Pictures of it and letters take MiB each, and more the larger they are.
    """
    await settle_popups()
    window.resize(*SIZE)
    theme.set_text_scale(1.0)
    await asyncio.sleep(REST_SECONDS)
    return Look.at(root)


def _collect_into(bugs: list[str]) -> None:
    """Hear of everything that Python and Qt only print."""

    def on_exception(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        bugs.append(_told(error))
        sys.__excepthook__(kind, error, trace)

    def on_unraisable(what: sys.UnraisableHookArgs) -> None:
        bugs.append(f"{what.err_msg}: {what.exc_value!r} in {what.object!r}")

    def on_qt(kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
        if kind in {QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg}:
            bugs.append(f"Qt: {text}")
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    sys.excepthook = on_exception
    sys.unraisablehook = on_unraisable
    qInstallMessageHandler(on_qt)


def _told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def _n_rows(path: Path) -> int:
    with closing(connect_raw(path, read_only=True)) as connection:
        counts = "SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM events)"
        n_rows: int = connection.execute(counts).fetchone()[0]
    return n_rows


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
