"""Ink: writes and draws in the colours and faces of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import draw_picture
from inklings_desktop.ui.kit.look.text_layout import write

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

ICON, SMALL = 16, 14
_TIERS = {tier.value: tier for tier in Tier}


class Ink:
    """Writes and draws in the colours and faces of the theme; sizes grow with the text."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def font(self, style: str = "meta", weight: int | None = None) -> QFont:
        """A face."""
        return self.theme.font(style, weight=weight)

    def width(self, text: str, font: QFont) -> float:
        """How wide a text is, in pixels."""
        return QFontMetricsF(font).horizontalAdvance(text)

    def fitted(self, text: str, font: QFont, room: float) -> str:
        """A text of one line, with an ellipsis where it has no room."""
        line = spelled_out(" ".join(text.split()))
        return QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideRight, max(room, 0))

    def text(
        self, painter: QPainter, x: float, middle: float, text: str, font: QFont, role: str
    ) -> float:
        """Write from ``x`` on; the answer is where it ends."""
        return write(painter, x, middle, text, font, self.theme.color(role))

    def icon(
        self, painter: QPainter, x: float, middle: float, name: str, role: str, size: int = ICON
    ) -> float:
        """Draw an icon; the answer is where it ends."""
        edge = self.theme.icon_px(size)
        ratio = painter.device().devicePixelRatioF()
        picture = self.theme.pixmap(name, role, size, ratio=ratio)
        draw_picture(painter, QPointF(round(x), round(middle - edge / 2)), picture)
        return x + edge

    def turning(self, painter: QPainter, x: float, middle: float, angle: float) -> None:
        """Draw the arrows of what is at work."""
        edge = self.theme.icon_px(ICON)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(x + edge / 2, middle)
        painter.rotate(angle)
        self.icon(painter, -edge / 2, 0, "arrows-clockwise", "accent")
        painter.restore()

    def tier(
        self, painter: QPainter, x: float, middle: float, tier: str, size: int = ICON
    ) -> float:
        """Draw the rings of a tier; the answer is where they end."""
        edge = self.theme.icon_px(size)
        inked, role = TIER_MARKS[_TIERS.get(tier, Tier.WORKSPACE)]
        rect = QRectF(x, round(middle - edge / 2), edge, edge)
        paint_tier_mark(painter, rect, inked, self.theme.color(role))
        return x + edge

    def card(
        self, painter: QPainter, rect: QRectF, ground: str, line: str | None = None, radius: int = 8
    ) -> None:
        """Draw a rounded ground, with a hairline around it or none."""
        if line is None:
            painter.setPen(Qt.PenStyle.NoPen)
            place = rect
        else:
            painter.setPen(QPen(self.theme.color(line), 1))
            place = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(self.theme.color(ground))
        painter.drawRoundedRect(place, radius, radius)

    def ring(self, painter: QPainter, rect: QRectF, radius: float = 5) -> None:
        """Draw the ring around what the keyboard is on."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.color("focus"), 2))
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), radius, radius)
