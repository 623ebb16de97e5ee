"""Past consolidations: what each did, and taking one back."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal, Slot

from inklings_desktop.domain.errors import ConflictError, InklingsError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.consolidation.reads import history
from inklings_desktop.ui.consolidation.runs_dialog import ALL, RunsDialog
from inklings_desktop.ui.consolidation.runs_words import RunsState
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.consolidation_words import (
    ReviewNotice,
    already_undone_notice,
    problem_notice,
    undo_question,
    undone_words,
)
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from typing import Any

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.ui.consolidation.review_state import ReviewState
    from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.consolidation.undo_consolidation import RunUndone

StateT = TypeVar("StateT", bound="ReviewState | RunsState")
DialogT = TypeVar("DialogT", bound="ProcessDialog[Any]")


class UndoingProcess(Process[StateT, DialogT]):
    """A process that can take back the run on show.

    Signals:
        changed: The ``TaskRun`` that ended or was taken back: memories are others now.
    """

    changed = Signal(object)

    def __init__(self, context: Context, state: StateT, parent: QObject) -> None:
        super().__init__(context, state, parent)
        self._stop = threading.Event()
        """Of what is under way; another one once nobody waits for that any more."""

    async def ask_undo(self) -> None:
        """Take the run on show back, if the person means it."""
        if self.dialog is None or self.state.run is None:
            return
        question, text = undo_question(self.state.run)
        if await self.ask(question, text, yes=tr("Undo this run"), no=tr("Leave it")):
            await self.undo()

    async def undo(self) -> None:
        """Take the run on show back."""
        raise NotImplementedError

    async def taken_back(self, run: TaskRun, progress: Progress) -> RunUndone:
        """What taking a run back did.

        Raises:
            InklingsError: It could not be taken back.
        """
        try:
            return await self.background.write(
                self.inklings.consolidation.undo, run.target.workspace_id, run.id, progress=progress
            )
        except asyncio.CancelledError:
            self._stop.set()  # the window closes: undoing again goes on
            raise


class RunsProcess(UndoingProcess[RunsState, RunsDialog]):
    """Shows the history of one workspace and of the account."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, RunsState(), parent)
        self._reading = Latest(context.background)
        self._looking = Latest(context.background)
        self._workspace_id = ""

    def open(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Show the runs of a workspace and of the account; nothing while they are on show.

        Args:
            workspace_id: The workspace.
            tier: Whose runs are on show first, the newest one in full; None for all of them.
        """
        if self.dialog is not None:
            return
        self._workspace_id = workspace_id
        self.state = RunsState(tier=tier)
        dialog = RunsDialog(self.context.theme, self.context.window, self.inklings.clock)
        dialog.tiers.choice_changed.connect(self._on_tier_chosen)
        dialog.list.row_chosen.connect(self.look_at)
        dialog.undo.clicked.connect(self.starts(self.ask_undo))
        dialog.finish.clicked.connect(self.leave)
        self._reading.run(self._read())
        self.show_dialog(dialog)

    def may_leave(self) -> bool:
        """Whether nothing is being taken back: its result follows in a moment."""
        return not self.state.is_undoing

    def ended(self) -> None:
        self._reading.cancel()
        self._looking.cancel()
        self.state = RunsState()

    @Slot(str)
    def _on_tier_chosen(self, choice: str) -> None:
        tier = None if choice == ALL else Tier(choice)
        if tier is not self.state.tier:
            self._look_at_first(replace(self.state, tier=tier, notice=None))

    @Slot(str)
    def look_at(self, run_id: str) -> None:
        """Show what one run did."""
        if run_id != self.state.current:
            self.change(current=run_id, details=None, notice=None)
            self._looking.run(self._read_details(run_id))

    async def undo(self) -> None:
        state, run = self.state, self.state.run
        if not state.can_undo or run is None:
            return
        self.show(replace(state, is_undoing=True, notice=None))
        try:
            undone = await self.taken_back(run, Progress(is_cancelled=self._stop.is_set))
        except ConflictError:
            self.change(is_undoing=False, notice=already_undone_notice())
            await self._read()
            return
        except InklingsError as error:
            self.change(is_undoing=False, notice=problem_notice(error))
            return
        notice = ReviewNotice("lapis", *undone_words(undone))
        runs = tuple(undone.run if one.id == undone.run.id else one for one in self.state.runs)
        self.change(is_undoing=False, runs=runs, notice=notice)
        self.changed.emit(undone.run)
        if self.state.current == run.id:
            self._looking.run(self._read_details(run.id))

    async def _read(self) -> None:
        try:
            runs, places = await self.background.read(history, self.inklings, self._workspace_id)
        except InklingsError as error:
            self.change(is_read=True, notice=problem_notice(error))
            return
        self._look_at_first(replace(self.state, is_read=True, runs=runs, places=places))

    def _look_at_first(self, state: RunsState) -> None:
        ids = [one.id for one in state.shown]
        current = state.current if state.current in ids else next(iter(ids), "")
        self.show(replace(state, current=current, details=None))
        if current:
            self._looking.run(self._read_details(current))

    async def _read_details(self, run_id: str) -> None:
        run = self.state.run
        if run is None:
            return
        try:
            details = await self.background.read(
                self.inklings.consolidation.show_run, run.target.workspace_id, run_id
            )
        except InklingsError as error:
            self.change(notice=problem_notice(error))
            return
        if self.state.current == run_id:
            self.change(details=details)
