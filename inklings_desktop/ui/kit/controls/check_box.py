"""Check boxes as the design draws them, as a painted mark and as a control."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_EDGE = 16
_GAP = 8
_RADIUS = 4.0
_STROKE = 1.8


def box_edge(theme: Theme) -> int:
    """Edge of a check box in pixels, at the text size on show."""
    return theme.scaled(_EDGE)


def paint_check_box(
    painter: QPainter, rect: QRectF, theme: Theme, state: Qt.CheckState, *, enabled: bool = True
) -> None:
    """A box that is empty, checked or mixed; antialiasing is on."""
    inner = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    grown = rect.width() / _EDGE
    radius = _RADIUS * grown
    if state is Qt.CheckState.Unchecked:
        painter.setPen(QPen(theme.color("controlBorder" if enabled else "line"), 1))
        painter.setBrush(theme.color("surface" if enabled else "sunken"))
        painter.drawRoundedRect(inner, radius, radius)
        return
    ground = theme.color("accent" if enabled else "inkFaint")
    painter.setPen(QPen(ground, 1))
    painter.setBrush(ground)
    painter.drawRoundedRect(inner, radius, radius)
    pen = QPen(QColor(theme.color("onAccent")), _STROKE * grown, c=Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    x, y, edge = rect.left(), rect.top(), rect.width()
    if state is Qt.CheckState.PartiallyChecked:
        middle = rect.center().y()
        painter.drawLine(QPointF(x + edge * 0.28, middle), QPointF(x + edge * 0.72, middle))
        return
    painter.drawPolyline(
        [
            QPointF(x + edge * 0.28, y + edge * 0.53),
            QPointF(x + edge * 0.44, y + edge * 0.68),
            QPointF(x + edge * 0.73, y + edge * 0.36),
        ]
    )


class CheckBox(QCheckBox):
    """A check box with a label."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        theme.changed.connect(self._on_theme_changed)

    def sizeHint(self) -> QSize:
        """Box, gap and label."""
        width = QFontMetricsF(self._theme.font("body")).horizontalAdvance(self.text())
        left = box_edge(self._theme) + self._theme.scaled(_GAP)
        return QSize(left + round(width) + 2, self._theme.px("controlSmall"))

    def minimumSizeHint(self) -> QSize:
        """The label is never cut."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 - Qt calls it so
        """The whole label can be clicked."""
        return self.rect().contains(pos)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws box and label."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = box_edge(self._theme)
        box = QRectF(0, (self.height() - edge) // 2, edge, edge)
        paint_check_box(painter, box, self._theme, self.checkState(), enabled=self.isEnabled())
        painter.setFont(self._theme.font("body"))
        painter.setPen(self._theme.color("ink" if self.isEnabled() else "inkFaint"))
        left = edge + self._theme.scaled(_GAP)
        rect = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
