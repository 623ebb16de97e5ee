"""Says what went wrong, with details to copy; there is nothing to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 480
_DETAILS_HEIGHT, _DETAILS_EDGES = 160, 30
_MARGIN = 28


class MessageDialog(QDialog):
    """Title, sentence, and the facts for whoever helps."""

    def __init__(self, title: str, text: str, details: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageDialog")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        self._details = details
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        heading.setWordWrap(True)
        words = QLabel(text, self)
        words.setProperty("textStyle", "body")
        words.setWordWrap(True)
        for label in (heading, words):  # measured at the width it will have
            label.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        buttons = QHBoxLayout()
        if details:
            facts = QPlainTextEdit(details.rstrip(), self)
            facts.setProperty("mono", "true")
            facts.ensurePolished()
            facts.setReadOnly(True)
            facts.setAccessibleName(self.tr("Details"))
            rows = details.rstrip().count("\n") + 1
            edges = facts.height() - facts.viewport().height()
            wanted = rows * facts.fontMetrics().lineSpacing() + max(edges, _DETAILS_EDGES)
            facts.setFixedHeight(min(wanted, _DETAILS_HEIGHT))
            layout.addWidget(facts)
            copy = QPushButton(self.tr("Copy details"), self)
            copy.setAutoDefault(False)
            copy.clicked.connect(self._on_copy_clicked)
            buttons.addWidget(copy)
        buttons.addStretch(1)
        close = QPushButton(self.tr("Close"), self)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons.addWidget(close)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._details)
