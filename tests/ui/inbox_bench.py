"""The Inbox over an opened store, without the window around it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtWidgets import QApplication, QDialog, QWidget
from qasync import QEventLoop

from inklings_desktop.ui.inbox.page import InboxPage
from inklings_desktop.ui.kit.lists.badge_list import BadgeList, BadgeRow
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from tests.support.stopwatch import until
from tests.ui.entries_bench import a_window
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.ui.page_bench import SaidToWindow
    from tests.ui.presenter_bench import Bench

    D = TypeVar("D", bound=QDialog)


class InboxBench:
    """The page, while a test drives it."""

    def __init__(self, page: InboxPage, said: SaidToWindow, bench: Bench) -> None:
        self.page, self.view = page, page.view
        self.said, self.bench = said, bench

    @property
    def rows(self) -> list[BadgeRow]:
        """What waits, top to bottom."""
        return [row for row in self.list.rows if isinstance(row, BadgeRow)]

    @property
    def list(self) -> BadgeList:
        """The list of what waits."""
        found = self.view.findChild(BadgeList)
        assert isinstance(found, BadgeList)
        return found

    def named(self, name: str) -> Any:
        """A part of the page."""
        return self.view.findChild(QWidget, name)

    async def open(self, text: str) -> BadgeRow:
        """Choose the row that begins so, and wait until it stands beside the list."""
        row = next(row for row in self.rows if row.text.startswith(text))
        self.list.show_rows(self.list.rows, row.id)
        self.list.row_chosen.emit(row.id)

        def is_shown() -> bool:
            asked = self.page.proposal.proposal
            if asked is not None:
                return asked.id == row.id
            return row.text in self.named("questionTitle").text.text()

        await self.until(is_shown)
        return row

    async def dialog(self, kind: type[D]) -> D:
        """The dialog of this kind, once it is asked."""
        window = self.view.window()
        await self.until(lambda: any(one.isVisible() for one in window.findChildren(kind)))
        return next(one for one in window.findChildren(kind) if one.isVisible())

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        await until(condition, told=lambda: self.rows)


def drive(
    root: Path,
    prepare: Callable[[Bench], None],
    action: Callable[[InboxBench], Awaitable[None]],
) -> None:
    """Open the page on a prepared store, let the test act, close everything."""
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
            page = InboxPage(context, window)
            window.setCentralWidget(page.view)
            try:
                await page.open(bench.workspace.id)
                await action(InboxBench(page, said, bench))
            finally:
                unsubscribe()
                await background.close()
        await asyncio.sleep(0)

    with a_bench(root) as bench:
        prepare(bench)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(acted(bench))
    assert not bugs, bugs
