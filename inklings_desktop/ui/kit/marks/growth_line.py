"""A small line of counts over time: how much there was, and how much there is."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

WIDTH = 72
HEIGHT = 26
_STROKE = 1.6
_FILL_OPACITY = 0.14


class GrowthLine(QWidget):
    """Counts at equal distances, the last one now; drawn from nothing at the foot up to the most.

    The description read aloud is set by whoever knows what is counted.
    """

    def __init__(self, theme: Theme, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._points: tuple[int, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def set_points(self, points: Sequence[int]) -> None:
        """Show these counts, none below 0."""
        self._points = tuple(points)
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for a month."""
        return QSize(self._theme.scaled(WIDTH), self._theme.scaled(HEIGHT))

    def line(self) -> list[QPointF]:
        """Where the line runs, in pixels of this widget."""
        if not self._points:
            return []
        top, foot = _STROKE, self.height() - _STROKE / 2
        most = max(*self._points, 1)
        step = (self.width() - 1) / max(len(self._points) - 1, 1)
        return [
            QPointF(0.5 + step * place, foot - (foot - top) * count / most)
            for place, count in enumerate(self._points)
        ]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the line and the ground below it."""
        line = self.line()
        if len(line) < 2:  # noqa: PLR2004 - one point makes no line
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        foot = float(self.height())
        ground = QPolygonF([QPointF(line[0].x(), foot), *line, QPointF(line[-1].x(), foot)])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.wash(self._role, _FILL_OPACITY))
        painter.drawPolygon(ground)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self._theme.color(self._role), _STROKE)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(line)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
