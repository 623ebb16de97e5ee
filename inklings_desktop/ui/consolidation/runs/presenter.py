"""Past consolidations: what each did, and taking one back; knows no widgets."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import ConflictError, InklingsError
from inklings_desktop.ui.consolidation.runs.state import RunsState
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.consolidation_words import (
    ReviewNotice,
    already_undone_notice,
    problem_notice,
    undone_words,
)
from inklings_desktop.ui.kit.words.places import place_name
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class RunsPresenter(QObject):
    """Shows the history of one workspace and of the account.

    Signals:
        state_changed: The ``RunsState`` to show.
        undone: The ``TaskRun`` that was taken back.
    """

    state_changed = Signal(object)
    undone = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._looking = Latest(background)
        self._workspace_id = ""
        self._state = RunsState()

    @property
    def state(self) -> RunsState:
        """What is on show."""
        return self._state

    async def open(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Read the history and look at the newest run of a tier, or of all of them."""
        self._workspace_id = workspace_id
        self._show(RunsState(tier=tier))
        await self._read()

    def choose_tier(self, tier: Tier | None) -> None:
        """List the runs of another tier, or of all of them."""
        if tier is not self._state.tier:
            self._look_at_first(replace(self._state, tier=tier, notice=None))

    def look_at(self, run_id: str) -> None:
        """Show what one run did."""
        if run_id != self._state.current:
            self._show(replace(self._state, current=run_id, details=None, notice=None))
            self._looking.run(self._read_details(run_id))

    async def undo(self) -> None:
        """Take back the run that is looked at."""
        state, run = self._state, self._state.run
        if not state.can_undo or run is None:
            return
        self._show(replace(state, is_undoing=True, notice=None))
        stop = threading.Event()
        try:
            undone = await self._background.write(
                self._inklings.undo_consolidation,
                self._inklings.caller,
                run.target.workspace_id,
                run.id,
                progress=Progress(is_cancelled=stop.is_set),
            )
        except asyncio.CancelledError:
            stop.set()  # the window closes: undoing again goes on
            raise
        except ConflictError:
            self._show(replace(self._state, is_undoing=False, notice=already_undone_notice()))
            await self._read()
            return
        except InklingsError as error:
            self._show(replace(self._state, is_undoing=False, notice=problem_notice(error)))
            return
        notice = ReviewNotice("lapis", *undone_words(undone))
        runs = tuple(undone.run if one.id == undone.run.id else one for one in self._state.runs)
        self._show(replace(self._state, is_undoing=False, runs=runs, notice=notice))
        self.undone.emit(undone.run)
        if self._state.current == run.id:
            self._looking.run(self._read_details(run.id))

    def close(self) -> None:
        """Nobody looks any more."""
        self._looking.cancel()
        self._state = RunsState()

    async def settled(self) -> None:
        """Return once no reading is under way."""
        await self._looking.settled()

    async def _read(self) -> None:
        try:
            runs, places = await self._background.read(_history, self._inklings, self._workspace_id)
        except InklingsError as error:
            self._show(replace(self._state, is_read=True, notice=problem_notice(error)))
            return
        self._look_at_first(replace(self._state, is_read=True, runs=runs, places=places))

    def _look_at_first(self, state: RunsState) -> None:
        ids = [one.id for one in state.shown]
        current = state.current if state.current in ids else next(iter(ids), "")
        self._show(replace(state, current=current, details=None))
        if current:
            self._looking.run(self._read_details(current))

    async def _read_details(self, run_id: str) -> None:
        run = self._state.run
        if run is None:
            return
        inklings = self._inklings
        try:
            details = await self._background.read(
                inklings.show_run, inklings.caller, run.target.workspace_id, run_id
            )
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error)))
            return
        if self._state.current == run_id:
            self._show(replace(self._state, details=details))

    def _show(self, state: RunsState) -> None:
        self._state = state
        self.state_changed.emit(state)


def _history(
    inklings: Inklings, workspace_id: str
) -> tuple[tuple[TaskRun, ...], dict[ScopeKey, str]]:
    """Runs of both files, newest first, and what their places are called."""
    found = [
        run
        for file in (workspace_id, None)
        for run in inklings.list_consolidations(inklings.caller, file)
    ]
    runs = tuple(sorted(found, key=lambda one: one.started_at, reverse=True))
    scopes = {one.target.scope for one in runs if one.target.scope is not None}
    return runs, {scope: place_name(inklings, scope) for scope in scopes}
