"""Leaves a workspace that went from under the window, and never the text typed into it."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QIODevice, QObject, QSaveFile, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QWidget

from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.words.memory_facts import memory_title
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.places import Place, Surroundings
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit
from inklings_desktop.ui.memory.join import Join

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.join import Parts

    UnsavedEntry = Callable[[str], tuple[str, str] | None]


_WIDTH = 560
_MARGIN = 28
_TEXT_HEIGHT = 180


class LostTextAnswer(IntEnum):
    """Result codes of the dialog; it is never dismissed while the text would be lost."""

    LET_GO = QDialog.DialogCode.Rejected.value
    KEEP = 10


@dataclass(frozen=True, slots=True)
class LostText:
    """A text that nothing on the disk holds.

    Attributes:
        workspace: Name of the workspace that is gone.
        title: What it was typed into.
        text: The whole of it.
        keep_in: Name of the workspace in which a new memory can take it; empty if none can.
    """

    workspace: str
    title: str
    text: str
    keep_in: str = ""


class LostTextDialog(SmallDialog):
    """Shows the text until it is copied, saved, kept elsewhere or let go of.

    Attributes:
        copy: Puts the text on the clipboard.
        file: Saves it in a file; ``note_saved`` or ``note_failure`` answers.
    """

    def __init__(self, theme: Theme, lost: LostText, parent: QWidget) -> None:
        """Build the dialog.

        Args:
            lost: What is at stake.
        """
        super().__init__(
            parent,
            tr("{name} is gone").format(name=lost.workspace),
            tr(
                "Another program deleted it or moved it away while you were typing. Nothing of "
                "this text is saved:"
            ),
            name="lostTextDialog",
            width=_WIDTH,
        )
        self._is_safe = False
        title = self._label(lost.title, "metaStrong")
        self.text = LongTextEdit(theme, self)
        self.text.set_plain_text(lost.text)
        self.text.setObjectName("lostText")
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Text that is not saved"))
        self.text.setFixedHeight(theme.scaled(_TEXT_HEIGHT))
        self.told = named(self._label("", "meta"), "lostTextTold")
        self.leave = self.button(tr("Discard it"), "lostTextDiscard", kind="quietDanger")
        self.leave.clicked.connect(lambda: self.done(LostTextAnswer.LET_GO.value))
        self.copy = self.button(tr("Copy text"), "lostTextCopy")
        self.file = self.button(tr("Save as a file…"), "lostTextFile")
        ways = [self.copy, self.file]
        if lost.keep_in:
            self.told.setText(
                tr("{name} opens next; a new memory there can take it.").format(name=lost.keep_in)
            )
            keep = self.button(tr("Keep as a new memory"), "lostTextKeep", kind="primary")
            keep.clicked.connect(lambda: self.done(LostTextAnswer.KEEP.value))
            ways.append(keep)
        self.lay_out(title, self.text, self.told, left=((self.leave, 0),), right=ways, above=0)

    def note_copied(self) -> None:
        """Say that the clipboard holds the text: the dialog may be closed."""
        self._note_safe(tr("The text is on the clipboard."))

    def note_saved(self, path: str) -> None:
        """Say that a file holds the text: the dialog may be closed."""
        self._note_safe(tr("Saved as {path}").format(path=path))

    def note_failure(self, reason: str) -> None:
        """Say that no file was written."""
        self._tell(tr("The file was not written: {reason}").format(reason=reason))

    def reject(self) -> None:
        """Escape closes only once the text is held somewhere else."""
        if self._is_safe:
            super().reject()
        else:
            self._tell(tr("Copy the text or save it first, or discard it."))

    def _note_safe(self, told: str) -> None:
        self._is_safe = True
        self.leave.setText(tr("Close"))
        self._tell(told)

    def _tell(self, told: str) -> None:
        self.told.setText(told)
        announce(self, told)

    def _label(self, text: str, style: str) -> QLabel:
        label = plain_label(text, style, self, wraps=True)
        label.setMinimumWidth(_WIDTH - 2 * _MARGIN)  # measured at the width it will have
        return label


class Rescue(Join):
    """Asks what becomes of unsaved text before another workspace is opened."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parts, parent)
        self._unsaved_entry: UnsavedEntry | None = None
        self._leaving: str | None = None
        self._shell.workspace_lost.connect(self._on_workspace_lost)

    def watch_entry(self, unsaved: UnsavedEntry) -> None:
        """Look after what is typed into a named entry too.

        Args:
            unsaved: Name and text of the entry of a workspace that is open with unsaved changes.
        """
        self._unsaved_entry = unsaved

    @Slot(object)
    def _on_workspace_lost(self, lost: Workspace) -> None:
        if self._leaving != lost.id:
            self._leaving = lost.id
            self._background.spawn(self._leave(lost))

    async def _leave(self, lost: Workspace) -> None:
        try:
            found = await self._shell.another_than(lost.id)
            if found is not None and found.workspace.id == lost.id:
                return  # there again: it had been moved, or was put back
            typing = self._lost_typing(lost.id)
            kept = await self._ask(lost, found, typing)
            if found is None:
                self._context.say(self._alone(lost))
                return
            self._shell.leave_for(found)
            if kept is not None:
                self._write_anew(found, kept)
            elif typing is None:
                self._context.say(self._elsewhere(lost, found))
        finally:
            self._leaving = None

    async def _ask(
        self, lost: Workspace, found: Surroundings | None, typing: MemoryTyping | None
    ) -> MemoryTyping | None:
        """Show each text that would be lost; the typing that a new memory is to take."""
        unsaved = self._unsaved_entry(lost.id) if self._unsaved_entry is not None else None
        if unsaved is not None:
            name, text = unsaved
            await self._answer(LostText(lost.name, name, text), f"{name}.md")
        if typing is None:
            return None
        fits = len(typing.content.encode("utf-8", "surrogatepass")) <= MAX_CONTENT_BYTES
        keep_in = found.workspace.name if found is not None and fits else ""
        title = memory_title(typing.scope.tier)
        shown = LostText(lost.name, title, typing.content, keep_in)
        answer = await self._answer(shown, f"{title}.txt")
        return typing if answer == LostTextAnswer.KEEP else None

    async def _answer(self, lost: LostText, file_name: str) -> int:
        dialog = LostTextDialog(self._context.theme, lost, self._context.window)

        @Slot()
        def copy() -> None:
            QGuiApplication.clipboard().setText(lost.text)
            dialog.note_copied()

        @Slot()
        def save() -> None:
            self._background.spawn(self._save(dialog, lost.text, file_name))

        dialog.copy.clicked.connect(copy)
        dialog.file.clicked.connect(save)
        return await answered(dialog)

    async def _save(self, over: LostTextDialog, text: str, name: str) -> None:
        dialog = QFileDialog(over, tr("Save as a file"), str(Path.home()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(name)
        if not await answered(dialog):
            return
        self.save_text(over, text, Path(dialog.selectedFiles()[0]))

    def save_text(self, over: LostTextDialog, text: str, path: Path) -> None:
        """Write the text into a file, whole or not at all, and let the dialog say so."""
        file = QSaveFile(str(path))
        is_written = (
            file.open(QIODevice.OpenModeFlag.WriteOnly)
            and file.write(text.encode("utf-8", "replace")) >= 0
            and file.commit()
        )
        if is_written:
            over.note_saved(str(path))
        else:
            over.note_failure(file.errorString())

    def _lost_typing(self, workspace_id: str) -> MemoryTyping | None:
        """What stands in the inspector and belongs to a workspace; None if that is saved."""
        typing = self._subject.unsaved_typing
        return typing if typing is not None and typing.scope.workspace_id == workspace_id else None

    def _write_anew(self, found: Surroundings, typing: MemoryTyping) -> None:
        """Let the person look at the text once more where it would be kept."""
        (scope,) = found.scopes(Place(Tier.WORKSPACE))
        self._subject.start_new(scope, typing.content)
        is_fitting = typing.lifetime is not Lifetime.CONVERSATION
        self._subject.edit(
            importance=typing.importance,
            lifetime=typing.lifetime if is_fitting else None,
            tags=typing.tags,
        )

    def _elsewhere(self, lost: Workspace, found: Surroundings) -> Message:
        return Message(
            tr("{name} is gone").format(name=lost.name),
            tr("Another program deleted it or moved it away. {name} is open now.").format(
                name=found.workspace.name
            ),
        )

    def _alone(self, lost: Workspace) -> Message:
        return Message(
            tr("{name} is gone").format(name=lost.name),
            tr(
                "Another program deleted it or moved it away, and there is no other workspace. "
                "Make a new one in the switcher, or put its folder back."
            ),
        )
