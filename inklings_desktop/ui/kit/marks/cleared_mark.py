"""The rings of a tier after a scrub: where ink was there are dots."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.tier_mark import RINGS

_EDGE = 62
_DOT = 1.5
_STEP = 6.4
_RIM = 0.32
_LAST_RING = 0.38


class ClearedMark(QWidget):
    """As many dotted rings as the tier has, inside a faint rim."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rings = len(RINGS)
        self._role = "inkSoft"
        self.setFixedSize(QSize(_EDGE, _EDGE))
        theme.changed.connect(self.update)

    def set_tier(self, *, rings: int, role: str) -> None:
        """Show the rings of a tier, in the colour of its role."""
        self._rings = rings
        self._role = role
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws rim and dots."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setPen(QPen(theme.wash(self._role, _RIM), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(rect)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(self._role))
        centre = QPointF(rect.center())
        for ring in range(self._rings):
            radius = rect.width() * _LAST_RING * (ring + 1) / self._rings
            n_dots = max(round(2 * math.pi * radius / _STEP), 5)
            for dot in range(n_dots):
                angle = 2 * math.pi * dot / n_dots
                place = centre + QPointF(math.cos(angle), math.sin(angle)) * radius
                painter.drawEllipse(place, _DOT, _DOT)
        painter.end()
