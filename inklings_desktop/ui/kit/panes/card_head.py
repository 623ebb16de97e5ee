"""The head of a card: its name, small, and perhaps a link at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

PADDING = 16
_HEIGHT = 36


class CardHead(QWidget):
    """Grows with the text."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(PADDING, 0, PADDING, 0)
        self._row.addWidget(plain_label(title, "label", self))
        self._row.addStretch(1)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def add(self, widget: QWidget) -> None:
        """Put something at the right."""
        self._row.addWidget(widget)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.scaled(_HEIGHT))
