"""Export and import of one opened data root, wherever they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent

from inklings_desktop.domain.entries.named_entry import VOICE
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.memory.acts.undo import ImportStep, Undoable
from inklings_desktop.ui.window.last_time import expect_import

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QAction

    from inklings_desktop.domain.memory import MemoryRef, ScopeKey
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.scrub.process import ScrubProcess
    from inklings_desktop.ui.transfer.transfer import Transfer
    from inklings_desktop.usecases.bundle import Inklings


class Transfers(QObject):
    """Makes export and import when they are first wanted, and keeps undo true to them.

    Signals:
        undo_offered: Whether an import can be taken back now.
    """

    undo_offered = Signal(bool)

    def __init__(self, context: Context, memory: MemoryPage, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._memory = memory
        self._scrub: ScrubProcess | None = None
        self._made: Transfer | None = None
        memory.acts.export_requested.connect(self._on_selection_export_requested)
        memory.view.bulk.offer_export()

    @property
    def transfer(self) -> Transfer:
        """Export and import; made when it is first wanted."""
        if self._made is None:
            from inklings_desktop.ui.transfer.transfer import Transfer

            self._made = Transfer(self._context, self)
            self._made.imported.connect(self._on_imported)
            self._made.withdrawn.connect(self._on_withdrawn)
            self._made.exports.written.connect(self._on_written)
            self._memory.undo.taken_back.connect(self._on_taken_back)
        return self._made

    def serve_scrub(self, scrub: ScrubProcess) -> None:
        """Save copies before a scrub, and forget what could be taken back once it is done."""
        self._scrub = scrub
        scrub.executed.connect(self._drop_undo)
        scrub.copy_wanted.connect(
            lambda scope: self._context.background.spawn(self._save_copy(scope))
        )

    async def _save_copy(self, scope: ScopeKey) -> None:
        """Save what a scrub would remove, and let its dialog name the copy."""
        scrub = self._scrub
        dialog = scrub.dialog if scrub is not None else None
        if scrub is None or dialog is None:
            return
        done = await self.transfer.exports.save_copy(scope, dialog)
        if done is not None:
            from inklings_desktop.ui.scrub.state import ScrubCopy

            copy = ScrubCopy(done.path.name, str(done.path), done.n_memories)
            await scrub.note_copy(copy, scope)

    @Slot(tuple)
    def _on_selection_export_requested(self, refs: tuple[MemoryRef, ...]) -> None:
        self.transfer.exports.ask_memories(refs)

    @Slot(str, str)
    def _on_imported(self, run_id: str, text: str) -> None:
        self.undo_offered.emit(True)
        is_on_show = self._memory.view.isVisible()
        self._memory.undo.push(ImportStep(run_id, text), offers=is_on_show)
        if not is_on_show:
            self._context.tell(text)

    @Slot(str)
    def _on_written(self, text: str) -> None:
        """Say what was exported, and lead to it; elsewhere File leads to it."""
        page = self._memory.view
        if page.isVisible():
            show = tr("Show in folder")
            page.toast.show_lead(text, show, self.transfer.exports.show_last, icon="check")
        else:
            self._context.tell(text)

    @Slot(str)
    def _on_withdrawn(self, run_id: str) -> None:
        self.undo_offered.emit(False)
        self._memory.undo.drop_import(run_id)

    @Slot(object)
    def _on_taken_back(self, step: Undoable) -> None:
        if isinstance(step, ImportStep):
            self._drop_undo()

    @Slot()
    def _drop_undo(self) -> None:
        """The last import can no longer be taken back as one step from here."""
        if self._made is not None:
            self._made.last_run = ""
            self.undo_offered.emit(False)


class BringingIn(QObject):
    """Shows what a file would do; the world made for it goes if nothing comes into it."""

    def __init__(
        self,
        context: Context,
        shell: ShellPresenter,
        transfer: Transfer,
        paths: tuple[Path, ...],
        *,
        reopen: Callable[[], None],
    ) -> None:
        """Show the files.

        Args:
            shell: Knows which workspace is open: the one that was made for them.
            transfer: Shows and imports it; it owns this.
            paths: The files.
            reopen: Leads back to the welcome, once there is no world.
        """
        super().__init__(transfer)
        self._context, self._shell, self._reopen = context, shell, reopen
        self._transfer, once = transfer, Qt.ConnectionType.SingleShotConnection
        transfer.imported.connect(self._on_imported, once)
        transfer.left.connect(self._on_left, once)
        transfer.open_files(*paths)

    @Slot(str, str)
    def _on_imported(self, _run_id: str, _text: str) -> None:
        self._context.background.spawn(self._settle())

    @Slot()
    def _on_left(self) -> None:
        if not self._transfer.last_run:
            self._context.background.spawn(self._give_up())

    async def _give_up(self) -> None:
        """Delete the world that was made for nothing, and offer the three doors again."""
        here, inklings = self._shell.surroundings, self._context.inklings
        background, phrase = self._context.background, ""
        if here is not None and len(here.workspaces) == 1:
            phrase = await background.read(_empty_phrase, inklings, here.workspace.id)
        if here is not None and phrase:
            made = here.workspace.id
            with self._shell.expecting_to_leave(made):
                await background.write(inklings.workspaces.delete, made, confirm=phrase)
                self._reopen()
        expect_import(inklings.data_dir, is_open=False)

    async def _settle(self) -> None:
        """Go to the world that came, and let the one that was made for it go, if it is empty."""
        here = self._shell.surroundings
        if here is None:
            return
        background, inklings, made = (
            self._context.background,
            self._context.inklings,
            here.workspace,
        )
        come, phrase = await background.read(_came_beside, inklings, made.id)
        if phrase:
            with self._shell.expecting_to_leave(made.id):
                await self._shell.open_workspace(come)
                await background.write(inklings.workspaces.delete, made.id, confirm=phrase)
            self._shell.refresh()
        expect_import(inklings.data_dir, is_open=False)


def without_empty(inklings: Inklings) -> tuple[Workspace, ...]:
    """The worlds that hold something, once those are gone that files never came into.

    Raises:
        InklingsError: One cannot be deleted.
    """
    for one in inklings.places.workspaces():
        if phrase := _empty_phrase(inklings, one.id):
            inklings.workspaces.delete(one.id, confirm=phrase)
    expect_import(inklings.data_dir, is_open=False)
    return inklings.places.workspaces()


def _came_beside(inklings: Inklings, made_id: str) -> tuple[str, str]:
    """Id of a world that came, and what confirms that the one made for it goes; empty if it stays.

    Raises:
        InklingsError: It cannot be found out.
    """
    others = [one.id for one in inklings.places.workspaces() if one.id != made_id]
    phrase = _empty_phrase(inklings, made_id) if others else ""
    return (others[0], phrase) if phrase else ("", "")


def _empty_phrase(inklings: Inklings, made_id: str) -> str:
    """What confirms that an empty world goes; empty for one that holds something.

    Raises:
        InklingsError: It cannot be found out.
    """
    held = inklings.workspaces.preview_deletion(made_id)
    voice = inklings.entries.find(made_id, VOICE, tier=Tier.WORKSPACE)
    is_empty = not (held.n_memories or held.n_conversations) and voice.is_template
    return held.phrase if is_empty else ""


_DRAGS = frozenset({QEvent.Type.DragEnter, QEvent.Type.DragMove})


class FileDrops(QObject):
    """Takes files that no field under them takes: what is dropped on an editor stays text."""

    def __init__(
        self,
        window: QObject,
        importing: QAction,
        *,
        hovered: Callable[[str], None],
        dropped: Callable[[tuple[Path, ...]], None],
        parent: QObject,
    ) -> None:
        """Watch a window that accepts drops, while its command to import can be given.

        Args:
            hovered: Told what dropping would do.
            dropped: Told the paths of what was dropped.
        """
        super().__init__(parent)
        self._importing, self._hovered, self._dropped = importing, hovered, dropped
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_drag, is_drop = event.type() in _DRAGS, event.type() is QEvent.Type.Drop
        if not (is_drag or is_drop) or not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        paths = _paths_in(event.mimeData())
        if not paths or not self._importing.isEnabled():
            return super().eventFilter(watched, event)
        # The file stays where it is, whatever its owner proposes.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if is_drop:
            self._dropped(paths)
        elif event.type() is QEvent.Type.DragEnter:
            said = counted(
                len(paths),
                "Drop it to preview the import",
                "Drop them to preview importing {n} files",
            )
            self._hovered(said)
        return True


def _paths_in(data: QMimeData) -> tuple[Path, ...]:
    """The files that are dragged, all of this machine; none if anything else is among them."""
    urls = data.urls()
    if not all(one.isLocalFile() for one in urls):
        return ()
    return tuple(Path(one.toLocalFile()) for one in urls)
