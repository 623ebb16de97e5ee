"""What an agent asks the author to accept: who, why, what would change, and the decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QStackedWidget, QVBoxLayout, QWidget

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.inbox.deciding import ChangedValue, ProposalView
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.dialogs.pieces import cleared
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    ReadingLabel,
    elided_label,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import Notice, VerticalRule
from inklings_desktop.ui.markdown.comparison_pane import ComparisonPane
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme


_HEADER_HEIGHT = 52
_FOOTER_HEIGHT = 44
_GUTTER = 28
_QUOTE_BAR = 3
_MOST_WARNINGS = 2
_BESIDE_FROM, _BESIDE = 820, 300
_ENDLESS = 16_777_215


class ProposalPane(QWidget):
    """Shows a ``ProposalView``; what its buttons decide is up to the page."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("proposalPane")
        self._theme = theme
        self._view = ProposalView()
        self._is_editing = False
        on_ground(self, "canvas")
        self._mark = TierMark(theme, inked=3, role="tierWorkspace", parent=self)
        self._title = named(elided_label("", "title", self), "proposalTitle")
        self._kind = plain_label(tr("proposal"), "meta", self)
        self._asked = named(plain_label("", "meta", self), "proposalAsked")
        self._who = named(IconLabel(theme, "bodyStrong", self), "proposalWho")
        self._wish = named(wrapped_label("", "metaInk", self), "proposalWish")
        self.reason = named(_Quotation(theme, self), "proposalReason")
        self.warnings = [
            Notice(theme, icon="warning", role="ochre", ground="ochreSoft", parent=self)
            for _ in range(_MOST_WARNINGS)
        ]
        self.values = named(_ValueGrid(self), "proposalValues")
        self.comparison = ComparisonPane(theme, self)
        self._text = LongTextEdit(theme, self)  # a label lays out all at once
        self._text.setReadOnly(True)
        self._text.setStyleSheet("QTextEdit { background: transparent; border: none; }")
        self._text.setObjectName("proposalText")
        self._text.setAccessibleName(tr("Text of the memory"))
        self.wording = named(LongTextEdit(theme, self), "proposalWording", tr("Your wording"))
        self._bodies = QStackedWidget(self)
        self._bodies.addWidget(self.comparison)
        self._text_ground = self._made_text()
        self._wording_ground = self._made_wording()
        self._bodies.addWidget(self._text_ground)
        self._bodies.addWidget(self._wording_ground)
        self.accept = PushButton(theme, "", kind="primary", icon="check", small=True, parent=self)
        self.accept.setObjectName("proposalAccept")
        storing(self.accept)
        self.edit = PushButton(theme, tr("Edit, then accept"), small=True, parent=self)
        self.edit.setObjectName("proposalEdit")
        self.edit.clicked.connect(self._on_edit_clicked)
        storing(self.edit)
        self.reject = PushButton(theme, tr("Reject\u2026"), kind="quiet", small=True, parent=self)
        self.reject.setObjectName("proposalReject")
        storing(self.reject)
        self._lay_out()
        self._on_theme_changed()
        theme.changed.connect(self._on_theme_changed)

    def show_view(self, view: ProposalView) -> None:
        """Show another proposal, or the same one after something changed."""
        if view.ref != self._view.ref:
            self._is_editing = False
            self.wording.set_plain_text(view.proposed)
        self._view = view
        if view.tier is not None:
            inked, role = TIER_MARKS[view.tier]
            self._mark.set_tier(inked=inked, role=role)
        self._title.setText(view.title)
        self._asked.setText(view.asked)
        self._fit()
        self._asked.setToolTip(plain_tool_tip(view.asked_exact))
        self.reason.setText(view.reason)
        self.reason.setVisible(bool(view.reason))
        for number, notice in enumerate(self.warnings):
            has_one = number < len(view.warnings)
            notice.say(view.warnings[number] if has_one else "", "")
            notice.setVisible(has_one)
        self.values.show_values(view.values)
        self.comparison.show_comparison(view.comparison)
        self._text.set_plain_text(spelled_out(view.text))
        self._show_body()

    @property
    def is_edited(self) -> bool:
        """Whether the person changed the wording and has not accepted it yet."""
        return self._is_editing and self.wording.text() != self._view.proposed

    @property
    def proposal_id(self) -> str:
        """Id of the proposal that was shown last; empty before the first."""
        return self._view.ref.id if self._view.ref is not None else ""

    def keep_wording(self) -> None:
        """Leave what was typed on show: nothing can be decided with it any more."""
        told = tr(
            "This was decided in another window or program. Copy what you need of your text "
            "before you leave."
        )
        self.show_view(replace(self._view, can_accept=False, can_reject=False, warnings=(told,)))

    def let_go(self) -> None:
        """What was typed is accepted, or given up."""
        self._is_editing = False

    @property
    def own_wording(self) -> str | None:
        """What the person would accept instead of the proposed text, where they edit it."""
        return self.wording.text() if self._is_editing else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the reason beside the difference where there is room for both."""
        super().resizeEvent(event)
        self._fit()

    # -- inside -----------------------------------------------------------------------------

    def _fit(self) -> None:
        is_wide = self.width() >= self._theme.scaled(_BESIDE_FROM)
        ways = QBoxLayout.Direction
        self._body.setDirection(ways.RightToLeft if is_wide else ways.TopToBottom)
        self._asker.setDirection(ways.TopToBottom if is_wide else ways.LeftToRight)
        only_wide = dict.fromkeys((self._beside, self._rest, self._wish), is_wide)
        show_parts({**only_wide, self._above: not is_wide})
        wish = self._view.client if is_wide else f"{self._view.client} {self._view.wish}"
        self._who.show_mark("planet", "lapis", wish)
        self._wish.setText(self._view.wish)
        wanted = self._who.sizeHint().width() + 10 + self._asked.sizeHint().width()
        self._asked.setVisible(is_wide or wanted <= self.width() - 2 * _GUTTER)
        self._about.setMinimumWidth(self._theme.scaled(_BESIDE) if is_wide else 0)
        self._about.setMaximumWidth(self._theme.scaled(_BESIDE) if is_wide else _ENDLESS)

    def _lay_out(self) -> None:
        self._header = QWidget(self)
        head = hbox(self._header, margins=(_GUTTER, 0, 20, 0), spacing=10)
        fill(head, self._mark, 2, self._title, self._kind, STRETCH)
        self._about = QWidget(self)
        self._asker = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._asker.setSpacing(10)
        fill(self._asker, (self._who, 1), self._asked)
        words = vbox(self._about, margins=(_GUTTER, 14, _GUTTER, 14), spacing=10)
        fill(words, self._asker, self._wish, self.reason, self.values, *self.warnings)
        self._rest = QWidget(self._about)
        words.addWidget(self._rest, 1)
        self._above, self._beside = rule(self), VerticalRule(self._theme, self)
        self._footer = QWidget(self)
        foot = hbox(self._footer, margins=(_GUTTER, 0, 16, 0), spacing=10)
        self._promise = elided_label(tr("Nothing changes until you accept."), "meta", self._footer)
        fill(foot, (self._promise, 1), self.reject, self.edit, self.accept)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        stack.addWidget(self._header)
        stack.addWidget(rule(self))
        # The reason stands right of the difference, and above it where that is narrow.
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._body.setSpacing(0)
        fill(self._body, self._about, self._above, self._beside, (self._bodies, 1))
        stack.addLayout(self._body, 1)
        stack.addWidget(rule(self))
        stack.addWidget(self._footer)

    def _made_text(self) -> QWidget:
        ground = QWidget(self)
        on_ground(ground, "surface")
        vbox(ground, self._text, margins=(_GUTTER, 20, _GUTTER, 20))
        return ground

    def _made_wording(self) -> QWidget:
        box = QWidget(self)
        on_ground(box, "surface")
        column = vbox(box, margins=(_GUTTER, 16, _GUTTER, 16), spacing=8)
        fill(column, plain_label(tr("Your wording"), "label", box), (self.wording, 1))
        return box

    def _show_body(self) -> None:
        view = self._view
        shown = self.comparison if view.comparison is not None else self._text_ground
        self._bodies.setCurrentWidget(self._wording_ground if self._is_editing else shown)
        can_edit = bool(view.proposed) or view.opens_editor
        show_parts({self.edit: can_edit, self.accept: True, self.reject: True})
        self.edit.setText(
            tr("Back to the comparison") if self._is_editing else tr("Edit, then accept")
        )
        self.accept.setText(tr("Accept my wording") if self._is_editing else view.accept_label)
        self.edit.setEnabled(view.can_accept)
        self.accept.setEnabled(view.can_accept)
        self.reject.setEnabled(view.can_reject)

    @Slot()
    def _on_edit_clicked(self) -> None:
        if self._view.opens_editor:
            return  # the page leads there
        self._is_editing = not self._is_editing
        self._show_body()
        if self._is_editing:
            self.wording.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._header.setFixedHeight(self._theme.scaled(_HEADER_HEIGHT))
        self._footer.setFixedHeight(self._theme.scaled(_FOOTER_HEIGHT))
        self._text.setFont(self._theme.font("reading"))
        self.wording.setFont(self._theme.font("editor"))


class _Quotation(ReadingLabel):
    """The agent's own words, with a bar at their side."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._bar_theme = theme
        self.setIndent(14)  # margins of contents do not outlive a style sheet

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        bar = QRectF(0, 0, _QUOTE_BAR, self.height())
        painter.fillRect(bar, self._bar_theme.color("lineStrong"))
        painter.end()
        super().paintEvent(event)


