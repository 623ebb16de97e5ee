"""The event log: loads pages, filters, finds, keeps up with what happens; knows no widgets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.events.details import chain_state
from inklings_desktop.ui.events.reads import Loaded, read_detail, read_log, read_news, read_page
from inklings_desktop.ui.events.state import (
    ChainState,
    EventLogContent,
    EventPage,
    EventRequest,
    LogChoice,
)
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class LogPlace:
    """One event of one log."""

    log: LogChoice
    number: int


class EventLogPresenter(QObject):
    """Keeps the list of one log true.

    While nobody looks (``set_watched``) nothing is read; what was missed is read on the way back.

    Signals:
        content_changed: ``EventLogContent`` after a new answer.
        page_appended: ``EventPage`` below what is on show.
        waiting_changed: Whether an answer to a new question is awaited.
        detail_changed: ``EventDetail``, or None when no event is chosen.
        chain_changed: ``ChainState``.
        message_raised: A ``Message`` when an answer failed.
    """

    content_changed = Signal(object)
    page_appended = Signal(object)
    waiting_changed = Signal(bool)
    detail_changed = Signal(object)
    chain_changed = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._workspace_id: str | None = None
        self._request = EventRequest()
        self._loading = Latest(background)
        self._more = Latest(background)
        self._following = Latest(background)
        self._detailing = Latest(background)
        self._checking = Latest(background)
        self._loaded: Loaded | None = None
        self._chosen: LogPlace | None = None
        self._is_watched = False
        self._is_behind = False
        self._must_reword = False
        self._is_following = False
        self._is_loading = False
        self._chain = ChainState()

    @property
    def request(self) -> EventRequest:
        """What the list is asked to show now."""
        return self._request

    @property
    def content(self) -> EventLogContent | None:
        """What is on show; None before the first answer."""
        return self._loaded.content if self._loaded else None

    @property
    def chosen(self) -> LogPlace | None:
        """The event whose details are on show."""
        return self._chosen

    async def open(self, workspace_id: str) -> None:
        """Show the log of a workspace, from the newest; it is read once somebody looks."""
        self._workspace_id = workspace_id
        self._request = EventRequest()
        self._drop()
        self.choose(None)
        self._show_chain(ChainState())
        if self._is_watched:
            self.ask(self._request)
            await self.settled()
        else:
            self._is_behind = True

    def set_watched(self, *, watched: bool) -> None:
        """Read on while somebody looks; catch up on what was missed."""
        self._is_watched = watched
        if watched and self._is_behind:
            self._catch_up()

    def ask(self, request: EventRequest) -> None:
        """Show something else; an older question under way is dropped."""
        if request.log is not self._request.log:
            self.choose(None)
            self._drop()
        self._request = request
        self.waiting_changed.emit(True)
        self._run_load()

    @Slot()
    def refresh(self) -> None:
        """Ask again, from the newest."""
        self.ask(self._request)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit: an event may have come with it, or a name have changed."""
        if self._workspace_id is None or changes.workspace_id != self._log_id:
            return
        must_reword = changes.rooms or bool(changes.entries) or changes.reload
        if changes.events or must_reword:
            self._must_reword |= must_reword
            self._is_behind = True
            if self._is_watched:
                self._catch_up()

    @Slot()
    def load_more(self) -> None:
        """Append the next page, if there is one."""
        loaded = self._loaded
        if loaded is not None and loaded.content.has_more and not self._is_loading:
            self._more.run(self._append(loaded))

    @Slot()
    def refresh_ages(self) -> None:
        """Say anew how long ago things happened; nothing is read for it."""
        if self._loaded is None or self._is_loading or not self._is_watched:
            return
        loaded = self._loaded.aged(self._inklings.clock())
        if loaded is not self._loaded:
            self._show(loaded)

    def choose(self, number: int | None) -> None:
        """Show the details of an event of the log on show, or of none."""
        if number is None:
            self._detailing.cancel()
            self._chosen = None
            self.detail_changed.emit(None)
            return
        place = LogPlace(self._request.log, number)
        if place != self._chosen:
            self._chosen = place
            self._detailing.run(self._detail(place))

    async def reveal(self, log: LogChoice, number: int) -> bool:
        """Show one event in its list, whatever it takes; whether it is there."""
        request = self._request
        if request.log is not log:
            self.choose(None)
            self._drop()
            request = EventRequest(log)
        loaded = self._loaded
        if loaded is not None and request == self._request and loaded.holds(number):
            return True
        for wanted in dict.fromkeys((request, EventRequest(log))):
            self._request = wanted
            self._run_load(number)
            await self._loading.settled()
            if self._holds(number):
                return True
        return False

    @Slot()
    def check_chain(self) -> None:
        """Read every log whole and say whether it is what was written."""
        if not self._chain.is_running:
            self._checking.run(self._check())

    async def settled(self) -> None:
        """Return once the latest questions are answered."""
        slots = (self._loading, self._following, self._more, self._detailing, self._checking)
        while any(slot.is_running for slot in slots):
            for slot in slots:
                await slot.settled()

    # -- inside ---------------------------------------------------------------------------

    @property
    def _log_id(self) -> str | None:
        """Whose log is on show: a workspace's id, or None for the account."""
        return self._workspace_id if self._request.log is LogChoice.WORKSPACE else None

    def log_of(self, workspace_id: str | None) -> LogChoice | None:
        """The choice that shows a file's log from here; None for another workspace's."""
        if workspace_id is None:
            return LogChoice.ACCOUNT
        return LogChoice.WORKSPACE if workspace_id == self._workspace_id else None

    def _drop(self) -> None:
        self._more.cancel()
        self._following.cancel()
        self._loaded = None

    def _holds(self, number: int) -> bool:
        return self._loaded is not None and self._loaded.holds(number)

    def _show(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.content_changed.emit(loaded.content)

    def _run_load(self, through: int | None = None) -> None:
        """Read the log anew; what only adds to the list on show is dropped."""
        self._more.cancel()
        self._following.cancel()
        self._is_following = False
        self._is_behind = False
        self._must_reword = False
        self._is_loading = True
        self._loading.run(self._load(through))

    async def _load(self, through: int | None) -> None:
        request = self._request
        try:
            loaded = await self._background.read(
                read_log, self._inklings, self._log_id, request, through
            )
        except InklingsError as error:
            self._is_loading = False
            self._loaded = None
            self.waiting_changed.emit(False)
            self.content_changed.emit(EventLogContent(request, failure=message_of(error)))
            return
        self._is_loading = False
        self.waiting_changed.emit(False)
        self._show(loaded)
        if self._chosen is not None:
            # What it is about may be called otherwise now, or be gone.
            self._detailing.run(self._detail(self._chosen))
        if self._is_behind and self._is_watched:
            self._catch_up()

    def _catch_up(self) -> None:
        if self._is_loading:
            return  # the answer under way looks again at its end
        loaded = self._loaded
        if loaded is None:
            self.ask(self._request)
        elif self._must_reword:
            self._run_load(loaded.last)  # what is on show may be called otherwise now
        elif not self._is_following:
            self._following.run(self._follow())

    async def _follow(self) -> None:
        """Add what is new on top, until nothing is; a burst costs one reading after another."""
        self._is_following = True
        try:
            while self._is_behind and (loaded := self._loaded) is not None:
                self._is_behind = False
                news = await self._background.read(
                    read_news, self._inklings, self._log_id, loaded.content.request, loaded.head
                )
                if news is None:
                    self._run_load()
                    return
                # A page may have come below meanwhile; the head is the same.
                if self._loaded is not None:
                    self._show(self._loaded.with_news(news))
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        finally:
            self._is_following = False

    async def _append(self, loaded: Loaded) -> None:
        try:
            page = await self._background.read(
                read_page, self._inklings, self._log_id, loaded.content.request, loaded.last
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        # Something new may have come on top meanwhile; the end is the same.
        if self._loaded is not None:
            self._loaded = self._loaded.with_page(page)
            total = self._loaded.content.total
            self.page_appended.emit(EventPage(page.rows, page.has_more, total))

    async def _detail(self, place: LogPlace) -> None:
        try:
            detail = await self._background.read(
                read_detail, self._inklings, self._log_id, place.log, place.number
            )
        except NotFoundError:
            self._chosen = None
            self.detail_changed.emit(None)
            return
        except InklingsError as error:
            self._chosen = None
            self.message_raised.emit(message_of(error))
            return
        self.detail_changed.emit(detail)

    async def _check(self) -> None:
        self._show_chain(replace(self._chain, is_running=True))
        try:
            verdicts = await self._background.read(self._inklings.log.verify)
        except InklingsError as error:
            self._show_chain(ChainState())
            self.message_raised.emit(message_of(error))
            return
        self._show_chain(chain_state(verdicts, self._log_id))

    def _show_chain(self, state: ChainState) -> None:
        self._chain = state
        self.chain_changed.emit(state)
