"""The review of a consolidation: the plan before it is applied, the run, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.consolidation.review.plan_step import LIST_WIDTH, PlanBody, PlanFoot
from inklings_desktop.ui.consolidation.review.state import ReviewStep
from inklings_desktop.ui.consolidation.review.words import place_line
from inklings_desktop.ui.consolidation.review.work_step import (
    ResultBody,
    ResultFoot,
    WorkBody,
    WorkFoot,
)
from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, ScopePicker

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.ui.consolidation.review.state import ReviewState
    from inklings_desktop.ui.kit.look.theme import Theme

PLAN_SIZE = QSize(1060, 760)
RESULT_SIZE = QSize(760, 440)


class ReviewDialog(PaperDialog):
    """Shows a ``ReviewState`` and says what the person wants; decides nothing.

    Escape leaves the field of a merged text first, then asks to leave the dialog.

    Signals:
        apply_requested: Carry out what was decided.
        stop_requested: Stop planning or the run.
        undo_requested: Take the run back.
        history_requested: Show all runs.
        room_chosen: Id of another channel.
    """

    apply_requested = Signal()
    stop_requested = Signal()
    undo_requested = Signal()
    history_requested = Signal()
    room_chosen = Signal(str)

    def __init__(self, theme: Theme, decay: DecayConfig, cap: int, window: QWidget) -> None:
        super().__init__(theme, window, title="", size=PLAN_SIZE)
        self._step: ReviewStep | None = None
        self.setObjectName("reviewDialog")
        self.setWindowTitle(self.tr("Review the plan"))
        self.setAccessibleName(self.tr("Review the plan"))
        self.room = ScopePicker(theme, self)
        self.room.setObjectName("reviewRoom")
        self.room.scope_chosen.connect(self._on_room_chosen)
        self.room.setAutoDefault(False)
        self.room.hide()
        self.add_to_head(self.room)
        self.work = WorkBody(theme, self)
        self.work_foot = WorkFoot(theme, self)
        self.plan = PlanBody(theme, decay, cap, self)
        self.plan_foot = PlanFoot(theme, self)
        self.outcome = ResultBody(theme, self)
        self.outcome_foot = ResultFoot(theme, self)
        self._bodies = QStackedWidget(self)
        self._feet = QStackedWidget(self)
        for part in (self.work, self.plan, self.outcome):
            self._bodies.addWidget(part)
        for foot in (self.work_foot, self.plan_foot, self.outcome_foot):
            self._feet.addWidget(foot)
        self.body.addWidget(self._bodies, 1)
        self.body.addWidget(rule(self))
        self.body.addWidget(self._feet)
        self.plan_foot.close_requested.connect(self.leave_requested)
        self.plan_foot.apply_requested.connect(self.apply_requested)
        self.work_foot.stop_requested.connect(self.stop_requested)
        self.outcome_foot.undo_requested.connect(self.undo_requested)
        self.outcome_foot.history_requested.connect(self.history_requested)
        self.outcome_foot.done_requested.connect(self.leave_requested)
        self.fit()

    def fit(self) -> None:
        """Centre on the window; what is planned for one memory has more room than the list."""
        super().fit()
        self.plan.list.setFixedWidth(self.side_width(LIST_WIDTH))

    def show_state(self, state: ReviewState) -> None:
        """Show another state; a new step takes the keyboard to its first control."""
        self._show_head(state)
        self.want(RESULT_SIZE if state.step is ReviewStep.RESULT else PLAN_SIZE)
        match state.step:
            case ReviewStep.PLANNING | ReviewStep.APPLYING:
                self._bodies.setCurrentWidget(self.work)
                self._feet.setCurrentWidget(self.work_foot)
                self.work.show_state(state)
                self.work_foot.show_state(state)
            case ReviewStep.PLAN:
                self._bodies.setCurrentWidget(self.plan)
                self._feet.setCurrentWidget(self.plan_foot)
                self.plan.show_state(state)
                self.plan_foot.show_state(state)
            case ReviewStep.RESULT:
                self._bodies.setCurrentWidget(self.outcome)
                self._feet.setCurrentWidget(self.outcome_foot)
                self.outcome.show_state(state)
                self.outcome_foot.show_state(state)
        is_new, self._step = state.step is not self._step, state.step
        if is_new and state.step is ReviewStep.PLAN:
            self.plan.focus_first()
        elif is_new and state.step is ReviewStep.RESULT:
            self.outcome_foot.focus_first()

    def reject(self) -> None:
        """Escape leaves the field first, then asks to leave."""
        if self._step is ReviewStep.PLAN and self.plan.leave_edit():
            return
        super().reject()

    def _show_head(self, state: ReviewState) -> None:
        title = {
            ReviewStep.PLANNING: self.tr("Review the plan"),
            ReviewStep.PLAN: self.tr("Review the plan"),
            ReviewStep.APPLYING: self.tr("Applying the plan"),
            ReviewStep.RESULT: self.tr("The run has ended"),
        }[state.step]
        self.show_head(title, place_line(state))
        offers_rooms = len(state.rooms) > 1 and state.step is ReviewStep.PLAN
        if offers_rooms and state.scope is not None:
            choices = [ScopeChoice(one.id, one.name, "hash") for one in state.rooms]
            self.room.show_choices(choices, state.scope.key)
        self.room.setVisible(offers_rooms)

    @Slot(object)
    def _on_room_chosen(self, room: str | None) -> None:
        if room is not None:
            self.room_chosen.emit(room)
