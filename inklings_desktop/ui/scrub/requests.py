"""Scrubs that agents ask for, in the band above every page; nothing hides one but an answer."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.scrub_request import WINDOW_BEAT_SECONDS
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.destinations import ToScrubRequest
from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerCause, BannerContent
from inklings_desktop.ui.kit.words.places import talk_name

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.panes.banner import BannerSlot
    from inklings_desktop.usecases.bundle import Inklings

LOOK = "lookAtScrub"
DECLINE = "declineScrub"
_LOOK_AGAIN_MS = 1_000
"""How much after its end a request is gone from the band."""

_log = topic("ui")


@dataclass(frozen=True, slots=True)
class WaitingScrub:
    """A request with the name of its place.

    Attributes:
        request: The request.
        place: Name of the workspace, channel or conversation; empty for the account.
    """

    request: ScrubRequest
    place: str


class ScrubRequests(QObject):
    """What waits for the author in one data root, whichever page and workspace is on show.

    It also says that a window is there in which somebody can answer.

    Attributes:
        waiting: What waits, the first asked first.

    Signals:
        waiting_changed: What waits has changed.
        arrived: Title and text of a request that has just come in.
    """

    waiting_changed = Signal()
    arrived = Signal(str, str)

    def __init__(self, context: Context, banners: BannerSlot, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._banners = banners
        banners.acted.connect(self._on_acted)
        self.waiting: tuple[WaitingScrub, ...] = ()
        self._window_id = str(uuid.uuid4())
        self._is_unheard = False
        self._beating: asyncio.Task[None] | None = None
        self._looking = Latest(context.background)
        self._beat = timer(self, self._on_beat, round(WINDOW_BEAT_SECONDS * 1_000), again=True)
        self._lapse = timer(self, self.refresh)
        context.hear(self.on_changes, About.SCRUB_REQUESTS)

    def attend(self) -> None:
        """Say from now on that this window is there; its timer stands still when it does."""
        self._beat.start()
        self._on_beat()
        self.refresh()

    async def leave(self) -> None:
        """Say that this window is closed; what is asked from now on is refused elsewhere."""
        if not self._beat.isActive():
            return
        self._beat.stop()
        if self._beating is not None:
            await asyncio.wait({self._beating})  # or its word would come after the last one
        await self._say_presence(is_open=False)

    def close(self) -> None:
        """Ask, say and show nothing any more."""
        self._beat.stop()
        self._lapse.stop()
        self._looking.cancel()
        self._banners.acted.disconnect(self._on_acted)
        self._banners.say(BannerCause.SCRUB_REQUEST, None)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        is_account = changes.workspace_id is None
        if changes.scrub_requests or (is_account and changes.reload):
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Look what waits; in a view through a client's eyes nothing does."""
        if not self._inklings.caller.is_agent:
            self._looking.run(self._look())

    async def _look(self) -> None:
        try:
            waiting = await self._background.read(_named_requests, self._inklings)
        except InklingsError as error:
            _log.warning("requests not read: %s", type(error).__name__)
            return
        known = {one.request.id for one in self.waiting}
        if waiting != self.waiting:
            self.waiting = waiting
            self._banners.say(BannerCause.SCRUB_REQUEST, self._band())
            self.waiting_changed.emit()
        for one in waiting:
            if one.request.id not in known:
                QApplication.alert(self._banners.banner.window())
                self.arrived.emit(*_told(one, 0))
        self._lapse.stop()
        if waiting:
            left = min(one.request.expires_at for one in waiting) - self._inklings.clock()
            self._lapse.start(max(0, round(left.total_seconds() * 1_000)) + _LOOK_AGAIN_MS)

    def _band(self) -> BannerContent | None:
        if not self.waiting:
            return None
        look = BannerAction(LOOK, tr("Look at it\u2026"))
        decline = BannerAction(DECLINE, tr("Decline"))
        told = _told(self.waiting[0], len(self.waiting) - 1)
        return BannerContent("ochre", *told, (look, decline), icon="eraser")

    async def _decline(self, request_id: str) -> None:
        inklings = self._inklings
        try:
            await self._background.write(inklings.scrub.decline, request_id)
        except InklingsError as error:
            self._context.refuse(error)
        self.refresh()

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        if cause is not BannerCause.SCRUB_REQUEST or not self.waiting:
            return
        request = self.waiting[0].request
        if key == LOOK:
            self._context.go(ToScrubRequest(request))
        elif key == DECLINE:
            self._background.spawn(self._decline(request.id))

    @Slot()
    def _on_beat(self) -> None:
        if self._beating is None or self._beating.done():
            self._beating = self._background.spawn(self._say_presence(is_open=True))

    async def _say_presence(self, *, is_open: bool) -> None:
        inklings = self._inklings
        try:
            # Not in the lane of commands: a long import would make the window look closed.
            await self._background.read(inklings.scrub.attend, self._window_id, is_open=is_open)
        except InklingsError as error:
            # The next beat tries again; until then agents are told that no window is open.
            if not self._is_unheard:
                _log.warning("presence not noted: %s", type(error).__name__)
            self._is_unheard = True
        else:
            self._is_unheard = False


def _told(one: WaitingScrub, n_more: int) -> tuple[str, str]:
    """Title and text of a request, with how many wait behind it."""
    # Its words come with all that a scrub is made of, and hardly ever does one wait.
    from inklings_desktop.ui.scrub.notices import asking_text, asking_title

    return asking_title(one.request), asking_text(one.request, one.place, n_more)


def _named_requests(inklings: Inklings) -> tuple[WaitingScrub, ...]:
    """What waits, with the names of the places; runs on a reader."""
    found = inklings.scrub.requests()
    return tuple(WaitingScrub(one, _place(inklings, one.scope)) for one in found)


def _place(inklings: Inklings, scope: ScopeKey) -> str:
    workspace_id = scope.workspace_id
    if workspace_id is None:
        return ""
    try:
        match scope.tier:
            case Tier.CHANNEL:
                return f"#{inklings.channels.get(workspace_id, scope.key).name}"
            case Tier.CONVERSATION:
                room = inklings.conversations.get(workspace_id, scope.key)
                return talk_name(room)
            case _:
                return inklings.workspaces.find(workspace_id).name
    except InklingsError:
        return ""  # gone meanwhile: looking at it says so
