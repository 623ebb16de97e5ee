"""Last steps of a scrub: how far the removal has come, then the record that stays and the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import (
    Headline,
    Note,
    ScopeFact,
    StepBody,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label, rule
from inklings_desktop.ui.kit.marks.steps import ClearedMark
from inklings_desktop.ui.kit.panes.pieces import FactTable
from inklings_desktop.ui.scrub.notices import (
    manifest_text,
    pending_text,
    proof_text,
    receipt_backups_text,
    reference_text,
    removed_headline,
    removed_sentence,
    running_title,
    step_text,
    took_text,
)
from inklings_desktop.ui.scrub.words import copy_note, scope_text, time_with_seconds

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.manifest import ScrubOutcome
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.scrub.state import ScrubProgress, ScrubState


STEPS = ("count", "remove", "index", "compact", "backups", "search")
_LINE_HEIGHT = 34


class RunningBody(StepBody):
    """One line per step: done, under way, still to come."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(tr("Scrub in progress"))
        self._said = ""
        self.headline = Headline(theme, parent=self.column)
        about = plain_label(
            tr("This takes a few seconds. It cannot be stopped halfway."), "body", self.column
        )
        frame = card(self.column, margins=(18, 10, 18, 10))
        self.lines = {step: _StepLine(theme, step_text(step), frame) for step in STEPS}
        fill(column_of(frame), *self.lines.values())
        safety = plain_label(
            tr("If the computer stops now, the rest is finished at the next start."),
            "meta",
            self.column,
            wraps=True,
        )
        fill(self.stack, 2, self.headline, 2, about, 16, frame, 12, safety, STRETCH)

    def show_state(self, state: ScrubState) -> None:
        """Show how far it has come."""
        self.headline.setText(running_title(state.manifest))
        progress = state.progress
        reached = STEPS.index(progress.step) if progress.step in STEPS else len(STEPS)
        for number, line in enumerate(self.lines.values()):
            if number < reached:
                line.show_done()
            elif number == reached:
                line.show_running(_how_far(progress))
            else:
                line.show_waiting()
        if progress.step != self._said:
            self._said = progress.step
            announce(self, step_text(progress.step))


