"""A button that opens something below it and says so with a caret."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from inklings_desktop.ui.theme import Theme

_CARET = 14
_CARET_GAP = 6
_MARGIN = 10
_BADGE_HEIGHT = 18
_BADGE_GAP = 6


class MenuButton(QPushButton):
    """Text at the left, caret at the right; an icon-only one has no caret."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._badge = ""
        self.setProperty("kind", "menu")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The text and room for the caret."""
        hint = super().sizeHint()
        return (
            hint + QSize(self._theme.icon_px(_CARET) + _CARET_GAP + self._badge_room(), 0)
            if self.text()
            else hint
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws badge and caret over the button."""
        super().paintEvent(event)
        if not self.text():
            return
        painter = QPainter(self)
        caret = self._theme.pixmap("caret-down", "inkSoft", _CARET, ratio=self.devicePixelRatioF())
        edge = self._theme.icon_px(_CARET)
        left = self.width() - edge - _MARGIN
        painter.drawPixmap(QPointF(left, round((self.height() - edge) / 2)), caret)
        if self._badge:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            height = self._theme.scaled(_BADGE_HEIGHT)
            width = self._badge_room() - _BADGE_GAP
            box = QRectF(left - _BADGE_GAP - width, (self.height() - height) / 2, width, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accentSoft"))
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(self._theme.color("accent"))
            painter.setFont(self._badge_font())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._badge)
        painter.end()

    def set_badge(self, text: str) -> None:
        """Show a figure before the caret, none for an empty one."""
        self._badge = text
        self.updateGeometry()
        self.update()

    def _badge_room(self) -> int:
        if not self._badge:
            return 0
        width = QFontMetricsF(self._badge_font()).horizontalAdvance(self._badge)
        return max(self._theme.scaled(_BADGE_HEIGHT), round(width) + 10) + _BADGE_GAP

    def _badge_font(self) -> QFont:
        return self._theme.font("label")
