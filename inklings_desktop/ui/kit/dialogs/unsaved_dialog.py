"""Asks what becomes of changes that were not saved."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable

_WIDTH, _MARGIN = 420, 28


class UnsavedAnswer(IntEnum):
    """Result codes of the dialog; dismissing it is *Stay*."""

    STAY = QDialog.DialogCode.Rejected.value
    SAVE = 10
    DISCARD = 11


class UnsavedDialog(QDialog):
    """Save, Discard, Stay."""

    def __init__(self, parent: QWidget, question: str = "") -> None:
        """Build the dialog.

        Args:
            parent: The window it belongs to.
            question: What is asked; about the memory in the inspector if empty.
        """
        super().__init__(parent)
        self.setObjectName("unsavedDialog")
        self.setWindowTitle(self.tr("Unsaved changes"))
        self.setMinimumWidth(_WIDTH)
        asked = QLabel(question or self.tr("Save your changes to this memory?"), self)
        asked.setProperty("textStyle", "title")
        asked.setWordWrap(True)
        asked.setMinimumWidth(_WIDTH - 2 * _MARGIN)  # measured at the width it will have
        hint = QLabel(self.tr("Discarded text cannot be brought back."), self)
        hint.setProperty("textStyle", "body")
        save = self._button(self.tr("Save"), UnsavedAnswer.SAVE, "primary")
        discard = self._button(self.tr("Discard"), UnsavedAnswer.DISCARD, "quietDanger")
        stay = self._button(self.tr("Stay"), UnsavedAnswer.STAY, "")
        save.setDefault(True)
        save.setFocus()  # discarding stands first, and must not be what is pressed by chance
        buttons = QHBoxLayout()
        buttons.addWidget(discard)
        buttons.addStretch(1)
        buttons.addWidget(stay)
        buttons.addWidget(save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(asked)
        layout.addWidget(hint)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    def _button(self, text: str, answer: UnsavedAnswer, kind: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(f"unsaved{answer.name.title()}")
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(self._closing_with(answer))
        return button

    def _closing_with(self, answer: UnsavedAnswer) -> Callable[[], None]:
        def close() -> None:
            self.done(answer.value)

        return close
