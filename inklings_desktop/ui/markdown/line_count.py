"""How many lines a difference added or removed, on the ground that such lines have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.translation import counted

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_PADDING = 8


class LineCount(QWidget):
    """How many lines came or went, on the ground that the lines have."""

    def __init__(self, theme: Theme, ground: str, parent: QWidget) -> None:
        """No count yet.

        Args:
            theme: Colours and fonts.
            ground: ``diffAdd`` or ``diffDel``.
            parent: Owner.
        """
        super().__init__(parent)
        self._theme = theme
        self._ground, self._role = ground, f"{ground}Ink"
        self._text = ""
        theme.changed.connect(self._on_theme_changed)
        self.setFixedSize(self.sizeHint())

    def show_count(self, n: int) -> None:
        """Show how many there are."""
        if self._ground == "diffAdd":
            text = counted(n, "+1 line", "+{n} lines")
        else:
            text = counted(n, "\u22121 line", "\u2212{n} lines")
        self._text = text
        self.setAccessibleName(text)
        self._on_theme_changed()

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        metrics = QFontMetricsF(self._theme.font("label"))
        width = metrics.horizontalAdvance(self._text) + 2 * _PADDING
        return QSize(round(width), self._theme.scaled(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the ground and the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ground))
        radius = self._theme.radius("chip")
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.setFont(self._theme.font("label"))
        painter.setPen(self._theme.color(self._role))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()
