"""Asks for a name, such as a new workspace's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 440
_MAX_CHARACTERS = 120


class NameDialog(QDialog):
    """One field; the button is enabled once something is typed."""

    def __init__(
        self,
        title: str,
        hint: str,
        action: str,
        parent: QWidget,
        *,
        name: str = "",
        longest: int = _MAX_CHARACTERS,
    ) -> None:
        """Ask.

        Args:
            title: What is asked, and the accessible name of the field.
            hint: What the name is for.
            action: Word of the button.
            parent: The window it belongs to.
            name: The name so far; the button waits for another one.
            longest: How many characters it may have.
        """
        super().__init__(parent)
        self._before = name
        self.setObjectName("nameDialog")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(hint, self)
        words.setProperty("textStyle", "body")
        words.setWordWrap(True)
        self.field = QLineEdit(self)
        self.field.setObjectName("nameField")
        self.field.setAccessibleName(title)
        self.field.setMaxLength(longest)
        self.field.setText(name)
        self.field.selectAll()
        self.field.textChanged.connect(self._on_text_changed)
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.confirm = QPushButton(action, self)
        self.confirm.setObjectName("nameConfirm")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setDefault(True)
        self.confirm.setEnabled(False)
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addWidget(self.field)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    @property
    def name(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.field.text().strip()

    @Slot(str)
    def _on_text_changed(self, _text: str) -> None:
        self.confirm.setEnabled(bool(self.name) and self.name != self._before)
