"""Brings in the file that a first world was made for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from inklings_desktop.domain.entries.named_entry import VOICE
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.transfer.transfer import Transfer
    from inklings_desktop.usecases.bundle import Inklings


class BringingIn(QObject):
    """Shows what a file would do; one that brings its own world needs no other beside it."""

    def __init__(
        self, context: Context, shell: ShellPresenter, transfer: Transfer, paths: tuple[Path, ...]
    ) -> None:
        """Show the files.

        Args:
            context: What every page is given.
            shell: Knows which workspace is open: the one that was made for them.
            transfer: Shows and imports it; it owns this.
            paths: The files.
        """
        super().__init__(transfer)
        self._context, self._shell = context, shell
        transfer.imported.connect(self._on_imported, Qt.ConnectionType.SingleShotConnection)
        transfer.open_files(*paths)

    @Slot(str, str)
    def _on_imported(self, _run_id: str, _text: str) -> None:
        self._context.background.spawn(self._settle())

    async def _settle(self) -> None:
        """Go to the world that came, and let the one that was made for it go, if it is empty."""
        here = self._shell.surroundings
        if here is None:
            return
        background, inklings, made = (
            self._context.background,
            self._context.inklings,
            here.workspace,
        )
        come, phrase = await background.read(_came_beside, inklings, made.id)
        if not phrase:
            return
        with self._shell.expecting_to_leave(made.id):
            await self._shell.open_workspace(come)
            await background.write(inklings.workspaces.delete, made.id, confirm=phrase)
        self._shell.refresh()


def _came_beside(inklings: Inklings, made_id: str) -> tuple[str, str]:
    """Id of a world that came, and what confirms that the one made for it goes; empty if it stays.

    Raises:
        InklingsError: It cannot be found out.
    """
    others = [one.id for one in inklings.places.workspaces() if one.id != made_id]
    held = inklings.workspaces.preview_deletion(made_id)
    voice = inklings.entries.find(made_id, VOICE, tier=Tier.WORKSPACE)
    if not others or held.n_memories or held.n_conversations or not voice.is_template:
        return "", ""
    return others[0], held.phrase
