"""The marks of a memory: the rings of its tier, and one family of marks for relevance."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPixmapCache, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.memories.listing import BAND_FLOORS, RelevanceBand, band_of
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.mirror import draw_picture, smooth_painter_on
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import decimal

RINGS = (0.12, 0.24, 0.36, 0.46)
_FAINT = 0.22
_LARGEST_STEP = 20

TIER_MARKS = {
    Tier.CONVERSATION: (1, "tierConversation"),
    Tier.CHANNEL: (2, "tierChannel"),
    Tier.WORKSPACE: (3, "tierWorkspace"),
    Tier.ACCOUNT: (4, "tierAccount"),
}
"""Of each tier how many rings are inked, and the role of their colour."""


def paint_tier_mark(painter: QPainter, rect: QRectF, inked: int, colour: QColor) -> None:
    """Four rings around one centre, drawn once and then copied.

    Args:
        rect: A square of 16 to 26 pixels.
        inked: How many rings, counted from the centre, are drawn in full colour, 1 up to 4.
        colour: Ink of the rings; the others let most of the ground through.
    """
    ratio = painter.device().devicePixelRatioF()
    corner = QPointF(math.floor(rect.left()), math.floor(rect.top()))
    inside = rect.translated(-corner)
    key = f"tier mark {inked} {colour.rgba()} {inside.getRect()} {ratio}"
    mark = QPixmap()
    if not QPixmapCache.find(key, mark):
        edge = math.ceil((max(inside.right(), inside.bottom()) + 1) * ratio)
        mark = QPixmap(edge, edge)
        mark.setDevicePixelRatio(ratio)
        mark.fill(Qt.GlobalColor.transparent)
        rings = QPainter(mark)
        rings.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_rings(rings, inside, inked, colour)
        rings.end()
        QPixmapCache.insert(key, mark)
    draw_picture(painter, corner, mark)


def _paint_rings(painter: QPainter, rect: QRectF, inked: int, colour: QColor) -> None:
    edge = min(rect.width(), rect.height())
    centre = rect.center()
    width = max(1.0, edge * 0.07)
    for number, share in enumerate(RINGS):
        ink = QColor(colour)
        if number >= inked:
            ink.setAlphaF(_FAINT)
        if number == 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawEllipse(QPointF(centre), edge * share, edge * share)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            painter.setPen(QPen(ink, width))
            painter.drawEllipse(QPointF(centre), edge * share, edge * share)


class TierMark(QWidget):
    """The rings as a small widget beside a title."""

    def __init__(
        self, theme: Theme, *, inked: int, role: str, edge: int = 18, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inked = inked
        self._role = role
        self._edge = edge
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_tier(self, *, inked: int, role: str) -> None:
        """Show other rings: how many are inked, and in which role's colour."""
        self._inked = inked
        self._role = role
        self.update()

    def sizeHint(self) -> QSize:
        """A square that grows with the type beside it, in the steps of the icons."""
        theme = self._theme
        is_large = self._edge > _LARGEST_STEP
        edge = theme.scaled(self._edge) if is_large else theme.icon_px(self._edge)
        return QSize(edge, edge)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        paint_tier_mark(painter, QRectF(self.rect()), self._inked, self._theme.color(self._role))
        painter.end()


CURVE_WIDTH = 88
CURVE_HEIGHT = 26
BAR_HEIGHT = 4
STROKE_WIDTH = 3

_SHORTEST_SPAN_HOURS = 28 * 24.0
_SPAN_BEYOND_NOW = 1.25
_LEAST_CEILING = 2.0
_STEPS = 22
_FILL_OPACITY = 0.16
_FUTURE_OPACITY = 0.6
_DOT_RADIUS = 2.75
_HALO = 1.5


_BAND_ROLES = {
    RelevanceBand.VIVID: "accent",
    RelevanceBand.STEADY: "accent",
    RelevanceBand.FADING: "ochre",
    RelevanceBand.NEARLY_GONE: "graphite",
}


def figure_of(relevance: float) -> str:
    """Relevance as it is printed: two decimals, ``<0.01`` below and ``9.99+`` above."""
    if relevance < BAND_FLOORS[RelevanceBand.FADING]:
        return f"<{decimal(0.01, 2)}"
    return decimal(relevance, 2) if relevance < 9.995 else f"{decimal(9.99, 2)}+"  # noqa: PLR2004 - as printed


def stroke_opacity(relevance: float) -> float:
    """How much ink the stroke of a row has, 0.25 up to 1."""
    return 0.25 + 0.75 * min(1.0, max(0.0, relevance))


