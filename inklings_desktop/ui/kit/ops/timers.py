"""Timers in one call: once some time after they were started, or again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, SignalInstance


def timer(
    owner: QObject,
    due: Callable[[], object] | SignalInstance,
    ms: int = 0,
    *,
    again: bool = False,
) -> QTimer:
    """A timer that does not run yet.

    Args:
        owner: It goes with it.
        due: Called, or emitted, when the time is up.
        ms: How long that is, in milliseconds; 0 for one whose start says it.
        again: Whether it goes on until it is stopped.
    """
    made = QTimer(owner)
    made.setSingleShot(not again)
    made.setInterval(ms)
    made.timeout.connect(due)
    return made
