"""How check boxes, radio buttons and keys are drawn, wherever they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from inklings_desktop.ui.kit.look.mirror import draw_text_in, upright
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

_EDGE = 16
_RADIUS = 4.0
_STROKE = 1.8


def box_edge(theme: Theme) -> int:
    """Edge of a check box in pixels, at the text size on show."""
    return theme.scaled(_EDGE)


def paint_check_box(
    painter: QPainter, rect: QRectF, theme: Theme, state: Qt.CheckState, *, enabled: bool = True
) -> None:
    """A box that is empty, checked or mixed; antialiasing is on."""
    grown = rect.width() / _EDGE
    if state is Qt.CheckState.Unchecked:
        ground, line = ("surface", "controlBorder") if enabled else ("sunken", "line")
        theme.draw_box(painter, rect, ground, _RADIUS * grown, line=line)
        return
    ground = "accent" if enabled else "inkFaint"
    theme.draw_box(painter, rect, ground, _RADIUS * grown, line=ground)
    pen = QPen(QColor(theme.color("onAccent")), _STROKE * grown, c=Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    x, y, edge = rect.left(), rect.top(), rect.width()
    if state is Qt.CheckState.PartiallyChecked:
        middle = rect.center().y()
        painter.drawLine(QPointF(x + edge * 0.28, middle), QPointF(x + edge * 0.72, middle))
        return
    with upright(painter, rect.center().x()):
        painter.drawPolyline(
            [
                QPointF(x + edge * 0.28, y + edge * 0.53),
                QPointF(x + edge * 0.44, y + edge * 0.68),
                QPointF(x + edge * 0.73, y + edge * 0.36),
            ]
        )


_DOT = 0.375


def paint_radio(
    painter: QPainter,
    centre: QPointF,
    half: float,
    theme: Theme,
    *,
    on: bool,
    line: str = "controlBorder",
) -> None:
    """The mark of one of several choices, so many pixels from its centre; antialiasing is on."""
    if on:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(centre, half, half)
        painter.setBrush(theme.color("onAccent"))
        painter.drawEllipse(centre, _DOT * half, _DOT * half)
        return
    painter.setPen(QPen(theme.color(line), 1))
    painter.setBrush(theme.color("surface"))
    painter.drawEllipse(centre, half - 0.5, half - 0.5)


SWITCH_WIDTH, SWITCH_HEIGHT = 34, 20
_KNOB, _INSET = 12, 4


def paint_switch(
    painter: QPainter,
    rect: QRectF,
    theme: Theme,
    *,
    on: bool,
    hovered: bool = False,
    enabled: bool = True,
) -> None:
    """A track with its knob at one end; antialiasing is on."""
    track = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    if on:
        ground = "accentHover" if hovered else "accent"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(ground if enabled else "inkFaint"))
    else:
        painter.setPen(QPen(theme.color("controlBorder" if enabled else "line"), 1))
        painter.setBrush(theme.color("hover" if hovered else "sunken"))
    painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
    knob, inset = theme.scaled(_KNOB), theme.scaled(_INSET)
    x = rect.right() - inset - knob if on else rect.left() + inset
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("onAccent" if on else "inkSoft"))
    painter.drawEllipse(QRectF(x, rect.top() + (rect.height() - knob) / 2, knob, knob))


_CAP_HEIGHT = 17
_CAP_PADDING = 6


def key_cap_height(theme: Theme) -> int:
    """How high a cap is at the text size on show."""
    return theme.scaled(_CAP_HEIGHT)


_NAMES = {
    "Ctrl": lambda: tr("Ctrl"),
    "Shift": lambda: tr("Shift"),
    "Enter": lambda: tr("Enter"),
    "Space": lambda: tr("Space"),
    "Del": lambda: tr("Del"),
    "Esc": lambda: tr("Esc"),
    "Home": lambda: tr("Home"),
    "End": lambda: tr("End"),
    "PgUp": lambda: tr("PgUp"),
    "PgDn": lambda: tr("PgDn"),
}
"""What a key is called, in the language of the window."""


def key_name(keys: str) -> str:
    """What stands on keys in the person's language; ``Strg Eingabe`` for ``Ctrl Enter``."""
    return " ".join(_NAMES[one]() if one in _NAMES else one for one in keys.split(" "))


def key_cap_width(keys: str, font: QFont) -> float:
    """How wide a cap is; never narrower than high."""
    name = QFontMetricsF(font).horizontalAdvance(key_name(keys))
    return max(float(_CAP_HEIGHT), name + 2 * _CAP_PADDING - 2)


def paint_key_cap(painter: QPainter, rect: QRectF, keys: str, theme: Theme) -> None:
    """One key as a small cap; antialiasing is on."""
    theme.draw_box(painter, rect, "surface", 4, line="lineStrong")
    painter.setFont(theme.font("meta", px=12))
    painter.setPen(theme.color("inkSoft"))
    draw_text_in(painter, rect, Qt.AlignmentFlag.AlignCenter, key_name(keys))
