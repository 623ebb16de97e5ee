"""The review of a consolidation: the plan before it is applied, the run, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inklings_desktop.ui.consolidation.review_plan import LIST_WIDTH, PlanBody, PlanFoot
from inklings_desktop.ui.consolidation.review_state import ReviewState, ReviewStep
from inklings_desktop.ui.consolidation.review_words import place_line
from inklings_desktop.ui.kit.controls.icon_button import PushButton
from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.dialogs.pieces import (
    MARGIN,
    FactTable,
    Headline,
    Note,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.look.announcement import announce
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, show_parts
from inklings_desktop.ui.kit.marks.share_bar import ShareBar
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, ScopePicker
from inklings_desktop.ui.kit.words.consolidation_words import (
    golden_after_line,
    progress_words,
    run_headline,
    run_sentence,
    undone_words,
)
from inklings_desktop.ui.kit.words.entry_facts import grouped
from inklings_desktop.ui.kit.words.memory_facts import exact_time

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.ui.kit.look.theme import Theme


_BAR_WIDTH = 420


class WorkBody(QWidget):
    """What is being done and how far it has come."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = ""
        self.headline = Headline(theme, style="tab", px=None, parent=self)
        self.bar = ShareBar(theme, parent=self)
        self.bar.setFixedWidth(theme.scaled(_BAR_WIDTH))
        self.bar.setAccessibleName(self.tr("Progress"))
        self.figure = plain_label("", "meta", self)
        self._about = plain_label("", "meta", self)
        middle = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 0, MARGIN, 40)
        column.setSpacing(10)
        column.addStretch(1)
        for part in (self.headline, self.bar, self.figure, self._about):
            column.addWidget(part, 0, middle)
        column.addStretch(1)

    def show_state(self, state: ReviewState) -> None:
        """Show how far it has come."""
        progress = state.progress
        words = progress_words(progress.step)
        self.headline.setText(words)
        if words != self._said:
            self._said = words
            announce(self, words)
        share = progress.done / progress.total if progress.total else 0.0
        self.bar.set_share(share)
        figure = (
            self.tr("{n} of {m}").format(n=grouped(progress.done), m=grouped(progress.total))
            if progress.total
            else ""
        )
        self.figure.setText(figure)
        self.bar.setAccessibleDescription(figure)
        if state.step is ReviewStep.PLANNING:
            about = self.tr("Nothing is changed while the plan is made.")
        elif state.is_stopping:
            about = self.tr("Stopping after the group under way.")
        else:
            about = self.tr("Each group is written as a whole. What is finished stays.")
        self._about.setText(about)


class WorkFoot(StepFoot):
    """Stop it.

    Signals:
        stop_requested: Stop after the group under way.
    """

    stop_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stop = PushButton(theme, self.tr("Cancel"), icon="stop", parent=self)
        self.stop.setObjectName("reviewStop")
        self.stop.clicked.connect(self.stop_requested)
        self.row.addStretch(1)
        self.row.addWidget(self.stop)

    def show_state(self, state: ReviewState) -> None:
        """Once is enough."""
        self.stop.setEnabled(not state.is_stopping)
        applies = state.step is ReviewStep.APPLYING
        self.stop.setText(self.tr("Stop after this group") if applies else self.tr("Cancel"))


class ResultBody(QWidget):
    """What the run did, what it left alone, how the golden questions fare now."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = ""
        self.headline = Headline(theme, style="display", px=None, parent=self)
        self.headline.setObjectName("reviewResult")
        self.sentence = plain_label("", "body", self)
        self.sentence.setWordWrap(True)
        frame = card(self, margins=(1, 1, 1, 1))
        self.facts = FactTable(theme, frame)
        column_of(frame).addWidget(self.facts)
        self._where = self.facts.add_text(self.tr("Where"))
        self._when = self.facts.add_text(self.tr("When"))
        self._run = self.facts.add_text(self.tr("Run"), "monoInk")
        self.golden = Note(theme, self)
        self.undone = Note(theme, self)
        self.problem = Note(theme, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 26, MARGIN, 20)
        column.setSpacing(14)
        column.addWidget(self.headline)
        column.addWidget(self.sentence)
        column.addWidget(frame)
        for note in (self.golden, self.undone, self.problem):
            column.addWidget(note)
        column.addStretch(1)

    def show_state(self, state: ReviewState) -> None:
        """Show how it ended."""
        run, golden, notice = state.run, state.golden, state.notice
        if run is None:
            return
        self.headline.setText(run_headline(run))
        sentence = run_sentence(run)
        self.sentence.setText(sentence)
        self._where.setText(place_line(state))
        self._when.setText(exact_time(run.ended_at or run.started_at))
        self._run.setText(run.id[:8])
        if golden is not None and golden.before:
            icon, role, said = golden_after_line(golden)
            self.golden.say(role, icon, said)
        if state.undone is not None:
            title, text = undone_words(state.undone)
            self.undone.say("lapis", "arrow-counter-clockwise", title, text)
        if notice is not None:
            self.problem.say(notice.role, "warning-circle", notice.title, notice.text)
        show_parts(
            {
                self.sentence: bool(sentence),
                self.golden: golden is not None and bool(golden.before),
                self.undone: state.undone is not None,
                self.problem: notice is not None,
            }
        )
        said = self.undone.accessibleName() if state.undone else f"{run_headline(run)}. {sentence}"
        if said != self._said:
            self._said = said
            announce(self, said)


class ResultFoot(StepFoot):
    """Take it back, or be done.

    Signals:
        undo_requested: Take the run back.
        history_requested: Show all runs.
        done_requested: Close.
    """

    undo_requested = Signal()
    history_requested = Signal()
    done_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.undo = PushButton(
            theme,
            self.tr("Undo this run"),
            kind="quiet",
            icon="arrow-counter-clockwise",
            parent=self,
        )
        self.undo.setObjectName("reviewUndo")
        self.undo.clicked.connect(self.undo_requested)
        storing(self.undo)
        self.history = PushButton(theme, self.tr("Run history"), kind="quiet", parent=self)
        self.history.setObjectName("reviewHistory")
        self.history.clicked.connect(self.history_requested)
        self.done = PushButton(theme, self.tr("Done"), kind="primary", parent=self)
        self.done.setObjectName("reviewDone")
        self.done.clicked.connect(self.done_requested)
        self.row.addWidget(self.undo)
        self.row.addWidget(self.history)
        self.row.addStretch(1)
        self.row.addWidget(self.done)

    def show_state(self, state: ReviewState) -> None:
        """Taking back is offered once, where something was done."""
        did_any = state.run is not None and any(state.run.counts.values())
        self.undo.setVisible(did_any and state.undone is None)

    def focus_first(self) -> None:
        """The keyboard stands on Done."""
        self.done.setFocus(Qt.FocusReason.OtherFocusReason)


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
