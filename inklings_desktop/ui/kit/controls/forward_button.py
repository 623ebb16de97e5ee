"""A button that leads on and says so with an arrow after its word."""

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_ARROW = 16
_GAP = 7
_MARGIN = 13

_ROLES = {"primary": "onAccent", "dangerOutline": "madder"}


class ForwardButton(QPushButton):
    """``kind`` is ``primary``, or ``dangerOutline`` where what follows can destroy something."""

    def __init__(
        self, theme: Theme, text: str, *, kind: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self._kind = kind
        self.setProperty("kind", kind)
        self.setProperty("forward", "true")
        self.setAutoDefault(False)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The word and room for the arrow."""
        return super().sizeHint() + QSize(self._theme.icon_px(_ARROW) + _GAP, 0)

    def minimumSizeHint(self) -> QSize:
        """The word is never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the arrow over the button."""
        super().paintEvent(event)
        painter = QPainter(self)
        role = _ROLES[self._kind] if self.isEnabled() else "inkFaint"
        edge = self._theme.icon_px(_ARROW)
        arrow = self._theme.pixmap(
            "arrow-right", role, _ARROW, weight="bold", ratio=self.devicePixelRatioF()
        )
        painter.drawPixmap(
            QPointF(self.width() - edge - _MARGIN, (self.height() - edge) / 2), arrow
        )
        painter.end()
