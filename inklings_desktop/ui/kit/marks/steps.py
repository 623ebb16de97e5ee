"""Marks of a process: its numbered steps, and the rings of a tier after a scrub."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.memory_marks import RINGS
from inklings_desktop.ui.kit.look.mirror import draw_text_in, smooth_painter_on, upright
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr

_DISC = 22
_GAP = 9
_LINE = 28
_LINE_GAP = 8
_TICK = 13


class StepMarks(QWidget):
    """The steps in one line; the present one is filled, those done carry a tick."""

    def __init__(
        self,
        theme: Theme,
        names: Sequence[str],
        parent: QWidget | None = None,
        *,
        role: str = "ink",
    ) -> None:
        """Stand at the first step.

        Args:
            names: Of the steps.
            role: Colour of the present step; in the accent those that are done are filled as well.
        """
        super().__init__(parent)
        self._theme = theme
        self._names = tuple(names)
        self._role = role
        self._present = 0
        self.show_step(0)

    def show_step(self, present: int) -> None:
        """Show which step is present, from 0; the number of steps means all are done."""
        self._present = present
        total = len(self._names)
        if present < total:
            said = tr("Step {number} of {total}: {name}").format(
                number=present + 1, total=total, name=self._names[present]
            )
        else:
            said = tr("All {total} steps are done").format(total=total)
        self.setAccessibleName(said)
        self.update()

    def sizeHint(self) -> QSize:
        between = (_LINE + 2 * _LINE_GAP) * (len(self._names) - 1)
        metrics = QFontMetricsF(self._theme.font("bodyStrong"))
        words = sum(metrics.horizontalAdvance(name) for name in self._names)
        width = words + between + (_DISC + _GAP) * len(self._names)
        return QSize(round(width) + 4, max(_DISC + 2, self._theme.line("body")))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        fonts = [
            self._theme.font("bodyStrong" if number == self._present else "body")
            for number in range(len(self._names))
        ]
        widths = [
            QFontMetricsF(font).horizontalAdvance(name)
            for font, name in zip(fonts, self._names, strict=True)
        ]
        between = (_LINE + 2 * _LINE_GAP) * (len(self._names) - 1)
        x = self.width() - sum(widths) - between - (_DISC + _GAP) * len(self._names) - 1
        middle = self.height() / 2
        for number, name in enumerate(self._names):
            self._paint_disc(painter, QRectF(x, middle - _DISC / 2, _DISC, _DISC), number)
            x += _DISC + _GAP
            painter.setFont(fonts[number])
            painter.setPen(self._theme.color("ink" if number == self._present else "inkSoft"))
            text = QRectF(x, 0, widths[number] + 2, self.height())
            draw_text_in(painter, text, Qt.AlignmentFlag.AlignVCenter, name)
            x += widths[number] + _LINE_GAP
            if number < len(self._names) - 1:
                painter.setPen(QPen(self._theme.color("lineStrong"), 1))
                painter.drawLine(QPointF(x, middle), QPointF(x + _LINE, middle))
                x += _LINE + _LINE_GAP
        painter.end()

    def _paint_disc(self, painter: QPainter, rect: QRectF, number: int) -> None:
        theme = self._theme
        inner = rect.adjusted(0.75, 0.75, -0.75, -0.75)
        is_filled = self._role == "accent" and number < self._present
        if number == self._present or is_filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(self._role))
            painter.drawEllipse(rect)
            painter.setPen(theme.color("onAccent" if self._role == "accent" else "raised"))
        else:
            role = "accent" if number < self._present else "controlBorder"
            painter.setPen(QPen(theme.color(role), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(inner)
            painter.setPen(theme.color("inkSoft"))
        if number < self._present:
            tick = theme.pixmap(
                "check",
                "onAccent" if is_filled else "accent",
                14,
                weight="bold",
                ratio=self.devicePixelRatioF(),
            )
            corner = rect.center() - QPointF(_TICK / 2, _TICK / 2)
            with upright(painter, rect.center().x()):
                painter.drawPixmap(
                    QRectF(corner, QSize(_TICK, _TICK).toSizeF()), tick, tick.rect().toRectF()
                )
            return
        painter.setFont(theme.font("label"))
        draw_text_in(painter, rect, Qt.AlignmentFlag.AlignCenter, str(number + 1))


_EDGE = 62
_DOT = 1.5
_STEP = 6.4
_RIM = 0.32
_LAST_RING = 0.38


class ClearedMark(QWidget):
    """As many dotted rings as the tier has, inside a faint rim."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rings = len(RINGS)
        self._role = "inkSoft"
        self.setFixedSize(QSize(_EDGE, _EDGE))

    def set_tier(self, *, rings: int, role: str) -> None:
        """Show the rings of a tier, in the colour of its role."""
        self._rings = rings
        self._role = role
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        rect = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setPen(QPen(theme.wash(self._role, _RIM), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(rect)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(self._role))
        centre = QPointF(rect.center())
        for ring in range(self._rings):
            radius = rect.width() * _LAST_RING * (ring + 1) / self._rings
            n_dots = max(round(2 * math.pi * radius / _STEP), 5)
            for dot in range(n_dots):
                angle = 2 * math.pi * dot / n_dots
                place = centre + QPointF(math.cos(angle), math.sin(angle)) * radius
                painter.drawEllipse(place, _DOT, _DOT)
        painter.end()
