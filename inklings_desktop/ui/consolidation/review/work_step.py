"""While a plan is made or carried out, and how a run ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inklings_desktop.ui.consolidation.review.state import ReviewStep
from inklings_desktop.ui.consolidation.review.words import (
    place_line,
)
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import (
    MARGIN,
    FactTable,
    Headline,
    Note,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.marks.labels import plain_label, show_parts
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.ops.storing import storing
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
    from inklings_desktop.ui.consolidation.review.state import ReviewState
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
