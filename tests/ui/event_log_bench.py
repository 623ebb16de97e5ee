"""The presenter of the event log over fake logs, and what it said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.events.presenter import EventLogPresenter
from tests.support.builders import WORKSPACE_ID
from tests.ui.fake_use_cases import run_with_background
from tests.ui.presenter_bench import Heard

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.events.state import (
        EventLogContent,
        EventRequest,
    )
    from inklings_desktop.ui.kit.ops.background import Background
    from tests.ui.fake_log import FakeLog


class Tab:
    """A presenter over fake logs, and what it said."""

    def __init__(self, log: FakeLog, background: Background) -> None:
        self.log = log
        self.presenter = EventLogPresenter(background, log.inklings())
        self.contents = Heard().to(self.presenter.content_changed)
        self.pages = Heard().to(self.presenter.page_appended)
        self.details = Heard().to(self.presenter.detail_changed)
        self.chains = Heard().to(self.presenter.chain_changed)
        self.messages = Heard().to(self.presenter.message_raised)

    @property
    def content(self) -> EventLogContent:
        assert self.presenter.content is not None
        return self.presenter.content

    def numbers(self) -> list[int]:
        return [row.number for row in self.content.rows]

    async def ask(self, request: EventRequest) -> None:
        self.presenter.ask(request)
        await self.presenter.settled()

    async def change(self, **values: bool) -> None:
        self.presenter.on_changes(self.log.changes(**values))
        await self.presenter.settled()


def play(log: FakeLog, scene: Callable[[Tab], Awaitable[None]], *, watched: bool = True) -> None:
    async def begun(background: Background) -> None:
        tab = Tab(log, background)
        tab.presenter.set_watched(watched=watched)
        await tab.presenter.open(WORKSPACE_ID)
        await tab.presenter.settled()
        await scene(tab)

    run_with_background(begun)
