"""Asks why memories are to be forgotten; the reason may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout

from inklings_desktop.domain.memory_values import MAX_REASON_CHARACTERS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 440
_MARGIN = 28


class ReasonDialog(QDialog):
    """One line of text, and the button that forgets."""

    def __init__(self, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("reasonDialog")
        number = QLocale().toString(count)
        title = (
            self.tr("Forget this memory")
            if count == 1
            else self.tr("Forget {count} memories").format(count=number)
        )
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(
            self.tr(
                "The reason stays with the memory and is shown when you look at what is "
                "forgotten. No agent reads it."
            ),
            self,
        )
        words.setProperty("textStyle", "body")
        words.setWordWrap(True)
        words.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.field = QLineEdit(self)
        self.field.setObjectName("reasonField")
        self.field.setMaxLength(MAX_REASON_CHARACTERS)
        self.field.setPlaceholderText(self.tr("Reason, if you like"))
        self.field.setAccessibleName(self.tr("Reason"))
        keep = QPushButton(self.tr("Keep"), self)
        keep.setAutoDefault(False)
        keep.clicked.connect(self.reject)
        self.forget = QPushButton(self.tr("Forget"), self)
        self.forget.setProperty("kind", "danger")
        self.forget.setDefault(True)
        self.forget.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(keep)
        buttons.addWidget(self.forget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addWidget(self.field)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    @property
    def reason(self) -> str:
        """What was typed, on one line; empty for none."""
        return " ".join(self.field.text().split())
