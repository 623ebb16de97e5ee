"""The Event log tab over fake logs, without a window around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget
from shiboken6 import delete

from inklings_desktop.ui.events.page import EventsPage
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from tests.support.builders import WORKSPACE_ID
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import run_with_background

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.ui.events.state import EventDetail, EventLogContent, EventRequest
    from inklings_desktop.ui.kit.ops.background import Background
    from tests.ui.fake_log import FakeLog


class Tab:
    """The tab and what it said; somebody looks at it whenever a test says so."""

    def __init__(self, log: FakeLog, background: Background) -> None:
        self.log = log
        self.window = QWidget()
        theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
        context, self.said, leave = a_context(background, log.inklings(), theme, self.window)
        leave()  # a test says itself what was committed
        self.page = EventsPage(context, self.window)

    @property
    def content(self) -> EventLogContent:
        assert self.page.content is not None
        return self.page.content.content

    @property
    def detail(self) -> EventDetail | None:
        return self.page.view.pane.detail

    @property
    def facts(self) -> dict[str, str]:
        assert self.detail is not None
        return {fact.name: fact.text for fact in self.detail.facts}

    @property
    def links(self) -> list[int]:
        assert self.detail is not None
        return [link.number for link in self.detail.links]

    def numbers(self) -> list[int]:
        return [row.number for row in self.page.view.rows]

    async def ask(self, request: EventRequest) -> None:
        self.page.ask(request)
        await self.page.settled()

    async def more(self) -> None:
        self.page.load_more()
        await self.page.settled()

    async def choose(self, number: int | None) -> None:
        self.page.choose(number)
        await self.page.settled()

    async def look(self) -> None:
        """Look away and back: what changed since falls due at once."""
        self.page.on_shown(is_shown=False)
        self.page.on_shown(is_shown=True)
        await self.page.settled()

    async def change(self, **values: bool) -> None:
        self.page.on_changes(self.log.changes(**values))
        await self.look()


Opening = Callable[..., Awaitable[Tab]]


def at_the_log(_root: Path, scene: Callable[[Opening], Awaitable[None]]) -> None:
    """The stage of the tab: a scene opens it on a log."""

    async def played(background: Background) -> None:
        tabs: list[Tab] = []

        async def opened(log: FakeLog, *, watched: bool = True) -> Tab:
            tabs.append(Tab(log, background))
            tabs[0].page.on_shown(is_shown=watched)
            await tabs[0].page.open(WORKSPACE_ID)
            await tabs[0].page.settled()
            return tabs[0]

        try:
            await scene(opened)
        finally:
            await tabs[0].page.settled()
            delete(tabs[0].window)  # at once: what its table asks for later finds no loop

    run_with_background(played)
