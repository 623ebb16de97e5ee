"""How each tier fades over four weeks: four curves that differ by dash as well as by colour."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_now_dot
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import counted, shortest, tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.settings.memory.state import (
    HOURS_A_DAY,
    half_life_days,
    half_life_short,
    left_after,
    share_words,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QMouseEvent, QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.memory.state import Rates

DAYS = 28
OUTSIDE_IN = (Tier.ACCOUNT, Tier.WORKSPACE, Tier.CHANNEL, Tier.CONVERSATION)
_HEIGHT = 176
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 56, 8, 24
_STEPS = 84
_WEEKS_FROM = 640
_LABEL_PITCH = 14
_DASHES: dict[Tier, tuple[float, ...]] = {
    Tier.WORKSPACE: (4.0, 2.0),
    Tier.CHANNEL: (2.0, 1.6),
    Tier.CONVERSATION: (1.0, 1.4),
}


def tier_pen(theme: Theme, tier: Tier, width: float = 2.0) -> QPen:
    """The line of a tier, in its colour and its dashes."""
    role = "ink" if tier is Tier.CONVERSATION else TIER_MARKS[tier][1]
    pen = QPen(theme.color(role), width, c=Qt.PenCapStyle.FlatCap)
    if tier in _DASHES:
        pen.setDashPattern(list(_DASHES[tier]))
    return pen


class DecayChart(QWidget):
    """Arrow keys and the mouse read values off; what is saved stays as a hairline."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rates: Rates | None = None
        self._day: float | None = None
        self.setObjectName("decayChart")
        self.setAccessibleName(tr("How each tier fades over four weeks"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.hold_height(self, _HEIGHT)

    def show_rates(self, rates: Rates) -> None:
        """Draw other rates."""
        self._rates = rates
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, self._theme.scaled(_HEIGHT))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        plot = self._plot()
        self._read((event.position().x() - plot.left()) / max(1.0, plot.width()) * DAYS)

    def leaveEvent(self, event: QEvent) -> None:
        """Takes the reading line away, unless the keyboard holds it."""
        if not self.hasFocus():
            self._read(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._read(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right move the reading line by a day, Home and End to the ends."""
        here = self._day or 0.0
        places = {
            Qt.Key.Key_Left: here - 1,
            Qt.Key.Key_Right: here + 1,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: float(DAYS),
        }
        if (place := places.get(Qt.Key(event.key()))) is not None:
            self._read(place)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._rates is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self._plot()
        self._paint_grid(painter, plot)
        for tier in OUTSIDE_IN:
            if self._rates.changes(tier):
                self._paint_saved(painter, plot, self._rates.saved.rate(tier), tier)
        for tier in OUTSIDE_IN:
            painter.setPen(tier_pen(self._theme, tier))
            painter.drawPolyline(self._points(plot, self._rates.wanted.rate(tier)))
        if self._day is None:
            self._paint_half_lives(painter, plot)
        else:
            self._paint_reading(painter, plot)
        self._paint_ends(painter, plot)
        painter.end()

    # -- drawing --------------------------------------------------------------------------

    def _paint_grid(self, painter: QPainter, plot: QRectF) -> None:
        theme, font = self._theme, self._small()
        metrics = QFontMetricsF(font)
        for quarter in range(5):
            y = round(plot.bottom() - plot.height() * quarter / 4) + 0.5
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            text = shortest(quarter / 4)
            x = plot.left() - 8 - metrics.horizontalAdvance(text)
            write(painter, x, y, text, font, theme.color("inkFaint"))
        for week in range(5):
            x = round(plot.left() + plot.width() * week / 4) + 0.5
            if plot.width() >= _WEEKS_FROM:
                painter.setPen(QPen(theme.color("line"), 1))
                painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            text = tr("{days} days").format(days=week * 7) if week else tr("last read")
            width = metrics.horizontalAdvance(text)
            left = max(plot.left(), x - width / 2)
            middle = plot.bottom() + self._theme.scaled(15)
            write(painter, left, middle, text, font, theme.color("inkFaint"))

    def _paint_saved(self, painter: QPainter, plot: QRectF, rate: float, tier: Tier) -> None:
        painter.setPen(QPen(tier_pen(self._theme, tier).color(), 0.8))
        points = self._points(plot, rate)
        painter.drawPolyline(points)
        at = points[round(_STEPS * 0.45)]
        font = self._small()
        width = QFontMetricsF(font).horizontalAdvance(tr("saved"))
        middle = min(at.y() + 9, plot.bottom() - 8)
        write(
            painter,
            at.x() - width - 2,
            middle,
            tr("saved"),
            font,
            tier_pen(self._theme, tier).color(),
        )

    def _paint_half_lives(self, painter: QPainter, plot: QRectF) -> None:
        assert self._rates is not None
        font = self._theme.font("meta", px=12, weight=600, tabular=True)
        ends = -math.inf
        for tier in reversed(OUTSIDE_IN):
            rate = self._rates.wanted.rate(tier)
            days = half_life_days(rate)
            if days > DAYS:
                continue
            colour = tier_pen(self._theme, tier).color()
            at = self._point(plot, days, 0.5)
            paint_now_dot(
                painter, at, colour=colour, ground=self._theme.color("surface"), radius=3.5
            )
            text = half_life_short(rate)
            # Two that are near each other stand above and below the line.
            is_below = at.x() + 8 < ends
            middle = at.y() + (12 if is_below else -10)
            end = write(painter, at.x() + 7, middle, text, font, colour)
            ends = ends if is_below else end

    def _paint_reading(self, painter: QPainter, plot: QRectF) -> None:
        assert self._rates is not None
        day = self._day or 0.0
        x = round(self._point(plot, day, 0).x()) + 0.5
        painter.setPen(QPen(self._theme.color("lapis"), 1))
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
        for tier in OUTSIDE_IN:
            left = left_after(self._rates.wanted.rate(tier), day * HOURS_A_DAY)
            paint_now_dot(
                painter,
                self._point(plot, day, left),
                colour=tier_pen(self._theme, tier).color(),
                ground=self._theme.color("surface"),
                radius=3,
            )
        font = self._theme.font("meta", px=12, weight=600, tabular=True)
        text = tr("{days} days").format(days=round(day))
        width = QFontMetricsF(font).horizontalAdvance(text) + 12
        box = QRectF(min(x + 6, plot.right() - width), plot.top(), width, self._theme.scaled(19))
        self._theme.draw_box(painter, box, "raised", 4, line="lineStrong")
        write(painter, box.left() + 6, box.center().y(), text, font, self._theme.color("ink"))

    def _paint_ends(self, painter: QPainter, plot: QRectF) -> None:
        """What is left at the end, or at the reading line; never one on the other."""
        assert self._rates is not None
        day = DAYS if self._day is None else self._day
        font = self._theme.font("meta", px=12, weight=600, tabular=True)
        pitch = self._theme.scaled(_LABEL_PITCH)
        shares = {
            tier: left_after(self._rates.wanted.rate(tier), day * HOURS_A_DAY)
            for tier in OUTSIDE_IN
        }
        lowest = plot.bottom() + pitch
        for tier in sorted(OUTSIDE_IN, key=lambda one: shares[one]):
            middle = min(plot.bottom() - plot.height() * shares[tier], lowest - pitch)
            lowest = middle
            colour = tier_pen(self._theme, tier).color()
            write(painter, plot.right() + 8, middle, share_words(shares[tier]), font, colour)

    # -- measures -------------------------------------------------------------------------

    def _plot(self) -> QRectF:
        scaled = self._theme.scaled
        return QRectF(
            scaled(_LEFT),
            _TOP,
            self.width() - scaled(_LEFT) - scaled(_RIGHT),
            self.height() - _TOP - scaled(_BOTTOM),
        )

    def _point(self, plot: QRectF, day: float, share: float) -> QPointF:
        return QPointF(
            plot.left() + plot.width() * day / DAYS, plot.bottom() - plot.height() * share
        )

    def _points(self, plot: QRectF, rate: float) -> list[QPointF]:
        days = [DAYS * step / _STEPS for step in range(_STEPS + 1)]
        return [self._point(plot, day, left_after(rate, day * HOURS_A_DAY)) for day in days]

    def _small(self) -> QFont:
        return self._theme.font("meta", px=12, tabular=True)

    def _read(self, day: float | None) -> None:
        day = day if day is None else round(min(float(DAYS), max(0.0, day)))
        if day != self._day:
            self._day = day
            self._describe()
            self.update()

    def _describe(self) -> None:
        if self._rates is None:
            return
        day = DAYS if self._day is None else self._day
        parts = [
            f"{tier_title(tier)} {share_words(left_after(self._rates.wanted.rate(tier), day * 24))}"
            for tier in OUTSIDE_IN
        ]
        self.setAccessibleDescription(
            counted(round(day), "After 1 day: {parts}", "After {n} days: {parts}").format(
                parts=", ".join(parts)
            )
        )


class DecayLegend(QWidget):
    """Which line is whose."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(self._paint(None)), self._theme.scaled(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter | None) -> float:
        font, middle, x = self._theme.font("meta"), self.height() / 2, 0.0
        for tier in OUTSIDE_IN:
            if painter is not None:
                painter.setPen(tier_pen(self._theme, tier))
                painter.drawLine(QLineF(x, round(middle), x + 22, round(middle)))
                write(painter, x + 28, middle, tier_title(tier), font, self._theme.color("ink"))
            x += 28 + QFontMetricsF(font).horizontalAdvance(tier_title(tier)) + 18
        return x - 18
