"""An icon that turns while something runs, and stands still when nobody looks."""

import time

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

TURN_SECONDS = 1.6
_FRAME_MS = 40


class TurningIcon(QWidget):
    """One turn in 1.6 s, but none with reduced motion or while the window is not the active one."""

    def __init__(self, theme: Theme, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size = size
        self._name = ""
        self._role = "ink"
        self._wants_to_turn = False
        self._began_at = 0.0
        self._frames = QTimer(self)
        self._frames.setInterval(_FRAME_MS)
        self._frames.timeout.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def is_turning(self) -> bool:
        """Whether it is moving just now."""
        return self._frames.isActive()

    def show_icon(self, name: str, role: str, *, turning: bool) -> None:
        """Show an icon; whether it turns where movement is welcome."""
        self._name, self._role, self._wants_to_turn = name, role, turning
        self._settle()
        self.update()

    def sizeHint(self) -> QSize:
        """A square."""
        edge = self._theme.icon_px(self._size)
        return QSize(edge, edge)

    def event(self, event: QEvent) -> bool:
        """Stops when the window is left, and goes on when it is active again."""
        if event.type() in {QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate}:
            self._settle()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Goes on."""
        super().showEvent(event)
        self._settle()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stops."""
        super().hideEvent(event)
        self._settle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the icon at the angle of the moment."""
        if not self._name:
            return
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        picture = self._theme.pixmap(self._name, self._role, self._size, ratio=ratio)
        half = self._theme.icon_px(self._size) / 2
        if self.is_turning:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.translate(self.width() / 2, self.height() / 2)
            painter.rotate((time.monotonic() - self._began_at) / TURN_SECONDS % 1.0 * 360.0)
            painter.drawPixmap(QPointF(-half, -half), picture)
        else:
            corner = QPointF(round(self.width() / 2 - half), round(self.height() / 2 - half))
            painter.drawPixmap(corner, picture)
        painter.end()

    def _settle(self) -> None:
        turns = (
            self._wants_to_turn
            and not self._theme.reduced_motion
            and self.isVisible()
            and self.isActiveWindow()
        )
        if turns and not self.is_turning:
            self._began_at = time.monotonic()
            self._frames.start()
        elif not turns and self.is_turning:
            self._frames.stop()
            self.update()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self._settle()
        self.update()
