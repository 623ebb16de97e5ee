"""Looks at a file, takes decisions, carries the import out and takes it back; knows no widgets."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportStatus,
)
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.kit.words.word_marks import differing
from inklings_desktop.ui.transfer.import_state import ImportFile, ImportState
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.import_plan import ImportRow, ImportRun
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class ImportPresenter(QObject):
    """One import at a time.

    Signals:
        state_changed: The ``ImportState`` to show.
        imported: The ``Imported``, once it was committed.
        withdrawn: The ``Withdrawn``, once it was taken back.
        message_raised: A ``Message``, when a file cannot even be looked at.
    """

    state_changed = Signal(object)
    imported = Signal(object)
    withdrawn = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._path: Path | None = None
        self._workspace: Workspace | None = None
        self._state: ImportState | None = None
        self._stop = threading.Event()
        self._n_looks = 0
        self._comparing = Latest(background)
        self.last_run = ""

    @property
    def state(self) -> ImportState | None:
        """What is on show; None while nothing is."""
        return self._state

    async def open(self, path: Path, workspace: Workspace) -> bool:
        """Look at a file; whether there is something to show.

        Args:
            path: The file.
            workspace: The open workspace.
        """
        self._path, self._workspace = path, workspace
        return await self._look(None)

    async def choose_target(self, *, into_open: bool) -> None:
        """Send the file's workspace into the open one, or where the file says."""
        state = self._state
        if state is not None and not state.is_writing and self._workspace is not None:
            await self._look(self._workspace.id if into_open else None)

    def show_only(self, status: ImportStatus | None) -> None:
        """Show the rows of one status, or all."""
        if self._state is not None:
            self._show(replace(self._state, shown=status))

    def look_at(self, number: int) -> None:
        """Compare the texts of another row."""
        if self._state is not None and number != self._state.current:
            self._show(replace(self._state, current=number))

    def decide(self, number: int, decision: Decision) -> None:
        """Do this with a row."""
        if self._state is not None:
            self._decide({number: decision}, current=number)

    def toggle(self, number: int) -> None:
        """Write a row, or leave it; a conflict is added beside mine, so that nothing is lost."""
        if self._state is not None:
            is_on = self._state.chosen[number] is not Decision.KEEP
            row = self._state.file.by_number[number]
            self.decide(number, Decision.KEEP if is_on else row.choices[-1])

    def toggle_all(self, *, on: bool) -> None:
        """Write every row on show, of all of them the new ones alone; or none of those on show."""
        state = self._state
        if state is None:
            return
        if not on:
            self._decide(dict.fromkeys((row.number for row in state.rows), Decision.KEEP))
            return
        wanted = state.rows if state.shown is not None else state.file.by_status[ImportStatus.NEW]
        self._decide({row.number: row.choices[-1] for row in wanted})

    def decide_conflicts(self, decision: Decision) -> None:
        """Do the same with every conflict; those that cannot be stay as they were decided."""
        if self._state is not None:
            rows = self._state.file.by_status[ImportStatus.CONFLICT]
            self._decide({row.number: decision for row in rows if decision in row.choices})

    def _decide(self, decisions: Mapping[int, Decision], current: int | None = None) -> None:
        state = self._state
        if state is None or state.is_busy:
            return
        chosen = {**state.chosen, **decisions}
        current = state.current if current is None else current
        self._show(replace(state, chosen=chosen, current=current))

    async def apply(self) -> bool:
        """Write what was decided; whether it was done."""
        state = self._state
        if state is None or state.is_busy or not state.n_written or state.overfull:
            return False
        self._stop.clear()  # of what could not be stopped any more
        self._show(replace(state, is_writing=True, problem=("", "")))
        try:
            done = await self._background.write(
                self._inklings.apply_import,
                self._inklings.caller,
                state.preview,
                state.chosen,
                Progress(is_cancelled=self._stop.is_set),
            )
        except StoppedError:
            self._stop.clear()
            self._show(replace(state, is_writing=False))
            return False
        except InklingsError as error:
            message = message_of(error)
            self._show(replace(state, is_writing=False, problem=(message.title, message.text)))
            if isinstance(error, ImportRefusedError) and error.reason == "changed":
                await self._look(state.preview.into)
            return False
        self.last_run = done.run_id
        self._state = None
        self.imported.emit(done)
        return True

    async def withdraw(self) -> None:
        """Take back the last import of this window."""
        run_id, self.last_run = self.last_run, ""
        if run_id:
            await self.take_back(run_id)

    async def standing(self, workspace: Workspace) -> tuple[ImportRun, ...]:
        """The imports into this workspace or the account that still stand, the latest first.

        Raises:
            InklingsError: A database cannot be read.
        """
        runs: dict[str, ImportRun] = {}
        for file in (workspace.id, None):
            for run in await self._background.read(
                self._inklings.list_imports, self._inklings.caller, file
            ):
                known = runs.get(run.id)
                runs[run.id] = run if known is None else _together(known, run)
        open_runs = [run for run in runs.values() if not run.is_withdrawn]
        return tuple(sorted(open_runs, key=lambda run: run.at, reverse=True))

    async def take_back(self, run_id: str) -> None:
        """Take one import back, whoever made it."""
        if run_id == self.last_run:
            self.last_run = ""
        try:
            done = await self._background.write(
                self._inklings.withdraw_import, self._inklings.caller, run_id
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self.withdrawn.emit(done)

    def stop(self) -> None:
        """Stop what is being read or written; nothing of it stays."""
        self._stop.set()

    def close(self) -> None:
        """Nobody looks any more."""
        self._n_looks += 1
        self._comparing.cancel()
        self._state = None

    async def _look(self, into: str | None) -> bool:
        if self._path is None or self._workspace is None:
            return False
        self._stop.clear()
        self._n_looks += 1
        look = self._n_looks
        if self._state is not None:
            self._show(replace(self._state, is_looking=True))
        file = None
        try:
            preview = await self._background.read(
                self._inklings.preview_import,
                self._inklings.caller,
                self._path,
                into=into,
                progress=Progress(is_cancelled=self._stop.is_set),
            )
            file = await self._background.read(ImportFile.of, preview)
        except StoppedError:
            self._stop.clear()
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        if look != self._n_looks:
            return False  # another look was asked for, or nobody looks any more
        if file is None:
            if self._state is not None:
                self._show(replace(self._state, is_looking=False))
            return False
        rows = file.by_status[ImportStatus.CONFLICT] or file.by_status[None]
        state = ImportState(
            self._path.name,
            preview,
            file,
            self._inklings.clock(),
            self._workspace.name,
            file.defaults,
            current=rows[0].number if rows else 0,
        )
        if self._state is not None:
            state = replace(state, problem=self._state.problem)
        self._show(state)
        return True

    def _show(self, state: ImportState) -> None:
        self._state = state
        self.state_changed.emit(state)
        row = state.row
        if row is not None and row.mine is not None and row.number != state.marks[0]:
            self._comparing.run(self._compare(row, row.mine.content))

    async def _compare(self, row: ImportRow, mine: str) -> None:
        gone, come = await self._background.read(differing, mine, row.content)
        state = self._state
        if state is not None and state.row == row:
            self._show(replace(state, marks=(row.number, gone, come)))


def _together(one: ImportRun, other: ImportRun) -> ImportRun:
    """One import over two databases."""
    return replace(
        one,
        n_added=one.n_added + other.n_added,
        n_taken=one.n_taken + other.n_taken,
        is_withdrawn=one.is_withdrawn and other.is_withdrawn,
    )
