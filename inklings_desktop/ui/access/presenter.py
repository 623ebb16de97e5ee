"""Clients and their rights: read off the UI thread, again when something changed, and changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.access.state import AccessContent
from inklings_desktop.ui.access.words import client_detail, client_row
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.keep_up import KeepUp
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.access.clients import Right
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class AccessPresenter(QObject):
    """Keeps the matrix true while somebody looks at it; knows no widgets.

    Signals:
        content_changed: An ``AccessContent``.
        message_raised: A ``Message`` when a change could not be made.
    """

    content_changed = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._reading = Latest(background)
        self._workspace_id = ""
        self._keep_up = KeepUp(self)
        self._keep_up.due.connect(self.refresh)
        self.content: AccessContent | None = None

    def open(self, workspace_id: str) -> None:
        """Stand to another workspace; it is read once somebody looks."""
        self._workspace_id = workspace_id
        self._keep_up.ask()

    async def settled(self) -> None:
        """Return once no reading is under way."""
        await self._reading.settled()

    def set_watched(self, *, watched: bool) -> None:
        """Keep up from now on, or only note that something changed."""
        self._keep_up.set_watched(watched=watched)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Read again soon if clients, or the channels they may know, changed."""
        touches = changes.clients or changes.reload
        if changes.workspace_id == self._workspace_id:
            touches = touches or changes.rooms
        if touches:
            self._keep_up.note_change()

    @Slot()
    def refresh(self) -> None:
        """Read again at once."""
        if self._workspace_id:
            self._keep_up.begin()
            self._reading.run(self._read(self._workspace_id))

    async def switch(self, name: str, right: Right, *, on: bool) -> None:
        """Give a right or take it."""
        caller = self._inklings.caller
        change = self._inklings.grant_rights if on else self._inklings.revoke_rights
        await self._change(lambda: change(caller, name, {right}))

    async def revoke_all(self, name: str) -> None:
        """Take everything away, in every workspace."""
        await self._change(lambda: self._inklings.revoke_rights(self._inklings.caller, name))

    async def take_for(self, name: str, kind: ClientKind) -> None:
        """Give a client the usual rights of a kind here and in the account, and no others."""
        await self._change(lambda: taken_for(self._inklings, name, kind, self._workspace_id))

    async def _change(self, call: Callable[[], object]) -> None:
        try:
            await self._background.write(call)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        # A switch that could not be moved has to be drawn back as well.
        self.refresh()

    async def _read(self, workspace_id: str) -> None:
        try:
            content = await self._background.read(access_content, self._inklings, workspace_id)
        except InklingsError as error:
            self._keep_up.fail()
            content = AccessContent(failure=message_of(error))
        self.content = content
        self.content_changed.emit(content)


def access_content(inklings: Inklings, workspace_id: str) -> AccessContent:
    """Every client with its rights and latest requests; runs on a reader.

    Raises:
        InklingsError: A file cannot be read.
    """
    found = inklings.list_clients(inklings.caller)
    channels = inklings.list_channels(inklings.caller, workspace_id, include_archived=True)
    now = inklings.clock()
    return AccessContent(
        tuple(client_row(one, workspace_id, channels, now) for one in found),
        {one.client.name: client_detail(one, workspace_id, channels, now) for one in found},
    )


def taken_for(inklings: Inklings, name: str, kind: ClientKind, workspace_id: str) -> None:
    """Take away what the kind does not have here and in the account, then give what it has.

    Raises:
        InklingsError: A file cannot be written to; at worst the client has fewer rights.
    """
    wanted = preset_rights(kind, workspace_id)
    client = inklings.show_client(inklings.caller, name).client
    here = client.rights_in(workspace_id) | client.rights_in(None)
    if here - wanted:
        inklings.revoke_rights(inklings.caller, name, here - wanted)
    inklings.grant_rights(inklings.caller, name, wanted, kind=kind)
