"""The crest of a workspace: three waves whose phases are its own."""

import math
import zlib

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_HEIGHTS = (0.30, 0.50, 0.70)
_STRENGTHS = (1.0, 0.75, 0.45)
_STEPS = 24


def wave_phases(seed: str) -> tuple[float, float, float]:
    """Where the three waves begin, in radians; the same seed always gives the same three."""
    checksum = zlib.crc32(seed.encode())
    first, second, third = ((checksum >> shift & 0xFF) / 256 * math.tau for shift in (0, 8, 16))
    return first, second, third


def paint_crest(
    painter: QPainter, rect: QRectF, seed: str, *, ink: QColor, ground: QColor, radius: float
) -> None:
    """Three waves on a rounded square; the painter has antialiasing on."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(rect, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge = rect.width()
    left, width = rect.left() + edge * 0.14, edge * 0.72
    for phase, height, strength in zip(wave_phases(seed), _HEIGHTS, _STRENGTHS, strict=True):
        colour = QColor(ink)
        colour.setAlphaF(strength)
        painter.setPen(QPen(colour, edge * 0.055, c=Qt.PenCapStyle.RoundCap))
        middle = rect.top() + edge * height
        painter.drawPolyline(
            QPolygonF(
                [
                    QPointF(
                        left + width * step / _STEPS,
                        middle + edge * 0.075 * math.sin(phase + math.tau * 1.3 * step / _STEPS),
                    )
                    for step in range(_STEPS + 1)
                ]
            )
        )


class Crest(QWidget):
    """The crest as a small widget."""

    def __init__(
        self, theme: Theme, seed: str = "", *, edge: int = 32, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._seed = seed
        self._edge = edge
        theme.changed.connect(self.update)
        self.setFixedSize(self.sizeHint())

    def set_seed(self, seed: str) -> None:
        """Show the waves of another workspace."""
        self._seed = seed
        self.update()

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(self._edge, self._edge)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the waves."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_crest(
            painter,
            QRectF(self.rect()),
            self._seed,
            ink=self._theme.color("accent"),
            ground=self._theme.color("accentSoft"),
            radius=self._theme.radius("control"),
        )
        painter.end()
