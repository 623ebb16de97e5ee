"""The one door to destruction: three steps, of which the last has a phrase typed, and a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.scrub.manifest import COPIES
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.text_fields import PhraseField
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.pieces import (
    Headline,
    Note,
    NoticeLine,
    ScopeFact,
    StepBody,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.dialogs.process_dialog import SteppedDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, restyle
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.marks.steps import StepMarks
from inklings_desktop.ui.kit.panes.pieces import FactTable
from inklings_desktop.ui.scrub.manifest_step import ManifestBody, ManifestFoot
from inklings_desktop.ui.scrub.notices import asked_by_text
from inklings_desktop.ui.scrub.result_step import ResultBody, ResultFoot, RunningBody, RunningFoot
from inklings_desktop.ui.scrub.scope_step import ScopeBody, ScopeFoot
from inklings_desktop.ui.scrub.state import ScrubState, ScrubStep
from inklings_desktop.ui.scrub.words import (
    afterwards_sentence,
    backups_text,
    confirm_question,
    copy_text,
    entries_text,
    match_text,
    missing_text,
    mode_title,
    names_text,
    scope_text,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.kit.look.theme import Theme

_FIELD_WIDTH = 420


class ConfirmBody(StepBody):
    """Summary, warning, phrase and box."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(tr("Confirm the scrub"))
        self._is_refusing = False
        self.notice = NoticeLine(theme, self.column)
        self.headline = Headline(theme, parent=self.column)
        self._afterwards = plain_label("", "body", self.column, wraps=True)
        self._frame = card(self.column, margins=(0, 0, 0, 0))
        self.facts = FactTable(theme, self._frame)
        column_of(self._frame).addWidget(self.facts)
        self._scope = ScopeFact(theme, self.facts)
        self.facts.add_row(tr("Scope"), self._scope)
        self._mode = _Pair("fact", "mono", self.facts)
        self.facts.add_row(tr("Mode"), self._mode)
        self._removed = _Pair("bodyStrong", "monoInk", self.facts)
        self.facts.add_row(tr("Removed"), self._removed)
        self._kept = self.facts.add_text(tr("Kept"))
        self._backups = self.facts.add_text(tr("Backups"))
        self._operator = self.facts.add_text(tr("Operator"))
        self._asked_by = self.facts.add_text(tr("Asked by"))
        self._copy = self.facts.add_text(tr_as("of what goes", "Copy"))
        self._warning = Note(theme, self.column)
        self._warning.say(
            "madder",
            "warning",
            tr("This cannot be undone."),
            tr("The scrub is recorded in the event log permanently."),
        )
        self._shown = named(plain_label("", "body", self.column), "scrubPhraseShown")
        self.field = named(PhraseField(self.column), "scrubPhrase", tr("Confirmation phrase"))
        self.field.setFixedWidth(theme.scaled(_FIELD_WIDTH))
        self.match = named(plain_label("", "meta", self.column), "scrubMatch")
        box = CheckBox(theme, tr("I have read the manifest"), self.column)
        self.box = named(box, "scrubRead")
        self._lay_out()

    def show_state(self, state: ScrubState) -> None:
        """Show what was counted and how far it is confirmed."""
        self.notice.show_notice(state.notice)
        self._show_request(state.request)
        manifest = state.manifest
        if manifest is None:
            return
        self.headline.setText(confirm_question(manifest))
        self._afterwards.setText(afterwards_sentence(manifest))
        self._scope.show_scope(manifest.scope.tier, scope_text(state))
        self._mode.show_words(mode_title(manifest.mode), manifest.mode.value)
        removed = entries_text(manifest.n_removed)
        self._removed.show_words(removed, manifest.short_id, tr(", manifest "))
        self._kept.setText(names_text(manifest.kept) or tr("nothing"))
        backups = backups_text(manifest)
        self._backups.setText(backups)
        self.facts.show_row(self._backups, shown=bool(backups))
        self._operator.setText(state.operator)
        self._copy.setText("" if state.copy is None else copy_text(state.copy))
        self.facts.show_row(self._copy, shown=state.copy is not None)
        self._shown.setText(manifest.phrase)
        self.field.setAccessibleDescription(tr("Type {phrase}").format(phrase=manifest.phrase))
        if self.field.text() != state.typed:
            self.field.setText(state.typed)
        self.box.setChecked(state.has_read)
        said = match_text(state)
        self.match.setText(said)
        if state.is_paste_refused != self._is_refusing:
            self._is_refusing = state.is_paste_refused
            restyle(self.match, "textStyle", "error" if self._is_refusing else "meta")
            if self._is_refusing:
                announce(self.field, said, urgent=True)

    def _show_request(self, request: ScrubRequest | None) -> None:
        self._asked_by.setText("" if request is None else asked_by_text(request))
        self.facts.show_row(self._asked_by, shown=request is not None)

    def focus_first(self) -> None:
        """The keyboard stands in the phrase."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(self.box)

    def _lay_out(self) -> None:
        left = Qt.AlignmentFlag.AlignLeft
        ask = hbox(
            None,
            plain_label(tr_as("with the keys", "Type"), "bodyStrong", self.column),
            self._shown,
            plain_label(tr("to confirm"), "bodyStrong", self.column),
            STRETCH,
            spacing=7,
        )
        fill(self.stack, self.notice, 2, self.headline, 2, self._afterwards, 16, self._frame, 16)
        fill(self.stack, self._warning, 20, ask, 8, (self.field, 0, left), 8, self.match, 16)
        fill(self.stack, (self.box, 0, left), STRETCH)


class ConfirmFoot(StepFoot):
    """Do it, or keep everything."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = named(PushButton(theme, tr("Back"), parent=self), "scrubBackToManifest")
        keep = PushButton(theme, tr("Keep everything"), parent=self)
        self.keep = named(keep, "scrubKeep")
        execute = PushButton(theme, "", kind="danger", icon="eraser", parent=self)
        self.execute = named(execute, "scrubExecute")
        self.execute.setEnabled(False)
        fill(self.row, self.back, STRETCH, self.keep, self.execute)

    def show_state(self, state: ScrubState) -> None:
        """Name the final button by its count; enable it when phrase and box are right."""
        n_removed = state.manifest.n_removed if state.manifest is not None else 0
        name = tr("Scrub {entries}").format(entries=entries_text(n_removed))
        is_asked = state.request is not None
        self.keep.setText(tr("Decide later") if is_asked else tr("Keep everything"))
        self.execute.setText(name)
        self.execute.setAccessibleName(name)
        self.execute.setAccessibleDescription(missing_text(state))
        self.execute.setEnabled(state.can_execute)


