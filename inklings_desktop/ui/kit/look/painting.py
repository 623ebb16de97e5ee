"""What widgets that draw themselves have in common."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter


def write(
    painter: QPainter, x: float, middle: float, text: str, font: QFont, colour: QColor
) -> float:
    """Write a text whose letters are centred on a height; the answer is where it ends."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(colour)
    baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
    painter.drawText(QPointF(x, baseline), text)
    return x + metrics.horizontalAdvance(text)
