"""Leads the dialog of analyses: chooses, fills in, runs, stops, copies, and goes where it leads."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.analyses import (
    SHIPPED,
    analysis_of_file,
    every_shipped,
    fork,
    shipped,
)
from inklings_desktop.agent_client.launching import own_environment, world_agent_command
from inklings_desktop.agent_client.script_run import Report, carried_out, order, problem
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.analyses.dialog import AnalysisDialog
from inklings_desktop.ui.analyses.state import AnalysisState, title_words
from inklings_desktop.ui.kit.dialogs.ask import answered, begin_asking
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.destinations import ToMemory, ToWorld
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence

    from PySide6.QtCore import QObject

    from inklings_desktop.agent_client.analyses import Analysis
    from inklings_desktop.agent_client.script_run import Step
    from inklings_desktop.ui.kit.page.context import Context

_SUFFIX = ".py"


class AnalysisProcess(Process[AnalysisState, AnalysisDialog]):
    """One analysis at a time; what it found stays until another runs, also behind a closed dialog.

    Attributes:
        launch: What starts the agent for a data root and a workspace; None where none is installed.
    """

    launch: ClassVar[Callable[[Path | None, str | None], Sequence[str] | None]] = (
        world_agent_command
    )

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, AnalysisState(shipped(SHIPPED[0]), {}), parent)
        self._running = Latest(context.background)
        self._stop = threading.Event()
        self._workspace_id = ""

    def open(self, workspace_id: str) -> None:
        """Show what was chosen last, and what it found here; nothing while it is on show."""
        if self.dialog is not None:
            return
        if workspace_id != self._workspace_id:
            self.state = replace(self.state, report=None, is_stopped=False)
        self._workspace_id = workspace_id
        dialog = AnalysisDialog(self.context.theme, self.context.window, self.choices)
        dialog.filled_in.connect(self.fill_in)
        dialog.run_pressed.connect(self.begin)
        dialog.script_pressed.connect(self.turn_over)
        dialog.copy_wanted.connect(self.ask_copy)
        dialog.memory_wanted.connect(self.go_to_memory)
        dialog.page_wanted.connect(self.go_to_page)
        self.show_dialog(dialog)

    def ended(self) -> None:
        self._end_run()
        self.state = replace(self.state, is_running=False, notice="")

    # -- which one, and on what --------------------------------------------------------------

    def choices(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Every analysis, and a script of the person's own."""
        for one in every_shipped():
            yield title_words(one), partial(self.choose, one)
        yield tr("A script of my own\u2026"), self.ask_file

    def choose(self, analysis: Analysis) -> None:
        """Take another one; what was filled in stays where it asks for the same."""
        self.show(AnalysisState(analysis, self.state.inputs))

    @Slot(str, str)
    def fill_in(self, key: str, text: str) -> None:
        """Take what was typed for an input."""
        self.state = replace(self.state, inputs={**self.state.inputs, key: text})

    @Slot()
    def turn_over(self) -> None:
        """Show the text of the script, or what it found."""
        self.change(shows_script=not self.state.shows_script)

    # -- files -------------------------------------------------------------------------------

    def ask_file(self) -> None:
        """Ask for a script of the person's own, and take it."""
        self._begin_asking(self._ask_file)

    @Slot()
    def ask_copy(self) -> None:
        """Ask where a copy of the script goes, write it, and take that."""
        self._begin_asking(self._ask_copy)

    def _begin_asking(self, ask: Callable[[AnalysisDialog], Coroutine[Any, Any, object]]) -> None:
        if self.dialog is not None:
            begin_asking(self.background, ask(self.dialog), self.dialog)

    async def _ask_file(self, over: AnalysisDialog) -> None:
        dialog = QFileDialog(over, tr("A script of my own"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([f"Python (*{_SUFFIX})", tr("All files") + " (*)"])
        if await answered(dialog):
            await self._take(Path(dialog.selectedFiles()[0]))

    async def _ask_copy(self, over: AnalysisDialog) -> None:
        analysis = self.state.analysis
        dialog = QFileDialog(over, tr("Save a copy"), str(Path.home()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"Python (*{_SUFFIX})")
        dialog.setDefaultSuffix(_SUFFIX.removeprefix("."))
        dialog.selectFile(f"my-{analysis.name}{_SUFFIX}")
        if not await answered(dialog):
            return
        path = Path(dialog.selectedFiles()[0])
        try:
            await self.background.read(fork, analysis, path)
        except InklingsError as error:
            self.change(notice=message_of(error).title)
            return
        await self._take(path)

    async def _take(self, path: Path) -> None:
        try:
            self.choose(await self.background.read(analysis_of_file, path))
        except InklingsError as error:
            self.change(notice=message_of(error).title)

    # -- running -----------------------------------------------------------------------------

    @Slot()
    def begin(self) -> None:
        """Run it; a second press stops it."""
        if self.state.is_running:
            self._end_run()
            self.change(is_running=False, is_stopped=True)
            return
        self._stop = threading.Event()
        self.change(
            is_running=True, step=None, report=None, is_stopped=False, shows_script=False, notice=""
        )
        self._running.run(self._run(self._stop))

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._running.settled()

    async def _run(self, stop: threading.Event) -> None:
        command = type(self).launch(self.inklings.data_dir, self._workspace_id)
        if command is None:
            self.change(is_running=False, report=problem(wire.AGENT_NOT_INSTALLED))
            return
        loop = asyncio.get_running_loop()
        analysis = self.state.analysis
        inputs = {key: self.state.inputs.get(key, "") for key, _ in analysis.inputs}

        def tell(step: Step) -> None:
            loop.call_soon_threadsafe(self._on_step, stop, step)

        def run() -> Report | None:
            asked, variables = order(analysis.text, inputs), own_environment(os.environ)
            return carried_out(command, variables, asked, tell, stop.is_set)

        # A run may take minutes: the threads that read for the window are not held up by it.
        thread = ThreadPoolExecutor(1, thread_name_prefix="analysis")
        try:
            report = await loop.run_in_executor(thread, run)
        finally:
            stop.set()  # cancelling only ends the wait: the thread has to hear of it too
            thread.shutdown(wait=False)
        if report is not None:
            self.change(is_running=False, report=report)

    def _on_step(self, stop: threading.Event, step: Step) -> None:
        if self.state.is_running and not stop.is_set():
            self.change(step=step)

    def _end_run(self) -> None:
        self._stop.set()
        self._running.cancel()

    # -- where it leads ----------------------------------------------------------------------

    @Slot(str)
    def go_to_memory(self, memory_id: str) -> None:
        """Leave for a memory."""
        self.spawn(self._go_to_memory(memory_id))

    async def _go_to_memory(self, memory_id: str) -> None:
        locate = self.inklings.listing.locate
        entry = await self.background.read(locate, memory_id, self._workspace_id)
        self.close()
        self.context.go(ToMemory(entry))

    @Slot(str)
    def go_to_page(self, page_id: str) -> None:
        """Leave for a page of the author's."""
        self.close()
        self.context.go(ToWorld(page_id))