class _ValueGrid(QWidget):
    """What else would change: name, value of now, arrow, value to be."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._values: tuple[ChangedValue, ...] = ()

    def show_values(self, values: tuple[ChangedValue, ...]) -> None:
        self.setVisible(bool(values))
        if values == self._values:
            return
        self._values = values
        cleared(self._grid)
        for row, value in enumerate(values):
            text = f"{value.before} \u2192 {value.after}" if value.before else value.after
            spoken = (
                tr("{name}: from {before} to {after}") if value.before else "{name}: {after}"
            ).format(name=value.name, before=value.before, after=value.after)
            label = plain_label(text, "metaInk", self)
            label.setAccessibleName(spoken)
            self._grid.addWidget(plain_label(value.name, "caption", self), row, 0)
            self._grid.addWidget(label, row, 1)


_WIDTH = 460


class RejectDialog(TextDialog):
    """One field for a note; it may stay empty."""

    def __init__(self, client: str, parent: QWidget) -> None:
        super().__init__(
            parent,
            tr("Reject this proposal?"),
            tr("Nothing changes. {client} can read your note.").format(client=client),
            Field(
                ("rejectDialog", "rejectNote", "rejectConfirm"),
                tr("Note to the agent"),
                tr("Why not, in a sentence (optional)"),
                longest=MAX_NOTE_CHARACTERS,
                width=_WIDTH,
            ),
            yes=tr("Reject"),
            no=tr("Keep it open"),
            on_enter=True,
        )
        self.setWindowTitle(tr("Reject the proposal"))

    @property
    def note(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.typed.strip()


async def may_leave_wording(parent: QWidget, *, is_open: bool) -> bool:
    """Whether to leave a wording that was not accepted; the proposal may be decided by now."""
    return await ask(
        parent,
        tr("Leave your wording?"),
        tr("The proposal stays open, but your text is lost.")
        if is_open
        else tr("Your text is lost."),
        yes=tr_as("and lose it", "Leave it"),
        no=tr("Stay"),
        is_destructive=True,
    )
