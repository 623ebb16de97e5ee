"""The window as a person starts it, with a test in the place of the person.

Says in JSON lines what is on show, obeys words on standard input (``retry``, ``copy``, ``look``,
``speak`` with the name of a language, ``close``), and ends with the window's own exit status.
Argument: the data root.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton

from inklings_desktop.bootstrap import run_window
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.controls.segmented import SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog, MessageDialog
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.settings.groups import APPEARANCE
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.problem_page import ProblemPage
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

Sought = TypeVar("Sought")
EXIT_FAILED = 70
LOOK_AGAIN_SECONDS = 0.01


def main(root: str) -> int:
    """Open the window and do what is said; the window's exit status."""
    app = QApplication([])
    acting: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}

    def act() -> None:
        """Every window has a loop of its own."""
        with suppress(RuntimeError):  # there is none between two of them
            loop = asyncio.get_running_loop()
            if loop not in acting:
                acting[loop] = loop.create_task(_act(app))
                acting[loop].add_done_callback(_end_if_failed)

    begin = QTimer(app)
    begin.timeout.connect(act)
    begin.start(10)
    return run_window(Path(root))


def _end_if_failed(acted: asyncio.Task[None]) -> None:
    """Whoever waits for the next line shall not wait for ever."""
    if not acted.cancelled() and (error := acted.exception()) is not None:
        traceback.print_exception(error)
        sys.stderr.flush()
        os._exit(EXIT_FAILED)


async def _act(app: QApplication) -> None:
    window = await _found(lambda: _main_window(app))
    while True:
        _say(await _found(lambda: _shown(window)))
        word = await asyncio.to_thread(sys.stdin.readline)
        problem = window.findChild(ProblemPage)
        if word.strip() == "retry" and isinstance(problem, ProblemPage):
            problem.show_problem("", "", ())  # whatever is said next is said anew
            problem.retry.click()
        elif word.strip() == "copy" and isinstance(problem, ProblemPage):
            problem.show_problem("", "", ())
            problem.open_copy.click()
            dialog = await _found(lambda: window.findChild(ConfirmDialog))
            dialog.confirm.click()
        elif word.strip() == "look":
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        elif word.startswith("speak "):
            await _speak(window, word.split()[1])
            return
        else:
            window.close()
            return


async def _speak(window: MainWindow, language: str) -> None:
    """Choose a language where it is chosen, and press what starts the window anew."""
    window.go(ToSettings(APPEARANCE, "language"))
    choice = await _found(lambda: window.findChild(SegmentedSwitch, "language"))
    restart = window.findChild(LinkButton, "restartNow")
    assert isinstance(restart, LinkButton)
    await _found(lambda: (choice.isVisible() and not restart.isVisible()) or None)
    next(one for one in choice.findChildren(QAbstractButton) if one.text() == language).click()
    await _found(lambda: restart.isVisible() or None)
    restart.click()


def _main_window(app: QApplication) -> MainWindow | None:
    shown = [one for one in app.topLevelWidgets() if one.isVisible()]
    windows = [one for one in shown if isinstance(one, MainWindow)]
    return windows[0] if windows else None


def _shown(window: MainWindow) -> dict[str, object] | None:
    """What the window says; None while it is still opening."""
    dialogs = [
        label.text()
        for dialog in window.findChildren(MessageDialog)
        for label in dialog.findChildren(QLabel)
    ]
    problem = window.findChild(ProblemPage)
    if isinstance(problem, ProblemPage) and problem.isVisible():
        buttons = [one.text() for one in problem.findChildren(QPushButton) if one.isVisible()]
        words = problem.details().strip().split("\n")
        return {"problem": words, "buttons": buttons, "dialogs": dialogs} if words[0] else None
    if window.memory is None or window.memory.shell.surroundings is None:
        return None
    banner = window.pages.banners.banner
    notice = banner.accessibleName() if banner.isVisible() else ""
    return {"title": window.windowTitle(), "notice": notice, "dialogs": dialogs}


async def _found(look: Callable[[], Sought | None]) -> Sought:
    deadline = asyncio.get_running_loop().time() + HANG_SECONDS
    while (found := look()) is None:
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
    return found


def _say(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
