"""Asks whether something should really be done; dismissing it does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 440
_MARGIN = 28
_AFTER_WORDS = 2


class ConfirmDialog(QDialog):
    """A question, what follows from yes, and two buttons."""

    def __init__(
        self,
        question: str,
        text: str,
        *,
        action: str,
        keep: str,
        is_destructive: bool = False,
        parent: QWidget,
    ) -> None:
        """Build the dialog.

        Args:
            question: What is asked, in a short sentence.
            text: What follows from doing it.
            action: Word of the button that does it.
            keep: Word of the button that leaves everything as it is; it is the default one.
            is_destructive: Whether doing it takes something away.
            parent: The window it belongs to.
        """
        super().__init__(parent)
        self.setObjectName("confirmDialog")
        self.setWindowTitle(question)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(question, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(text, self)
        words.setProperty("textStyle", "body")
        for label in (heading, words):
            label.setTextFormat(Qt.TextFormat.PlainText)  # they name what others have named
            label.setWordWrap(True)
            label.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.keep = QPushButton(keep, self)
        self.keep.setObjectName("confirmKeep")
        self.keep.setDefault(True)
        self.keep.clicked.connect(self.reject)
        self.confirm = QPushButton(action, self)
        self.confirm.setObjectName("confirmAction")
        self.confirm.setAutoDefault(False)
        self.confirm.setProperty("kind", "danger" if is_destructive else "primary")
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(self.keep)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    def show_between(self, widget: QWidget) -> None:
        """Show something to judge by, between the words and the buttons."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(_AFTER_WORDS, widget)
