"""The Event log tab: one log, one event of it, and whether it is what was written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.ui.events.details import chain_state
from inklings_desktop.ui.events.reads import (
    Loaded,
    read_detail,
    read_log,
    read_on_top,
    read_page,
)
from inklings_desktop.ui.events.state import ChainState, EventLogContent, EventRequest, LogChoice
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToEvent
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes


class EventsPage(Page[Loaded]):
    """Keeps the list of one log true while somebody looks at it.

    Whatever reads the list has the one lane of the page: what keeps up waits for it to be free.

    Attributes:
        request: What the list is asked to show now.
        chosen: Number of the event whose details are on show, in the log on show.
        chain: What is known of whether the logs are what was written.
    """

    watches = About.EVENTS | About.ROOMS | About.ENTRIES
    view: EventLogView

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.request = EventRequest()
        self.chosen: int | None = None
        self.chain = ChainState()
        self._has_new_names = False
        super().__init__(context, EventLogView(context.theme, parent))
        self._detailing = Latest(context.background)
        self._checking = Latest(context.background)
        view = self.view
        view.bar.request_changed.connect(self.ask)
        view.event_chosen.connect(self.choose)
        view.events.more_requested.connect(self.load_more)
        view.retry_requested.connect(self.refresh)
        view.pane.link_requested.connect(lambda number: self.spawn(self._follow_link(number)))
        view.foot.check.clicked.connect(self.check_chain)
        view.foot.show_broken.clicked.connect(self._on_broken_requested)

    async def open(self, workspace_id: str) -> None:
        """Show the log of a workspace, from the newest; it is read once the tab is on show."""
        self.request = EventRequest()
        self._drop()
        self._show_chain(ChainState())
        await super().open(workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit: an event may have come with it, or a name have changed."""
        if not self.workspace_id or changes.workspace_id != self._log_id:
            return
        has_new_names = changes.rooms or bool(changes.entries) or changes.reload
        if changes.events or has_new_names:
            self._has_new_names |= has_new_names
            self._keep_up.note_change()

    def arrive(self, where: Destination) -> None:
        if isinstance(where, ToEvent):
            self.spawn(self._show_event(where.workspace_id, where.number))

    @Slot()
    def refresh(self) -> None:
        """Read the log from the newest, because a person asked for it, if somebody looks."""
        if self.view.isVisible():
            self.ask(self.request)

    @Slot()
    def read_again(self) -> None:
        """Keep up: what is new comes on top of what is loaded, with the names and ages of now."""
        if not self.workspace_id:
            return
        if self._reading.is_running:
            self._keep_up.note_change()
        elif self.content is None:
            self.ask(self.request)
        elif self._has_new_names:
            self._read_through(self.content.last)
        else:
            self._keep_up.begin()
            self._reading.run(self._join(read_on_top, self.content))

    def panes(self) -> Panes:
        return self.view.panes()

    async def settled(self) -> None:
        lanes = (self._reading, self._detailing, self._checking)
        while any(lane.is_running for lane in lanes):
            for lane in lanes:
                await lane.settled()

    # -- the list -----------------------------------------------------------------------------

    @Slot(object)
    def ask(self, request: EventRequest) -> None:
        """Show something else; an older question under way is dropped."""
        if request.log is not self.request.log:
            self._drop()
        self.request = request
        self.view.bar.search.set_waiting()
        self._read_through(None)

    @Slot()
    def load_more(self) -> None:
        """Append the next page, if there is one."""
        loaded = self.content
        if loaded is not None and loaded.content.has_more and not self._reading.is_running:
            self._reading.run(self._join(read_page, loaded))

    async def reveal(self, log: LogChoice, number: int) -> bool:
        """Have one event in its list, whatever it takes; whether it is there."""
        if self.request.log is not log:
            self._drop()
            self.request = EventRequest(log)
        elif self._holds(number):
            return True
        for wanted in dict.fromkeys((self.request, EventRequest(log))):
            self.request = wanted
            self._read_through(number)
            await self._reading.settled()
            if self._holds(number):
                return True
        return False

    def log_of(self, workspace_id: str | None) -> LogChoice | None:
        """The choice that shows a file's log from here; None for another workspace's."""
        if workspace_id is None:
            return LogChoice.ACCOUNT
        return LogChoice.WORKSPACE if workspace_id == self.workspace_id else None

    @property
    def _log_id(self) -> str | None:
        """Whose log is on show: a workspace's id, or None for the account."""
        return self.workspace_id if self.request.log is LogChoice.WORKSPACE else None

    def _drop(self) -> None:
        """Let go of one log: another one is to be shown."""
        self._reading.cancel()
        self.content = None
        self.choose(None)

    def _holds(self, number: int) -> bool:
        return self.content is not None and self.content.holds(number)

    def _read_through(self, number: int | None) -> None:
        """Read the log anew, at least down to a number."""
        self._keep_up.begin()
        self._has_new_names = False
        self._reading.run(self._load(number))

    async def _load(self, through: int | None) -> None:
        request = self.request
        try:
            loaded = await self.background.read(
                read_log, self.inklings, self._log_id, request, through
            )
        except InklingsError as error:
            self._keep_up.fail()
            self.content = None
            self.view.show_content(EventLogContent(request, failure=message_of(error)))
            self.choose(None)
            return
        self.show_content(loaded)
        if self.chosen is not None:
            # What it is about may be called otherwise now, or be gone.
            self._detailing.run(self._detail(self.chosen))

    async def _join(self, read: Callable[..., Loaded], loaded: Loaded) -> None:
        """Show what is loaded together with what belongs above or below it."""
        try:
            joined = await self.background.read(read, self.inklings, self._log_id, loaded)
        except InklingsError as error:
            self._keep_up.fail()
            self.show_failure(error)
        else:
            self.show_content(joined)

    def show_content(self, content: Loaded) -> None:
        """Show an answer; the newest event becomes current if none is."""
        self.content = content
        self.view.show_content(content.content)
        if not content.found:
            self.choose(None)
        elif self.view.table.current_number() is None:
            self.view.select_first()

    # -- one event ----------------------------------------------------------------------------

    @Slot(int)
    def choose(self, number: int | None) -> None:
        """Show the details of an event of the log on show, or of none."""
        if number is None:
            self._detailing.cancel()
            self.chosen = None
            self.view.show_detail(None)
        elif number != self.chosen:
            self.chosen = number
            self._detailing.run(self._detail(number))

    async def _detail(self, number: int) -> None:
        try:
            detail = await self.background.read(
                read_detail, self.inklings, self._log_id, self.request.log, number
            )
        except NotFoundError:
            self.choose(None)
        except InklingsError as error:
            self.chosen = None
            self.context.refuse(error)
        else:
            self.view.show_detail(detail)

    async def _show_event(self, workspace_id: str | None, number: int) -> None:
        """Show one event in its list, filters lifted if they hide it."""
        log = self.log_of(workspace_id)
        if log is not None and await self.reveal(log, number):
            self.view.select(number)
            self.view.focus_table()
        elif log is None or self.content is not None:
            self.context.refuse(NotFoundError("event", str(number)))

    async def _follow_link(self, number: int) -> None:
        if await self.reveal(self.request.log, number):
            self.view.select(number)

    # -- the chain ----------------------------------------------------------------------------

    @Slot()
    def check_chain(self) -> None:
        """Read every log whole and say whether it is what was written."""
        if not self._checking.is_running:
            self._checking.run(self._check())

    async def _check(self) -> None:
        self._show_chain(replace(self.chain, is_running=True))
        try:
            verdicts = await self.background.read(self.inklings.log.verify)
        except InklingsError as error:
            self._show_chain(ChainState())
            self.context.refuse(error)
        else:
            self._show_chain(chain_state(verdicts, self._log_id))

    def _show_chain(self, state: ChainState) -> None:
        if self.log_of(state.broken_log) is None:
            state = replace(state, broken_number=None)  # another workspace has to be opened first
        self.chain = state
        self.view.foot.show_state(state)

    @Slot()
    def _on_broken_requested(self) -> None:
        if self.chain.broken_number is not None:
            self.spawn(self._show_event(self.chain.broken_log, self.chain.broken_number))
