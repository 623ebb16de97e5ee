"""Moving the keyboard from pane to pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget


def step_pane(stops: Sequence[tuple[QWidget, Callable[[], None]]], step: int) -> None:
    """Go to the next pane on show, or the one before.

    Args:
        stops: Panes in order, each with what brings the keyboard into it.
        step: 1 or -1.
    """
    shown = [stop for stop in stops if stop[0].isVisible()]
    if not shown:
        return
    focus = QApplication.focusWidget()
    here = next(
        (n for n in reversed(range(len(shown))) if focus and _holds(shown[n][0], focus)), -step
    )
    for number in range(1, len(shown) + 1):
        pane, enter = shown[(here + number * step) % len(shown)]
        enter()
        focus = QApplication.focusWidget()
        if focus is not None and _holds(pane, focus):
            return  # a pane without a control of its own is passed over


def _holds(pane: QWidget, focus: QWidget) -> bool:
    return pane is focus or pane.isAncestorOf(focus)