class _Pair(QWidget):
    """Words and, after them, a key in fixed type."""

    def __init__(self, style: str, key_style: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = plain_label("", style, self)
        self._between = plain_label("", "fact", self)
        self._key = plain_label("", key_style, self)
        hbox(self, self._words, self._between, self._key, STRETCH, margins=0, spacing=0)

    def show_words(self, words: str, key: str, between: str = "   ") -> None:
        """Show other words and another key, and what stands between them."""
        self._words.setText(words)
        self._between.setText(between)
        self._key.setText(key)


WIDTH, HEIGHT = 900, 736
RESULT_HEIGHT = 570
_HEAD_HEIGHT = 83


class ScrubDialog(SteppedDialog[ScrubState]):
    """Shows a ``ScrubState`` and decides nothing.

    Enter does nothing anywhere in it. Escape and closing ask to leave: whoever owns the dialog
    answers with ``accept`` or by staying silent while something is being removed.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(
            theme,
            window,
            title=tr("Scrub memory"),
            size=QSize(WIDTH, HEIGHT),
            head_height=_HEAD_HEIGHT,
            has_cross=False,
        )
        self.setObjectName("scrubDialog")
        self.marks = StepMarks(theme, (tr("Scope"), tr("Dry run"), tr("Confirm")), self)
        self.scope, self.scope_foot = ScopeBody(theme, self), ScopeFoot(theme, self)
        self.manifest, self.manifest_foot = ManifestBody(theme, self), ManifestFoot(theme, self)
        self.confirm, self.confirm_foot = ConfirmBody(theme, self), ConfirmFoot(theme, self)
        self.running, self.running_foot = RunningBody(theme, self), RunningFoot(self)
        self.outcome, self.outcome_foot = ResultBody(theme, self), ResultFoot(theme, self)
        self.add_to_head(self.marks)
        self.set_steps(
            {
                ScrubStep.SCOPE: (self.scope, self.scope_foot),
                ScrubStep.DRY_RUN: (self.manifest, self.manifest_foot),
                ScrubStep.CONFIRM: (self.confirm, self.confirm_foot),
                ScrubStep.RUNNING: (self.running, self.running_foot),
                ScrubStep.RESULT: (self.outcome, self.outcome_foot),
            }
        )
        for button in (
            self.scope_foot.cancel,
            self.manifest_foot.close_it,
            self.confirm_foot.keep,
            self.outcome_foot.done,
        ):
            button.clicked.connect(self.leave_requested)
        self.outcome.verticalScrollBar().rangeChanged.connect(self._on_result_range_changed)

    def show_state(self, state: ScrubState) -> None:
        """Show another state; a new step takes the keyboard to its first control."""
        super().show_state(state)
        if state.step is ScrubStep.RESULT:
            self.fit()

    def show_title(self, state: ScrubState) -> None:
        """Say what it is about, or how it ended."""
        title, under = tr("Scrub memory"), state.workspace_name
        if state.step is ScrubStep.RESULT and state.outcome is not None:
            is_finished = state.outcome.is_finished
            title = tr("Scrub finished") if is_finished else tr("Removed, purge pending")
            if state.outcome.pending == COPIES:
                title = tr("Removed, not verified")
            under = tr("Recorded in the event log")
        self.show_head(title, under)
        present = {ScrubStep.RUNNING: 2, ScrubStep.RESULT: 3}.get(state.step, int(state.step))
        self.marks.show_step(present)

    def begin_step(self) -> None:
        """The keyboard stands on what is asked first, never on what removes."""
        match self.step:
            case ScrubStep.SCOPE:
                self.scope.focus_first()
            case ScrubStep.DRY_RUN:
                self.manifest.setFocus(Qt.FocusReason.OtherFocusReason)
            case ScrubStep.CONFIRM:
                self.confirm.focus_first()
            case ScrubStep.RUNNING:
                self.running.setFocus(Qt.FocusReason.OtherFocusReason)
            case ScrubStep.RESULT:
                self.outcome_foot.done.setFocus(Qt.FocusReason.OtherFocusReason)

    def height_at(self, width: int) -> int:
        """The steps are of one height, so that nothing jumps; the result as high as its words."""
        wanted = super().height_at(width)
        if self.step is not ScrubStep.RESULT:
            return wanted
        around = self.height() - self.outcome.height()  # head, rules and foot as they are
        content = self.outcome.height_at(width - 2) + around
        return max(self._theme.scaled(RESULT_HEIGHT), min(content, wanted))

    @Slot()
    def _on_result_range_changed(self) -> None:
        if self.step is ScrubStep.RESULT and self.outcome.verticalScrollBar().maximum() > 0:
            self.fit()
