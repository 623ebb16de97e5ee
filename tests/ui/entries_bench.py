"""The Named entries page over a real store, offscreen, on its own event loop."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow
from qasync import QEventLoop

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.page import EntriesPage
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from tests.support.stopwatch import until
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path
    from typing import TypeVar

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.ui.entries.opened import OpenEntry
    from tests.ui.page_bench import SaidToWindow
    from tests.ui.presenter_bench import Bench

    D = TypeVar("D", bound=QDialog)

AGENT = "Manuscript Studio"
VOICE = "# How this book sounds\n\nClose third.\n"


class EntriesBench:
    """The page, while a test drives it."""

    def __init__(self, page: EntriesPage, said: SaidToWindow, bench: Bench) -> None:
        self.view = page.view
        self.page = page
        self.bench = bench
        self.said = said

    @property
    def shown(self) -> OpenEntry:
        """The entry in the editor."""
        return shown_in(self.page)

    @property
    def name(self) -> str:
        """Name of the entry in the editor; empty without one."""
        return name_in(self.page)

    @property
    def counts(self) -> tuple[int | None, str]:
        """What the rail tells: how many entries there are, and how many proposals wait."""
        _page, mark = self.said.marks[-1]
        return mark.count, mark.short_hint

    def entry(self, name: str) -> NamedEntry:
        """A named entry as the list shows it."""
        return next(one for one in self.page.content.entries if one.name == name)

    async def open(self, name: str) -> NamedEntry:
        """Choose an entry in the list and wait until it stands in the editor."""
        entry = self.entry(name)
        self.view.list.select(entry.id)
        await self.until(lambda: self.name == name)
        return entry

    async def dialog(self, kind: type[D]) -> D:
        """The dialog of this kind, once it is asked."""
        await self.until(lambda: any(one.isVisible() for one in self._dialogs(kind)))
        return next(one for one in self._dialogs(kind) if one.isVisible())

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        await until(condition, told=lambda: self.page.entry.shown)

    def _dialogs(self, kind: type[D]) -> list[D]:
        return self.view.window().findChildren(kind)


def shown_in(page: EntriesPage) -> OpenEntry:
    """The entry in a page's editor."""
    assert page.entry.shown is not None
    return page.entry.shown


def name_in(page: EntriesPage) -> str:
    """Name of the entry in a page's editor; empty without one."""
    return page.entry.entry.name if page.entry.entry else ""


def drive(
    root: Path,
    prepare: Callable[[Bench], None],
    action: Callable[[EntriesBench], Awaitable[None]],
) -> None:
    """Open the page on a prepared store, let the test act, close everything."""
    with a_bench(root) as bench:
        prepare(bench)
        drive_opened(bench, action)


def drive_opened(bench: Bench, action: Callable[[EntriesBench], Awaitable[None]]) -> None:
    """Open the page on an opened store, let the test act, close the page."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted() -> None:
        background = Background(bugs.append)
        with a_window() as window:
            context, said, unsubscribe = a_context(background, bench.inklings, theme, window)
            page = EntriesPage(context, window)
            window.setCentralWidget(page.view)
            try:
                await page.open(bench.workspace.id)
                await action(EntriesBench(page, said, bench))
            finally:
                unsubscribe()
                await background.close()
        await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(acted())
    assert not bugs, bugs


@contextmanager
def a_window() -> Iterator[QMainWindow]:
    """A window for one page."""
    window = QMainWindow()
    window.resize(1200, 800)
    window.show()
    try:
        yield window
    finally:
        window.hide()
        window.deleteLater()


def an_agent(workspace_id: str) -> Caller:
    """An agent that may read, write and propose in the workspace, and propose in the account."""
    all_rights = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
    return Caller(
        CallerKind.AGENT,
        AGENT,
        Door.MCP,
        (
            Grant(Tier.WORKSPACE, workspace_id, all_rights),
            Grant(Tier.ACCOUNT, None, frozenset({Action.READ, Action.PROPOSE})),
        ),
    )


def written(bench: Bench, name: str, body: str) -> NamedEntry:
    """An entry, saved with another body."""
    inklings = bench.inklings
    entry = inklings.entries.find(bench.workspace.id, name)
    return inklings.entries.save(entry.ref, body, expected_version=entry.version)


def proposed(bench: Bench, name: str, body: str, reason: str = "It reads better.") -> Proposal:
    """What an agent asks for."""
    agent = an_agent(bench.workspace.id)
    return bench.inklings.as_caller(agent).proposals.propose(bench.workspace.id, name, body, reason)


def a_world(bench: Bench) -> None:
    """A written VOICE, a companion, and SOUL as it was shipped."""
    written(bench, "VOICE", VOICE)
    bench.inklings.entries.create(Tier.WORKSPACE, bench.workspace.id, "CAST", "# Cast\n\nNerys.\n")


def typed(bench: EntriesBench, text: str) -> None:
    """Type into the editor."""
    QTest.keyClicks(bench.view.editor.editor, text)


def stored(bench: EntriesBench, name: str) -> str:
    """The body of an entry, as it is stored."""
    inklings = bench.bench.inklings
    return inklings.entries.find(bench.bench.workspace.id, name).body
