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
        (n for n, (pane, _) in enumerate(shown) if focus and pane.isAncestorOf(focus)), -step
    )
    shown[(here + step) % len(shown)][1]()
