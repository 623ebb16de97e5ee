"""The review of a consolidation: the plan before it is applied, the run, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.consolidation.review_item import ReviewPane
from inklings_desktop.ui.consolidation.review_rows import GOLDEN, review_rows
from inklings_desktop.ui.consolidation.review_state import ReviewState, ReviewStep
from inklings_desktop.ui.consolidation.review_words import (
    golden_line,
    kept_sentence,
    large_box,
    large_words,
    nothing_words,
    place_line,
    plan_headline,
    plan_sentence,
    unlisted_box,
    waiting_sentence,
)
from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.pieces import (
    MARGIN,
    Headline,
    Note,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.dialogs.process_dialog import SteppedDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList, BadgeRow
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import (
    IconMark,
    elided_label,
    plain_label,
    rule,
    show_parts,
)
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

LIST_WIDTH = 348
"""Of the list at the side, in pixels at text scale 1."""
_LETTERS = "ASNE"


class PlanBody(QWidget):
    """What a run would do, and the person's word on it."""

    def __init__(self, theme: Theme, decay: DecayConfig, cap: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._decay = theme, decay
        self._said = ""
        self.headline = named(Headline(theme, parent=self), "reviewHeadline")
        self._sentence = plain_label("", "body", self, wraps=True)
        self._golden_mark = IconMark(theme, "check-circle", "accent", 16, self)
        self.golden = named(LinkButton("", self), "reviewGolden")
        self.golden.clicked.connect(self._on_golden_clicked)
        self.notice = named(Note(theme, self), "reviewNotice")
        self.large = named(Note(theme, self), "reviewLarge")
        self.agree = named(CheckBox(theme, "", self), "reviewAgree")
        self.unlisted = named(CheckBox(theme, "", self), "reviewUnlisted")
        self.list = BadgeList(theme, tr("The plan"), letters=_LETTERS, parent=self)
        self.list.setObjectName("reviewList")
        self.list.activated_by_key.connect(self._on_row_activated)
        self.pane = ReviewPane(theme, decay, cap, self)
        self.list.letter_pressed.connect(self.pane.choose)
        self._nothing = _Nothing(theme, self)
        self._lay_out()

    def show_state(self, state: ReviewState) -> None:
        """Show the plan with the decisions on it."""
        plan = state.fitted
        self._show_notice(state)
        rows = review_rows(state, self._decay)
        is_empty = plan is None or not rows
        if plan is not None:
            self.headline.setText(plan_headline(plan))
            self._sentence.setText(plan_sentence(state, plan))
            if self.headline.text() != self._said:
                self._said = self.headline.text()
                announce(self, self._said)
        self._show_large(state)
        self._show_unlisted(state)
        self._show_golden(state)
        self.list.show_rows(rows, state.current)
        self.pane.show_state(state)
        if is_empty and plan is not None:
            self._nothing.say(*nothing_words(state))
        show_parts(
            {
                self._top: plan is not None and not is_empty,
                self._panes: not is_empty,
                self._nothing: is_empty and plan is not None,
            }
        )

    def focus_first(self) -> None:
        """The keyboard stands in the list."""
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave_edit(self) -> bool:
        """Leave the field of the merged text for the list; whether it was open."""
        if not self.pane.group.leave_edit():
            return False
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _lay_out(self) -> None:
        self._top, self._large_box = QWidget(self), QWidget()
        golden = hbox(None, self._golden_mark, self.golden, spacing=5)
        vbox(self._large_box, self.large, self.agree, margins=(0, 10, 0, 0), spacing=6)
        vbox(
            self._top,
            hbox(None, (self.headline, 1), golden, spacing=16),
            *(self._sentence, self.unlisted, self._large_box),
            margins=(MARGIN, 16, MARGIN, 16),
            spacing=2,
        )
        self._notice_box = QWidget(self)
        vbox(self._notice_box, self.notice, margins=(MARGIN, 14, MARGIN, 0))
        self._panes = QWidget(self)
        upright = QFrame(self._panes)
        upright.setProperty("upright", "true")
        hbox(self._panes, self.list, upright, (self.pane, 1), margins=0, spacing=0)
        head, panes = (self._notice_box, self._top, rule(self)), (self._panes, 1)
        vbox(self, *head, panes, (self._nothing, 1), margins=0, spacing=0)

    def _show_notice(self, state: ReviewState) -> None:
        notice = state.notice
        self._notice_box.setVisible(notice is not None)
        if notice is None:
            self.notice.setProperty("said", None)
            return
        icon = {"madder": "warning-circle", "ochre": "warning"}.get(notice.role, "info")
        said = f"{notice.title} {notice.text}".strip()
        if said != self.notice.property("said"):
            self.notice.setProperty("said", said)
            announce(self, said, urgent=notice.role == "madder")
        self.notice.say(notice.role, icon, notice.title, notice.text)

    def _show_large(self, state: ReviewState) -> None:
        plan = state.fitted
        is_large = plan is not None and state.is_large
        self._large_box.setVisible(is_large)
        if plan is not None and is_large:
            self.large.say("ochre", "warning", *large_words(plan))
            self.agree.setText(large_box(plan))
            self.agree.updateGeometry()
        _tick(self.agree, on=state.agreed)

    def _show_unlisted(self, state: ReviewState) -> None:
        self.unlisted.setText(unlisted_box(len(state.unlisted)))
        self.unlisted.updateGeometry()
        _tick(self.unlisted, on=state.keeps_unlisted)
        show_parts({self.unlisted: bool(state.unlisted)})

    def _show_golden(self, state: ReviewState) -> None:
        golden = state.golden
        has_any = golden is not None and bool(golden.before)
        if golden is not None and has_any:
            icon, role, said = golden_line(golden)
            self._golden_mark.show_icon(icon, role)
            if said != self.golden.text():
                self.golden.setText(said)
                announce(self, said, urgent=bool(golden.would_break))
            self.golden.setEnabled(not state.is_asking)
        show_parts({self._golden_mark: has_any, self.golden: has_any})

    @Slot()
    def _on_golden_clicked(self) -> None:
        for row in self.list.rows:
            if isinstance(row, BadgeRow) and row.id.startswith(GOLDEN):
                self.list.row_chosen.emit(row.id)
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    @Slot()
    def _on_row_activated(self) -> None:
        switch = self.pane.switch()
        if switch is not None:
            switch.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.pane.focusNextChild()


class PlanFoot(StepFoot):
    """Leave, or carry out what was decided."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = IconMark(theme, "arrow-counter-clockwise", "inkSoft", 16, self)
        self.hint = named(elided_label("", "meta", self), "reviewHint")
        self.close_it = PushButton(theme, tr("Close, change nothing"), parent=self)
        self.close_it.setObjectName("reviewClose")
        self.apply = named(PushButton(theme, "", kind="primary", parent=self), "reviewApply")
        storing(self.apply)
        fill(self.row, self._mark, (self.hint, 1), self.close_it, self.apply)

    def show_state(self, state: ReviewState) -> None:
        """Offer to apply where there is something to do and nothing stands in its way."""
        waiting = " ".join(
            filter(None, (kept_sentence(state.n_apart), waiting_sentence(state.n_undecided)))
        )
        icon = ("warning", "ochre") if state.n_undecided else ("arrow-counter-clockwise", "inkSoft")
        self._mark.show_icon(*icon)
        self.hint.setText(waiting or tr("The whole run can be undone later, from the run history."))
        self.apply.setText(
            counted(state.n_changes, "Apply 1 change", "Apply {n} changes")
            if state.n_changes
            else tr("Apply")
        )
        self.apply.setEnabled(state.can_apply)
        self.apply.setAccessibleDescription(self._why_not(state))
        self.apply.setToolTip(self._why_not(state))
        has_plan = state.plan is not None and bool(state.items)
        show_parts({self._mark: has_plan, self.hint: has_plan, self.apply: has_plan})

    def _why_not(self, state: ReviewState) -> str:
        if state.can_apply:
            return ""
        if state.has_bad_text:
            return tr("A merged text cannot be saved.")
        if state.is_large and not state.agreed:
            return tr("Tick the box first: this would forget a large share.")
        return tr("There is nothing to apply.")


def _tick(box: CheckBox, *, on: bool) -> None:
    with QSignalBlocker(box):
        box.setChecked(on)


class _Nothing(QWidget):
    """A calm sentence in the middle."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = Headline(theme, style="tab", px=None, parent=self)
        self._text = plain_label("", "body", self)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
        mark = IconMark(theme, "check-circle", "accent", 24, self)
        middle = (mark, 0, Qt.AlignmentFlag.AlignHCenter)
        parts = (STRETCH, middle, self._title, self._text, STRETCH)
        vbox(self, *parts, margins=(120, 0, 120, 40), spacing=6)

    def say(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}")


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
