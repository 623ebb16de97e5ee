"""How long ago something was, in one figure that means the same at every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_HOUR = 3600.0
_UNITS = (
    (365.25 * 24 * _HOUR, "y", 1),
    (30 * 24 * _HOUR, "mo", 0),
    (24 * _HOUR, "d", 0),
    (_HOUR, "h", 0),
    (60.0, "min", 0),
)


def age(instant: datetime, now: datetime) -> str:
    """How long ago, in one unit: ``6 min``, ``5 h``, ``13 d``, ``7 mo``, ``1.2 y``.

    Less than a minute, or a clock that ran backwards, is ``now``.
    """
    seconds = (now - instant).total_seconds()
    for length, unit, digits in _UNITS:
        if seconds >= length:
            return (
                f"{seconds / length:.{digits}f} {unit}"
                if digits
                else f"{seconds // length:.0f} {unit}"
            )
    return "now"
