"""Random actions on a window over the sample world, in a process of its own.

Arguments: the data root, the number of actions, the seed. Says one JSON document at the end; what
no code caught goes to standard error and fails the run.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop.settings import Appearance
from inklings_desktop.ui.background import Background
from inklings_desktop.ui.main_window import MainWindow
from inklings_desktop.ui.theme import SchemeChoice, Theme
from tests.ui.monkey import Monkey, settle_popups
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from types import TracebackType

    from PySide6.QtCore import QMessageLogContext

    from tests.ui.presenter_bench import Bench

# Pages are built when first shown and caches fill: growth is counted from here on.
WARM_UP_SHARE = 0.25
EXIT_BUGS = 70
MIB = 1 << 20


def main(root: str, n_actions: str, seed: str) -> int:
    """Act, and say what it came to."""
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
    return EXIT_BUGS if bugs else 0


async def _soaked(
    bench: Bench, theme: Theme, root: Path, n_actions: int, seed: int, bugs: list[str]
) -> dict[str, object]:
    background = Background(lambda error: bugs.append(_told(error)))
    window = MainWindow(theme, root, Appearance())
    window.resize(1440, 900)
    window.show()
    await window.attach(background, bench.inklings)
    monkey = Monkey(window, random.Random(seed))  # noqa: S311 - a walk
    warm = 0
    n_done = 0
    try:
        for n_done in range(n_actions):
            if n_done == int(n_actions * WARM_UP_SHARE):
                warm = _resident_bytes()
            await monkey.act()
            if bugs:
                sys.stderr.write("\n".join([*monkey.last, *bugs]) + "\n")
                break
        settle_popups()
        end = _resident_bytes()
    finally:
        window.detach()
        window.hide()
        await background.close()
        window.deleteLater()
        await asyncio.sleep(0)
    return {
        "n_actions": n_done + 1,
        "kinds": dict(monkey.done),
        "warm_mib": round(warm / MIB, 1),
        "end_mib": round(end / MIB, 1),
        "growth": round(end / warm - 1.0, 4) if warm else None,
        "bugs": bugs,
    }


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


def _resident_bytes() -> int:
    """Memory of this process that is in use now; Linux says it in pages."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
