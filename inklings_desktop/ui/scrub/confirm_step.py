"""Third step of a scrub: once more what goes, and the phrase that has to be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

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
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, restyle
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.panes.pieces import FactTable
from inklings_desktop.ui.scrub.notices import asked_by_text
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
    from inklings_desktop.ui.scrub.state import ScrubState

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
