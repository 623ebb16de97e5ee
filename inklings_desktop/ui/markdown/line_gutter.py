"""The column of line numbers beside an editor."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

GUTTER_WIDTH = 44


@dataclass(frozen=True, slots=True)
class GutterLine:
    """One number, where its row stands, and whether the caret is there; 0 is not written."""

    number: int
    top: float
    height: float
    is_current: bool


class LineGutter(QWidget):
    """Paints the numbers of the lines on show, which it asks for each time."""

    def __init__(
        self, theme: Theme, lines: Callable[[], Iterable[GutterLine]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines = lines
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        """As wide as the design says, with the text size."""
        return QSize(self._theme.scaled(GUTTER_WIDTH), 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws one number per line, at the height of the line's first row."""
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface"))
        painter.setFont(theme.font("meta", px=12, tabular=True))
        for line in self._lines():
            rect = QRectF(0, line.top, self.width(), line.height)
            if line.is_current:
                painter.fillRect(rect, theme.color("hover"))
            painter.setPen(theme.color("inkSoft" if line.is_current else "inkFaint"))
            painter.drawText(
                rect,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                str(line.number or ""),
            )
        painter.end()
