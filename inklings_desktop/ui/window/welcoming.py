"""The welcome in the place of the pages, while there is no world to show."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.rooms.conversation import checked_name
from inklings_desktop.ui.access.connection import ConnectionProcess
from inklings_desktop.ui.kit.dialogs.ask import begin_asking
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.welcome.guide import WelcomeGuide
from inklings_desktop.ui.welcome.state import step_hints
from inklings_desktop.ui.welcome.view import WelcomeView

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QStackedWidget

    from inklings_desktop.domain.access.connections import ClientProgram
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.welcome.state import WelcomeState
    from inklings_desktop.ui.window.status import WindowStatusBar


class WindowWelcome(QObject):
    """Joins the welcome to the dialogs of pages that it leads to.

    Attributes:
        guide: Leads through its steps.
        paths: The files that are to be brought in once the world is open; empty for none.
    """

    def __init__(
        self, context: Context, places: QStackedWidget, status: WindowStatusBar, parent: QObject
    ) -> None:
        """Stand in the place of the pages.

        Args:
            places: Of the window: where its pages stand.
            status: Explains the keys.
        """
        super().__init__(parent)
        self._context, self._places, self._status = context, places, status
        self.paths: tuple[Path, ...] = ()
        self.guide = guide = WelcomeGuide(context, WelcomeView(context.theme, places), self)
        self._connection = ConnectionProcess(context, self)
        guide.shown.connect(self._on_shown)
        guide.file_wanted.connect(self._on_file_wanted)
        guide.connect_wanted.connect(self._on_connect_wanted)

    async def first_world(self, closed: asyncio.Event) -> bool:
        """Whether there is a world to open now; False when the window is left instead."""
        places, guide = self._places, self.guide
        places.addWidget(guide.view)
        places.setCurrentWidget(guide.view)
        guide.show(guide.state)
        waits = [asyncio.ensure_future(one.wait()) for one in (guide.done, closed)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for waiting in waits:
            waiting.cancel()
        if not closed.is_set():
            places.removeWidget(guide.view)
            guide.view.deleteLater()
        return guide.done.is_set()

    async def _bring(self) -> None:
        """Ask for files; the world that they come into is called like the first."""
        from inklings_desktop.ui.transfer.import_dialog import asked_import_paths

        paths = await asked_import_paths(self._context.window, folder=False)
        if not paths:
            return
        guide = self.guide
        if not guide.state.world_id:
            await guide.make_world(guide.state.name or _name_for(paths[0]))
        self.paths = paths
        guide.done.set()

    @Slot(object)
    def _on_shown(self, state: WelcomeState) -> None:
        self._status.show_welcome(step_hints(state.step), has_world=bool(state.world_id))

    @Slot()
    def _on_file_wanted(self) -> None:
        begin_asking(self._context.background, self._bring(), self._context.window)

    @Slot(str, object)
    def _on_connect_wanted(self, workspace_id: str, program: ClientProgram | None) -> None:
        self._connection.open(workspace_id, None, program)


def _name_for(path: Path) -> str:
    """What a world that comes out of a file is called until its author says otherwise."""
    from inklings_desktop.domain.transfer.document import FILE_SUFFIX

    try:
        return checked_name(path.name.removesuffix(FILE_SUFFIX).removesuffix(path.suffix))
    except InvalidValueError:
        return tr("My world")
