"""Export and import of one opened data root, wherever they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.memory.acts.undo import ImportStep, Undoable

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryRef, ScopeKey
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.page import MemoryDesk
    from inklings_desktop.ui.scrub.process import ScrubProcess
    from inklings_desktop.ui.transfer.transferring import TransferDesk
    from inklings_desktop.usecases.bundle import Inklings


class Transfers(QObject):
    """Makes the desk of exports and imports when it is first wanted, and keeps undo true to it.

    Signals:
        message_raised: A ``Message`` for the person.
        said: A sentence for a passing note.
        undo_offered: Whether an import can be taken back now.
    """

    message_raised = Signal(object)
    said = Signal(str)
    undo_offered = Signal(bool)

    def __init__(
        self, background: Background, inklings: Inklings, memory: MemoryDesk, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._memory = memory
        self._scrub: ScrubProcess | None = None
        self._desk: TransferDesk | None = None
        memory.acts.export_requested.connect(self._on_selection_export_requested)
        memory.page.bulk.offer_export()

    @property
    def desk(self) -> TransferDesk:
        """Export and import; made when it is first wanted."""
        if self._desk is None:
            from inklings_desktop.ui.transfer.transferring import TransferDesk

            page = self._memory.page
            desk = TransferDesk(
                self._background,
                self._inklings,
                theme=page.theme,
                window=page.window(),
                parent=self,
            )
            desk.message_raised.connect(self.message_raised)
            desk.said.connect(self.said)
            desk.undo_offered.connect(self.undo_offered)
            desk.imported.connect(self._on_imported)
            desk.withdrawn.connect(self._memory.undo.drop_import)
            self._memory.undo.taken_back.connect(self._on_taken_back)
            self._desk = desk
        here = self._memory.shell.surroundings
        if here is not None:
            self._desk.show_workspace(here.workspace)
        return self._desk

    def serve_scrub(self, scrub: ScrubProcess) -> None:
        """Save copies before a scrub, and forget what could be taken back once it is done."""
        self._scrub = scrub
        scrub.executed.connect(self._on_scrubbed)
        scrub.copy_wanted.connect(self._on_copy_wanted)

    @Slot(tuple)
    def _on_selection_export_requested(self, refs: tuple[MemoryRef, ...]) -> None:
        self.desk.ask_export_selection(refs)

    @Slot(object)
    def _on_copy_wanted(self, scope: ScopeKey) -> None:
        self._background.spawn(self._save_copy(scope))

    async def _save_copy(self, scope: ScopeKey) -> None:
        """Save what a scrub would remove, and let its dialog name the copy."""
        scrub = self._scrub
        dialog = scrub.dialog if scrub is not None else None
        if scrub is None or dialog is None:
            return
        done = await self.desk.save_copy(scope, dialog)
        if done is not None:
            from inklings_desktop.ui.scrub.state import ScrubCopy

            copy = ScrubCopy(done.path.name, str(done.path), done.n_memories)
            await scrub.note_copy(copy, scope)

    @Slot(str, str)
    def _on_imported(self, run_id: str, text: str) -> None:
        is_on_show = self._memory.page.isVisible()
        self._memory.undo.push(ImportStep(run_id, text), offers=is_on_show)
        if not is_on_show:
            self.said.emit(text)

    @Slot(object)
    def _on_taken_back(self, step: Undoable) -> None:
        if isinstance(step, ImportStep) and self._desk is not None:
            self._desk.drop_undo()

    @Slot()
    def _on_scrubbed(self) -> None:
        if self._desk is not None:
            self._desk.drop_undo()
