"""Joins the switcher to the workspaces: how much each holds, their names, folders and end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.ui.kit.dialogs.ask import ask_name
from inklings_desktop.ui.kit.dialogs.asking import answered, begin_asking
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.entry_facts import counted
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.rail.deletion import DeletionDesk
from inklings_desktop.ui.rail.workspace_rows import WorkspaceRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.rooms.workspace import Workspace, WorkspaceSummary
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.usecases.bundle import Inklings


class WorkspaceDesk(QObject):
    """Every wish of the switcher but opening one.

    Signals:
        said: A sentence for a passing note.
        message_raised: A ``Message`` when something could not be done; nothing was changed then.
    """

    said = Signal(str)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        rail: RailPane,
        shell: ShellPresenter,
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Hear what the switcher of this rail asks for.

        Args:
            background: Where the use cases run.
            inklings: The opened data root.
            rail: Holds the card with the switcher.
            shell: Knows which workspace is open.
            may_leave: Whether the open workspace may be let go of; asks about unsaved text.
            parent: Owner of the desk.
        """
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._rail = rail
        self._shell = shell
        self._may_leave = may_leave
        self._surveying = Latest(background)
        card = rail.card
        card.survey_wanted.connect(self.survey)
        card.rename_requested.connect(self.rename)
        card.folder_requested.connect(self.show_folder)
        card.deletion_requested.connect(self.delete)
        card.adoption_requested.connect(self.ask_folder)

    @Slot()
    def survey(self) -> None:
        """Find out how much each workspace holds, and which cannot be read."""
        self._surveying.run(self._survey())

    @Slot(str)
    def rename(self, workspace_id: str) -> None:
        """Ask for another name of a workspace."""
        begin_asking(self._background, self._rename(workspace_id), self._rail)

    @Slot(str)
    def show_folder(self, workspace_id: str) -> None:
        """Show a workspace's folder in the file manager of the desktop."""
        self._background.spawn(self._show_folder(workspace_id))

    @Slot(str)
    def delete(self, workspace_id: str) -> None:
        """Ask whether a workspace should go for good; another one opens if it was the open one."""
        begin_asking(self._background, self._delete(workspace_id), self._rail)

    @Slot()
    def ask_folder(self) -> None:
        """Ask for a workspace's folder that lies elsewhere, and open a copy of it."""
        begin_asking(self._background, self._ask_folder(), self._rail)

    async def adopt(self, folder: Path) -> None:
        """Open a copy of a workspace's folder that lies elsewhere."""
        if not await self._may_leave():
            return
        try:
            made: Workspace = await self._background.write(
                self._inklings.adopt_workspace, self._inklings.caller, folder
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        await self._shell.open_workspace(made.id)
        self.said.emit(
            self.tr("{name} is here now; the folder that you chose stays as it is").format(
                name=made.name
            )
        )

    async def _ask_folder(self) -> None:
        title = self.tr("Open a workspace\u2019s folder")
        dialog = QFileDialog(self._rail.window(), title, str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        if await answered(dialog):
            await self.adopt(Path(dialog.selectedFiles()[0]))

    async def _surveyed(self) -> tuple[WorkspaceSummary, ...]:
        found: tuple[WorkspaceSummary, ...] = await self._background.read(
            self._inklings.survey_workspaces, self._inklings.caller
        )
        return found

    async def _survey(self) -> None:
        try:
            found = await self._surveyed()
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self._rail.card.show_details([_row(one) for one in found])
        for one in found:
            if isinstance(one.problem, DatabaseCorruptError):
                self._background.note_damage(one.problem)

    async def _rename(self, workspace_id: str) -> None:
        before = self._known(workspace_id)
        if before is None:
            return

        async def use(name: str) -> Workspace:
            found: Workspace = await self._background.write(
                self._inklings.rename_workspace, self._inklings.caller, workspace_id, name
            )
            return found

        try:
            after = await ask_name(
                self._rail.window(),
                self.tr("Rename this workspace"),
                self.tr("Its folder and everything in it stay where they are."),
                yes=self.tr("Rename"),
                use=use,
                name=before.name,
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        if after is None:
            return
        self._shell.refresh()
        self.said.emit(
            self.tr("{before} is now {after}").format(before=before.name, after=after.name)
        )

    async def _show_folder(self, workspace_id: str) -> None:
        try:
            found = await self._surveyed()
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        folder = next((one.folder for one in found if one.workspace.id == workspace_id), None)
        if folder is None:
            return
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.message_raised.emit(
                Message(
                    self.tr("The folder could not be shown"),
                    self.tr("No file manager answered. The details say where the folder is."),
                    details=((self.tr("Folder"), str(folder)),),
                )
            )

    async def _delete(self, workspace_id: str) -> None:
        here = self._shell.surroundings
        is_open = here is not None and here.workspace.id == workspace_id
        if is_open and not await self._may_leave():
            return
        desk = DeletionDesk(
            self._background,
            self._inklings,
            theme=self._rail.theme,
            window=self._rail.window(),
            parent=self,
        )
        desk.message_raised.connect(self.message_raised)
        with self._shell.expecting_to_leave(workspace_id):
            is_gone = await desk.delete(workspace_id)
            if is_gone and is_open:
                await self._shell.open_workspace(None)
        if is_gone and not is_open:
            self._shell.refresh()
        desk.deleteLater()

    def _known(self, workspace_id: str) -> Workspace | None:
        here = self._shell.surroundings
        known = here.workspaces if here is not None else ()
        return next((one for one in known if one.id == workspace_id), None)


def _row(summary: WorkspaceSummary) -> WorkspaceRow:
    one = summary.workspace
    if summary.problem is not None:
        return WorkspaceRow(one.id, one.name, message_of(summary.problem).title, is_readable=False)
    n_memories = summary.n_memories or 0
    detail = counted(
        n_memories,
        QCoreApplication.translate("workspaces", "1 memory"),
        QCoreApplication.translate("workspaces", "{n} memories"),
    )
    return WorkspaceRow(one.id, one.name, detail)
