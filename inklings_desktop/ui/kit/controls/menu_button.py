"""A button that opens something below it and says so with a caret."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_CARET = 14
_CARET_GAP = 6
_MARGIN = 10
_BADGE_HEIGHT = 18
_BADGE_GAP = 6
_ICON_GAP = 4


class MenuButton(QPushButton):
    """Text at the left, caret at the right; an icon-only one has no caret.

    A text that has no room is cut with an ellipsis before the caret.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._badge = ""
        self.setProperty("kind", "menu")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The text and room for the caret."""
        hint = super().sizeHint() + QSize(self._caret_room() + self._badge_room(), 0)
        text = self.fontMetrics().horizontalAdvance(self.text())
        return hint.expandedTo(QSize(self._taken() + text + 1, 0))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the button, then badge and caret over it."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown_text()
        styled = QStylePainter(self)
        styled.drawControl(QStyle.ControlElement.CE_PushButton, option)
        styled.end()
        painter = QPainter(self)
        edge = self._theme.icon_px(_CARET)
        left: float = self.width() - _MARGIN
        if self.text():
            role = "inkSoft" if self.isEnabled() else "inkFaint"
            caret = self._theme.pixmap("caret-down", role, _CARET, ratio=self.devicePixelRatioF())
            left -= edge
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

    def shown_text(self) -> str:
        """The text as it is drawn, cut where it has no room."""
        room = max(0, self.width() - self._taken())
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def set_badge(self, text: str) -> None:
        """Show a figure before the caret, none for an empty one."""
        self._badge = text
        self.updateGeometry()
        self.update()

    def _taken(self) -> int:
        """Width of everything but the text."""
        icon = 0 if self.icon().isNull() else self.iconSize().width() + _ICON_GAP
        return 2 * (_MARGIN + 1) + icon + self._caret_room() + self._badge_room()

    def _caret_room(self) -> int:
        return self._theme.icon_px(_CARET) + _CARET_GAP if self.text() else 0

    def _badge_room(self) -> int:
        if not self._badge:
            return 0
        width = QFontMetricsF(self._badge_font()).horizontalAdvance(self._badge)
        return max(self._theme.scaled(_BADGE_HEIGHT), round(width) + 10) + _BADGE_GAP

    def _badge_font(self) -> QFont:
        return self._theme.font("label")
