"""The rail over a real store, without the pages that it leads to, while a test drives it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.places import ShellPresenter
from inklings_desktop.ui.rail.pane import RailPane
from inklings_desktop.ui.rail.rail import Rail
from inklings_desktop.ui.rail.rooms import Rooms
from inklings_desktop.ui.rail.workspaces import Workspaces
from inklings_desktop.ui.window.register import page_specs
from tests.support.stopwatch import until
from tests.ui.entries_bench import a_window
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.words.places import Surroundings
    from tests.ui.page_bench import SaidToWindow
    from tests.ui.presenter_bench import Bench


class RailBench:
    """What the rail shows and does.

    Attributes:
        window: Holds the rail alone; dialogs lie over it.
        rail: Its pane.
        shell: Knows the places.
        rooms: Carries out what is wanted of channels and conversations.
        workspaces: The same for workspaces.
        said: What was said to the window, and where it was led to.
        bench: The store.
    """

    def __init__(
        self, context: Context, said: SaidToWindow, window: QMainWindow, bench: Bench
    ) -> None:
        self.window, self.said, self.bench = window, said, bench
        self._background = context.background
        self.rail = RailPane(context.theme, window)
        window.setCentralWidget(self.rail)
        self.shell = ShellPresenter(context.background, context.inklings, window)
        self.shell.message_raised.connect(context.say)
        context.hear(self.shell.on_changes)
        leading = Rail(
            self.rail,
            self.shell,
            pages=page_specs(),
            go=said.ways.append,
            offers_sample=True,
            parent=window,
        )
        self.rooms = Rooms(
            context, rail=self.rail, shell=self.shell, look_at=leading.show_row, parent=window
        )
        self.workspaces = Workspaces(
            context,
            rail=self.rail,
            shell=self.shell,
            open_workspace=self._open_workspace,
            may_leave=_at_once,
            parent=window,
        )

    @property
    def here(self) -> Surroundings:
        """The open workspace, and what it holds."""
        assert self.shell.surroundings is not None
        return self.shell.surroundings

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        await until(condition, told=lambda: f"said: {self.said.messages}")

    def _open_workspace(self, workspace_id: str) -> None:
        self._background.spawn(self.shell.open_workspace(workspace_id))


async def _at_once() -> bool:
    return True


def drive(
    root: Path, prepare: Callable[[Bench], None], action: Callable[[RailBench], Awaitable[None]]
) -> None:
    """Open the rail on a prepared store, let the test act, close everything."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted(bench: Bench) -> None:
        background = Background(bugs.append)
        with a_window() as window:
            context, said, unsubscribe = a_context(background, bench.inklings, theme, window)
            rail = RailBench(context, said, window, bench)
            try:
                await rail.shell.open_first(None)
                await action(rail)
            finally:
                unsubscribe()
                await background.close()
        await asyncio.sleep(0)

    with a_bench(root) as bench:
        prepare(bench)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(acted(bench))
    assert not bugs, bugs