class RunningFoot(StepFoot):
    """Nothing to press: it ends by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = named(plain_label("", "meta", self), "scrubRunningHint")
        fill(self.row, (self.hint, 1))

    def show_state(self, state: ScrubState) -> None:
        """Say why it does not close, once closing was tried."""
        said = (
            tr("Removal has begun, so this stays open until it is finished.")
            if state.is_close_refused
            else tr("The result follows.")
        )
        if said != self.hint.text():
            self.hint.setText(said)
            if state.is_close_refused:
                announce(self.hint, said)


class _StepLine(QWidget):
    """One step with its mark."""

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = text
        self._mark = IconMark(theme, "circle", "inkFaint", 16, self)
        self._words = plain_label(text, "fact", self)
        self._figure = plain_label("", "meta", self)
        hbox(self, self._mark, (self._words, 1), self._figure, margins=0, spacing=10)
        self.setMinimumHeight(theme.scaled(_LINE_HEIGHT))
        self.show_waiting()

    def show_done(self) -> None:
        """It is behind us."""
        self._show("check-circle", "accent", tr("done"), "")

    def show_running(self, figure: str) -> None:
        """It is under way."""
        self._show("arrows-clockwise", "lapis", tr("under way"), figure)

    def show_waiting(self) -> None:
        """It is still to come."""
        self._show("circle", "inkFaint", tr("to come"), "")

    def _show(self, icon: str, role: str, spoken: str, figure: str) -> None:
        self._mark.show_icon(icon, role)
        self._figure.setText(figure)
        self.setAccessibleName(f"{self._text}: {spoken} {figure}".strip())


def _how_far(progress: ScrubProgress) -> str:
    if not progress.total:
        return ""
    figure = QLocale().toString
    return f"{figure(progress.done)} / {figure(progress.total)}"


class ResultBody(StepBody):
    """Headline, record, proof."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(tr("Result of the scrub"))
        self._outcome: ScrubOutcome | None = None
        self._mark = ClearedMark(theme, self.column)
        self.headline = Headline(theme, style="display", px=None, parent=self.column)
        self._sentence = plain_label("", "body", self.column, wraps=True)
        frame = card(self.column, margins=(0, 0, 0, 0))
        self.number = plain_label("", "bodyStrong", frame)
        self.facts = FactTable(theme, frame)
        self._when = self.facts.add_text(tr("When"))
        self._operator = self.facts.add_text(tr("Operator"))
        self._scope = ScopeFact(theme, self.facts)
        self.facts.add_row(tr("Scope"), self._scope)
        self._mode = self.facts.add_text(tr("Mode"), "monoInk")
        self._manifest = _Counted(self.facts)
        self.facts.add_row(tr("Manifest"), self._manifest)
        self._took = self.facts.add_text(tr("Took"))
        self._backups = self.facts.add_text(tr("Backups"))
        self.proof = named(Note(theme, self.column), "scrubProof")
        self.copy_note = named(Note(theme, self.column), "scrubCopyNote")
        self.copy_note.hide()
        self._lay_out(theme, frame)

    def show_state(self, state: ScrubState) -> None:
        """Show what was done."""
        outcome = state.outcome
        if outcome is None or outcome is self._outcome:
            return
        self._outcome = outcome
        manifest = outcome.manifest
        rings, role = TIER_MARKS[manifest.scope.tier]
        self._mark.set_tier(rings=rings, role=role)
        self.headline.setText(removed_headline(manifest))
        self._sentence.setText(removed_sentence(state, manifest))
        number = QLocale().toString(outcome.event_number)
        self.number.setText(tr("Event {number}").format(number=number))
        self._when.setText(time_with_seconds(outcome.executed_at))
        self._operator.setText(state.operator)
        self._scope.show_scope(manifest.scope.tier, scope_text(state))
        self._mode.setText(manifest.mode.value)
        self._manifest.show_words(manifest.short_id, manifest_text(manifest))
        self._took.setText(took_text(outcome.seconds))
        backups = receipt_backups_text(outcome.receipt) if outcome.receipt is not None else ""
        self._backups.setText(backups)
        self.facts.show_row(self._backups, shown=bool(backups))
        self._show_proof(outcome)
        self.copy_note.setVisible(state.copy is not None)
        if state.copy is not None:
            title, text = copy_note(state.copy)
            self.copy_note.say("lapis", "info", title, text)
            self.copy_note.setToolTip(plain_tool_tip(state.copy.path))

    def _show_proof(self, outcome: ScrubOutcome) -> None:
        receipt = outcome.receipt
        if outcome.is_finished and receipt is not None:
            title = proof_text(receipt)
            text = tr("The text is out of every file of this program.")
            self.proof.say("accent", "check-circle", title, text)
        else:
            title = tr("Not verified.") if outcome.is_settled else tr("Purge pending.")
            left = () if receipt is None else receipt.remaining
            text = "\n".join([pending_text(outcome.pending), *left])
            self.proof.say("ochre", "hourglass", title, text)
        announce(self.proof, f"{self.headline.text()}. {title} {text}")

    def _lay_out(self, theme: Theme, frame: QFrame) -> None:
        words = vbox(None, STRETCH, self.headline, self._sentence, STRETCH, spacing=0)
        head = hbox(None, (self._mark, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=16)
        record = named(QWidget(frame), "scrubRecordHead")
        record.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        icon = IconMark(theme, "lock-simple", "ink", 16, record)
        line = hbox(record, icon, self.number, margins=(18, 10, 18, 10), spacing=12)
        fill(line, plain_label("scrub.executed", "monoInk", record), STRETCH)
        kept = plain_label(tr("permanent record"), "label", record)
        kept.setProperty("chip", "true")
        line.addWidget(kept)
        column_of(frame).setSpacing(0)
        fill(column_of(frame), record, rule(frame), self.facts)
        fill(self.stack, head, 18, frame, 14, self.proof, 8, self.copy_note, STRETCH)


class ResultFoot(StepFoot):
    """Keep a reference, look at the record, or be done."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: ScrubState | None = None
        words = tr("Copy reference")
        copy = PushButton(theme, words, kind="quiet", icon="copy", parent=self)
        self.copy = named(copy, "scrubCopyReference")
        self.copy.clicked.connect(self._on_copy_clicked)
        words = tr("Show in event log")
        show_event = PushButton(theme, words, kind="quiet", parent=self)
        self.show_event = named(show_event, "scrubShowEvent")
        done = PushButton(theme, tr("Done"), kind="primary", parent=self)
        self.done = named(done, "scrubDone")
        fill(self.row, self.copy, self.show_event, STRETCH, self.done)

    def show_state(self, state: ScrubState) -> None:
        """Keep at hand what the reference is made of."""
        if self._state is None or state.outcome is not self._state.outcome:
            self.copy.setText(tr("Copy reference"))
        self._state = state

    @Slot()
    def _on_copy_clicked(self) -> None:
        state = self._state
        if state is not None and state.outcome is not None:
            QGuiApplication.clipboard().setText(reference_text(state, state.outcome))
            self.copy.setText(tr("Reference copied"))
            announce(self.copy, tr("Reference copied"))


class _Counted(QWidget):
    """The short id of a manifest and what became of its count."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._id = plain_label("", "monoInk", self)
        self._words = plain_label("", "fact", self, wraps=True)
        hbox(self, self._id, (self._words, 1), margins=0, spacing=0)

    def show_words(self, short_id: str, words: str) -> None:
        """Show another manifest."""
        self._id.setText(short_id)
        self._words.setText(f", {words}")