def span_hours(hours_since_base: float) -> float:
    """How much time a decay curve shows, in hours: four weeks, or more for an older memory."""
    return max(_SHORTEST_SPAN_HOURS, _SPAN_BEYOND_NOW * hours_since_base)


def paint_ink_stroke(painter: QPainter, rect: QRectF, colour: QColor, relevance: float) -> None:
    """The upright stroke at the left edge of a row; strong ink for what is relevant."""
    painter.save()
    painter.setOpacity(painter.opacity() * stroke_opacity(relevance))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(rect, rect.width() / 2, rect.width() / 2)
    painter.restore()


def paint_dotted_stroke(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    """The stroke of something that has no relevance: a working note, a forgotten memory."""
    edge = rect.width()
    count = int((rect.height() + edge) // (2 * edge))
    top = rect.top() + (rect.height() - (2 * count - 1) * edge) / 2
    for number in range(count):
        painter.fillRect(QRectF(rect.left(), top + 2 * edge * number, edge, edge), colour)


def paint_importance_bar(
    painter: QPainter, rect: QRectF, importance: float, *, track: QColor, fill: QColor
) -> None:
    """A rounded bar that is filled as far as importance, 0 up to 1, reaches."""
    radius = rect.height() / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(track)
    painter.drawRoundedRect(rect, radius, radius)
    width = rect.width() * min(1.0, max(0.0, importance))
    if width > 0:
        painter.setBrush(fill)
        filled = QRectF(rect.left(), rect.top(), max(width, rect.height()), rect.height())
        painter.drawRoundedRect(filled, radius, radius)


def paint_decay_curve(
    painter: QPainter,
    rect: QRectF,
    *,
    hours_since_base: float,
    start: float,
    rate_per_hour: float,
    colour: QColor,
    ground: QColor,
    axis: QColor,
) -> None:
    """Relevance from the base instant on: solid up to now, dashed after, a dot at now.

    Args:
        rect: Usually 88 by 26 pixels.
        hours_since_base: Age of the base instant, 0 or more.
        start: Relevance at the base instant.
        rate_per_hour: Above 0 up to 1; 1 gives a level line with the dot at its right end.
        colour: Ink of the curve.
        ground: Colour of the row, for the halo of the dot.
        axis: Colour of the line below the curve.
    """
    left, right, bottom = rect.left() + 1.5, rect.right() - 3.5, rect.bottom() - 3.5
    room = bottom - rect.top() - 3.0
    ceiling = max(_LEAST_CEILING, start)
    level = rate_per_hour >= 1.0
    span = span_hours(hours_since_base)

    def point(hours: float) -> QPointF:
        relevance = start if level else start * math.exp(hours * math.log(rate_per_hour))
        return QPointF(
            left + (right - left) * (hours / span),
            bottom - room * math.sqrt(max(0.0, relevance) / ceiling),
        )

    now = span if level else min(hours_since_base, span)
    done = max(2, round(_STEPS * now / span) + 1)
    past = [point(now * step / (done - 1)) for step in range(done)]
    painter.fillRect(QRectF(left, round(bottom), right + 3.0 - left, 1), axis)
    area = QPolygonF([QPointF(left, bottom), *past, QPointF(past[-1].x(), bottom)])
    wash = QColor(colour)
    wash.setAlphaF(_FILL_OPACITY)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(wash)
    painter.drawPolygon(area)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPolyline(past)
    if now < span:
        rest = max(2, _STEPS + 2 - done)
        ahead = [point(now + (span - now) * step / (rest - 1)) for step in range(rest)]
        faint = QColor(colour)
        faint.setAlphaF(_FUTURE_OPACITY)
        pen = QPen(faint, 1.2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([2.0, 2.0])
        painter.setPen(pen)
        painter.drawPolyline(ahead)
    paint_now_dot(painter, past[-1], colour=colour, ground=ground)


def paint_now_dot(
    painter: QPainter,
    centre: QPointF,
    *,
    colour: QColor,
    ground: QColor,
    radius: float = _DOT_RADIUS,
) -> None:
    """The dot that stands for now, lifted off the curve by a halo in the row's colour."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawEllipse(centre, radius + _HALO, radius + _HALO)
    painter.setBrush(colour)
    painter.drawEllipse(centre, radius, radius)


def band_colour(theme: Theme, relevance: float) -> QColor:
    """The colour of the band that a relevance belongs to, in the scheme on show."""
    return theme.color(_BAND_ROLES[band_of(relevance)])
