"""Runs a canary drill off the UI thread and says how far it is."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.ui.access.drill_state import DrillState
from inklings_desktop.ui.access.drill_words import (
    drill_rows,
    note_lines,
    report_text,
    step_words,
    verdict_words,
)
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from inklings_desktop.domain.access.canary import DrillReport
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class DrillPresenter(QObject):
    """Keeps what the dialog shows; knows no widgets.

    Signals:
        state_changed: A ``DrillState``.
    """

    state_changed = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._running = Latest(background)
        self._workspace_id = ""
        self.state = DrillState()

    def open(self, client: str, workspace_id: str) -> None:
        """Begin a drill of a client's rights in a workspace."""
        self._workspace_id = workspace_id
        self.state = DrillState(client)
        self.run()

    def close(self) -> None:
        """Stop what is under way."""
        self._running.cancel()

    @Slot()
    def run(self) -> None:
        """Begin anew; a second press gives it up."""
        if self.state.is_running:
            self._running.cancel()
            stopped = DrillState(self.state.client, verdict=_tr("Stopped. Nothing was proved."))
            self._show(stopped)
            return
        self._show(DrillState(self.state.client, is_running=True, step=step_words("plant")))
        self._running.run(self._run(self.state.client))

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._running.settled()

    async def _run(self, client: str) -> None:
        stop = threading.Event()
        loop = asyncio.get_running_loop()
        inklings, workspace_id = self._inklings, self._workspace_id

        def report(step: str, done: int, total: int) -> None:
            with suppress(RuntimeError):  # the loop ends when the window does
                loop.call_soon_threadsafe(self._on_progress, stop, step, done, total)

        def drilled() -> tuple[DrillReport, str]:
            found = inklings.run_canary_drill(
                inklings.caller, client, workspace_id, Progress(report, stop.is_set)
            )
            return found, inklings.find_workspace(inklings.caller, workspace_id).name

        try:
            found, workspace = await self._background.read(drilled)
        except StoppedError:
            return
        except InklingsError as error:
            self._show(DrillState(client, verdict=message_of(error).title))
            return
        finally:
            # Cancelling only stops the wait: the thread has to hear of it too.
            stop.set()
        self._show(
            DrillState(
                client,
                verdict=verdict_words(found),
                is_passed=found.is_passed,
                notes=note_lines(found),
                rows=drill_rows(found),
                report=report_text(found, workspace, inklings.clock()),
            )
        )

    def _on_progress(self, stop: threading.Event, step: str, done: int, total: int) -> None:
        if self.state.is_running and not stop.is_set():
            share = done / total if total else 0.0
            self._show(replace(self.state, share=share, step=step_words(step)))

    def _show(self, state: DrillState) -> None:
        self.state = state
        self.state_changed.emit(state)


def _tr(text: str) -> str:
    return QCoreApplication.translate("drill", text)
