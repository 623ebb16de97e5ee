"""The few movements of the window: short, once, and none where movement is not welcome.

Durations come from the theme, which answers 0 with reduced motion; then the end is shown at once.
"""

from typing import cast

from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QPoint,
    QPropertyAnimation,
    QVariantAnimation,
)
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_FADING_PLATFORMS = frozenset({"xcb", "windows", "cocoa"})
"""Where a window can be let through; the others would only complain."""
_DELETE = QAbstractAnimation.DeletionPolicy.DeleteWhenStopped


def slide(widget: QWidget, theme: Theme, off: QPoint) -> QPropertyAnimation | None:
    """Let a widget that is in its place come into it; None where it stands there at once.

    Args:
        widget: Visible, where it is to stay.
        off: Where it begins, from there.
    """
    duration = theme.duration("gentle")
    if not duration or not widget.isVisible():
        return None
    place = widget.pos()
    rise = QPropertyAnimation(widget, b"pos", widget)
    rise.setDuration(duration)
    rise.setEasingCurve(QEasingCurve.Type.OutCubic)
    rise.setStartValue(place + off)
    rise.setEndValue(place)
    rise.start()
    rise.finished.connect(rise.deleteLater)
    return rise


def fade_in(window: QWidget, theme: Theme) -> None:
    """Let a window of its own, a popover, come into sight; at once where windows cannot fade."""
    duration = theme.duration("base")
    if not duration or QGuiApplication.platformName() not in _FADING_PLATFORMS:
        return
    fade = QPropertyAnimation(window, b"windowOpacity", window)
    fade.setDuration(duration)
    fade.setEasingCurve(QEasingCurve.Type.OutCubic)
    fade.setStartValue(0.0)
    fade.setEndValue(1.0)
    fade.start(_DELETE)


def collapse(widget: QWidget, theme: Theme) -> None:
    """Let a widget lose its height and go; it is deleted then."""
    duration = theme.duration("base")
    if not duration:
        widget.hide()
        widget.deleteLater()
        return

    def shrink(height: object) -> None:
        widget.resize(widget.width(), cast("int", height))

    fold = QVariantAnimation(widget)
    fold.setDuration(duration)
    fold.setEasingCurve(QEasingCurve.Type.InOutQuad)
    fold.setStartValue(widget.height())
    fold.setEndValue(0)
    fold.valueChanged.connect(shrink)
    fold.finished.connect(widget.hide)
    fold.finished.connect(widget.deleteLater)
    fold.start(_DELETE)


def blended(one: QColor, other: QColor, share: float) -> QColor:
    """A colour between two: ``share`` 1 is the first, 0 the second."""
    rest = 1.0 - share
    return QColor.fromRgbF(
        one.redF() * share + other.redF() * rest,
        one.greenF() * share + other.greenF() * rest,
        one.blueF() * share + other.blueF() * rest,
    )
