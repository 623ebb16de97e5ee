"""What of the words on show is cut off, as far as the controls themselves can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLabel, QLineEdit

from inklings_desktop.ui.kit.marks.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

AIR = 16
"""What a button may lose of the air beside its words, in pixels."""
LONGEST = 60
"""Of a text that is told."""


def cut_off() -> list[str]:
    """Every label, button and field on show that is too small for its words, a line each."""
    windows = (one for one in QApplication.topLevelWidgets() if one.isVisible())
    kinds = (QLabel, QAbstractButton, QLineEdit)
    return sorted(
        f"{type(one).__name__}#{one.objectName()} {why}: {_words_of(one)[:LONGEST]}"
        for window in windows
        for kind in kinds
        for one in window.findChildren(kind)
        if one.isVisible() and _words_of(one)
        for why in _faults_of(one)
    )


def _words_of(one: QWidget) -> str:
    if isinstance(one, QLineEdit):
        return one.text() or one.placeholderText()
    return one.text() if isinstance(one, QLabel | QAbstractButton) else ""


def _faults_of(one: QWidget) -> Iterator[str]:
    if isinstance(one, QLabel) and one.wordWrap():
        if (needed := one.heightForWidth(one.width())) > one.height() + 1:
            yield f"needs {needed} px of height and has {one.height()}"
    elif isinstance(one, QLineEdit):
        if not one.text():
            needed = one.fontMetrics().horizontalAdvance(one.placeholderText())
            margins = one.textMargins()
            if needed > (room := one.width() - margins.left() - margins.right()):
                yield f"needs {needed} px and has {room}"
    elif not isinstance(one, ElidedLabel):
        least = one.minimumSizeHint() if one.minimumSizeHint().isValid() else one.sizeHint()
        air = AIR if isinstance(one, QAbstractButton) else 0
        if least.width() - air > one.width() + 1:
            yield f"needs {least.width()} px and has {one.width()}"
    if (outside := _beyond(one)) is not None:
        yield f"reaches beyond {outside}"


def _beyond(one: QWidget) -> str | None:
    """The first of those it stands in that cuts it off at a side, and cannot be scrolled."""
    place, inner = QRect(QPoint(0, 0), one.size()), one
    while not inner.isWindow() and (outer := inner.parentWidget()) is not None:
        if isinstance(outer.parentWidget(), QAbstractScrollArea):
            return None
        place.translate(inner.pos())
        if place.left() < -1 or place.right() > outer.width():
            return f"{type(outer).__name__}#{outer.objectName()}"
        inner = outer
    return None
