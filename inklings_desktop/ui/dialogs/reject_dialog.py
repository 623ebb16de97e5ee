"""Declines a proposal, with a few words for the agent if one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout

from inklings_desktop.domain.proposals import MAX_NOTE_CHARACTERS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 460
_NOTE_HEIGHT = 96
_MARGIN = 28


class RejectDialog(QDialog):
    """One field for a note; it may stay empty."""

    def __init__(self, title: str, client: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rejectDialog")
        self.setWindowTitle(self.tr("Reject the proposal"))
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(self.tr("Reject the proposal for {title}?").format(title=title), self)
        heading.setProperty("textStyle", "title")
        words = QLabel(
            self.tr(
                "Nothing changes. {client} can read your note, and so do better next time."
            ).format(client=client),
            self,
        )
        words.setProperty("textStyle", "body")
        for label in (heading, words):
            label.setWordWrap(True)
            label.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.field = QPlainTextEdit(self)
        self.field.setObjectName("rejectNote")
        self.field.setAccessibleName(self.tr("Note to the agent"))
        self.field.setPlaceholderText(self.tr("Why not, in a sentence (optional)"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(_NOTE_HEIGHT)
        self.field.textChanged.connect(self._on_text_changed)
        self._error = QLabel(self)
        self._error.setProperty("textStyle", "error")
        self._error.hide()
        keep = QPushButton(self.tr("Keep it open"), self)
        keep.setAutoDefault(False)
        keep.clicked.connect(self.reject)
        self.confirm = QPushButton(self.tr("Reject"), self)
        self.confirm.setObjectName("rejectConfirm")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setDefault(True)
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self._error, 1)
        buttons.addStretch(1)
        buttons.addWidget(keep)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addWidget(self.field)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    @property
    def note(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.field.toPlainText().strip()

    @Slot()
    def _on_text_changed(self) -> None:
        over = len(self.note) - MAX_NOTE_CHARACTERS
        self._error.setVisible(over > 0)
        self._error.setText(self.tr("{n} characters too long").format(n=over))
        self.confirm.setEnabled(over <= 0)
