"""Lines of the schedule: one that is chosen by a click, and what is told of a run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.background.activities import Outcome
from inklings_desktop.ui.control import schedule_state as state
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToConversation
from inklings_desktop.ui.kit.page.parts import across, hairline, link, mark, plate, wide, words
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from inklings_desktop.domain.background.activities import ActivityRun
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Part

SIDE = 18
_HEIGHT = 50
_AT, _RESULT, _FIGURE = 104, 170, 64
_MARKS = {
    Outcome.DONE: ("check-circle", "accent"),
    Outcome.BUDGET: ("warning", "ochre"),
    Outcome.STOPPED: ("stop", "inkSoft"),
    Outcome.FAILED: ("warning-circle", "madder"),
    Outcome.RUNNING: ("arrows-clockwise", "accent"),
}


def run_titles() -> Part:
    """What stands over the runs."""
    columns = (
        words(tr("When"), "label", way="plain", dress=wide(_AT)),
        words(tr("What came of it"), "label", way="plain", place=(1,)),
        words(tr("Result"), "label", way="plain", dress=wide(_RESULT)),
        words(tr("Took"), "label", way="plain", dress=wide(_FIGURE)),
        words(tr("Cost"), "label", way="plain", dress=wide(_FIGURE)),
        words("", "label", way="plain", dress=wide(_FIGURE)),
    )
    return plate(across(*columns, spacing=10), margins=(SIDE, 2, SIDE, 6))


def run_line(
    run: ActivityRun, now: datetime, go: Callable[[ToConversation], object]
) -> tuple[Part, ...]:
    """A run: when, what came of it, how it went, how long it took, and what it cost."""
    icon, role = _MARKS.get(run.outcome, ("info", "inkSoft"))
    cost = money(run.cost_micro, run.currency) if run.cost_micro else ""
    said, outcome, at = state.said_words(run), state.outcome_words(run.outcome), state.day_of(run)
    to = partial(go, ToConversation(run.conversation_id))
    opens = link(tr("Open"), to, name=f"open:{run.conversation_id}")
    cells = (
        words(at, way="plain", dress=wide(_AT)),
        words(said, "reading", way="elided", toolTip=said, place=(1,)),
        plate(mark(icon, role, outcome), STRETCH, dress=wide(_RESULT)),
        words(state.took_words(run, now), way="plain", dress=wide(_FIGURE)),
        words(cost, way="plain", dress=wide(_FIGURE)),
        plate(STRETCH, opens, dress=wide(_FIGURE)),
    )
    line = part(
        *(Line, LOOK),
        inside=(across(*cells, spacing=10),),
        key=run.id,
        spoken=f"{at}, {said}, {outcome}",
        current=False,
        opened=to,
    )
    return (hairline(key=f"line {run.id}"), line)


class Line(QWidget):
    """A row that is chosen by a click and opened by two.

    Signals:
        pressed: It is meant.
        opened: Its dialog, or its page, is wanted.
    """

    pressed = Signal()
    opened = Signal()

    def __init__(self, theme: Theme, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._is_current = theme, False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMinimumHeight(theme.scaled(_HEIGHT))
        hbox(self, margins=(SIDE, 0, SIDE, 0), spacing=0)

    def show_current(self, current: bool) -> None:  # noqa: FBT001 - as the keeper hands it in
        """Mark it as the one that is meant."""
        self._is_current = current
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._is_current or self.underMouse():
            painter = smooth_painter_on(self)
            ground = self._theme.color("selected" if self._is_current else "hover")
            painter.fillRect(QRectF(self.rect()), ground)
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.opened.emit()
