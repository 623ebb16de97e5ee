"""Where rows will stand, while the first answer is slow to come."""

from PySide6.QtCore import QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

WAIT_MS = 250
"""Answers that come sooner show no placeholder."""

_TEXT_SHARES = (0.62, 0.48, 0.71, 0.55, 0.66, 0.43)
_GUTTER, _STROKE_LEFT, _STROKE, _TEXT_LEFT, _FIGURE = 20, 17, 3, 34, 40
_SHARE_OF_META = 0.36


class Skeleton(QWidget):
    """Bars in the places of texts and figures; nothing in it moves."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._compact = False
        self.setObjectName("skeleton")
        self.setAccessibleName(self.tr("Loading memories"))
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(WAIT_MS)
        self._delay.timeout.connect(self._on_delay_timeout)
        self._is_due = False
        theme.changed.connect(self.update)

    def set_compact(self, *, compact: bool) -> None:
        """Stand for rows of one line of text instead of two."""
        self._compact = compact
        self.update()

    def expect(self) -> None:
        """An answer is on its way; the bars show once it is late."""
        if not self._delay.isActive():
            self._is_due = False
            self._delay.start()

    def settle(self) -> None:
        """The answer is there."""
        self._delay.stop()
        self._is_due = False
        self.update()

    @property
    def is_due(self) -> bool:
        """Whether the answer is late."""
        return self._is_due

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the bars, once they are due."""
        if not self._is_due:
            return
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("surface"))
        row = theme.px("rowCompact" if self._compact else "rowComfortable")
        line = theme.color("line")
        middle, step = row / 2, theme.scaled(12 if self._compact else 14)
        bar = theme.scaled(11)
        for number, top in enumerate(range(0, self.height(), row)):
            painter.fillRect(0, top + row - 1, self.width(), 1, line)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("sunken"))
            room = self.width() - _TEXT_LEFT - 2 * _GUTTER - 158
            share = _TEXT_SHARES[number % len(_TEXT_SHARES)]
            for x, y, width in (
                (_TEXT_LEFT, -step, room * share),
                (_TEXT_LEFT, step, room * _SHARE_OF_META),
                (self.width() - _GUTTER - _FIGURE, -step, float(_FIGURE)),
                (self.width() - _GUTTER - _FIGURE, step, float(_FIGURE)),
            ):
                place = QRectF(x, top + middle + y - bar / 2, max(width, 0.0), bar)
                painter.drawRoundedRect(place, 3, 3)
            stroke = QRectF(_STROKE_LEFT, top + 11, _STROKE, row - 23)
            painter.drawRoundedRect(stroke, 1.5, 1.5)
        painter.end()

    @Slot()
    def _on_delay_timeout(self) -> None:
        self._is_due = True
        self.update()
