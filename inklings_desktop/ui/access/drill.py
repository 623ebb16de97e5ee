"""Runs a canary drill off the UI thread and shows how far it is, then what it came to."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.ui.access.drill_dialog import DrillDialog, DrillState, drill_state, step_words
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.process import Process, reports_to
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from inklings_desktop.ui.kit.page.context import Context
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
        """Stop what is under way."""
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
