"""How a scrub ended: the record that stays, the proof, and what remains to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import (
    FactTable,
    Headline,
    IconMark,
    Note,
    ScopeFact,
    StepBody,
    StepFoot,
)
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.marks.steps import ClearedMark
from inklings_desktop.ui.scrub.result_words import (
    manifest_text,
    pending_text,
    proof_text,
    receipt_backups_text,
    reference_text,
    removed_headline,
    removed_sentence,
    took_text,
)
from inklings_desktop.ui.scrub.words import copy_note, scope_text, time_with_seconds

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.manifest import ScrubOutcome
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.scrub.state import ScrubState


class ResultBody(StepBody):
    """Headline, record, proof."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(self.tr("Result of the scrub"))
        self._outcome: ScrubOutcome | None = None
        self._mark = ClearedMark(theme, self.column)
        self.headline = Headline(theme, style="display", px=None, parent=self.column)
        self._sentence = plain_label("", "body", self.column)
        self._sentence.setWordWrap(True)
        frame = QFrame(self.column)
        frame.setProperty("card", "true")
        self.number = plain_label("", "bodyStrong", frame)
        self.facts = FactTable(theme, frame)
        self._when = self.facts.add_text(self.tr("When"))
        self._operator = self.facts.add_text(self.tr("Operator"))
        self._scope = ScopeFact(theme, self.facts)
        self.facts.add(self.tr("Scope"), self._scope)
        self._mode = self.facts.add_text(self.tr("Mode"), "monoInk")
        self._manifest = _Counted(self.facts)
        self.facts.add(self.tr("Manifest"), self._manifest)
        self._took = self.facts.add_text(self.tr("Took"))
        self._backups = self.facts.add_text(self.tr("Backups"))
        self.proof = Note(theme, self.column)
        self.proof.setObjectName("scrubProof")
        self.copy_note = Note(theme, self.column)
        self.copy_note.setObjectName("scrubCopyNote")
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
        self.number.setText(self.tr("Event {number}").format(number=number))
        self._when.setText(time_with_seconds(outcome.executed_at))
        self._operator.setText(state.operator)
        self._scope.show_scope(manifest.scope.tier, scope_text(state))
        self._mode.setText(manifest.mode.value)
        self._manifest.show_words(manifest.short_id, manifest_text(manifest))
        self._took.setText(took_text(outcome.seconds))
        backups = receipt_backups_text(outcome.receipt) if outcome.receipt is not None else ""
        self._backups.setText(backups)
        self.facts.show_line(self._backups, shown=bool(backups))
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
            text = self.tr("The text is out of every file of this program.")
            self.proof.say("accent", "check-circle", title, text)
        else:
            title = self.tr("Purge pending.")
            text = pending_text(outcome.pending)
            self.proof.say("ochre", "hourglass", title, text)
        announce(self.proof, f"{self.headline.text()}. {title} {text}")

    def _lay_out(self, theme: Theme, frame: QFrame) -> None:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.headline)
        words.addWidget(self._sentence)
        words.addStretch(1)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        record = QWidget(frame)
        record.setObjectName("scrubRecordHead")
        record.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = QHBoxLayout(record)
        line.setContentsMargins(18, 10, 18, 10)
        line.setSpacing(12)
        line.addWidget(IconMark(theme, "lock-simple", "ink", 16, record))
        line.addWidget(self.number)
        line.addWidget(plain_label("scrub.executed", "monoInk", record))
        line.addStretch(1)
        kept = plain_label(self.tr("permanent record"), "label", record)
        kept.setProperty("chip", "true")
        line.addWidget(kept)
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(record)
        column.addWidget(rule(frame))
        column.addWidget(self.facts)
        self.stack.addLayout(head)
        self.stack.addSpacing(18)
        self.stack.addWidget(frame)
        self.stack.addSpacing(14)
        self.stack.addWidget(self.proof)
        self.stack.addSpacing(8)
        self.stack.addWidget(self.copy_note)
        self.stack.addStretch(1)


class ResultFoot(StepFoot):
    """Keep a reference, look at the record, or be done.

    Signals:
        event_requested: Show the record in the event log.
        done_requested: Close.
    """

    event_requested = Signal()
    done_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: ScrubState | None = None
        self.copy = PushButton(
            theme, self.tr("Copy reference"), kind="quiet", icon="copy", parent=self
        )
        self.copy.setObjectName("scrubCopyReference")
        self.copy.clicked.connect(self._on_copy_clicked)
        self.show_event = PushButton(theme, self.tr("Show in event log"), kind="quiet", parent=self)
        self.show_event.setObjectName("scrubShowEvent")
        self.show_event.clicked.connect(self.event_requested)
        self.done = PushButton(theme, self.tr("Done"), kind="primary", parent=self)
        self.done.setObjectName("scrubDone")
        self.done.clicked.connect(self.done_requested)
        self.row.addWidget(self.copy)
        self.row.addWidget(self.show_event)
        self.row.addStretch(1)
        self.row.addWidget(self.done)

    def show_state(self, state: ScrubState) -> None:
        """Keep at hand what the reference is made of."""
        if self._state is None or state.outcome is not self._state.outcome:
            self.copy.setText(self.tr("Copy reference"))
        self._state = state

    def focus_first(self) -> None:
        """The keyboard stands on Done."""
        self.done.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_copy_clicked(self) -> None:
        state = self._state
        if state is not None and state.outcome is not None:
            QGuiApplication.clipboard().setText(reference_text(state, state.outcome))
            self.copy.setText(self.tr("Reference copied"))
            announce(self.copy, self.tr("Reference copied"))


class _Counted(QWidget):
    """The short id of a manifest and what became of its count."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._id = plain_label("", "monoInk", self)
        self._words = plain_label("", "fact", self)
        self._words.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._id)
        row.addWidget(self._words, 1)

    def show_words(self, short_id: str, words: str) -> None:
        """Show another manifest."""
        self._id.setText(short_id)
        self._words.setText(f", {words}")
