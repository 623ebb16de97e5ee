"""Small parts that several panes of the Named entries page share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme


class VerticalRule(QWidget):
    """A hairline between two panes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedWidth(1)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("line"))
        painter.end()
