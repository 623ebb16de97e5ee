"""A thin bar of which a part is filled: so many of so many."""

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_HEIGHT = 5


class ShareBar(QWidget):
    """As wide as there is room; what it stands for is said by whoever knows it."""

    def __init__(self, theme: Theme, role: str = "accent", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    @property
    def share(self) -> float:
        """What part of it is filled, 0 up to 1."""
        return self._share

    def set_share(self, share: float) -> None:
        """Fill another part of it."""
        self._share = min(1.0, max(0.0, share))
        self.update()

    def sizeHint(self) -> QSize:
        """Thin."""
        return QSize(self._theme.scaled(120), self._theme.scaled(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the track and what of it is filled."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        radius = rect.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(rect, radius, radius)
        if self._share > 0:
            painter.setBrush(self._theme.color(self._role))
            filled = QRectF(rect)
            filled.setWidth(max(rect.height(), rect.width() * self._share))
            painter.drawRoundedRect(filled, radius, radius)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
