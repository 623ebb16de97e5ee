"""Asks why memories are to be forgotten; the reason may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLineEdit

from inklings_desktop.domain.memory_values import MAX_REASON_CHARACTERS
from inklings_desktop.ui.kit.dialogs.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 440


class ReasonDialog(QuestionDialog):
    """One line of text, and the button that forgets."""

    def __init__(self, count: int, parent: QWidget, *, typed: str = "") -> None:
        """Ask.

        Args:
            count: How many memories are to be forgotten.
            parent: The window it belongs to.
            typed: What was typed the last time and came to nothing.
        """
        super().__init__(parent, width=_WIDTH)
        self.ask(
            self.tr("Forget this memory")
            if count == 1
            else self.tr("Forget {count} memories").format(count=QLocale().toString(count)),
            self.tr(
                "The reason stays with the memory and is shown when you look at what is "
                "forgotten. No agent reads it."
            ),
        )
        self.setObjectName("reasonDialog")
        self.field = QLineEdit(self)
        self.field.setObjectName("reasonField")
        self.field.setMaxLength(MAX_REASON_CHARACTERS)
        self.field.setPlaceholderText(self.tr("Reason, if you like"))
        self.field.setAccessibleName(self.tr("Reason"))
        self.field.setText(typed)
        self.field.selectAll()
        self.lay_out(
            self.field,
            no=self.tr("Keep"),
            yes=self.tr("Forget"),
            name="reasonForget",
            kind="danger",
            on_enter=False,
        )

    @property
    def reason(self) -> str:
        """What was typed, on one line; empty for none."""
        return " ".join(self.field.text().split())
