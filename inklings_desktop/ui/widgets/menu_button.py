"""A button that opens something below it and says so with a caret."""

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from inklings_desktop.ui.theme import Theme

_CARET = 14
_CARET_ROOM = 20
_MARGIN = 10


class MenuButton(QPushButton):
    """Text at the left, caret at the right; an icon-only one has no caret."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("kind", "menu")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The text and room for the caret."""
        hint = super().sizeHint()
        return hint + QSize(_CARET_ROOM, 0) if self.text() else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the caret over the button."""
        super().paintEvent(event)
        if not self.text():
            return
        painter = QPainter(self)
        caret = self._theme.pixmap("caret-down", "inkSoft", _CARET, ratio=self.devicePixelRatioF())
        left = self.width() - _CARET - _MARGIN
        painter.drawPixmap(QPointF(left, (self.height() - _CARET) / 2), caret)
        painter.end()
