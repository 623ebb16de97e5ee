"""Joins presenter and view of the Access tab: who says what to whom, and what is asked first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.access.connection_dialog import ConnectionDialog
from inklings_desktop.ui.access.connection_presenter import ConnectionPresenter
from inklings_desktop.ui.access.drill_dialog import DrillDialog
from inklings_desktop.ui.access.drill_presenter import DrillPresenter
from inklings_desktop.ui.access.presenter import AccessPresenter
from inklings_desktop.ui.kit.dialogs.asking import answered, begin_asking
from inklings_desktop.ui.kit.dialogs.confirm_dialog import ConfirmDialog
from inklings_desktop.ui.markdown.diff_view import DiffView

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.access.state import AccessContent, ClientDetail, RightSwitch
    from inklings_desktop.ui.access.view import AccessView
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_LINES_AROUND = 3
_READS_ACCOUNT = Right(Tier.ACCOUNT, None, Action.READ)


class AccessPage(QObject):
    """One opened data root behind the Access tab.

    Signals:
        message_raised: A ``Message`` for the person.
        view_wanted: A client's name and a workspace id: the window as it sees that.
        forget_wanted: A client's name and a workspace id: what it wrote there is to be forgotten.
    """

    message_raised = Signal(object)
    view_wanted = Signal(str, str)
    forget_wanted = Signal(str, str)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        theme: Theme,
        view: AccessView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self.view = view
        self._theme = theme
        self._workspace_id = ""
        self.access = AccessPresenter(background, inklings, self)
        self.access.content_changed.connect(view.show_content)
        self.access.message_raised.connect(self.message_raised)
        view.watched_changed.connect(self._on_watched_changed)
        view.retry_requested.connect(self.access.refresh)
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
        self.connection = ConnectionPresenter(background, inklings, self)
        self.dialog: ConnectionDialog | None = None
        self.drill = DrillPresenter(background, inklings, self)
        self.drill_dialog: DrillDialog | None = None
        self.access.set_watched(watched=view.isVisible())

    def open(self, workspace_id: str) -> None:
        """Stand to another workspace."""
        self._workspace_id = workspace_id
        self.access.open(workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.access.on_changes(changes)

    def refresh(self) -> None:
        """Read everything again."""
        self.access.refresh()

    async def _switch(self, name: str, wanted: RightSwitch, *, on: bool) -> None:
        if on and wanted.opens_account and not await self._may_open_account(name):
            return
        await self.access.switch(name, wanted.right, on=on)

    async def _take_for(self, detail: ClientDetail, kind: ClientKind) -> None:
        wanted = preset_rights(kind, self._workspace_id)
        opens_account = _READS_ACCOUNT in wanted and not any(
            one.right == _READS_ACCOUNT and one.is_on for one in detail.switches
        )
        if not opens_account or await self._may_open_account(detail.name):
            await self.access.take_for(detail.name, kind)

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
            parent=self.view.window(),
        )
        if await answered(dialog) == QDialog.DialogCode.Accepted:
            await self.access.revoke_all(name)

    async def _connect(self, detail: ClientDetail | None) -> None:
        if self.dialog is not None:
            return
        dialog = self.dialog = ConnectionDialog(self._theme, self.view.window())
        dialog.leave_requested.connect(dialog.accept)
        presenter = self.connection
        presenter.state_changed.connect(dialog.show_state)
        dialog.name_typed.connect(presenter.name_client)
        dialog.program_chosen.connect(presenter.choose_program)
        dialog.test_requested.connect(presenter.test)
        dialog.copied.connect(presenter.let_in)
        dialog.hooks_requested.connect(presenter.turn_to_hooks)
        dialog.add_requested.connect(self._on_add_requested)
        presenter.open(self._workspace_id, detail)
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
        difference = DiffView(self._theme, question, compact=True)
        difference.show_diff(replace(whole, rows=near))
        question.show_between(difference)
        if await answered(question) == QDialog.DialogCode.Accepted:
            await self.connection.add(change)

    async def _drill(self, name: str) -> None:
        if self.drill_dialog is not None:
            return
        dialog = self.drill_dialog = DrillDialog(self._theme, self.view.window())
        presenter = self.drill
        presenter.state_changed.connect(dialog.show_state)
        dialog.run_requested.connect(presenter.run)
        dialog.leave_requested.connect(dialog.accept)
        presenter.open(name, self._workspace_id)
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
            parent=self.view.window(),
        )
        return await answered(dialog) == QDialog.DialogCode.Accepted

    def _detail(self) -> ClientDetail | None:
        content: AccessContent | None = self.access.content
        return None if content is None else content.details.get(self.view.current_name())

    @Slot()
    def _on_drill_wanted(self) -> None:
        if name := self.view.current_name():
            self._background.spawn(self._drill(name))

    @Slot()
    def _on_view_wanted(self) -> None:
        if name := self.view.current_name():
            self.view_wanted.emit(name, self._workspace_id)

    @Slot()
    def _on_forget_wanted(self) -> None:
        if name := self.view.current_name():
            self.forget_wanted.emit(name, self._workspace_id)

    @Slot(bool)
    def _on_watched_changed(self, watched: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.access.set_watched(watched=watched)

    @Slot(object, bool)
    def _on_switch_wanted(self, wanted: RightSwitch, on: bool) -> None:  # noqa: FBT001 - Qt's
        self._background.spawn(self._switch(self.view.current_name(), wanted, on=on))

    @Slot(object)
    def _on_kind_wanted(self, kind: ClientKind) -> None:
        detail = self._detail()
        if detail is not None:
            self._background.spawn(self._take_for(detail, kind))

    @Slot(str)
    def _on_channel_wanted(self, channel_id: str) -> None:
        right = Right(Tier.CHANNEL, self._workspace_id, Action.READ, channel_id)
        self._background.spawn(self.access.switch(self.view.current_name(), right, on=True))

    @Slot()
    def _on_add_requested(self) -> None:
        if self.dialog is not None:
            begin_asking(self._background, self._add(self.dialog), self.dialog)

    @Slot()
    def _on_connect_wanted(self) -> None:
        self._background.spawn(self._connect(self._detail()))

    @Slot()
    def _on_connect_requested(self) -> None:
        self._background.spawn(self._connect(None))

    @Slot()
    def _on_revoke_wanted(self) -> None:
        self._background.spawn(self._revoke_all(self.view.current_name()))
