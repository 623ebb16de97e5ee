"""The Access tab: clients by tier, one client's rights, what it asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.access.connection import ConnectionProcess
from inklings_desktop.ui.access.drill import DrillProcess
from inklings_desktop.ui.access.state import AccessContent
from inklings_desktop.ui.access.view import AccessView
from inklings_desktop.ui.access.words import client_detail, client_row
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.destinations import ToClientsView, ToForgetWritten
from inklings_desktop.ui.kit.page.page import Page, Watch
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.access.state import ClientDetail, RightSwitch
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.usecases.bundle import Inklings

_READS_ACCOUNT = Right(Tier.ACCOUNT, None, Action.READ)


class AccessPage(Page[AccessContent]):
    """Who may do what; read while somebody looks, and again when clients or rooms change."""

    watches = Watch(clients=True, rooms=True)
    view: AccessView

    def __init__(self, context: Context, parent: QWidget) -> None:
        view = AccessView(context.theme, parent)
        super().__init__(context, view)
        view.retry_requested.connect(self.read_again)
        view.rights.switch_wanted.connect(self._on_switch_wanted)
        view.rights.kind_wanted.connect(self._on_kind_wanted)
        view.rights.channel_wanted.connect(self._on_channel_wanted)
        view.rights.revoke.clicked.connect(self._on_revoke_wanted)
        view.rights.connect_button.clicked.connect(self._on_connect_wanted)
        view.rights.view_button.clicked.connect(self._on_view_wanted)
        view.rights.drill_button.clicked.connect(self._on_drill_wanted)
        view.rights.forget.clicked.connect(self._on_forget_wanted)
        view.matrix.table.view_wanted.connect(self._on_view_wanted)
        view.connect_requested.connect(self._on_connect_requested)
        self.connection = ConnectionProcess(context, self)
        self.drill = DrillProcess(context, self)

    def read_content(self) -> AccessContent:
        """Every client with its rights and latest requests.

        Raises:
            InklingsError: A file cannot be read.
        """
        inklings, here = self.inklings, self.workspace_id
        found = inklings.clients.list()
        channels = inklings.places.channels(here, include_archived=True)
        now = inklings.clock()
        return AccessContent(
            tuple(client_row(one, here, channels, now) for one in found),
            {one.client.name: client_detail(one, here, channels, now) for one in found},
        )

    def show_content(self, content: AccessContent) -> None:
        """Show the clients."""
        self.view.show_content(content)

    def show_failure(self, error: InklingsError) -> None:
        """Say in place of the clients why they cannot be shown."""
        self.content = AccessContent(failure=message_of(error))
        self.view.show_content(self.content)

    def panes(self) -> Panes:
        """What F6 goes through."""
        return self.view.panes()

    async def _switch(self, name: str, wanted: RightSwitch, *, on: bool) -> None:
        if on and wanted.opens_account and not await self._may_open_account(name):
            return
        await self._set_right(name, wanted.right, on=on)

    async def _set_right(self, name: str, right: Right, *, on: bool) -> None:
        change = self.inklings.clients.grant if on else self.inklings.clients.revoke
        await self.change(change, name, {right})

    async def _take_for(self, detail: ClientDetail, kind: ClientKind) -> None:
        wanted = preset_rights(kind, self.workspace_id)
        opens_account = _READS_ACCOUNT in wanted and not any(
            one.right == _READS_ACCOUNT and one.is_on for one in detail.switches
        )
        if not opens_account or await self._may_open_account(detail.name):
            await self.change(taken_for, self.inklings, detail.name, kind, self.workspace_id)

    async def _revoke_all(self, name: str) -> None:
        if await ask(
            self.context.window,
            tr("Take every right from {name}?").format(name=name),
            tr(
                "From its next request on it reads and writes nothing, in any workspace. What it"
                " wrote stays."
            ),
            yes=tr("Revoke all"),
            no=tr("Keep its rights"),
            is_destructive=True,
        ):
            await self.change(self.inklings.clients.revoke, name)

    async def _may_open_account(self, name: str) -> bool:
        return await ask(
            self.context.window,
            tr("Let {name} read what the agent remembers about you, in every workspace?").format(
                name=name
            ),
            tr("Account memory is one for all your workspaces. You can close it again."),
            yes=tr("Let it read"),
            no=tr("Keep it closed"),
        )

    def _detail(self) -> ClientDetail | None:
        return None if self.content is None else self.content.details.get(self.view.current_name())

    @Slot()
    def _on_drill_wanted(self) -> None:
        if name := self.view.current_name():
            self.drill.open(name, self.workspace_id)

    @Slot()
    def _on_view_wanted(self) -> None:
        if name := self.view.current_name():
            self.context.go(ToClientsView(name, self.workspace_id))

    @Slot()
    def _on_forget_wanted(self) -> None:
        if name := self.view.current_name():
            self.context.go(ToForgetWritten(name, self.workspace_id))

    @Slot(object, bool)
    def _on_switch_wanted(self, wanted: RightSwitch, on: bool) -> None:  # noqa: FBT001 - Qt's
        self.spawn(self._switch(self.view.current_name(), wanted, on=on))

    @Slot(object)
    def _on_kind_wanted(self, kind: ClientKind) -> None:
        if (detail := self._detail()) is not None:
            self.spawn(self._take_for(detail, kind))

    @Slot(str)
    def _on_channel_wanted(self, channel_id: str) -> None:
        right = Right(Tier.CHANNEL, self.workspace_id, Action.READ, channel_id)
        self.spawn(self._set_right(self.view.current_name(), right, on=True))

    @Slot()
    def _on_connect_wanted(self) -> None:
        self.connection.open(self.workspace_id, self._detail())

    @Slot()
    def _on_connect_requested(self) -> None:
        self.connection.open(self.workspace_id, None)

    @Slot()
    def _on_revoke_wanted(self) -> None:
        self.spawn(self._revoke_all(self.view.current_name()))


def taken_for(inklings: Inklings, name: str, kind: ClientKind, workspace_id: str) -> None:
    """Take away what the kind does not have here and in the account, then give what it has.

    Raises:
        InklingsError: A file cannot be written to; at worst the client has fewer rights.
    """
    wanted = preset_rights(kind, workspace_id)
    client = inklings.clients.show(name).client
    here = client.rights_in(workspace_id) | client.rights_in(None)
    if here - wanted:
        inklings.clients.revoke(name, here - wanted)
    inklings.clients.grant(name, wanted, kind=kind)
