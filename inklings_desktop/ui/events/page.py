"""The Event log tab: one log, one event of it, and whether it is what was written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Slot

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.ui.events.presenter import EventLogPresenter
from inklings_desktop.ui.events.state import ChainState
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToEvent
from inklings_desktop.ui.kit.page.page import Page

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.events.state import EventDetail, EventLogContent
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes

_AGES_MS = 30_000


class EventsPage(Page[None]):
    """One log while somebody looks at it."""

    watches = About.EVENTS | About.ROOMS | About.ENTRIES
    view: EventLogView

    def __init__(self, context: Context, parent: QWidget) -> None:
        view = self._view = EventLogView(context.theme, parent)
        self._chain = ChainState()
        self.log = EventLogPresenter(context.background, context.inklings)
        self._ages = QTimer(view)
        self._ages.setInterval(_AGES_MS)
        super().__init__(context, view)
        self.log.setParent(self)
        self.log.content_changed.connect(self._on_content_changed)
        self.log.page_appended.connect(view.append_page)
        self.log.waiting_changed.connect(view.set_waiting)
        self.log.detail_changed.connect(self._on_detail_changed)
        self.log.chain_changed.connect(self._on_chain_changed)
        self.log.message_raised.connect(context.say)
        view.bar.request_changed.connect(self.log.ask)
        view.event_chosen.connect(self.log.choose)
        view.events.more_requested.connect(self.log.load_more)
        view.retry_requested.connect(self.log.refresh)
        view.pane.link_requested.connect(self._on_link_requested)
        view.foot.check.clicked.connect(self.log.check_chain)
        view.foot.show_broken.clicked.connect(self._on_broken_requested)
        self._ages.timeout.connect(self.log.refresh_ages)

    async def open(self, workspace_id: str) -> None:
        """Show the log of a workspace; it is read once the tab is on show."""
        self.workspace_id = workspace_id
        await self.log.open(workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.log.on_changes(changes)

    def on_shown(self, *, is_shown: bool) -> None:
        """Read on while somebody looks."""
        self.log.set_watched(watched=is_shown)
        if is_shown:
            self._ages.start()
        else:
            self._ages.stop()

    def arrive(self, where: Destination) -> None:
        """Show one event in its list."""
        if isinstance(where, ToEvent):
            self.show_event(where.workspace_id, where.number)

    def read_again(self) -> None:
        """Read the log again."""
        self.log.refresh()

    def panes(self) -> Panes:
        """What F6 goes through."""
        return self.view.panes()

    def show_event(self, workspace_id: str | None, number: int) -> None:
        """Show one event in its list, filters lifted if they hide it.

        Args:
            workspace_id: Whose log it is in; None for the account's.
            number: Its number there.
        """
        self.spawn(self._show_event(workspace_id, number))

    async def _show_event(self, workspace_id: str | None, number: int) -> None:
        log = self.log.log_of(workspace_id)
        if log is not None and await self.log.reveal(log, number):
            self._view.select(number)
            self._view.focus_table()
        elif log is None or self.log.content is not None:
            self.context.refuse(NotFoundError("event", str(number)))

    @Slot(object)
    def _on_content_changed(self, content: EventLogContent) -> None:
        self._view.show_content(content)
        if not content.rows:
            self.log.choose(None)
        elif self._view.table.current_number() is None:
            self._view.select_first()

    @Slot(object)
    def _on_detail_changed(self, detail: EventDetail | None) -> None:
        self._view.show_detail(detail)

    @Slot(object)
    def _on_chain_changed(self, state: ChainState) -> None:
        if self.log.log_of(state.broken_log) is None:
            state = replace(state, broken_number=None)  # another workspace has to be opened first
        self._chain = state
        self._view.foot.show_state(state)

    @Slot(int)
    def _on_link_requested(self, number: int) -> None:
        self.spawn(self._follow_link(number))

    async def _follow_link(self, number: int) -> None:
        if await self.log.reveal(self.log.request.log, number):
            self._view.select(number)

    @Slot()
    def _on_broken_requested(self) -> None:
        if self._chain.broken_number is not None:
            self.show_event(self._chain.broken_log, self._chain.broken_number)
