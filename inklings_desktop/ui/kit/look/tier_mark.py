"""The mark of the four tiers: concentric rings, of which the first ones are inked."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPixmapCache
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.theme import Theme

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
        painter: Draws with antialiasing already on.
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
    painter.drawPixmap(corner, mark)


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
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

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
        """Draws the rings."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_tier_mark(painter, QRectF(self.rect()), self._inked, self._theme.color(self._role))
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()
