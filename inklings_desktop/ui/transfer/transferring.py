"""Joins export and import with the window: files, the preview, what was done and the way back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.dialogs.asking import answered, begin_asking
from inklings_desktop.ui.kit.words.entry_facts import counted
from inklings_desktop.ui.kit.words.import_refusals import return_sentences
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.kit.words.withdrawal_words import withdrawal_sentence
from inklings_desktop.ui.transfer.export_choices import (
    about_selection,
    about_tier,
    about_workspace,
)
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.ui.transfer.export_path import asked_export_path
from inklings_desktop.ui.transfer.import_dialog import ImportDialog
from inklings_desktop.ui.transfer.import_presenter import ImportPresenter
from inklings_desktop.ui.transfer.import_words import done_sentence, run_sentence
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.transfer.export_choices import ExportQuestion
    from inklings_desktop.ui.transfer.import_state import ImportState
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.transfer.exporting import Exported
    from inklings_desktop.usecases.transfer.import_outcome import Imported
    from inklings_desktop.usecases.transfer.withdraw_import import Withdrawn

PATIENCE_SECONDS = 0.4
"""How long a file is read before that is said."""


class TransferDesk(QObject):
    """Opens the export question, the file dialogs and the preview, one at a time.

    Signals:
        said: A sentence for a passing note.
        undo_offered: Whether there is an import that can be taken back now.
        changed: Memories came in or were taken back.
        imported: The run that just came in, which can be taken back, and what was done in words.
        withdrawn: The id of a run that was taken back here.
        message_raised: A ``Message`` for the person.
    """

    said = Signal(str)
    undo_offered = Signal(bool)
    imported = Signal(str, str)
    withdrawn = Signal(str)
    changed = Signal()
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
        self._workspace: Workspace | None = None
        self._is_busy = False
        self.dialog: ImportDialog | None = None
        self.presenter = ImportPresenter(background, inklings, self)
        self.presenter.state_changed.connect(self._on_state_changed)
        self.presenter.imported.connect(self._on_imported)
        self.presenter.withdrawn.connect(self._on_withdrawn)
        self.presenter.message_raised.connect(self.message_raised)

    def show_workspace(self, workspace: Workspace) -> None:
        """From now on, this is the open workspace."""
        self._workspace = workspace

    @property
    def is_busy(self) -> bool:
        """Whether something is asked for or a file is looked at."""
        return self._is_busy

    # -- export ---------------------------------------------------------------------------

    @Slot()
    def ask_export(self) -> None:
        """Ask what to export and where to, then write it."""
        workspace = self._workspace
        if workspace is not None and not self._is_busy:
            begin_asking(
                self._background,
                self._ask_export(workspace, about_workspace(workspace)),
                self._window,
            )

    @Slot(object)
    def ask_export_tier(self, tier: Tier) -> None:
        """Ask as what and where to, then write one tier of the open workspace."""
        if self._workspace is not None and not self._is_busy:
            begin_asking(
                self._background, self._ask_export_tier(self._workspace, tier), self._window
            )

    def ask_export_selection(self, refs: tuple[MemoryRef, ...]) -> None:
        """Ask as what and where to, then write these memories alone."""
        workspace = self._workspace
        if workspace is not None and refs and not self._is_busy:
            begin_asking(
                self._background,
                self._ask_export(workspace, about_selection(workspace, refs)),
                self._window,
            )

    async def written(self, request: ExportRequest, path: Path) -> Exported | None:
        """Write a file; None when it failed, which is said, as is what cannot come back."""
        writing = asyncio.ensure_future(
            self._background.write(
                self._inklings.export_memory, self._inklings.caller, request, path
            )
        )
        await asyncio.wait({writing}, timeout=PATIENCE_SECONDS)
        if not writing.done():
            self.said.emit(self.tr("Writing {name}\u2026").format(name=path.name))
        try:
            done: Exported = await writing
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return None
        if not done.comes_back:
            self.message_raised.emit(Message(*return_sentences()))
        return done

    async def export_to(self, request: ExportRequest, path: Path) -> bool:
        """Write a file and say so; whether it was written."""
        done = await self.written(request, path)
        if done is None:
            return False
        what = counted(done.n_memories, self.tr("1 memory"), self.tr("{n} memories"))
        self.said.emit(self.tr("Exported {what} to {name}").format(what=what, name=path.name))
        return True

    async def _ask_export(self, workspace: Workspace, question: ExportQuestion) -> None:
        self._is_busy = True
        try:
            dialog = ExportDialog(self._theme, question, self._window)
            if not await answered(dialog, leads_on=True):
                return
            choice, with_vectors = dialog.choice, dialog.vectors.isChecked()
            path = await self.asked_path(choice.file_name, choice.suffix)
            if path is None:
                return
            if choice.is_markdown:
                await self._export_markdown(workspace, choice.request, path)
            else:
                await self.export_to(replace(choice.request, with_vectors=with_vectors), path)
        finally:
            self._is_busy = False

    async def _ask_export_tier(self, workspace: Workspace, tier: Tier) -> None:
        try:
            scopes = await self._background.read(
                _scopes_of_tier, self._inklings, workspace.id, tier
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        if not scopes:
            self.said.emit(self.tr("There is nothing in this tier to export"))
        elif not self._is_busy:
            await self._ask_export(workspace, about_tier(workspace, tier, scopes))

    async def _export_markdown(
        self, workspace: Workspace, request: ExportRequest, path: Path
    ) -> None:
        try:
            await self._background.write(
                self._inklings.export_markdown,
                self._inklings.caller,
                workspace.id,
                path,
                scopes=request.scopes,
                refs=request.refs,
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self.said.emit(self.tr("Wrote {name}").format(name=path.name))

    async def save_copy(self, scope: ScopeKey, over: QWidget) -> Exported | None:
        """Ask where a copy of one scope goes and write it; None when it was not written.

        Args:
            scope: What goes into it, forgotten memories and history included.
            over: The dialog that it is asked from.
        """
        if self._workspace is None:
            return None
        name = f"{self._workspace.name} {on_the_wall(self._inklings.clock()):%Y-%m-%d}"
        path = await self.asked_path(name, FILE_SUFFIX, over)
        return None if path is None else await self.written(ExportRequest(scopes=(scope,)), path)

    async def asked_path(self, name: str, suffix: str, over: QWidget | None = None) -> Path | None:
        """Where to, or None when the person changed their mind."""
        return await asked_export_path(self._background, over or self._window, name, suffix)

    # -- import ---------------------------------------------------------------------------

    @Slot()
    def ask_import(self) -> None:
        """Ask for a file, then show what importing it would do."""
        if self.dialog is None and self._workspace is not None and not self._is_busy:
            begin_asking(self._background, self._ask_import(), self._window)

    def open_file(self, path: Path) -> None:
        """Show what importing a file would do."""
        if self.dialog is None and self._workspace is not None and not self._is_busy:
            begin_asking(self._background, self._open_file(path), self._window)

    @Slot()
    def withdraw(self) -> None:
        """Take the last import back."""
        self._background.spawn(self.presenter.withdraw())

    @Slot()
    def ask_withdrawal(self) -> None:
        """Ask which of the imports is to be taken back."""
        if self.dialog is None and self._workspace is not None and not self._is_busy:
            begin_asking(self._background, self._ask_withdrawal(self._workspace), self._window)

    def drop_undo(self) -> None:
        """The last import can no longer be taken back as one step from here."""
        self.presenter.last_run = ""
        self.undo_offered.emit(False)

    async def _ask_import(self) -> None:
        self._is_busy = True
        try:
            dialog = QFileDialog(self._window, self.tr("Import"), str(Path.home()))
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilters(
                [self.tr("Exports of Inklings") + " (*.json)", self.tr("All files") + " (*)"]
            )
            is_chosen = await answered(dialog, leads_on=True)
            path = Path(dialog.selectedFiles()[0]) if is_chosen else None
        finally:
            self._is_busy = False
        if path is not None:
            await self._open_file(path)

    async def _ask_withdrawal(self, workspace: Workspace) -> None:
        from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice
        from inklings_desktop.ui.transfer.imports_dialog import ImportsDialog

        self._is_busy = True
        try:
            runs = await self.presenter.standing(workspace)
            lines = [Choice(run.id, run_sentence(run)) for run in runs]
            dialog = ImportsDialog(lines, self._window)
            if await answered(dialog) and dialog.chosen_id:
                await self.presenter.take_back(dialog.chosen_id)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        finally:
            self._is_busy = False

    async def _open_file(self, path: Path) -> None:
        if self._workspace is None or not await self._looked_at(path, self._workspace):
            return
        state = self.presenter.state
        if state is None:
            return
        dialog = self.dialog = ImportDialog(self._theme, self._window)
        dialog.leave_requested.connect(self._on_leave_requested)
        dialog.status_chosen.connect(self.presenter.show_only)
        dialog.looked_at.connect(self.presenter.look_at)
        dialog.toggled.connect(self.presenter.toggle)
        dialog.decided.connect(self.presenter.decide)
        dialog.all_toggled.connect(self._on_all_toggled)
        dialog.conflicts_decided.connect(self.presenter.decide_conflicts)
        dialog.target_chosen.connect(self._on_target_chosen)
        dialog.import_requested.connect(self._on_import_requested)
        dialog.show_state(state)
        dialog.show_over_window()

    async def _looked_at(self, path: Path, workspace: Workspace) -> bool:
        """Whether there is something to show; a file that takes long can be left."""
        from inklings_desktop.ui.transfer.reading_dialog import ReadingDialog

        self._is_busy = True
        is_wanted = True
        looking = asyncio.ensure_future(self.presenter.open(path, workspace))
        try:
            await asyncio.wait({looking}, timeout=PATIENCE_SECONDS)
            if not looking.done():
                dialog = ReadingDialog(path.name, self._window)
                dialog.rejected.connect(self.presenter.stop)

                def finish(_looking: object) -> None:
                    dialog.accept()

                looking.add_done_callback(finish)
                is_wanted = bool(await answered(dialog, leads_on=True))
                looking.remove_done_callback(finish)
            found = await looking
            if found and not is_wanted:
                self.presenter.close()
            return found and is_wanted
        finally:
            if not looking.done():  # the window is being closed
                self.presenter.stop()
            self._is_busy = False

    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        self.presenter.close()

    @Slot(object)
    def _on_state_changed(self, state: ImportState) -> None:
        if self.dialog is not None:
            self.dialog.show_state(state)

    @Slot(bool)
    def _on_all_toggled(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.toggle_all(on=on)

    @Slot(bool)
    def _on_target_chosen(self, into_open: bool) -> None:  # noqa: FBT001 - a signal's payload
        self._background.spawn(self.presenter.choose_target(into_open=into_open))

    @Slot()
    def _on_import_requested(self) -> None:
        self._background.spawn(self.presenter.apply())

    @Slot()
    def _on_leave_requested(self) -> None:
        state = self.presenter.state
        if state is not None and state.is_writing:
            self.presenter.stop()  # it answers by showing the preview again, or by being done
            return
        self._close()

    @Slot(object)
    def _on_imported(self, done: Imported) -> None:
        self._close()
        self.changed.emit()
        self.undo_offered.emit(True)
        self.imported.emit(done.run_id, done_sentence(done))

    @Slot(object)
    def _on_withdrawn(self, done: Withdrawn) -> None:
        self.changed.emit()
        self.said.emit(withdrawal_sentence(done))
        self.undo_offered.emit(False)
        self.withdrawn.emit(done.run_id)


def _scopes_of_tier(inklings: Inklings, workspace_id: str, tier: Tier) -> tuple[ScopeKey, ...]:
    """Every scope key of a tier, archived ones included."""
    match tier:
        case Tier.ACCOUNT:
            return (ScopeKey.account(),)
        case Tier.WORKSPACE:
            return (ScopeKey.workspace(workspace_id),)
        case Tier.CHANNEL:
            channels = inklings.list_channels(inklings.caller, workspace_id, include_archived=True)
            return tuple(ScopeKey.channel(workspace_id, one.id) for one in channels)
        case Tier.CONVERSATION:
            talks = inklings.list_conversations(
                inklings.caller, workspace_id, channel=None, include_archived=True
            )
            return tuple(ScopeKey.conversation(workspace_id, one.id) for one in talks)
