"""Declines a proposal, with a few words for the agent if one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.ui.kit.dialogs.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 460
_NOTE_HEIGHT = 96


class RejectDialog(QuestionDialog):
    """One field for a note; it may stay empty."""

    def __init__(self, title: str, client: str, parent: QWidget) -> None:
        super().__init__(parent, width=_WIDTH)
        self.ask(
            self.tr("Reject the proposal for {title}?").format(title=title),
            self.tr(
                "Nothing changes. {client} can read your note, and so do better next time."
            ).format(client=client),
        )
        self.setObjectName("rejectDialog")
        self.setWindowTitle(self.tr("Reject the proposal"))
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
        self.lay_out(
            self.field,
            no=self.tr("Keep it open"),
            yes=self.tr("Reject"),
            name="rejectConfirm",
            error=self._error,
        )

    @property
    def note(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.field.toPlainText().strip()

    @Slot()
    def _on_text_changed(self) -> None:
        over = len(self.note) - MAX_NOTE_CHARACTERS
        self._error.setVisible(over > 0)
        self._error.setText(
            self.tr("1 character too long")
            if over == 1
            else self.tr("{n} characters too long").format(n=self.locale().toString(max(over, 0)))
        )
        self.confirm.setEnabled(over <= 0)
