"""The Inbox: what waits at the left, beside it a proposal or a question, and what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.inbox.proposal_pane import ProposalPane
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.inbox.deciding import ProposalView
    from inklings_desktop.ui.inbox.rows import Question
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.look.theme import Theme


_QUESTION_GUTTER = 28
_FOOTER_HEIGHT = 44


class QuestionPane(QWidget):
    """Shows a ``Question``; what its buttons decide is up to the page."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionPane")
        self._theme = theme
        self.question: Question | None = None
        self._head = QWidget(self)
        self.title = named(IconLabel(theme, "bodyStrong", self._head), "questionTitle")
        hbox(self._head, (self.title, 1), margins=(_QUESTION_GUTTER, 0, 20, 0))
        self._text = wrapped_label("", "metaInk", self)
        self._label = plain_label(tr("Its memories"), "label", self)
        self._quotes = named(LongTextEdit(theme, self), "questionQuotes")
        self._quotes.setReadOnly(True)
        self._quotes.setAccessibleName(tr("Its memories"))
        self._foot = QWidget(self)
        self.no = PushButton(theme, "", kind="quiet", small=True, parent=self._foot)
        self.no.setObjectName("questionNo")
        self.yes = PushButton(theme, "", kind="primary", small=True, parent=self._foot)
        self.yes.setObjectName("questionYes")
        storing(self.no)
        storing(self.yes)
        foot = hbox(self._foot, margins=(_QUESTION_GUTTER, 0, 16, 0), spacing=10)
        fill(foot, STRETCH, self.no, self.yes)
        body = QWidget(self)
        on_ground(body, "surface")
        words = vbox(body, margins=(_QUESTION_GUTTER, 20, _QUESTION_GUTTER, 20), spacing=12)
        fill(words, self._text, self._label, (self._quotes, 1))
        self._rest = QWidget(body)
        words.addWidget(self._rest, 1)
        column = vbox(self, margins=0, spacing=0)
        fill(column, self._head, rule(self), (body, 1), rule(self), self._foot)
        theme.dress(self._on_theme_changed)

    def show_question(self, question: Question) -> None:
        """Show another question, or the same one with other words."""
        self.question = question
        self.title.show_mark(question.icon, "ochre", question.title)
        self._text.setText(question.text)
        self._quotes.set_plain_text("\n\n".join(question.quotes))
        for part in (self._label, self._quotes):
            part.setVisible(bool(question.quotes))
        self._rest.setVisible(not question.quotes)
        self.yes.setText(question.yes)
        self.no.setText(question.no)
        self.no.setVisible(bool(question.no))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setFixedHeight(self._theme.scaled(_HEADER_HEIGHT))
        self._foot.setFixedHeight(self._theme.scaled(_FOOTER_HEIGHT))
        self._quotes.setFont(self._theme.font("reading"))


ACCEPT, EDIT, REJECT = "Y", "E", "N"
"""Letters that decide while the list has the keyboard."""

_GUTTER = 20
_HEADER_HEIGHT = 52
_ABOVE_FOOTER = 64
_LIST, _NARROW_LIST = 320, 248
_NARROW_BELOW = 1000


class InboxView(QWidget):
    """Everything right of the rail."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inboxPage")
        self._theme = theme
        on_ground(self, "canvas")
        # Each is made where it stands: a move takes Qt through the style of all that is in it.
        self._pages = QStackedWidget(self)
        self._something = QWidget(self._pages)
        beside = VerticalRule(theme, self._something)
        self._left = QWidget(self._something)
        self._head = QWidget(self._left)
        title = plain_label(tr("Inbox"), "title", self._head)
        hbox(self._head, (title, 1), margins=(_GUTTER, 0, 12, 0))
        letters = f"{ACCEPT}{EDIT}{REJECT}"
        self.list = BadgeList(theme, tr("Inbox"), left=_GUTTER, letters=letters, parent=self._left)
        self.list.setObjectName("inboxList")
        self.list.setProperty("ground", "canvas")
        self.list.activated_by_key.connect(self.focus_answer)
        column = vbox(self._left, margins=0, spacing=0)
        fill(column, self._head, rule(self._left), (self.list, 1))
        self._panes = QStackedWidget(self._something)
        bare = QWidget(self._panes)
        self.proposal = ProposalPane(theme, self._panes)
        self.question = QuestionPane(theme, self._panes)
        self.nothing = named(EmptyState(theme, self._pages), "nothingWaits")
        self.nothing.show_state(
            tr("Nothing to decide."),
            tr(
                "Here you decide what agents propose, what programs ask for, and what "
                "happens to quiet conversations."
            ),
        )
        for pane in (bare, self.proposal, self.question):
            self._panes.addWidget(pane)
        hbox(self._something, self._left, beside, (self._panes, 1), margins=0, spacing=0)
        self._pages.addWidget(self.nothing)
        self._pages.addWidget(self._something)
        hbox(self, (self._pages, 1), margins=0, spacing=0)
        self.toast = Toast(theme, self)
        self.toast.set_bottom_margin(_ABOVE_FOOTER)
        self.toast.keyboard_freed.connect(self.focus_list)
        theme.dress(self._fold)

    def show_rows(self, rows: Sequence[AnyBadgeRow], current: str) -> None:
        """Show what waits; without anything, the page says so."""
        self.list.show_rows(rows, current)
        has_any = bool(rows) or self.proposal.is_edited
        self._pages.setCurrentWidget(self._something if has_any else self.nothing)

    def show_proposal(self, view: ProposalView) -> None:
        """Show a proposal; none leaves its pane empty."""
        if view.ref is not None:
            self.proposal.show_view(view)
            self._panes.setCurrentWidget(self.proposal)
        elif self._panes.currentWidget() is self.proposal:
            self._panes.setCurrentIndex(0)

    def show_question(self, question: Question | None) -> None:
        """Show a question; none leaves its pane empty."""
        if question is not None:
            self.question.show_question(question)
            self._panes.setCurrentWidget(self.question)
        elif self._panes.currentWidget() is self.question:
            self._panes.setCurrentIndex(0)

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def focus_answer(self) -> None:
        """Bring the keyboard to what decides."""
        by_key = Qt.FocusReason.ShortcutFocusReason
        if self._panes.currentWidget() is self.proposal:
            self.proposal.accept.setFocus(by_key)
        elif self._panes.currentWidget() is self.question:
            self.question.yes.setFocus(by_key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the thing itself more room where the window is narrow."""
        super().resizeEvent(event)
        self._fold()

    @Slot()
    def _fold(self) -> None:
        scale = self._theme.text_scale
        narrow = self.width() < _NARROW_BELOW * scale
        self._left.setFixedWidth(round((_NARROW_LIST if narrow else _LIST) * scale))
        self._head.setFixedHeight(self._theme.scaled(_HEADER_HEIGHT))
