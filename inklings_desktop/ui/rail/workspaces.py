"""Joins the switcher to the workspaces: how much each holds, their names, folders and end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.ui.kit.dialogs.ask import answered, ask_name, begin_asking
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.file_manager import show_folder
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.rail.wishes import WorkspaceRow, WorkspaceWish

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.log.backup import WorkspaceDeletion
    from inklings_desktop.domain.rooms.workspace import Workspace, WorkspaceSummary
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.rail.pane import RailPane


class Workspaces(QObject):
    """Carries out every wish of the switcher but those for a new or a sample workspace."""

    def __init__(
        self,
        context: Context,
        *,
        rail: RailPane,
        shell: ShellPresenter,
        open_workspace: Callable[[str], None],
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Hear what the switcher of this rail asks for.

        Args:
            context: What every page is given.
            rail: Holds the card with the switcher.
            shell: Knows which workspace is open.
            open_workspace: Opens another one, if the pages may let go of this one.
            may_leave: Whether the open workspace may be let go of; asks about unsaved text.
            parent: Owner.
        """
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._rail, self._shell = rail, shell
        self._open_workspace, self._may_leave = open_workspace, may_leave
        self._surveying = Latest(context.background)
        rail.card.survey_wanted.connect(lambda: self._surveying.run(self._survey()))
        rail.card.wanted.connect(self._on_wanted)

    @Slot()
    def ask_folder(self) -> None:
        """Ask for a workspace's folder that lies elsewhere, and open a copy of it."""
        begin_asking(self._background, self._ask_folder(), self._rail)

    async def adopt(self, folder: Path) -> None:
        """Open a copy of a workspace's folder that lies elsewhere.

        Raises:
            InklingsError: It cannot be taken in.
        """
        if not await self._may_leave():
            return
        made: Workspace = await self._background.write(self._inklings.workspaces.adopt, folder)
        await self._shell.open_workspace(made.id)
        self._context.tell(
            tr("{name} was copied here; the folder you chose is unchanged").format(name=made.name)
        )

    @Slot(object, str)
    def _on_wanted(self, wish: WorkspaceWish, workspace_id: str) -> None:
        match wish:
            case WorkspaceWish.OPEN:
                self._open_workspace(workspace_id)
            case WorkspaceWish.RENAME:
                begin_asking(self._background, self._rename(workspace_id), self._rail)
            case WorkspaceWish.FOLDER:
                self._background.spawn(self._show_folder(workspace_id))
            case WorkspaceWish.DELETE:
                begin_asking(self._background, self._delete(workspace_id), self._rail)
            case WorkspaceWish.ADOPT:
                self.ask_folder()

    async def _ask_folder(self) -> None:
        title = tr("Open a workspace\u2019s folder")
        dialog = QFileDialog(self._rail.window(), title, str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        if await answered(dialog):
            await self.adopt(Path(dialog.selectedFiles()[0]))

    async def _surveyed(self) -> tuple[WorkspaceSummary, ...]:
        found: tuple[WorkspaceSummary, ...] = await self._background.read(
            self._inklings.workspaces.survey
        )
        return found

    async def _survey(self) -> None:
        found = await self._surveyed()
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
                self._inklings.workspaces.rename, workspace_id, name
            )
            return found

        after = await ask_name(
            self._rail.window(),
            tr("Rename {name}").format(name=before.name),
            tr("Its folder and everything in it stay."),
            yes=tr("Rename"),
            use=use,
            name=before.name,
        )
        if after is not None:
            self._shell.refresh()
            self._context.tell(
                tr("{before} is now {after}").format(before=before.name, after=after.name)
            )

    async def _show_folder(self, workspace_id: str) -> None:
        found = await self._surveyed()
        folder = next((one.folder for one in found if one.workspace.id == workspace_id), None)
        if folder is not None:
            show_folder(folder, self._context.say)

    async def _delete(self, workspace_id: str) -> None:
        """Delete a workspace once its phrase was typed; another one opens if it was open."""
        from inklings_desktop.ui.rail.dialogs import DeleteWorkspaceDialog

        here = self._shell.surroundings
        is_open = here is not None and here.workspace.id == workspace_id
        if is_open and not await self._may_leave():
            return
        with self._shell.expecting_to_leave(workspace_id):
            found: WorkspaceDeletion = await self._background.read(
                self._inklings.workspaces.preview_deletion, workspace_id
            )
            dialog = DeleteWorkspaceDialog(self._rail.theme, found, self._rail.window())
            if not await answered(dialog):
                return
            await self._background.write(self._delete_for_good, workspace_id, dialog.phrase)
            if is_open:
                await self._shell.open_workspace(None)
        if not is_open:
            self._shell.refresh()

    def _delete_for_good(self, workspace_id: str, typed: str) -> None:
        """Leave an empty workspace in the place of the last one: the window always shows one."""
        inklings = self._inklings
        inklings.workspaces.delete(workspace_id, confirm=typed)
        if not inklings.places.workspaces():
            inklings.workspaces.create(tr("My world"))

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
        "1 memory",
        "{n} memories",
    )
    return WorkspaceRow(one.id, one.name, detail)
