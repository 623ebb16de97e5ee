"""The Inbox: everything that waits for the author's word, decided in one place."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.inbox.deciding import ProposalDeciding
from inklings_desktop.ui.inbox.proposal_pane import RejectDialog, may_leave_wording
from inklings_desktop.ui.inbox.rows import (
    KNOCK,
    SCRUB,
    SILENCE,
    Question,
    Waiting,
    arrival_words,
    inbox_rows,
    questions,
    rail_mark,
    read_waiting,
)
from inklings_desktop.ui.inbox.view import ACCEPT, EDIT, REJECT, InboxView
from inklings_desktop.ui.kit.dialogs.ask import answered, ask
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import INBOX_PAGE
from inklings_desktop.ui.kit.page.context import refuse
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToScrubRequest
from inklings_desktop.ui.kit.page.page import Page

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.inbox.deciding import Acceptance, ProposalView
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.page import Panes


class InboxPage(Page[Waiting]):
    """Everything that waits behind one list; kept true for the rail, whether somebody looks or not.

    Attributes:
        proposal: The proposal on show.

    Signals:
        arrived: Title and text of a proposal that has just come in.
        accepted: The ``Acceptance`` of a proposal, which can be undone.
        undo_wanted: The person wants it undone.
    """

    arrived = Signal(str, str)
    accepted = Signal(object)
    undo_wanted = Signal()
    watches = About.MEMORIES | About.ENTRIES | About.ROOMS | About.CLIENTS | About.SCRUB_REQUESTS
    view: InboxView
    content: Waiting

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, InboxView(context.theme, parent))
        self.content = Waiting()
        self._questions: dict[str, Question] = {}
        self._seen: frozenset[str] | None = None
        self._current = ""
        self._opening = Latest(self.background)
        self.proposal = ProposalDeciding(context, show=self._show_proposal, decided=self._decided)
        view = self.view
        view.list.row_chosen.connect(lambda row_id: self.spawn(self._choose(row_id)))
        view.list.letter_pressed.connect(self._on_letter_pressed)
        view.proposal.accept.clicked.connect(
            lambda: self.spawn(self.proposal.accept(view.proposal.own_wording))
        )
        view.proposal.edit.clicked.connect(self._on_edit_clicked)
        view.proposal.reject.clicked.connect(self.starts(self._reject))
        view.proposal.wording.textChanged.connect(self.told)
        view.toast.undo_requested.connect(self.undo_wanted)
        view.question.yes.clicked.connect(partial(self._answer, yes=True))
        view.question.no.clicked.connect(partial(self._answer, yes=False))

    # -- the list -----------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Show what waits in a workspace and the account."""
        self.workspace_id, self._seen, self._current = workspace_id, None, ""
        self.view.toast.close_note()
        self.proposal.show_nothing()
        self.read_again()
        await self.settled()

    def read_content(self) -> Waiting:
        return read_waiting(self.inklings, self.workspace_id)

    def show_content(self, content: Waiting) -> None:
        """Show the list, tell the rail how much it is, and say what has just come."""
        self._questions = {one.id: one for one in questions(content)}
        rows = inbox_rows(content, self.inklings.clock())
        ids = [row.id for row in rows if isinstance(row, BadgeRow)]
        if self._current not in ids and not self.has_unsaved:
            self._current = ids[0] if ids else ""
        self.view.show_rows(rows, self._current)
        self.context.mark(INBOX_PAGE, rail_mark(content))
        self._show_current()
        self._tell_of_arrivals(content)

    def show_failure(self, error: InklingsError) -> None:
        """Said to who looks; for the rail alone the next change asks again."""
        if self.view.isVisible():
            super().show_failure(error)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        if changes.workspace_id in {self.workspace_id, None}:
            targets = set(map(attrgetter("proposal.target_id"), self.content.proposals))
            touched = {*changes.updated, *changes.forgotten, *changes.entries}
            if (
                changes.proposals
                or changes.clients
                or changes.rooms
                or changes.scrub_requests
                or changes.reload
                or touched & targets
            ):
                self.read_again()
        self.spawn(self.proposal.on_changes(changes))

    def on_shown(self, *, is_shown: bool) -> None:
        """The list is kept true for the rail, whether somebody looks or not."""
        super().on_shown(is_shown=is_shown)  # ages grow
        if is_shown and self.workspace_id:
            self.read_again()

    def _tell_of_arrivals(self, content: Waiting) -> None:
        seen, self._seen = self._seen, frozenset(one.proposal.id for one in content.proposals)
        news = [
            one for one in content.proposals if seen is not None and one.proposal.id not in seen
        ]
        if not news:
            return
        QApplication.alert(self.context.window)
        self.arrived.emit(tr("Something to decide"), arrival_words(news[0]))
        if not self.view.isVisible():
            self.context.tell(arrival_words(news[0]))

    # -- what the window asks -----------------------------------------------------------------

    @property
    def has_unsaved(self) -> bool:
        """Whether a wording of the author's own is neither accepted nor given up."""
        return self.view.proposal.is_edited

    async def may_leave(self) -> bool:
        """Whether the page may show something else; asks when a wording would be lost."""
        is_open = self.proposal.proposal is not None
        return not self.has_unsaved or await may_leave_wording(self.view.window(), is_open=is_open)

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        self.view.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through: the list and the answer."""
        return [(self.view.list, self.view.focus_list), (self.view, self.view.focus_answer)]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The letters that decide, while the list has the keyboard."""
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint((ACCEPT,), tr("accept")),
            KeyHint((EDIT,), tr("edit, then accept")),
            KeyHint((REJECT,), tr("reject")),
            KeyHint(("F6",), tr("next pane")),
        )

    def spawn(self, action: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start what a person asked for; a refusal is said in words of its own."""
        return self.background.spawn(action, on_refused=partial(refuse, self.context))

    # -- on show --------------------------------------------------------------------------------

    def _show_current(self) -> None:
        """Show what the current row stands for, if it is not on show."""
        if self.proposal.is_deciding:
            return  # what comes of it leads on
        question = self._questions.get(self._current)
        self.view.show_question(question)
        found = None if question is not None else self.content.proposal(self._current)
        shown = self.proposal.proposal
        if found is None:
            self.proposal.show_nothing()
        elif shown is None or shown.id != found.id:
            self._opening.run(self.proposal.open(found.ref))
        else:
            self.view.show_proposal(self.proposal.view)  # its age is that of its row

    def _show_proposal(self, view: ProposalView) -> None:
        """Show it; a wording from under which its proposal went stays until its row is left."""
        pane = self.view.proposal
        if view.ref is None and pane.is_edited and pane.proposal_id == self._current:
            pane.keep_wording()
        else:
            if view.ref is None:
                pane.let_go()
            self.view.show_proposal(view)
        self.told.emit()

    def _decided(self, proposal: Proposal, acceptance: Acceptance | None) -> None:
        """Say what became of it, and offer to undo it; the row after it is next."""
        if acceptance is None:
            done = tr("Rejected. {client} can read your note.")
            text = done if proposal.note else tr("Rejected. Nothing was changed.")
        else:
            done = tr("Accepted. {name} was changed.")
            text = done if proposal.target_name else tr("Accepted.")
            self.accepted.emit(acceptance)
        text = text.format(client=proposal.client, name=proposal.target_name)
        self.view.proposal.let_go()
        offer = (tr("Undo"), tr("Ctrl Z")) if acceptance is not None else ("", "")
        self.view.toast.show_message(text, icon="check", undo_label=offer[0], key_hint=offer[1])
        self._go_on(proposal.id)

    def _go_on(self, decided_id: str) -> None:
        """Let the row after one that is decided be current."""
        ids = [row.id for row in self.view.list.rows if isinstance(row, BadgeRow)]
        if decided_id in ids:
            after = ids[ids.index(decided_id) + 1 :] or ids[: ids.index(decided_id)][-1:]
            self._current = after[0] if after else ""
        self.read_again()

    async def _choose(self, row_id: str) -> None:
        if row_id != self._current and not await self.may_leave():
            self.view.list.show_rows(self.view.list.rows, self._current)
            return
        self._current = row_id
        self._show_current()

    # -- decisions --------------------------------------------------------------------------------

    @Slot(str)
    def _on_letter_pressed(self, letter: str) -> None:
        pane, question = self.view.proposal, self.view.question
        is_question = self._current in self._questions
        button = {
            ACCEPT: question.yes if is_question else pane.accept,
            EDIT: None if is_question else pane.edit,
            REJECT: question.no if is_question else pane.reject,
        }[letter]
        if button is not None and button.isVisible() and button.isEnabled():
            button.click()

    @Slot()
    def _on_edit_clicked(self) -> None:
        shown = self.proposal.proposal
        if shown is not None and self.proposal.view.opens_editor:
            self.context.go(ToEntry(shown.target_id, shown))

    async def _reject(self) -> None:
        view = self.proposal.view
        dialog = RejectDialog(view.client, self.view.window())
        if await answered(dialog):
            await self.proposal.reject(dialog.note)

    def _answer(self, *_checked: bool, yes: bool) -> None:
        """Do what a button of the question stands for."""
        question = self.view.question.question
        if question is None:
            return
        key = question.id.partition(":")[2]
        if question.id.startswith(SCRUB):
            self._answer_scrub(key, yes=yes)
        elif question.id.startswith(KNOCK):
            let_in = self.inklings.clients.let_in
            self.spawn(self._settle(question.id, let_in, key, self.workspace_id))
        elif question.id.startswith(SILENCE):
            self.spawn(self._answer_silence(question, key, keeps=yes))

    def _answer_scrub(self, request_id: str, *, yes: bool) -> None:
        request = next((one for one in self.content.scrubs if one.id == request_id), None)
        if request is None:
            return
        if yes:
            self.context.go(ToScrubRequest(request))
        else:
            decline = self.inklings.scrub.decline
            self.spawn(self._settle(f"{SCRUB}{request_id}", decline, request_id))

    async def _answer_silence(self, question: Question, key: str, *, keeps: bool) -> None:
        if not keeps and not await ask(
            self.view.window(),
            tr("Close it and forget its memories?"),
            tr("You can restore each of them."),
            yes=tr("Close and forget"),
            no=tr("Not now"),
            is_destructive=True,
        ):
            return
        settle = self.inklings.conversations.settle_silent
        await self._settle(question.id, settle, self.workspace_id, key, keeps=keeps)

    async def _settle(
        self, row_id: str, call: Callable[..., object], *args: object, **kwargs: object
    ) -> None:
        if await self.change(call, *args, **kwargs):
            self._go_on(row_id)
