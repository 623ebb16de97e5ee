"""Joins presenter and view of the Event log tab: who says what to whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.ui.events.presenter import EventLogPresenter
from inklings_desktop.ui.events.state import ChainState
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.events.state import EventDetail, EventLogContent
    from inklings_desktop.ui.events.view import EventLogView
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_AGES_MS = 30_000


class EventsPage(QObject):
    """One opened data root behind the Event log tab.

    Signals:
        message_raised: A ``Message`` for the person.
    """

    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        view: EventLogView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._view = view
        self._chain = ChainState()
        self.log = EventLogPresenter(background, inklings, self)
        self.log.content_changed.connect(self._on_content_changed)
        self.log.page_appended.connect(view.append_page)
        self.log.waiting_changed.connect(view.set_waiting)
        self.log.detail_changed.connect(self._on_detail_changed)
        self.log.chain_changed.connect(self._on_chain_changed)
        self.log.message_raised.connect(self.message_raised)
        view.bar.request_changed.connect(self.log.ask)
        view.event_chosen.connect(self.log.choose)
        view.more_requested.connect(self.log.load_more)
        view.retry_requested.connect(self.log.refresh)
        view.watched_changed.connect(self._on_watched_changed)
        view.pane.link_requested.connect(self._on_link_requested)
        view.foot.check_requested.connect(self.log.check_chain)
        view.foot.broken_requested.connect(self._on_broken_requested)
        self._ages = QTimer(self)
        self._ages.setInterval(_AGES_MS)
        self._ages.timeout.connect(self.log.refresh_ages)
        self.log.set_watched(watched=view.isVisible())

    async def open(self, workspace_id: str) -> None:
        """Show the log of a workspace; it is read once the tab is on show."""
        await self.log.open(workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.log.on_changes(changes)

    @Slot(object, int)
    def show_event(self, workspace_id: str | None, number: int) -> None:
        """Show one event in its list, filters lifted if they hide it.

        Args:
            workspace_id: Whose log it is in; None for the account's.
            number: Its number there.
        """
        self._background.spawn(self._show_event(workspace_id, number))

    @Slot()
    def refresh(self) -> None:
        """Read the log again."""
        self.log.refresh()

    async def _show_event(self, workspace_id: str | None, number: int) -> None:
        log = self.log.log_of(workspace_id)
        if log is not None and await self.log.reveal(log, number):
            self._view.select(number)
            self._view.focus_table()
        elif log is None or self.log.content is not None:
            self.message_raised.emit(message_of(NotFoundError("event", str(number))))

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

    @Slot(bool)
    def _on_watched_changed(self, watched: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.log.set_watched(watched=watched)
        if watched:
            self._ages.start()
        else:
            self._ages.stop()

    @Slot(int)
    def _on_link_requested(self, number: int) -> None:
        self._background.spawn(self._follow_link(number))

    async def _follow_link(self, number: int) -> None:
        if await self.log.reveal(self.log.request.log, number):
            self._view.select(number)

    @Slot()
    def _on_broken_requested(self) -> None:
        if self._chain.broken_number is not None:
            self.show_event(self._chain.broken_log, self._chain.broken_number)
