"""Painting from right to left, where the window is read that way.

Whoever paints measures from the left. Where the window is mirrored the painter is turned round its
middle first, and what must not be turned with it, words and pictures, is turned back in its place.
Times and values that run along an axis keep their direction: a curve of decay goes left to right.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPixmap
    from PySide6.QtWidgets import QWidget

_is_mirrored = False


def read_from(side: Qt.LayoutDirection) -> None:
    """Lay out and paint the windows that are made from now on for this direction of reading."""
    global _is_mirrored  # noqa: PLW0603 - one program is read one way; asked at every word
    _is_mirrored = side is Qt.LayoutDirection.RightToLeft
    QApplication.setLayoutDirection(side)


def painter_on(widget: QWidget) -> QPainter:
    """A painter on a widget that may measure from the left; its user ends it."""
    painter = QPainter(widget)
    if _is_mirrored:
        _turn(painter, widget.width() / 2)
    return painter


def smooth_painter_on(widget: QWidget) -> QPainter:
    """The same with smooth edges."""
    painter = painter_on(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def begin_cell(painter: QPainter, rect: QRect) -> None:
    """Let a delegate measure from the left within a cell, with smooth edges; it restores after."""
    painter.save()
    turn_in(painter, rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def turn_in(painter: QPainter, rect: QRect | QRectF) -> None:
    """Let whoever paints measure from the left within a cell; it saves before, restores after."""
    if _is_mirrored:
        _turn(painter, QRectF(rect).center().x())


def as_painted(at: QPointF, widget: QWidget) -> QPointF:
    """Where what stands under the pointer was painted, measured from the left.

    Args:
        at: Place on the widget.
        widget: The one that was painted on.
    """
    return QPointF(widget.width() - at.x(), at.y()) if _is_mirrored else at


def draw_text(painter: QPainter, place: QPointF, text: str) -> None:
    """As ``QPainter.drawText``, and never the wrong way round."""
    if not _is_mirrored:
        painter.drawText(place, text)
        return
    width = QFontMetricsF(painter.font()).horizontalAdvance(text)
    with upright(painter, place.x() + width / 2):
        painter.drawText(place, text)


def draw_text_in(painter: QPainter, place: QRect | QRectF, flags: int, text: str) -> None:
    """The same within a rectangle."""
    rect = QRectF(place)
    with upright(painter, rect.center().x()):
        painter.drawText(rect, flags, text)


def draw_picture(painter: QPainter, place: QPointF, picture: QPixmap) -> None:
    """As ``QPainter.drawPixmap``, and never the wrong way round."""
    width = picture.width() / picture.devicePixelRatio()
    with upright(painter, place.x() + width / 2):
        painter.drawPixmap(place, picture)


@contextmanager
def upright(painter: QPainter, middle: float) -> Iterator[None]:
    """Turn back what is painted around a middle, if the painter is turned round."""
    is_turned = _is_mirrored and painter.worldTransform().m11() < 0
    if is_turned:
        _turn(painter, middle)
    yield
    if is_turned:
        _turn(painter, middle)


def _turn(painter: QPainter, middle: float) -> None:
    painter.translate(2 * middle, 0)
    painter.scale(-1, 1)
