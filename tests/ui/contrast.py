"""Contrast as WCAG 2.2 has it, and what a grabbed picture tells of text and its ground."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

TEXT = 4.5
"""The least contrast of text."""
_LINEAR_BELOW = 0.04045


def ratio(one: QColor, other: QColor) -> float:
    """(L1 + 0.05) / (L2 + 0.05) of two colours, 1 up to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(colour: QColor, ground: QColor, opacity: float) -> QColor:
    """What a colour looks like that lets the ground through."""
    rest = 1 - opacity
    return QColor(
        round(colour.red() * opacity + ground.red() * rest),
        round(colour.green() * opacity + ground.green() * rest),
        round(colour.blue() * opacity + ground.blue() * rest),
    )


def ground_of(image: QImage, box: QRect) -> QColor:
    """The colour that most of a box has."""
    return QColor(colours_in(image, box).most_common(1)[0][0])


def colours_in(image: QImage, box: QRect) -> Counter[str]:
    """How often each colour stands in a box of a picture."""
    inside = box.intersected(image.rect())
    found: Counter[str] = Counter()
    for y in range(inside.top(), inside.bottom() + 1):
        for x in range(inside.left(), inside.right() + 1):
            found[f"#{image.pixel(x, y) & 0xFFFFFF:06x}"] += 1
    return found


def strongest(image: QImage, box: QRect) -> tuple[QColor, QColor, float]:
    """Ground of a box, the colour in it that stands out most, and how much."""
    found = colours_in(image, box)
    ground = QColor(found.most_common(1)[0][0])
    best = max(found, key=lambda name: ratio(QColor(name), ground))
    return ground, QColor(best), ratio(QColor(best), ground)


def box_in(widget: QWidget, window: QWidget) -> QRect:
    """Where a widget stands in its window, cut to what is on show of it."""
    corner = widget.mapTo(window, QPoint(0, 0))
    visible = widget.visibleRegion().boundingRect()
    return visible.translated(corner)


def _luminance(colour: QColor) -> float:
    red, green, blue = (_linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4
