"""The Inbox: everything that waits for the author's word, decided in one place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from inklings_desktop.domain.entries.proposals import ProposalKind
from inklings_desktop.ui.inbox.could_be import dismissed, made_fact
from inklings_desktop.ui.inbox.deciding import ProposalDeciding, ProposalView
from inklings_desktop.ui.inbox.rows import (
    COULD_BE,
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
from inklings_desktop.ui.inbox.view import (
    ACCEPT,
    BESIDE_FROM,
    EDIT,
    LIST,
    NARROW_LIST,
    REJECT,
    RejectDialog,
    may_leave_wording,
    nothing_waits,
    proposal_pane,
    question_pane,
    waiting_list,
)
from inklings_desktop.ui.kit.dialogs.ask import answered, ask
from inklings_desktop.ui.kit.lists.badge_list import BadgeList, BadgeRow
from inklings_desktop.ui.kit.look.layouts import hbox, on_ground
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import INBOX_PAGE
from inklings_desktop.ui.kit.page.context import refuse
from inklings_desktop.ui.kit.page.declared import LOOK, Declared, part
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToScrubRequest, ToSkillReview
from inklings_desktop.ui.kit.page.parts import pages, plate
from inklings_desktop.ui.kit.panes.pieces import VerticalRule

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.inbox.deciding import Acceptance
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.page import Panes


_LETTERS = {
    ACCEPT: ("questionYes", "proposalAccept"),
    EDIT: ("proposalEdit",),
    REJECT: ("questionNo", "proposalReject"),
}
"""The buttons that they press, whichever is on show."""
_NARROW_BELOW = 1000
_ABOVE_FOOTER = 64


class InboxPage(Declared[Waiting]):
    """Everything that waits behind one list; kept true for the rail, whether somebody looks or not.

    Attributes:
        proposal: The proposal on show.
        toast: Says what was decided.

    Signals:
        arrived: Title and text of a proposal that has just come in.
        accepted: The ``Acceptance`` of a proposal, or another step that can be undone.
        undo_wanted: The person wants it undone.
    """

    arrived = Signal(str, str)
    accepted = Signal(object)
    undo_wanted = Signal()
    watches = About.MEMORIES | About.ENTRIES | About.ROOMS | About.CLIENTS | About.SCRUB_REQUESTS
    content: Waiting
    _rows: tuple[AnyBadgeRow, ...] = ()
    _current = _wording = ""
    _shown = ProposalView()
    _is_editing = False

    def __init__(self, context: Context, parent: QWidget) -> None:
        self._questions: dict[str, Question] = {}
        self._seen: frozenset[str] | None = None
        view = QWidget(parent)
        view.setObjectName("inboxPage")
        on_ground(view, "canvas")
        super().__init__(context, view, hbox(view, margins=0, spacing=0))
        self.content = Waiting()
        self._opening = Latest(self.background)
        self.proposal = ProposalDeciding(context, show=self._show_proposal, decided=self._decided)
        self.toast = Toast(context.theme, view)
        self.toast.set_bottom_margin(_ABOVE_FOOTER)
        self.toast.keyboard_freed.connect(self.focus_list)
        self.toast.undo_requested.connect(self.undo_wanted)
        context.theme.changed.connect(self.say_again)

    def said(self, content: Waiting | None) -> tuple[Part, ...]:  # noqa: ARG002 - taken apart before
        theme, width = self.context.theme, self.view.width()
        px = NARROW_LIST if width < _NARROW_BELOW * theme.text_scale else LIST
        width -= theme.scaled(px) + 1
        question, has_proposal = self._questions.get(self._current), self._shown.ref is not None
        panes = pages(
            plate(),
            proposal_pane(
                self._shown,
                wording=self._wording if self._is_editing else None,
                width=width,
                # Hidden, it wants no more room than it must: nobody asks it again.
                is_wide=has_proposal and width >= theme.scaled(BESIDE_FROM),
                accept=lambda: self.spawn(
                    self.proposal.accept(self._wording if self._is_editing else None)
                ),
                edit=self._edit,
                reject=self.starts(self._reject),
                typed=self._on_typed,
            ),
            question_pane(
                question or Question(),
                yes=lambda: self._answer(yes=True),
                no=lambda: self._answer(yes=False),
            ),
            now=2 if question is not None else int(has_proposal),
            place=(1,),
        )
        rows = waiting_list(
            self._rows,
            self._current,
            px=px,
            row_chosen=lambda row_id: self.spawn(self._choose(row_id)),
            letter_pressed=self._on_letter_pressed,
            activated_by_key=self.focus_answer,
        )
        has_any = bool(self._rows) or self.has_unsaved
        something = plate(rows, part(VerticalRule, LOOK), panes, spacing=0)
        return (pages(nothing_waits(), something, now=int(has_any), place=(1,)),)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Gives the thing itself more room where the window is narrow."""
        if event.type() is QEvent.Type.Resize:
            self.say_again()
        return super().eventFilter(watched, event)

    # -- the list -----------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Show what waits in a workspace and the account."""
        self.workspace_id, self._seen, self._current = workspace_id, None, ""
        self.toast.close_note()
        self.proposal.show_nothing()
        self.read_again()
        await self.settled()

    def read_content(self) -> Waiting:
        return read_waiting(self.inklings, self.workspace_id)

    def show_content(self, content: Waiting) -> None:
        """Show the list, tell the rail how much it is, and say what has just come."""
        self._questions = {one.id: one for one in questions(content)}
        self._rows = inbox_rows(content, self.inklings.clock())
        ids = self._ids()
        if self._current not in ids and not self.has_unsaved:
            self._current = ids[0] if ids else ""
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
            targets |= {note.id for one in self.content.could_be for note in one.notes}
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
        return self._is_editing and self._wording != self._shown.proposed

    async def may_leave(self) -> bool:
        """Whether the page may show something else; asks when a wording would be lost."""
        is_open = self.proposal.proposal is not None
        return not self.has_unsaved or await may_leave_wording(self.view.window(), is_open=is_open)

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        self.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through: the list and the answer."""
        return [(self._list(), self.focus_list), (self.view, self.focus_answer)]

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        self._list().setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def focus_answer(self) -> None:
        """Bring the keyboard to what decides."""
        if (answer := self._button(ACCEPT)) is not None:
            answer.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _list(self) -> BadgeList:
        found = self.view.findChild(BadgeList)
        assert isinstance(found, BadgeList)
        return found

    def _button(self, letter: str) -> QAbstractButton | None:
        """The one on show that a letter presses."""
        found = (self.view.findChild(QAbstractButton, name) for name in _LETTERS[letter])
        return next((one for one in found if one is not None and one.isVisible()), None)

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
        is_question = self._current in self._questions
        found = None if is_question else self.content.proposal(self._current)
        shown = self.proposal.proposal
        if found is None:
            self.proposal.show_nothing()
        elif shown is None or shown.id != found.id:
            self._opening.run(self.proposal.open(found.ref))
        else:
            self._shown = self.proposal.view  # its age is that of its row
        self.say_again()

    def _show_proposal(self, view: ProposalView) -> None:
        """Show it; a wording from under which its proposal went stays until its row is left."""
        former = self._shown.ref
        if view.ref is None and self.has_unsaved and former and former.id == self._current:
            told = tr(
                "This was decided in another window or program. Copy what you need of your text "
                "before you leave."
            )
            view = replace(self._shown, can_accept=False, can_reject=False, warnings=(told,))
        elif view.ref != former:
            self._is_editing, self._wording = False, view.proposed
        self._shown = view
        self.say_again()
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
        self._is_editing = False
        offer = (tr("Undo"), tr("Ctrl Z")) if acceptance is not None else ("", "")
        self.toast.show_message(text, icon="check", undo_label=offer[0], key_hint=offer[1])
        self._go_on(proposal.id)

    def _go_on(self, decided_id: str) -> None:
        """Let the row after one that is decided be current."""
        ids = self._ids()
        if decided_id in ids:
            after = ids[ids.index(decided_id) + 1 :] or ids[: ids.index(decided_id)][-1:]
            self._current = after[0] if after else ""
        self.read_again()

    async def _choose(self, row_id: str) -> None:
        if row_id != self._current and not await self.may_leave():
            self.say_again()
            return
        self._current = row_id
        self._show_current()

    def _ids(self) -> list[str]:
        return [row.id for row in self._rows if isinstance(row, BadgeRow)]

    # -- decisions --------------------------------------------------------------------------------

    @Slot(str)
    def _on_letter_pressed(self, letter: str) -> None:
        button = self._button(letter)
        if button is not None and button.isEnabled():
            button.click()

    def _edit(self) -> None:
        """Lead to where entries are written, or into a wording of one's own and back."""
        asked = self.proposal.proposal
        if self._shown.opens_editor:
            if asked is not None and asked.kind is ProposalKind.SKILL:
                self.context.go(ToSkillReview(asked.ref))
            elif asked is not None:
                self.context.go(ToEntry(asked.target_id, asked))
            return
        self._is_editing = not self._is_editing
        self.say_again()
        if self._is_editing:
            field = self.view.findChild(QWidget, "proposalWording")
            assert isinstance(field, QWidget)
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_typed(self, wording: str) -> None:
        self._wording = wording
        self.told.emit()

    async def _reject(self) -> None:
        dialog = RejectDialog(self._shown.client, self.view.window())
        if await answered(dialog):
            await self.proposal.reject(dialog.note)

    def _answer(self, *, yes: bool) -> None:
        """Do what a button of the question stands for."""
        question = self._questions.get(self._current)
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
        elif question.id.startswith(COULD_BE):
            self.spawn(self._answer_could_be(key, is_fact=yes))

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

    async def _answer_could_be(self, note_id: str, *, is_fact: bool) -> None:
        found = next((one for one in self.content.could_be if one.id == note_id), None)
        if found is None:
            return
        if is_fact:
            step = await made_fact(self.context, self.workspace_id, found)
        else:
            write = self.background.write
            step = await write(dismissed, self.inklings, self.workspace_id, found)
        if step is not None:
            self.accepted.emit(step)
            self.toast.show_message(
                step.text, icon=step.icon, undo_label=tr("Undo"), key_hint=tr("Ctrl Z")
            )
            self._go_on(f"{COULD_BE}{note_id}")

    async def _settle(
        self, row_id: str, call: Callable[..., object], *args: object, **kwargs: object
    ) -> None:
        if await self.change(call, *args, **kwargs):
            self._go_on(row_id)
