"""The Access tab: clients by tier, one client's rights, what it asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.access.connection_dialog import ConnectionDialog
from inklings_desktop.ui.access.connection_presenter import ConnectionPresenter
from inklings_desktop.ui.access.drill_dialog import DrillDialog
from inklings_desktop.ui.access.drill_presenter import DrillPresenter
from inklings_desktop.ui.access.state import AccessContent
from inklings_desktop.ui.access.view import AccessView
from inklings_desktop.ui.access.words import client_detail, client_row
from inklings_desktop.ui.kit.dialogs.asking import answered, begin_asking
from inklings_desktop.ui.kit.dialogs.confirm_dialog import ConfirmDialog
from inklings_desktop.ui.kit.page.destinations import ToClientsView, ToForgetWritten
from inklings_desktop.ui.kit.page.page import Page, Watch
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.markdown.diff_view import DiffView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.access.state import ClientDetail, RightSwitch
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.usecases.bundle import Inklings

_LINES_AROUND = 3
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
        view.rights.revoke_wanted.connect(self._on_revoke_wanted)
        view.rights.connect_wanted.connect(self._on_connect_wanted)
        view.rights.view_wanted.connect(self._on_view_wanted)
        view.rights.drill_wanted.connect(self._on_drill_wanted)
        view.rights.forget_wanted.connect(self._on_forget_wanted)
        view.matrix.table.view_wanted.connect(self._on_view_wanted)
        view.connect_requested.connect(self._on_connect_requested)
        self.connection = ConnectionPresenter(self.background, self.inklings, self)
        self.dialog: ConnectionDialog | None = None
        self.drill = DrillPresenter(self.background, self.inklings, self)
        self.drill_dialog: DrillDialog | None = None

    def read_content(self) -> AccessContent:
        """Every client with its rights and latest requests.

        Raises:
            InklingsError: A file cannot be read.
        """
        inklings, here = self.inklings, self.workspace_id
        found = inklings.list_clients(inklings.caller)
        channels = inklings.list_channels(inklings.caller, here, include_archived=True)
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
        change = self.inklings.grant_rights if on else self.inklings.revoke_rights
        await self.change(change, self.inklings.caller, name, {right})

    async def _take_for(self, detail: ClientDetail, kind: ClientKind) -> None:
        wanted = preset_rights(kind, self.workspace_id)
        opens_account = _READS_ACCOUNT in wanted and not any(
            one.right == _READS_ACCOUNT and one.is_on for one in detail.switches
        )
        if not opens_account or await self._may_open_account(detail.name):
            await self.change(taken_for, self.inklings, detail.name, kind, self.workspace_id)

    async def _revoke_all(self, name: str) -> None:
        dialog = ConfirmDialog(
            self.tr("Take every right from {name}?").format(name=name),
            self.tr(
                "From its next request on it reads and writes nothing, in any workspace. What it"
                " wrote stays."
            ),
            action=self.tr("Revoke all"),
            keep=self.tr("Keep its rights"),
            is_destructive=True,
            parent=self.context.window,
        )
        if await answered(dialog) == QDialog.DialogCode.Accepted:
            await self.change(self.inklings.revoke_rights, self.inklings.caller, name)

    async def _connect(self, detail: ClientDetail | None) -> None:
        if self.dialog is not None:
            return
        dialog = self.dialog = ConnectionDialog(self.context.theme, self.context.window)
        dialog.leave_requested.connect(dialog.accept)
        presenter = self.connection
        presenter.state_changed.connect(dialog.show_state)
        dialog.name_typed.connect(presenter.name_client)
        dialog.program_chosen.connect(presenter.choose_program)
        dialog.test_requested.connect(presenter.test)
        dialog.copied.connect(presenter.let_in)
        dialog.hooks_requested.connect(presenter.turn_to_hooks)
        dialog.add_requested.connect(self._on_add_requested)
        presenter.open(self.workspace_id, detail)
        dialog.show_state(presenter.state)
        try:
            await answered(dialog)
        finally:
            presenter.state_changed.disconnect(dialog.show_state)
            self.dialog = None
            presenter.close()

    async def _add(self, owner: ConnectionDialog) -> None:
        owner.add.setEnabled(False)  # one question at a time
        try:
            await self._ask_addition(owner)
        finally:
            owner.add.setEnabled(True)

    async def _ask_addition(self, owner: ConnectionDialog) -> None:
        change = await self.connection.look_at_addition()
        if change is None:
            return
        question = ConfirmDialog(
            self.tr("Write this into {name}?").format(name=change.path.name),
            self.tr(
                "{path} is changed here, and nowhere else. A copy of it as it is now stays"
                " beside it."
            ).format(path=change.path)
            if change.before is not None
            else self.tr("{path} is made with this in it.").format(path=change.path),
            action=self.tr("Write it"),
            keep=self.tr("Not now"),
            parent=owner,
        )
        whole = diff_lines(change.before or "", change.after)
        near = tuple(whole.rows[number] for number in whole.near_changes(_LINES_AROUND))
        difference = DiffView(self.context.theme, question, compact=True)
        difference.show_diff(replace(whole, rows=near))
        question.show_between(difference)
        if await answered(question) == QDialog.DialogCode.Accepted:
            await self.connection.add(change)

    async def _drill(self, name: str) -> None:
        if self.drill_dialog is not None:
            return
        dialog = self.drill_dialog = DrillDialog(self.context.theme, self.context.window)
        presenter = self.drill
        presenter.state_changed.connect(dialog.show_state)
        dialog.run_requested.connect(presenter.run)
        dialog.leave_requested.connect(dialog.accept)
        presenter.open(name, self.workspace_id)
        try:
            await answered(dialog)
        finally:
            presenter.state_changed.disconnect(dialog.show_state)
            self.drill_dialog = None
            presenter.close()

    async def _may_open_account(self, name: str) -> bool:
        dialog = ConfirmDialog(
            self.tr(
                "Let {name} read what the agent remembers about you, in every workspace?"
            ).format(name=name),
            self.tr("Account memory is one for all your workspaces. You can close it again."),
            action=self.tr("Let it read"),
            keep=self.tr("Keep it closed"),
            parent=self.context.window,
        )
        return await answered(dialog) == QDialog.DialogCode.Accepted

    def _detail(self) -> ClientDetail | None:
        return None if self.content is None else self.content.details.get(self.view.current_name())

    @Slot()
    def _on_drill_wanted(self) -> None:
        if name := self.view.current_name():
            self.spawn(self._drill(name))

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
    def _on_add_requested(self) -> None:
        if self.dialog is not None:
            begin_asking(self.background, self._add(self.dialog), self.dialog)

    @Slot()
    def _on_connect_wanted(self) -> None:
        self.spawn(self._connect(self._detail()))

    @Slot()
    def _on_connect_requested(self) -> None:
        self.spawn(self._connect(None))

    @Slot()
    def _on_revoke_wanted(self) -> None:
        self.spawn(self._revoke_all(self.view.current_name()))


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
