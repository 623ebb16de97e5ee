"""How relevance falls over time, drawn large, with a line that reads values off the curve."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from PySide6.QtCore import QDate, QEvent, QLineF, QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.memory_marks import (
    band_colour,
    figure_of,
    paint_now_dot,
    span_hours,
)
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import shortest, tr

_HEIGHT = 132
_LEFT = 30
_RIGHT = 10
_TOP = 8
_LABEL_CLEARANCE = 40
_BOTTOM = 25
_STEPS = 72
_HEADROOM = 1.11
_DAY = 24.0
_WEEK = 7
_TICK_STEPS_DAYS = (7, 14, 30, 60, 90, 180, 365, 730, 1825)
_TICKS = 4
_DAYS_UNTIL_MONTHS = 60
_DAYS_UNTIL_YEARS = 700
_GRID_STEPS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
_GRID_LINES = 3


@dataclass(frozen=True, slots=True)
class ChartCurve:
    """What the chart draws.

    ``relevance_at`` takes hours since the base instant ``base_at`` (aware), which
    ``base_label`` names, such as "last read". A memory that fades steadily is assumed when the
    chart speaks of half its relevance. ``promote_at`` draws a line at that relevance.
    """

    relevance_at: Callable[[float], float]
    hours_since_base: float
    base_at: datetime
    base_label: str
    promote_at: float | None = None


class RelevanceChart(QWidget):
    """Solid up to now, dashed after; hovering or the arrow keys read values off."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._curve: ChartCurve | None = None
        self._before: ChartCurve | None = None
        self._reading: float | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Relevance over time"))
        theme.hold_height(self, _HEIGHT)

    def show_curve(self, curve: ChartCurve | None) -> None:
        """Draw a curve as it is stored; nothing is drawn without one."""
        self._curve = curve
        self._before = None
        self._reading = None
        self._describe()
        self.update()

    def show_draft(self, curve: ChartCurve) -> None:
        """Draw a curve that is being tried out; the stored one stays as a hairline."""
        if self._before is None:
            self._before = self._curve
        self._curve = curve
        self._describe()
        self.update()

    def reading_text(self) -> str:
        """Date and value under the reading line, empty while there is none."""
        if self._curve is None or self._reading is None:
            return ""
        day = on_the_wall(self._curve.base_at + timedelta(hours=self._reading))
        date = QLocale().toString(QDate(day.year, day.month, day.day), "d MMM yyyy")
        return f"{date}   {figure_of(self._curve.relevance_at(self._reading))}"

    def summary(self) -> str:
        """The chart in words: now, in a week, and how fast it halves."""
        curve = self._curve
        if curve is None:
            return ""
        now = curve.relevance_at(curve.hours_since_base)
        later = curve.relevance_at(curve.hours_since_base + _WEEK * _DAY)
        parts = [
            tr("Now {0}").format(figure_of(now)),
            tr("{0} in 7 days").format(figure_of(later)),
        ]
        if 0 < later < now:
            half = _WEEK * math.log(2) / math.log(now / later)
            parts.append(tr("half gone every {0} days").format(f"{half:.1f}"))
        return "; ".join(parts)

    def sizeHint(self) -> QSize:
        return QSize(352, self._theme.scaled(_HEIGHT))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        plot = self._plot()
        if self._curve is not None and plot.width() > 0:
            share = (event.position().x() - plot.left()) / plot.width()
            self._read(min(1.0, max(0.0, share)) * self._span())

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
        if self._curve is None:
            super().keyPressEvent(event)
            return
        here = self._curve.hours_since_base if self._reading is None else self._reading
        match event.key():
            case Qt.Key.Key_Left:
                self._read(max(0.0, here - _DAY))
            case Qt.Key.Key_Right:
                self._read(min(self._span(), here + _DAY))
            case Qt.Key.Key_Home:
                self._read(0.0)
            case Qt.Key.Key_End:
                self._read(self._span())
            case _:
                super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._curve is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self._plot()
        ceiling = self._ceiling()
        self._paint_grid(painter, plot, ceiling)
        self._paint_times(painter, plot)
        if self._before is not None:
            painter.setPen(QPen(self._theme.color("inkFaint"), 1))
            points = self._points(self._before, plot, ceiling, 0.0, self._span())
            painter.drawPolyline(points)
        self._paint_curve(painter, plot, ceiling, self._curve)
        self._paint_reading(painter, plot, ceiling)
        painter.end()

    # -- drawing --------------------------------------------------------------------------

    def _paint_grid(self, painter: QPainter, plot: QRectF, ceiling: float) -> None:
        step = next((one for one in _GRID_STEPS if ceiling / one <= _GRID_LINES), _GRID_STEPS[-1])
        painter.setFont(self._small())
        for number in range(int(ceiling / step) + 1):
            value = number * step
            y = round(plot.bottom() - plot.height() * value / ceiling) + 0.5
            painter.setPen(QPen(self._theme.color("line"), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            painter.setPen(self._theme.color("inkFaint"))
            place = QRectF(0, y - 10, plot.left() - 6, 20)
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, side, shortest(value))

    def _paint_times(self, painter: QPainter, plot: QRectF) -> None:
        curve = self._curve
        assert curve is not None
        span_days = self._span() / _DAY
        step = next(
            (one for one in _TICK_STEPS_DAYS if span_days / one <= _TICKS + 0.5),
            _TICK_STEPS_DAYS[-1],
        )
        metrics = QFontMetricsF(self._small())
        painter.setFont(self._small())
        painter.setPen(self._theme.color("inkFaint"))
        baseline = round(plot.bottom() + 16)
        painter.drawText(QPointF(plot.left(), baseline), curve.base_label)
        taken = plot.left() + metrics.horizontalAdvance(curve.base_label) + 8
        for number in range(1, int(span_days / step + 1e-6) + 1):
            text = self._age(number * step)
            width = metrics.horizontalAdvance(text)
            x = plot.left() + plot.width() * number * step / span_days - width / 2
            x = min(x, plot.right() - width)
            if x >= taken:
                painter.drawText(QPointF(x, baseline), text)
                taken = x + width + 8

    def _paint_curve(
        self, painter: QPainter, plot: QRectF, ceiling: float, curve: ChartCurve
    ) -> None:
        theme = self._theme
        now = min(curve.hours_since_base, self._span())
        relevance = curve.relevance_at(now)
        colour = band_colour(theme, relevance)
        past = self._points(curve, plot, ceiling, 0.0, now)
        ahead = self._points(curve, plot, ceiling, now, self._span())
        wash = QColor(colour)
        wash.setAlphaF(0.16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(wash)
        x = past[-1].x()
        area = [QPointF(plot.left(), plot.bottom()), *past, QPointF(x, plot.bottom())]
        painter.drawPolygon(QPolygonF(area))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if curve.promote_at is not None and curve.promote_at <= ceiling:
            self._paint_promotion(painter, plot, ceiling, curve.promote_at, now=x)
        line = round(x) + 0.5
        if self._reading is None:
            # Lines of the grid and of promotion stop where the word stands; the curve does not.
            box = self._now_box(plot, line)
            box.setLeft(min(box.left(), line))  # and no stub of a dash before it
            box.setRight(max(box.right(), line))
            painter.fillRect(box, theme.color("canvas"))
        painter.setPen(QPen(theme.color("ink"), 1))
        painter.drawLine(QLineF(line, 0, line, plot.bottom()))
        pen = QPen(colour, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPolyline(past)
        dashes = QPen(colour, 1.6, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        dashes.setDashPattern([2.0, 2.0])
        painter.setPen(dashes)
        painter.drawPolyline(ahead)
        ground = theme.color("canvas")
        paint_now_dot(painter, past[-1], colour=colour, ground=ground, radius=3.5)
        if self._reading is None:
            self._paint_now_word(painter, plot, line)

    def _now_box(self, plot: QRectF, x: float) -> QRectF:
        """Where the word beside the line of now stands, with a little room around it."""
        metrics = QFontMetricsF(self._theme.font("label"))
        width = metrics.horizontalAdvance(tr("now"))
        left = x + 6 if x + 6 + width <= plot.right() else x - 6 - width
        top = _TOP + 8 - metrics.ascent()
        return QRectF(left, top, width, metrics.height()).adjusted(-3, 0, 3, 0)

    def _paint_now_word(self, painter: QPainter, plot: QRectF, x: float) -> None:
        painter.setFont(self._theme.font("label"))
        painter.setPen(self._theme.color("ink"))
        painter.drawText(QPointF(self._now_box(plot, x).left() + 3, _TOP + 8), tr("now"))

    def _paint_promotion(
        self, painter: QPainter, plot: QRectF, ceiling: float, value: float, *, now: float
    ) -> None:
        y = round(plot.bottom() - plot.height() * value / ceiling) + 0.5
        pen = QPen(self._theme.wash("lapis", 0.8), 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        painter.setFont(self._small())
        painter.setPen(self._theme.color("lapis"))
        text = tr("promote at {0}").format(shortest(value))
        width = QFontMetricsF(self._small()).horizontalAdvance(text)
        # The label keeps clear of the line at now and the word beside it.
        is_now_right = now > plot.right() - width - _LABEL_CLEARANCE
        left = plot.left() + 4 if is_now_right else plot.right() - width
        painter.drawText(QPointF(left, y - 5), text)

    def _paint_reading(self, painter: QPainter, plot: QRectF, ceiling: float) -> None:
        if self._reading is None or self._curve is None:
            return
        theme = self._theme
        point = self._points(self._curve, plot, ceiling, self._reading, self._reading)[0]
        x = round(point.x()) + 0.5
        painter.setPen(QPen(theme.color("lapis"), 1))
        painter.drawLine(QLineF(x, _TOP, x, plot.bottom()))
        paint_now_dot(
            painter, point, colour=theme.color("lapis"), ground=theme.color("canvas"), radius=3
        )
        font = theme.font("meta", px=12, weight=600, tabular=True)
        text = self.reading_text()
        width = QFontMetricsF(font).horizontalAdvance(text) + 12
        left = min(max(plot.left(), x - width / 2), plot.right() - width)
        box = QRectF(left, 0, width, 19)
        theme.draw_box(painter, box, "raised", 4, line="lineStrong")
        painter.setFont(font)
        painter.setPen(theme.color("ink"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    # -- measures -------------------------------------------------------------------------

    def _plot(self) -> QRectF:
        bottom = self.height() - self._theme.scaled(_BOTTOM)
        return QRectF(_LEFT, _TOP, self.width() - _LEFT - _RIGHT, bottom - _TOP)

    def _span(self) -> float:
        return span_hours(self._curve.hours_since_base if self._curve else 0.0)

    def _ceiling(self) -> float:
        starts = [
            curve.relevance_at(0.0) * _HEADROOM
            for curve in (self._curve, self._before)
            if curve is not None
        ]
        lines = [curve.promote_at for curve in (self._curve,) if curve and curve.promote_at]
        return max([*starts, *(line * _HEADROOM for line in lines), 0.55])

    def _points(
        self, curve: ChartCurve, plot: QRectF, ceiling: float, first: float, last: float
    ) -> list[QPointF]:
        span = self._span()
        steps = max(1, round(_STEPS * (last - first) / span))
        hours = [first + (last - first) * step / steps for step in range(steps + 1)]
        return [
            QPointF(
                plot.left() + plot.width() * hour / span,
                plot.bottom() - plot.height() * min(ceiling, curve.relevance_at(hour)) / ceiling,
            )
            for hour in hours
        ]

    def _age(self, days: int) -> str:
        if days < _DAYS_UNTIL_MONTHS:
            return tr("{0} d").format(days)
        if days < _DAYS_UNTIL_YEARS:
            return tr("{0} mo").format(round(days / 30.4))
        return tr("{0} y").format(round(days / 365))

    def _small(self) -> QFont:
        return self._theme.font("meta", px=12, tabular=True)

    def _read(self, hours: float | None) -> None:
        if hours != self._reading:
            self._reading = hours
            self._describe()
            self.update()

    def _describe(self) -> None:
        self.setAccessibleDescription(self.reading_text() or self.summary())
