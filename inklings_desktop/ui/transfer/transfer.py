"""Export and import over one window: files, the preview, what was done and the way back."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.formats import NO_WISHES
from inklings_desktop.domain.transfer.import_plan import Decision, ImportStatus
from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.import_refusals import withdrawal_sentence
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.kit.words.word_marks import differing
from inklings_desktop.ui.transfer.exports import PATIENCE_SECONDS, Exports
from inklings_desktop.ui.transfer.import_dialog import (
    ImportDialog,
    ImportsDialog,
    ReadingDialog,
    asked_import_paths,
)
from inklings_desktop.ui.transfer.import_state import ImportFile, ImportState, ImportTo
from inklings_desktop.ui.transfer.import_words import (
    done_sentence,
    files_named,
    run_sentence,
    targets_of,
)
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QAction

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.foreign.formats import Wishes
    from inklings_desktop.domain.transfer.import_plan import ImportRow, ImportRun
    from inklings_desktop.ui.kit.page.context import Context


class Transfer(Process["ImportState | None", ImportDialog]):
    """Looks at a file, takes decisions, carries the import out and takes it back; and exports.

    Attributes:
        exports: Writes files; it and an import ask one at a time.
        last_run: The import that can be taken back as one step; empty for none.

    Signals:
        imported: The run that just came in, which can be taken back, and what was done in words.
        withdrawn: The id of a run that was taken back here.
        left: Nothing is looked at any more, whether it was imported or not.
    """

    imported = Signal(str, str)
    withdrawn = Signal(str)
    left = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, None, parent)
        self.exports = Exports(context, self)
        self.last_run = ""
        self._paths: tuple[Path, ...] = ()
        self._here: Workspace | None = None
        self._stop = threading.Event()
        self._n_looks = 0
        self._wishes = NO_WISHES
        self._comparing = Latest(context.background)

    # -- the way in -----------------------------------------------------------------------

    def ask_import(self) -> None:
        """Ask for files, then show what importing them would do."""
        if self.dialog is None:
            self.exports.begin(partial(self._ask_import, folder=False))

    def ask_folder(self) -> None:
        """Ask for a folder of notes, then show what importing them would do."""
        if self.dialog is None:
            self.exports.begin(partial(self._ask_import, folder=True))

    def open_files(self, *paths: Path) -> None:
        """Show what importing files, or the notes in folders, would do."""
        if self.dialog is None:
            self.exports.begin(partial(self._open_files, paths))

    async def _ask_import(self, here: Workspace, *, folder: bool) -> None:
        with self.exports.busy():
            paths = await asked_import_paths(self.context.window, folder=folder)
        if paths:
            await self._open_files(paths, here)

    async def _open_files(self, paths: tuple[Path, ...], here: Workspace) -> None:
        if not await self._looked_at(paths, here):
            self.left.emit()
            return
        dialog = ImportDialog(self.context.theme, self.context.window)
        for status, chip in dialog.chips.items():
            chip.clicked.connect(partial(self.show_only, status))
        dialog.menu.triggered.connect(lambda action: self.spawn(self.choose_target(action.data())))
        dialog.wishes_menu.triggered.connect(
            lambda action: self.spawn(self.choose_wishes(action.data()))
        )
        dialog.conflicts_menu.triggered.connect(self._on_conflicts_decided)
        dialog.list.row_looked_at.connect(self.look_at)
        dialog.list.row_toggled.connect(self.toggle)
        dialog.list.choice_made.connect(self.decide)
        dialog.head.toggled.connect(self.toggle_all)
        dialog.cancel.clicked.connect(self.leave)
        dialog.confirm.clicked.connect(self.starts(self.apply))
        self.show_dialog(dialog)

    async def _looked_at(self, paths: tuple[Path, ...], here: Workspace) -> bool:
        """Whether there is something to show; a file that takes long can be left."""
        self._paths, self._here, self._wishes = paths, here, NO_WISHES
        is_wanted = True
        with self.exports.busy():
            first = ImportTo("", None, ScopeKey.workspace(here.id))
            looking = asyncio.ensure_future(self._look(first))
            try:
                await asyncio.wait({looking}, timeout=PATIENCE_SECONDS)
                if not looking.done():
                    dialog = ReadingDialog(files_named(paths), self.context.window)
                    dialog.rejected.connect(self.stop)

                    def finish(_looking: object) -> None:
                        dialog.accept()

                    looking.add_done_callback(finish)
                    is_wanted = bool(await answered(dialog, leads_on=True))
                    looking.remove_done_callback(finish)
                found = await looking
            finally:
                if not looking.done():  # the window is being closed
                    self.stop()
            if found and not is_wanted:
                self.close()
            return found and is_wanted

    def may_leave(self) -> bool:
        """Whether nothing is being written; that is stopped and answers by itself."""
        if self.state is not None and self.state.is_writing:
            self.stop()  # the preview is shown again, or it is done
            return False
        return True

    def ended(self) -> None:
        self._n_looks += 1
        self._comparing.cancel()
        self.state = None
        self.left.emit()

    # -- the preview ----------------------------------------------------------------------

    async def choose_target(self, target: ImportTo) -> None:
        """Send the files to another place."""
        if self.state is not None and not self.state.is_writing:
            await self._look(target)

    async def choose_wishes(self, wishes: Wishes) -> None:
        """Read the files in another way."""
        state = self.state
        if state is None or state.is_busy:
            return
        before, self._wishes = self._wishes, wishes
        if not await self._look(ImportTo("", state.preview.into, state.preview.place)):
            self._wishes = before

    def show_only(self, status: ImportStatus | None) -> None:
        """Show the rows of one status, or all."""
        if self.state is not None:
            self.show(replace(self.state, shown=status))

    @Slot(int)
    def look_at(self, number: int) -> None:
        """Compare the texts of another row."""
        if self.state is not None and number != self.state.current:
            self.show(replace(self.state, current=number))

    @Slot(int, str)
    def decide(self, number: int, decision: str) -> None:
        """Do this with a row."""
        self._decide({number: Decision(decision)}, current=number)

    @Slot(int)
    def toggle(self, number: int) -> None:
        """Write a row, or leave it; a conflict is added beside mine, so that nothing is lost."""
        if self.state is not None:
            is_on = self.state.chosen[number] is not Decision.KEEP
            row = self.state.file.by_number[number]
            self.decide(number, Decision.KEEP if is_on else row.choices[-1])

    @Slot(bool)
    def toggle_all(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Write every row on show, of all of them the new ones alone; or none of those on show."""
        state = self.state
        if state is None:
            return
        if not on:
            self._decide(dict.fromkeys((row.number for row in state.rows), Decision.KEEP))
            return
        wanted = state.rows if state.shown is not None else state.file.by_status[ImportStatus.NEW]
        self._decide({row.number: row.choices[-1] for row in wanted})

    @Slot(object)
    def _on_conflicts_decided(self, action: QAction) -> None:
        """Do the same with every conflict; those that cannot be stay as they were decided."""
        if self.state is not None:
            decision = Decision(action.data())
            rows = self.state.file.by_status[ImportStatus.CONFLICT]
            self._decide({row.number: decision for row in rows if decision in row.choices})

    def _decide(self, decisions: Mapping[int, Decision], current: int | None = None) -> None:
        state = self.state
        if state is None or state.is_busy:
            return
        chosen = {**state.chosen, **decisions}
        current = state.current if current is None else current
        self.show(replace(state, chosen=chosen, current=current))

    # -- the import and the way back ------------------------------------------------------

    async def apply(self) -> bool:
        """Write what was decided; whether it was done."""
        state = self.state
        if state is None or state.is_busy or not state.n_written or state.overfull:
            return False
        self._stop.clear()  # of what could not be stopped any more
        self.show(replace(state, is_writing=True, problem=("", "")))
        try:
            done = await self.background.write(
                self.inklings.transfer.apply_import,
                state.preview,
                state.chosen,
                Progress(is_cancelled=self._stop.is_set),
            )
        except StoppedError:
            self._stop.clear()
            self.show(replace(state, is_writing=False))
            return False
        except InklingsError as error:
            message = message_of(error)
            self.show(replace(state, is_writing=False, problem=(message.title, message.text)))
            if isinstance(error, ImportRefusedError) and error.reason == "changed":
                await self._look(ImportTo("", state.preview.into, state.preview.place))
            return False
        self.last_run = done.run_id
        self.close()
        self.imported.emit(done.run_id, done_sentence(done))
        return True

    def stop(self) -> None:
        """Stop what is being read or written; nothing of it stays."""
        self._stop.set()

    def withdraw(self) -> None:
        """Take the last import of this window back."""
        run_id, self.last_run = self.last_run, ""
        if run_id:
            self.spawn(self.take_back(run_id))

    def ask_withdrawal(self) -> None:
        """Ask which of the imports is to be taken back."""
        if self.dialog is None:
            self.exports.begin(self._ask_withdrawal)

    async def _ask_withdrawal(self, here: Workspace) -> None:
        with self.exports.busy():
            runs = await self._standing(here)
            lines = [Choice(run.id, run_sentence(run)) for run in runs]
            dialog = ImportsDialog(lines, self.context.window)
            if await answered(dialog) and dialog.chosen_id:
                await self.take_back(dialog.chosen_id)

    async def _standing(self, here: Workspace) -> tuple[ImportRun, ...]:
        """The imports into this workspace or the account that still stand, the latest first."""
        runs: dict[str, ImportRun] = {}
        for file in (here.id, None):
            for run in await self.background.read(self.inklings.transfer.list_imports, file):
                known = runs.get(run.id)
                runs[run.id] = run if known is None else _together(known, run)
        open_runs = [run for run in runs.values() if not run.is_withdrawn]
        return tuple(sorted(open_runs, key=lambda run: run.at, reverse=True))

    async def take_back(self, run_id: str) -> None:
        """Take one import back, whoever made it.

        Raises:
            InklingsError: It cannot be taken back.
        """
        if run_id == self.last_run:
            self.last_run = ""
        done = await self.background.write(self.inklings.transfer.withdraw_import, run_id)
        self.context.tell(withdrawal_sentence(done))
        self.withdrawn.emit(done.run_id)

    # -- inside ---------------------------------------------------------------------------

    async def _look(self, to: ImportTo) -> bool:
        """Look at the files, sent there; whether there is something to show."""
        here = self.context.here()
        if here is None or self._here is None:
            return False
        self._stop.clear()
        self._n_looks += 1
        look = self._n_looks
        if self.state is not None:
            self.show(replace(self.state, is_looking=True))
        file = None
        try:
            preview = await self.background.read(
                self.inklings.transfer.preview_import,
                *self._paths,
                into=to.into,
                place=to.place,
                wishes=self._wishes,
                progress=Progress(is_cancelled=self._stop.is_set),
            )
            file = await self.background.read(ImportFile.of, preview)
        except StoppedError:
            self._stop.clear()
        except InklingsError as error:
            self.context.refuse(error)
        if look != self._n_looks:
            return False  # another look was asked for, or nobody looks any more
        if file is None:
            if self.state is not None:
                self.show(replace(self.state, is_looking=False))
            return False
        rows = file.by_status[ImportStatus.CONFLICT] or file.by_status[None]
        self.show(
            ImportState(
                self._paths[0].name if len(self._paths) == 1 else "",
                preview,
                file,
                self.inklings.clock(),
                targets_of(preview, self._here, here.workspaces, here.channels),
                file.decided_as(self.state),
                current=rows[0].number if rows else 0,
                problem=("", "") if self.state is None else self.state.problem,
                wishes=self._wishes,
            )
        )
        return True

    def show(self, state: ImportState | None) -> None:
        """Show another state, and compare the texts of the row that is looked at."""
        super().show(state)
        row = None if state is None else state.row
        if row is None or row.mine is None or state is None or row.number == state.marks[0]:
            return
        self._comparing.run(self._compare(row, row.mine.content))

    async def _compare(self, row: ImportRow, mine: str) -> None:
        gone, come = await self.background.read(differing, mine, row.content)
        state = self.state
        if state is not None and state.row == row:
            self.show(replace(state, marks=(row.number, gone, come)))


def _together(one: ImportRun, other: ImportRun) -> ImportRun:
    """One import over two databases."""
    return replace(
        one,
        n_added=one.n_added + other.n_added,
        n_taken=one.n_taken + other.n_taken,
        is_withdrawn=one.is_withdrawn and other.is_withdrawn,
    )
