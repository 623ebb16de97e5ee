"""Deletes a workspace: what would go, the typed phrase, and what opens afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.dialogs.asking import answered
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.rail.delete_workspace_dialog import DeleteWorkspaceDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.log.backup import WorkspaceDeletion
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class DeletionDesk(QObject):
    """One question over the window.

    Signals:
        message_raised: A ``Message`` when it could not be done; nothing was changed then.
    """

    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        theme: Theme,
        window: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._theme = theme
        self._window = window

    async def delete(self, workspace_id: str) -> bool:
        """Ask, and delete once the phrase was typed; whether the workspace is gone.

        The last workspace leaves an empty one in its place: the window always shows one.
        """
        caller = self._inklings.caller
        try:
            found: WorkspaceDeletion = await self._background.read(
                self._inklings.preview_workspace_deletion, caller, workspace_id
            )
            dialog = DeleteWorkspaceDialog(self._theme, found, self._window)
            if not await answered(dialog):
                return False
            typed = dialog.phrase
            await self._background.write(self._delete, workspace_id, typed)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return False
        return True

    def _delete(self, workspace_id: str, typed: str) -> None:
        inklings = self._inklings
        inklings.delete_workspace(inklings.caller, workspace_id, confirm=typed)
        if not inklings.list_workspaces(inklings.caller):
            inklings.create_workspace(inklings.caller, self.tr("My world"))
