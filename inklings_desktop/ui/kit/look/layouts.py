"""Boxes with what lies in them, in one call each."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import Qt


class _Stretch(Enum):
    STRETCH = 1


STRETCH: Final = _Stretch.STRETCH
"""Takes the room that is left."""

Thing: TypeAlias = "QWidget | QLayout"
Part: TypeAlias = "Thing | tuple[Thing, int] | tuple[Thing, int, Qt.AlignmentFlag] | int | _Stretch"
"""A widget or layout, perhaps with its share of the room and its place there, or a distance."""
Margins: TypeAlias = "int | tuple[int, int, int, int]"


def hbox(
    on: QWidget | None, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Parts side by side.

    Args:
        on: The widget that is laid out; None for a box that goes into another.
        parts: What lies in it, in order.
        margins: All four, or left, top, right and bottom, in pixels; None for those of the style.
        spacing: Between two parts, in pixels; None for that of the style.
    """
    box = QHBoxLayout() if on is None else QHBoxLayout(on)
    _measure(box, margins, spacing)
    fill(box, *parts)
    return box


def vbox(
    on: QWidget | None, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Parts below each other; what is given is as for ``hbox``."""
    box = QVBoxLayout() if on is None else QVBoxLayout(on)
    _measure(box, margins, spacing)
    fill(box, *parts)
    return box


def fill(box: QBoxLayout, *parts: Part) -> None:
    """Put parts behind what lies in a box."""
    for part in parts:
        if isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, _Stretch):
            box.addStretch(1)
        else:
            thing, *how = part if isinstance(part, tuple) else (part,)
            _put(box, thing, *how)


def _put(box: QBoxLayout, thing: Thing, *how: Any) -> None:
    if isinstance(thing, QWidget):
        box.addWidget(thing, *how)
    else:
        box.addLayout(thing, *how)


def _measure(box: QBoxLayout, margins: Margins | None, spacing: int | None) -> None:
    if margins is not None:
        box.setContentsMargins(*([margins] * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
