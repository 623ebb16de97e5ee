"""A word with a lock on a quiet ground: marks a record that stays."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_PADDING = 8
_GAP = 5
_HEIGHT = 20


class LockChip(QWidget):
    """A lock and a word, such as *permanent*."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self.setAccessibleName(text)
        theme.changed.connect(self._on_theme_changed)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """As wide as its word."""
        width = QFontMetricsF(self._theme.font("label")).horizontalAdvance(self._text)
        width += self._theme.icon_px(14) + _GAP + 2 * _PADDING
        return QSize(round(width), self._theme.scaled(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws ground, lock and word."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("graphiteSoft"))
        radius = theme.radius("chip")
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        edge = theme.icon_px(14)
        picture = theme.pixmap("lock-simple", "inkSoft", 14, ratio=self.devicePixelRatioF())
        painter.drawPixmap(QPointF(_PADDING, round((self.height() - edge) / 2)), picture)
        painter.setFont(theme.font("label"))
        painter.setPen(theme.color("inkSoft"))
        left = _PADDING + edge + _GAP
        room = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()
