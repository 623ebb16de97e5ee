"""The Access tab: clients by tier, one client's rights, what it asked for, and its drill."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.access.connection import ConnectionProcess
from inklings_desktop.ui.access.drill_dialog import DrillDialog, DrillState, drill_state, step_words
from inklings_desktop.ui.access.state import AccessContent
from inklings_desktop.ui.access.view import AccessView
from inklings_desktop.ui.access.words import client_detail, client_row
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToClientsView, ToForgetWritten
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.page.process import Process, reports_to
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.access.state import ClientDetail, RightSwitch
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress


class DrillProcess(Process[DrillState, DrillDialog]):
    """One client's rights in one workspace, tried in every way."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, DrillState(), parent)
        self._running = Latest(context.background)
        self._workspace_id = ""

    def open(self, client: str, workspace_id: str) -> None:
        """Begin a drill and show it; nothing while one is on show."""
        if self.dialog is not None:
            return
        self._workspace_id = workspace_id
        self.state = DrillState(client)
        dialog = DrillDialog(self.context.theme, self.context.window)
        dialog.run.clicked.connect(self.run)
        self.run()
        self.show_dialog(dialog)

    @Slot()
    def run(self) -> None:
        """Begin anew; a second press gives it up."""
        client = self.state.client
        if self.state.is_running:
            self._running.cancel()
            self.show(DrillState(client, verdict=tr("Stopped. Nothing was proved.")))
            return
        self.show(DrillState(client, is_running=True, step=step_words("plant")))
        self._running.run(self._run(client))

    def ended(self) -> None:
        self._running.cancel()

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._running.settled()

    async def _run(self, client: str) -> None:
        stop = threading.Event()
        progress = reports_to(partial(self._on_progress, stop), stop.is_set)
        try:
            state = await self.background.read(self._drilled, client, progress)
        except StoppedError:
            return
        except InklingsError as error:
            state = DrillState(client, verdict=message_of(error).title)
        finally:
            # Cancelling only stops the wait: the thread has to hear of it too.
            stop.set()
        self.show(state)

    def _drilled(self, client: str, progress: Progress) -> DrillState:
        """What a drill came to; runs on a reader."""
        inklings, workspace_id = self.inklings, self._workspace_id
        found = inklings.clients.run_drill(client, workspace_id, progress)
        workspace = inklings.workspaces.find(workspace_id)
        return drill_state(found, workspace.name, inklings.clock())

    def _on_progress(self, stop: threading.Event, step: str, done: int, total: int) -> None:
        if self.state.is_running and not stop.is_set():
            share = done / total if total else 0.0
            self.show(replace(self.state, share=share, step=step_words(step)))


_READS_ACCOUNT = Right(Tier.ACCOUNT, None, Action.READ)


class AccessPage(Page[AccessContent]):
    """Who may do what; read while somebody looks, and again when clients or rooms change."""

    watches = About.CLIENTS | About.ROOMS
    view: AccessView

    def __init__(self, context: Context, parent: QWidget) -> None:
        view = AccessView(context.theme, parent)
        super().__init__(context, view)
        self.connection = ConnectionProcess(context, self)
        self.drill = DrillProcess(context, self)
        view.retry_requested.connect(self.read_again)
        view.rights.switch_wanted.connect(
            lambda wanted, on: self.spawn(self._switch(self.view.current_name(), wanted, on=on))
        )
        view.rights.kind_wanted.connect(self._on_kind_wanted)
        view.rights.channel_wanted.connect(self._on_channel_wanted)
        view.rights.revoke.clicked.connect(self.starts(self._revoke_all))
        view.rights.connect_button.clicked.connect(
            lambda: self.connection.open(self.workspace_id, self._detail())
        )
        view.rights.view_button.clicked.connect(self._on_view_wanted)
        view.rights.drill_button.clicked.connect(self._on_drill_wanted)
        view.rights.forget.clicked.connect(self._on_forget_wanted)
        view.matrix.table.looking.activated.connect(self._on_view_wanted)
        view.connect_requested.connect(lambda: self.connection.open(self.workspace_id, None))

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
        self.view.show_content(content)

    def show_failure(self, error: InklingsError) -> None:
        """Say in place of the clients why they cannot be shown."""
        self.content = AccessContent(failure=message_of(error))
        self.view.show_content(self.content)

    def panes(self) -> Panes:
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

    async def _revoke_all(self) -> None:
        name = self.view.current_name()
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
            tr("Account memory is shared by all your workspaces. You can close it again."),
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

    @Slot(object)
    def _on_kind_wanted(self, kind: ClientKind) -> None:
        if (detail := self._detail()) is not None:
            self.spawn(self._take_for(detail, kind))

    @Slot(str)
    def _on_channel_wanted(self, channel_id: str) -> None:
        right = Right(Tier.CHANNEL, self.workspace_id, Action.READ, channel_id)
        self.spawn(self._set_right(self.view.current_name(), right, on=True))


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
