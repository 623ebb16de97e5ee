"""Joins clients that wait to be let in to the banner above every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.access.clients import ClientKind, imitated
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.window.banners.words import LET_IN, knock_banner

if TYPE_CHECKING:
    from datetime import date

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_log = topic("ui")


@dataclass(frozen=True, slots=True)
class Knock:
    """A client that waits to be let in.

    Attributes:
        client: Its name.
        workspace: The workspace that it asked for last.
        day: When that was.
        like: Whom its name could be taken for; None for nobody.
    """

    client: str
    workspace: Workspace
    day: date
    like: str | None


class KnocksDesk(QObject):
    """Clients of one opened data root that the author has said nothing about yet.

    One that is turned away is silent until it knocks on another day, or the window is opened anew.

    Signals:
        message_raised: A ``Message`` for the person.
    """

    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, slot: BannerSlot, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._slot = slot
        self._looking = Latest(background)
        self._waiting: tuple[Knock, ...] = ()
        self._turned_away: set[tuple[str, date]] = set()
        slot.acted.connect(self._on_acted)
        self.refresh()

    def close(self) -> None:
        """Look and hear no more."""
        self._looking.cancel()
        self._slot.acted.disconnect(self._on_acted)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        if changes.clients or (changes.workspace_id is None and changes.reload):
            self.refresh()

    def refresh(self) -> None:
        """Look who waits."""
        self._looking.run(self._look())

    async def settled(self) -> None:
        """Return once no look is under way."""
        await self._looking.settled()

    async def _look(self) -> None:
        try:
            self._waiting = await self._background.read(_waiting, self._inklings)
        except InklingsError as error:
            _log.warning("clients not read: %s", type(error).__name__)
            return
        self._show()

    def _show(self) -> None:
        knock = self._first()
        content = (
            None if knock is None else knock_banner(knock.client, knock.workspace.name, knock.like)
        )
        self._slot.say(BannerCause.KNOCK, content)

    def _first(self) -> Knock | None:
        away = self._turned_away
        return next((one for one in self._waiting if (one.client, one.day) not in away), None)

    async def _let_in(self, knock: Knock) -> None:
        inklings = self._inklings
        try:
            await self._background.write(
                inklings.let_client_in, inklings.caller, knock.client, knock.workspace.id
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        self.refresh()

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        knock = self._first()
        if cause is not BannerCause.KNOCK or knock is None:
            return
        if key == LET_IN:
            self._background.spawn(self._let_in(knock))
        else:
            self._turned_away.add((knock.client, knock.day))
            self._show()


def _waiting(inklings: Inklings) -> tuple[Knock, ...]:
    """Who waits, the first come first; runs on a reader."""
    here = {one.id: one for one in inklings.list_workspaces(inklings.caller)}
    clients = inklings.list_clients(inklings.caller, calls=1)
    names = [one.client.name for one in clients]
    return tuple(
        Knock(
            found.client.name,
            here[call.workspace_id],
            call.at.date(),
            imitated(found.client.name, names),
        )
        for found in clients
        for call in found.activity.calls
        if found.client.kind is ClientKind.UNKNOWN and call.workspace_id in here
    )
