"""The review of a consolidation: the plan before it is applied, the run, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.consolidation.review_plan import LIST_WIDTH, PlanBody, PlanFoot
from inklings_desktop.ui.consolidation.review_state import ReviewState, ReviewStep
from inklings_desktop.ui.consolidation.review_words import place_line
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import (
    MARGIN,
    Headline,
    Note,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.dialogs.process_dialog import SteppedDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import plain_label, show_parts
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import FactTable
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, ScopePicker
from inklings_desktop.ui.kit.words.consolidation_words import (
    golden_after_line,
    progress_words,
    run_headline,
    run_sentence,
    undone_words,
)
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
        self.bar.setAccessibleName(tr("Progress"))
        self.figure = plain_label("", "meta", self)
        self._about = plain_label("", "meta", self)
        parts = (self.headline, self.bar, self.figure, self._about)
        middle = [(one, 0, Qt.AlignmentFlag.AlignHCenter) for one in parts]
        vbox(self, STRETCH, *middle, STRETCH, margins=(MARGIN, 0, MARGIN, 40), spacing=10)

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
            tr("{n} of {m}").format(n=grouped(progress.done), m=grouped(progress.total))
            if progress.total
            else ""
        )
        self.figure.setText(figure)
        self.bar.setAccessibleDescription(figure)
        if state.step is ReviewStep.PLANNING:
            about = tr("Nothing is changed while the plan is made.")
        elif state.is_stopping:
            about = tr("Stopping after the group under way.")
        else:
            about = tr("Each group is written as a whole. What is finished stays.")
        self._about.setText(about)


class WorkFoot(StepFoot):
    """Stop it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stop = named(PushButton(theme, tr("Cancel"), icon="stop", parent=self), "reviewStop")
        fill(self.row, STRETCH, self.stop)

    def show_state(self, state: ReviewState) -> None:
        """Once is enough."""
        self.stop.setEnabled(not state.is_stopping)
        applies = state.step is ReviewStep.APPLYING
        self.stop.setText(tr("Stop after this group") if applies else tr("Cancel"))


class ResultBody(QWidget):
    """What the run did, what it left alone, how the golden questions fare now."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = ""
        self.headline = Headline(theme, style="display", px=None, parent=self)
        self.headline.setObjectName("reviewResult")
        self.sentence = plain_label("", "body", self, wraps=True)
        frame = card(self, margins=(1, 1, 1, 1))
        self.facts = FactTable(theme, frame)
        column_of(frame).addWidget(self.facts)
        self._where = self.facts.add_text(tr("Where"))
        self._when = self.facts.add_text(tr("When"))
        self._run = self.facts.add_text(tr_as("of the work", "Run"), "monoInk")
        self.golden = Note(theme, self)
        self.undone = Note(theme, self)
        self.problem = Note(theme, self)
        notes = (self.golden, self.undone, self.problem, STRETCH)
        margins = (MARGIN, 26, MARGIN, 20)
        vbox(self, self.headline, self.sentence, frame, *notes, margins=margins, spacing=14)

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
    """Take it back, or be done."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.undo = PushButton(
            theme,
            tr("Undo this run"),
            kind="quiet",
            icon="arrow-counter-clockwise",
            parent=self,
        )
        self.undo.setObjectName("reviewUndo")
        storing(self.undo)
        self.history = PushButton(theme, tr("Run history"), kind="quiet", parent=self)
        self.history.setObjectName("reviewHistory")
        self.done = named(PushButton(theme, tr("Done"), kind="primary", parent=self), "reviewDone")
        fill(self.row, self.undo, self.history, STRETCH, self.done)

    def show_state(self, state: ReviewState) -> None:
        """Taking back is offered once, where something was done."""
        did_any = state.run is not None and any(state.run.counts.values())
        self.undo.setVisible(did_any and state.undone is None)

    def focus_first(self) -> None:
        """The keyboard stands on Done."""
        self.done.setFocus(Qt.FocusReason.OtherFocusReason)


PLAN_SIZE = QSize(1060, 760)
RESULT_SIZE = QSize(760, 440)


class ReviewDialog(SteppedDialog[ReviewState]):
    """Shows a ``ReviewState``; decides nothing.

    Escape leaves the field of a merged text first, then asks to leave the dialog.
    """

    def __init__(self, theme: Theme, decay: DecayConfig, cap: int, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Review the plan"), size=PLAN_SIZE)
        self.setObjectName("reviewDialog")
        self.room = named(ScopePicker(theme, self), "reviewRoom")
        self.room.setAutoDefault(False)
        self.room.hide()
        self.add_to_head(self.room)
        self.work, self.work_foot = WorkBody(theme, self), WorkFoot(theme, self)
        self.plan, self.plan_foot = PlanBody(theme, decay, cap, self), PlanFoot(theme, self)
        self.outcome, self.outcome_foot = ResultBody(theme, self), ResultFoot(theme, self)
        self.set_steps(
            {
                ReviewStep.PLANNING: (self.work, self.work_foot),
                ReviewStep.PLAN: (self.plan, self.plan_foot),
                ReviewStep.APPLYING: (self.work, self.work_foot),
                ReviewStep.RESULT: (self.outcome, self.outcome_foot),
            }
        )
        self.fit()

    def fit(self) -> None:
        """Centre on the window; what is planned for one memory has more room than the list."""
        super().fit()
        self.plan.list.setFixedWidth(self.side_width(LIST_WIDTH))

    def show_state(self, state: ReviewState) -> None:
        """Show another state; a new step takes the keyboard to its first control."""
        self.want(RESULT_SIZE if state.step is ReviewStep.RESULT else PLAN_SIZE)
        super().show_state(state)

    def begin_step(self) -> None:
        """The keyboard stands in the plan, or on what ends the dialog."""
        if self.step is ReviewStep.PLAN:
            self.plan.focus_first()
        elif self.step is ReviewStep.RESULT:
            self.outcome_foot.focus_first()

    def reject(self) -> None:
        """Escape leaves the field first, then asks to leave."""
        if self.step is ReviewStep.PLAN and self.plan.leave_edit():
            return
        super().reject()

    def show_title(self, state: ReviewState) -> None:
        """Say where it is about and how far it is, and offer the other channels."""
        titles = {
            ReviewStep.APPLYING: tr("Applying the plan"),
            ReviewStep.RESULT: tr("The run has ended"),
        }
        self.show_head(titles.get(state.step, tr("Review the plan")), place_line(state))
        offers_rooms = len(state.rooms) > 1 and state.step is ReviewStep.PLAN
        if offers_rooms and state.scope is not None:
            choices = [ScopeChoice(one.id, one.name, "hash") for one in state.rooms]
            self.room.show_choices(choices, state.scope.key)
        self.room.setVisible(offers_rooms)
