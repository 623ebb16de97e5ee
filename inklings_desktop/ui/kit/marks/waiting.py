"""What stands there while an answer is slow to come, and what turns while something runs."""

import time

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.mirror import draw_picture, painter_on, smooth_painter_on
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.timers import timer

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
        self.setAccessibleName(tr("Loading memories"))
        self._delay = timer(self, self._on_delay_timeout, WAIT_MS)
        self._is_due = False

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
        if not self._is_due:
            return
        theme = self._theme
        painter = smooth_painter_on(self)
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
        self._frames = timer(self, self.update, _FRAME_MS, again=True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.dress(self._on_theme_changed)

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
        edge = self._theme.icon_px(self._size)
        return QSize(edge, edge)

    def event(self, event: QEvent) -> bool:
        """Stops when the window is left, and goes on when it is active again."""
        if event.type() in {QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate}:
            self._settle()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settle()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._settle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the icon at the angle of the moment."""
        if not self._name:
            return
        painter = painter_on(self)
        half = self._theme.icon_px(self._size) / 2
        if self.is_turning:
            ratio = self.devicePixelRatioF()
            picture = self._theme.pixmap(self._name, self._role, self._size, ratio=ratio)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.translate(self.width() / 2, self.height() / 2)
            painter.rotate((time.monotonic() - self._began_at) / TURN_SECONDS % 1.0 * 360.0)
            draw_picture(painter, QPointF(-half, -half), picture)
        else:
            at = (round(self.width() / 2 - half), self.height() / 2)
            self._theme.draw_icon(painter, at, self._name, self._role, self._size)
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
