"""Joins presenter and view of the Access tab: who says what to whom, and what is asked first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.access.connection import ConnectionProcess
from inklings_desktop.ui.access.drill import DrillProcess
from inklings_desktop.ui.access.presenter import AccessPresenter
from inklings_desktop.ui.kit.dialogs.ask import ask

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.access.state import AccessContent, ClientDetail, RightSwitch
    from inklings_desktop.ui.access.view import AccessView
    from inklings_desktop.ui.kit.page.context import Context

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

    def __init__(self, context: Context, *, view: AccessView, parent: QObject) -> None:
        super().__init__(parent)
        background, inklings = context.background, context.inklings
        self._background = background
        self._inklings = inklings
        self.view = view
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
        self.connection = ConnectionProcess(context, self)
        self.drill = DrillProcess(context, self)
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
        if await ask(
            self.view.window(),
            self.tr("Take every right from {name}?").format(name=name),
            self.tr(
                "From its next request on it reads and writes nothing, in any workspace. What it"
                " wrote stays."
            ),
            yes=self.tr("Revoke all"),
            no=self.tr("Keep its rights"),
            is_destructive=True,
        ):
            await self.access.revoke_all(name)

    async def _may_open_account(self, name: str) -> bool:
        return await ask(
            self.view.window(),
            self.tr(
                "Let {name} read what the agent remembers about you, in every workspace?"
            ).format(name=name),
            self.tr("Account memory is one for all your workspaces. You can close it again."),
            yes=self.tr("Let it read"),
            no=self.tr("Keep it closed"),
        )

    def _detail(self) -> ClientDetail | None:
        content: AccessContent | None = self.access.content
        return None if content is None else content.details.get(self.view.current_name())

    @Slot()
    def _on_drill_wanted(self) -> None:
        if name := self.view.current_name():
            self.drill.open(name, self._workspace_id)

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
    def _on_connect_wanted(self) -> None:
        self.connection.open(self._workspace_id, self._detail())

    @Slot()
    def _on_connect_requested(self) -> None:
        self.connection.open(self._workspace_id, None)

    @Slot()
    def _on_revoke_wanted(self) -> None:
        self._background.spawn(self._revoke_all(self.view.current_name()))
