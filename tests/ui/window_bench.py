"""The real window over a real store, offscreen, on its own event loop."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop.settings import Appearance
from inklings_desktop.ui.kit.look.assets import IconLibrary
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.register import page_specs
from tests.support.stopwatch import DEADLINE_SECONDS, until
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.memory.page import MemoryPage
    from tests.ui.presenter_bench import Bench

# A page is loaded when it is first shown, and whether that was in an earlier test is chance: here
# each is known from the beginning. What loading is like has a test of its own.
for _spec in page_specs():
    for _target in filter(None, _spec.targets):
        import_module(_target.partition(":")[0])

_ICONS = IconLibrary()
"""Every window of this process draws the same icons."""


class WindowBench:
    """A window with its data, while a test drives it."""

    def __init__(self, window: MainWindow, bench: Bench) -> None:
        self.window = window
        self.bench = bench

    @property
    def memory(self) -> MemoryPage:
        """What joins the panes."""
        assert self.window.memory is not None
        return self.window.memory

    def texts(self) -> list[str]:
        """Excerpts on show, top to bottom."""
        return [row.excerpt for row in self.window.page.rows if hasattr(row, "excerpt")]

    def messages(self, *, shown: bool = True) -> list[Message]:
        """What the window says in dialogs from now on, which may stay closed."""
        return messages_of(self.window, shown=shown)

    async def until(self, condition: Callable[[], bool], *, seconds: float | None = None) -> float:
        """Wait until something holds; how long it took, in seconds by a ``Stopwatch``."""
        return await until(
            condition,
            seconds=seconds or DEADLINE_SECONDS,
            told=lambda: f"shown: {self.texts()}",
        )


def messages_of(window: MainWindow, *, shown: bool = True) -> list[Message]:
    """What a window says in dialogs from now on.

    Args:
        window: The window.
        shown: Whether the dialogs open.
    """
    heard: list[Message] = []
    show = window.notices.show_message

    def show_message(message: Message) -> None:
        heard.append(message)
        if shown:
            show(message)

    window.notices.show_message = show_message  # type: ignore[method-assign]
    return heard


def drive(
    root: Path,
    prepare: Callable[[Bench], None],
    action: Callable[[WindowBench], Awaitable[None]],
    made: Callable[[Path], AbstractContextManager[Bench]] = a_bench,
    scheme: SchemeChoice = SchemeChoice.LIGHT,
    while_opening: Callable[[MainWindow], None] | None = None,
) -> None:
    """Open the window on a prepared store, let the test act, close everything.

    Args:
        root: The data root.
        prepare: Fills the store.
        action: The test.
        made: Opens the store; without a model unless told otherwise.
        scheme: Light or dark.
        while_opening: What a person does as soon as the pages stand, before the data is there.
            Where nobody does anything, it is painted when all is there: on the way there it
            would be eight times.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(scheme, reduced_motion=True)
    theme._icons = _ICONS
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted(bench: Bench) -> None:
        background = Background(bugs.append)
        window = MainWindow(theme, root, Appearance())
        try:
            window.resize(1440, 900)
            window.show()
            if while_opening is not None:
                asyncio.get_running_loop().call_soon(while_opening, window)
            window.setUpdatesEnabled(while_opening is not None)
            await window.attach(background, bench.inklings)
            window.setUpdatesEnabled(True)
            await action(WindowBench(window, bench))
        finally:
            window.detach()
            window.hide()
            await background.close()
            window.deleteLater()
            await asyncio.sleep(0)

    with made(root) as bench:
        prepare(bench)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(acted(bench))
    assert not bugs, bugs
