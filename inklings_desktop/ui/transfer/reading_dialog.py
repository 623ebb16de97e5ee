"""Says that a long file is being read, and lets it be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from inklings_desktop.domain.words.hidden_text import spelled_out

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 440


class ReadingDialog(QDialog):
    """Stands while a file is looked at; Cancel and Escape reject it."""

    def __init__(self, file_name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("readingDialog")
        self.setMinimumWidth(_WIDTH)
        title = self.tr("Reading {name}\u2026").format(name=spelled_out(file_name))
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(self.tr("Nothing has changed yet. You will see every row first."), self)
        words.setProperty("textStyle", "body")
        for label in (heading, words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setObjectName("readingCancel")
        self.cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addSpacing(8)
        layout.addLayout(buttons)
