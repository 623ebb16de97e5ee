"""The Inbox: what waits at the left, the thing itself beside it, and what is said in passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.inbox.proposal_pane import ProposalPane
from inklings_desktop.ui.inbox.question_pane import QuestionPane
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.layouts import fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.panes.pieces import VerticalRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.inbox.deciding import ProposalView
    from inklings_desktop.ui.inbox.rows import Question
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.look.theme import Theme

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
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._left = QWidget(self)
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
        self.proposal = ProposalPane(theme, self)
        self.question = QuestionPane(theme, self)
        self.nothing = EmptyState(theme, self)
        self.nothing.setObjectName("nothingWaits")
        self.nothing.show_state(
            tr("Nothing waits for you."),
            tr(
                "What agents may not do by themselves waits here for your word: changes they "
                "propose, scrubs they ask for, and conversations that went quiet."
            ),
        )
        self._panes = QStackedWidget(self)
        for pane in (QWidget(self), self.proposal, self.question):
            self._panes.addWidget(pane)
        self._something = QWidget(self)
        beside = VerticalRule(theme, self._something)
        hbox(self._something, self._left, beside, (self._panes, 1), margins=0, spacing=0)
        self._pages = QStackedWidget(self)
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
        self._pages.setCurrentWidget(self._something if rows else self.nothing)

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
