"""Keeps within reach what was typed into a workspace that is not there any more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

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


class LostTextDialog(QDialog):
    """Shows the text until it is copied, saved, kept elsewhere or let go of.

    Signals:
        copy_requested: The text is wanted on the clipboard.
        file_requested: The text is wanted in a file; ``note_saved`` or ``note_failure`` answers.
    """

    copy_requested = Signal()
    file_requested = Signal()

    def __init__(self, theme: Theme, lost: LostText, parent: QWidget) -> None:
        """Build the dialog.

        Args:
            theme: Look of the window.
            lost: What is at stake.
            parent: The window it belongs to.
        """
        super().__init__(parent)
        self.setObjectName("lostTextDialog")
        self.setMinimumWidth(_WIDTH)
        self._is_safe = False
        self.setWindowTitle(self.tr("{name} is not there any more").format(name=lost.workspace))
        heading = self._label(self.windowTitle(), "title")
        words = self._label(
            self.tr(
                "Another program deleted it or moved it away while you were typing. Nothing of "
                "this text is saved:"
            ),
            "body",
        )
        title = self._label(lost.title, "metaStrong")
        self.text = LongTextEdit(theme, self)
        self.text.set_plain_text(lost.text)
        self.text.setObjectName("lostText")
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Text that is not saved"))
        self.text.setFixedHeight(theme.scaled(_TEXT_HEIGHT))
        self.told = self._label("", "meta")
        self.told.setObjectName("lostTextTold")
        self.leave = self._button(self.tr("Discard it"), "lostTextDiscard", "quietDanger")
        self.leave.clicked.connect(self._on_leave_clicked)
        copy = self._button(self.tr("Copy text"), "lostTextCopy")
        copy.clicked.connect(self.copy_requested)
        file = self._button(self.tr("Save as a file…"), "lostTextFile")
        file.clicked.connect(self.file_requested)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.leave)
        buttons.addStretch(1)
        buttons.addWidget(copy)
        buttons.addWidget(file)
        if lost.keep_in:
            self.told.setText(
                self.tr("{name} opens next; a new memory there can take it.").format(
                    name=lost.keep_in
                )
            )
            keep = self._button(self.tr("Keep as a new memory"), "lostTextKeep", "primary")
            keep.clicked.connect(self._on_keep_clicked)
            buttons.addWidget(keep)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        for part in (heading, words, title, self.text, self.told):
            layout.addWidget(part)
        layout.addLayout(buttons)

    def note_copied(self) -> None:
        """Say that the clipboard holds the text: the dialog may be closed."""
        self._note_safe(self.tr("The text is on the clipboard."))

    def note_saved(self, path: str) -> None:
        """Say that a file holds the text: the dialog may be closed."""
        self._note_safe(self.tr("Saved as {path}").format(path=path))

    def note_failure(self, reason: str) -> None:
        """Say that no file was written."""
        self._tell(self.tr("The file was not written: {reason}").format(reason=reason))

    def reject(self) -> None:
        """Escape closes only once the text is held somewhere else."""
        if self._is_safe:
            super().reject()
        else:
            self._tell(self.tr("Copy the text or save it first, or discard it."))

    def _note_safe(self, told: str) -> None:
        self._is_safe = True
        self.leave.setText(self.tr("Close"))
        self._tell(told)

    def _tell(self, told: str) -> None:
        self.told.setText(told)
        announce(self, told)

    def _label(self, text: str, style: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("textStyle", style)
        label.setWordWrap(True)
        label.setMinimumWidth(_WIDTH - 2 * _MARGIN)  # measured at the width it will have
        return label

    def _button(self, text: str, name: str, kind: str = "") -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        return button

    @Slot()
    def _on_leave_clicked(self) -> None:
        self.done(LostTextAnswer.LET_GO.value)

    @Slot()
    def _on_keep_clicked(self) -> None:
        self.done(LostTextAnswer.KEEP.value)
