"""The Conversation page: what is said with the World Agent, led over one workspace."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.launching import world_agent_command
from inklings_desktop.agent_client.rows import NoticeBlock, ProblemBlock, TextBlock
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.ui.conversation.composer import Doing
from inklings_desktop.ui.conversation.drafts import TEXT_URI, Attachment, Draft, attached, draft_of
from inklings_desktop.ui.conversation.drawing.pieces import (
    DROP_QUEUED,
    EDIT_QUEUED,
    MEMORY,
    READ_LIST,
    UNDO,
)
from inklings_desktop.ui.conversation.facts import (
    PAGE,
    ConversationContent,
    found_memories,
    let_agent_in,
    read_conversation,
    told,
)
from inklings_desktop.ui.conversation.popovers import AttachPopover, TouchedPopover
from inklings_desktop.ui.conversation.talking import Talking
from inklings_desktop.ui.conversation.thread.thread_rows import thread_rows
from inklings_desktop.ui.conversation.view import ConversationView
from inklings_desktop.ui.conversation.words import (
    CONTINUE,
    COPY,
    COPY_LINE,
    GRANT,
    INSTALL_LINE,
    INTERRUPTED,
    LEAVE,
    RESTART,
    RETRY,
    WAIT,
    ProblemWords,
    allowance_words,
    no_model_name,
    pasted_title,
    problem_words,
)
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.page_spec import PREVIEW_PAGE, RailMark
from inklings_desktop.ui.kit.ops.storing import why_withheld
from inklings_desktop.ui.kit.page.destinations import (
    ToAgent,
    ToConversation,
    ToMemoryBeside,
    ToNewMemory,
    ToRoom,
)
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.places import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.problems import Problem
    from inklings_desktop.agent_client.rows import Block, Turn
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.agent_client.touched import Touched
    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.messages import Allowance, Message
    from inklings_desktop.ui.conversation.drawing.pieces import Part
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.kit.words.places import Surroundings

    Launch = Callable[[Path | None, str | None], Sequence[str] | None]


_MEMORY_LINK = re.compile(r"\[([^\]]*)\]\(memory:[^)\s]*\)")


class ConversationPage(Page[ConversationContent]):
    """Shows one conversation, and talks in it.

    Attributes:
        conversation_id: The one on show; empty while there is none.
        talking: The agent's process; None before the page was first shown.
        launch: What starts the agent for a data root and a workspace; None where none is installed.
    """

    view: ConversationView
    launch: ClassVar[Launch] = world_agent_command

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, ConversationView(context.theme, parent))
        self.conversation_id = ""
        self.talking: Talking | None = None
        self._drafts: dict[str, Draft] = {}
        self._earlier: tuple[Message, ...] = ()
        self._has_earlier = False
        self._is_reading_earlier = False
        self._inviting: set[str] = set()
        self._marks: dict[str, str] = {}
        self._refused: ProblemBlock | None = None
        self._left: set[str] = set()
        self._seeking = Latest(self.background)
        self._touched: tuple[Touched, ...] = ()
        self._touched_turn: Turn | None = None
        self._opened: Touched | None = None
        self._connect()

    def _connect(self) -> None:
        view, thread, composer = self.view, self.view.thread_view, self.view.composer
        view.header.memories.clicked.connect(self._on_room_wanted)
        view.header.notes.clicked.connect(self._on_room_wanted)
        view.start.preview_wanted.connect(partial(self.context.go, PREVIEW_PAGE))
        view.start.said.connect(self._on_command_chosen)
        view.acted.connect(self._on_notice_acted)
        thread.activated_part.connect(self._on_part_activated)
        thread.answered.connect(self._on_answered)
        thread.wanted.connect(self._on_wanted)
        thread.earlier_wanted.connect(self._on_earlier_wanted)
        thread.menu_wanted.connect(self._on_menu_wanted)
        composer.sent.connect(self.send)
        composer.stopped.connect(self.stop)
        composer.changed.connect(self._on_draft_changed)
        composer.attach_wanted.connect(self._on_attach_wanted)
        composer.queued_wanted.connect(self._on_queued_wanted)
        composer.opened.connect(self._on_attachment_opened)
        composer.pasted_long.connect(self._on_pasted_long)

    # -- which conversation -------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Stand to another workspace, at the conversation that is looked at or heard last."""
        if workspace_id != self.workspace_id:
            self._leave_talking()
            self.conversation_id = ""
        self.workspace_id = workspace_id
        if not self.conversation_id:
            self._stand_at(self._likeliest())
        self._keep_up.ask()
        await self.settled()

    def arrive(self, where: Destination) -> None:
        """Show a conversation, or let an agent begin before one is."""
        if isinstance(where, ToAgent):
            self._talking().prestart()
        elif isinstance(where, ToConversation):
            self._stand_at(where.conversation_id or self.conversation_id or self._likeliest())

    def show_surroundings(self, here: Surroundings) -> None:
        """One that is gone gives way to another."""
        if self.conversation_id and here.conversation(self.conversation_id) is None:
            self._stand_at(self._likeliest())

    def _likeliest(self) -> str:
        here, place = self.context.here(), self.context.place()
        if here is None:
            return ""
        if place.tier is Tier.CONVERSATION and place.room:
            return place.room
        heard = sorted(here.open_conversations, key=lambda one: one.silent_since, reverse=True)
        return heard[0].id if heard else ""

    def _stand_at(self, conversation_id: str) -> None:
        if conversation_id == self.conversation_id and self.content is not None:
            return
        self.conversation_id = conversation_id
        self.content = None
        self._earlier, self._has_earlier = (), False
        self._refused, self._opened = None, None
        self.view.thread_view.begin_thread()
        draft = self._drafts.get(conversation_id, Draft())
        self.view.composer.blockSignals(True)
        self.view.composer.show_text(draft.text)
        self.view.composer.show_attachments(draft.attachments)
        self.view.composer.blockSignals(False)
        self.view.show_waiting()
        self._keep_up.ask()

    # -- what is read -------------------------------------------------------------------------

    def read_content(self) -> ConversationContent:
        """The conversation as it is stored; runs on a reader.

        Raises:
            InklingsError: It cannot be read.
        """
        return read_conversation(self.inklings, self.workspace_id, self.conversation_id)

    def show_content(self, content: ConversationContent) -> None:
        """Show the conversation, and let an agent be there for it."""
        view, talk = self.view, content.talk
        if talk is not None and talk.id != self.conversation_id:
            return  # another one was chosen meanwhile
        here = self.context.here()
        n_memories = 0
        if here is not None and talk is not None:
            n_memories = here.count(Place(Tier.CONVERSATION, talk.id))
        view.header.show_conversation(
            talk, content.channel, n_memories, content.n_notes, self.inklings.clock()
        )
        if talk is None:
            view.show_allowed(())
            view.show_nothing()
            return
        self._show_allowed(content)
        view.thread_view.setAccessibleName(talk.title or talk.ref_code)
        self._take_stored(content)
        self.draw()
        self._begin_agent()
        self._mark_read(content)

    def _show_allowed(self, content: ConversationContent) -> None:
        """Offer to take back what the agent may do here without asking."""
        if content.talk is None or why_withheld():
            self.view.show_allowed(())
            return
        words = [
            tr("Take back: {text}").format(text=allowance_words(one.tool))
            for one in content.allowed
        ]
        acts = [partial(self._take_back, content.talk.id, one) for one in content.allowed]
        self.view.show_allowed(list(zip(words, acts, strict=True)))

    def _take_back(self, conversation_id: str, allowance: Allowance) -> None:
        self.spawn(self._taken_back(conversation_id, allowance))

    async def _taken_back(self, conversation_id: str, allowance: Allowance) -> None:
        take_back = self.inklings.messages.take_back
        if await self.change(take_back, self.workspace_id, conversation_id, allowance):
            self.context.tell(tr("The agent asks again before it does that here"))

    def show_failure(self, error: InklingsError) -> None:
        """Said to who looks."""
        if self.view.isVisible():
            super().show_failure(error)

    @property
    def said(self) -> ThreadState:
        """What is said in the conversation on show."""
        return self._talking().talk.thread(self.conversation_id)

    def _take_stored(self, content: ConversationContent) -> None:
        """Tell the thread what is stored and it does not know: another program may have talked."""
        thread = self.said
        if thread.is_running:
            return
        known = {(turn.id, turn.role) for turn in thread.turns}
        stored = [(one.turn, one.role.value) for one in content.messages]
        is_new = [one for one in stored if one not in known]
        if not is_new:
            return
        thread.begin_again()
        thread.replay(told(content.messages))
        thread.told_again()
        self._earlier, self._has_earlier = content.messages, content.has_earlier

    def _mark_read(self, content: ConversationContent) -> None:
        unread = any(
            one.read_at is None and one.role is MessageRole.ASSISTANT for one in content.messages
        )
        if unread and self.view.isVisible() and not why_withheld():
            mark = self.inklings.messages.mark_read
            self.spawn(self.background.write(mark, self.workspace_id, self.conversation_id))

    @Slot()
    def _on_earlier_wanted(self) -> None:
        if self._has_earlier and not self._is_reading_earlier and self._earlier:
            self._is_reading_earlier = True
            self.spawn(self._read_earlier(self.conversation_id))

    async def _read_earlier(self, conversation_id: str) -> None:
        """Put the page before what is there above it."""
        try:
            found, has_more = await self.background.read(
                self.inklings.messages.list,
                self.workspace_id,
                conversation_id,
                before=self._earlier[0].number,
                limit=PAGE,
            )
        finally:
            self._is_reading_earlier = False
        if conversation_id == self.conversation_id and found:
            self.said.prepend(told(found))
            self._earlier, self._has_earlier = found, has_more
            self.draw()

    # -- what is drawn ------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw what is said now."""
        thread, view = self.said, self.view
        turns = [*self._with_way_on(thread.turns), *self._queued_turn(thread)]
        now = self.inklings.clock()
        facts = self._talking().talk.facts
        author = self.content.author if self.content is not None else ""
        has_model = facts is not None and not facts.is_mechanical
        view.thread_view.show_speakers(author, has_model=has_model)
        view.thread_view.show_rows(thread_rows(turns, now))
        view.show_thread(is_empty=not turns)
        self._show_state()

    def _with_way_on(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """The turns; where the last one was cut off and can go on, it says so."""
        last = turns[-1] if turns else None
        if last is None or last.state != rows.INTERRUPTED:
            return turns
        gone = {wire.AGENT_GONE, wire.AGENT_FAILED_TO_START, wire.AGENT_TOO_LOUD}
        is_there = self._talking().is_ready
        problems = [one for one in last.blocks if isinstance(one, ProblemBlock)]
        if problems and not (is_there and problems[-1].word in gone):
            return turns
        rest = tuple(one for one in last.blocks if one not in problems)
        if last.id in self._left:
            return (*turns[:-1], replace(last, blocks=rest, state=rows.STOPPED))
        word = INTERRUPTED if is_there else wire.AGENT_GONE
        return (*turns[:-1], replace(last, blocks=(*rest, ProblemBlock(word))))

    def _queued_turn(self, thread: ThreadState) -> tuple[Turn, ...]:
        """The message that waits for the running turn to end, as a turn of the author."""
        if not thread.queued:
            return ()
        draft = draft_of(thread.queued)
        blocks: tuple[Block, ...] = (
            TextBlock(draft.text),
            *(rows.AttachmentBlock(one.uri, one.title, one.text) for one in draft.attachments),
            NoticeBlock("queued"),
        )
        at = self.inklings.clock()
        return (rows.Turn("queued", rows.USER, "person", at, rows.COMPLETE, blocks),)

    def _show_state(self) -> None:
        """What the composer can do, what the card above it says, what the rail tells."""
        view, thread, content = self.view, self.said, self.content
        name = no_model_name()
        view.composer.who.show_mark("gear-fine", "inkSoft", name)
        view.composer.remark.setText(tr("nothing is paid") if not view.is_narrow else "")
        view.composer.show_send_key(is_with_ctrl=self._is_sent_with_ctrl())
        questions = thread.open_questions
        hint = tr("Write to the World Agent")
        if questions:
            hint = tr("Or say what to do instead")
        elif thread.is_running:
            hint = tr("Write the next message; it is sent when this turn ends")
        elif not thread.turns:
            hint = tr("Try: Remember that \u2026")
        view.composer.show_hint(hint, tr("Message to the World Agent"))
        notice = self._notice()
        reason = why_withheld()
        if content is not None and content.is_archived:
            reason = tr("This conversation is archived.")
        is_closed = bool(reason) or not self._talking().is_installed
        doing = Doing.ANSWERING if thread.is_running else Doing.NOTHING
        view.composer.show_doing(Doing.CLOSED if is_closed else doing, reason=reason)
        view.show_notice(notice)
        state = "waiting" if questions else "working" if thread.is_running else ""
        self._mark(self.conversation_id, state)
        self.told.emit()

    def _notice(self) -> ProblemWords | None:
        """What is to be known before one writes."""
        content, talking = self.content, self._talking()
        if content is not None and content.is_archived:
            return problem_words(ProblemBlock(wire.CONVERSATION_ARCHIVED))
        if why_withheld():
            return None
        if not talking.is_installed:
            return problem_words(ProblemBlock(wire.AGENT_NOT_INSTALLED))
        if content is not None and not content.is_granted:
            return ProblemWords(
                "lapis",
                "planet",
                tr("Let the World Agent in?"),
                tr(
                    "It reads this world and what it may know about you, and writes to "
                    "conversation, channel and workspace. Each change stands under its answer "
                    "and can be taken back there; about you it only proposes."
                ),
                (GRANT,),
            )
        if talking.problem is not None and not self._shows_problem():
            return problem_words(ProblemBlock(talking.problem.word, talking.problem.detail))
        return None if self._refused is None else problem_words(self._refused)

    def _shows_problem(self) -> bool:
        """Whether the last turn itself says why there is no agent."""
        turns = self.said.turns
        last = turns[-1] if turns else None
        return last is not None and any(isinstance(one, ProblemBlock) for one in last.blocks)

    def _mark(self, conversation_id: str, state: str) -> None:
        if self._marks.get(conversation_id, "") != state:
            self._marks[conversation_id] = state
            self.context.mark(conversation_id, RailMark(state=state))

    # -- the agent ----------------------------------------------------------------------------

    def _talking(self) -> Talking:
        if self.talking is None:
            command = type(self).launch(self.inklings.data_dir, self.workspace_id)
            self.talking = Talking(command, self, clock=self.inklings.clock)
            self.talking.due.connect(self._on_due)
            self.talking.asking.connect(self._on_asking)
            self.talking.turn_over.connect(self._on_turn_over)
            self.talking.state_changed.connect(self._on_agent_changed)
            self.talking.refused.connect(self._on_refused)
        return self.talking

    def _leave_talking(self) -> None:
        """Let go of the agent of the workspace before; the window does not wait for it."""
        talking, self.talking = self.talking, None
        if talking is not None:
            talking.part()
        for conversation_id in list(self._marks):
            self._mark(conversation_id, "")

    def close(self) -> None:
        """End the agent's process with the window."""
        talking, self.talking = self.talking, None
        if talking is not None:
            talking.close()
            talking.deleteLater()

    def _begin_agent(self) -> None:
        """Let an agent be there, where the author lets it in."""
        content = self.content
        may = content is not None and content.is_granted and not content.is_archived
        if not may or why_withheld() or self.conversation_id in self._inviting:
            return
        if self._talking().is_installed and self._talking().problem is None:
            self._inviting.add(self.conversation_id)
            self.spawn(self._invite(self.conversation_id))

    async def _invite(self, conversation_id: str) -> None:
        try:
            await self.background.write(
                self.inklings.conversations.invite,
                self.workspace_id,
                conversation_id,
                wire.WORLD_AGENT,
            )
        finally:
            self._inviting.discard(conversation_id)
        self._talking().want(conversation_id)

    @Slot(set)
    def _on_due(self, sessions: set[str]) -> None:
        for session in sessions:
            thread = self._talking().talk.thread(session)
            if session == self.conversation_id:
                self.draw()
            else:
                waits = bool(thread.open_questions)
                self._mark(session, "waiting" if waits else "working" if thread.is_running else "")

    @Slot(str)
    def _on_asking(self, session: str) -> None:
        QApplication.alert(self.context.window)
        if session == self.conversation_id:
            announce(self.view, tr("The World Agent asks before it goes on."), urgent=True)

    @Slot(str)
    def _on_turn_over(self, session: str) -> None:
        turns = self._talking().talk.thread(session).turns
        if session != self.conversation_id or not turns:
            return
        last = turns[-1]
        if last.state in {rows.FAILED, rows.INTERRUPTED}:
            announce(self.view, tr("The turn did not end as it should."), urgent=True)
            return
        n = sum(len(one.text.split("\n\n")) for one in last.blocks if isinstance(one, TextBlock))
        announce(
            self.view,
            counted(n, "World Agent answered, 1 paragraph", "World Agent answered, {n} paragraphs"),
        )

    @Slot()
    def _on_agent_changed(self) -> None:
        if self.content is not None and self.content.talk is not None:
            self.draw()

    @Slot(object, object)
    def _on_refused(self, session: str | None, problem: Problem) -> None:
        if session in {None, self.conversation_id}:
            self._refused = ProblemBlock(problem.word, problem.detail)
            self._on_agent_changed()

    # -- what is said -------------------------------------------------------------------------

    @Slot()
    def send(self) -> None:
        """Say what is written; while the agent answers, it is queued."""
        composer, talking = self.view.composer, self._talking()
        draft = Draft(composer.text(), composer.attachments())
        content = self.content
        if draft.is_empty or content is None or not talking.is_installed:
            return
        if not content.is_granted:
            self.view.focus_card()
            return
        self._refused = None
        if talking.problem is not None:
            talking.restart(self.conversation_id)
        talking.want(self.conversation_id)
        composer.show_text("")
        composer.show_attachments(())
        self.view.thread_view.go_to_foot()
        talking.talk.prompt(self.conversation_id, draft.said())

    @Slot()
    def stop(self) -> None:
        """Stop the turn that runs; what was written stays."""
        self._talking().talk.cancel(self.conversation_id)

    @Slot(str, str)
    def _on_answered(self, question: str, option: str) -> None:
        self._talking().talk.answer(question, option)
        self.view.focus_composer()

    @Slot(str, object)
    def _on_wanted(self, act: str, problem: ProblemBlock) -> None:
        """Do what a card in the thread offers."""
        talk, here = self._talking(), self.conversation_id
        if act == RETRY:
            talk.talk.retry(here)
        elif act == CONTINUE:
            talk.want(here)
            talk.talk.continue_(here)
        elif act == RESTART:
            talk.restart(here)
        elif act == COPY:
            self._copy(f"{problem.word} {problem.detail}\n{talk.last_lines}".strip())
        elif act == LEAVE:
            self._left.add(self.said.turns[-1].id)
            self.draw()
        elif act == WAIT:
            self._talking().want(here)
            self.read_again()
        else:
            self._on_notice_acted(act)
        self.view.focus_composer()

    @Slot(str)
    def _on_notice_acted(self, act: str) -> None:
        """Do what the card above the composer offers."""
        if act == GRANT:
            self.spawn(self._let_in())
        elif act == COPY_LINE:
            self._copy(INSTALL_LINE)
        elif act == COPY:
            problem = self._talking().problem or self._refused
            detail = "" if problem is None else f"{problem.word} {problem.detail}"
            self._copy(f"{detail}\n{self._talking().last_lines}".strip())
        else:
            self._refused = None
            self._talking().restart(self.conversation_id)
            self._on_agent_changed()

    async def _let_in(self) -> None:
        if await self.change(let_agent_in, self.inklings, self.workspace_id):
            self.context.tell(tr("The World Agent may work in this workspace now"))
            self.view.focus_composer()

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.context.tell(tr("Copied"))

    # -- the draft ----------------------------------------------------------------------------

    @Slot()
    def _on_draft_changed(self) -> None:
        composer = self.view.composer
        draft = Draft(composer.text(), composer.attachments())
        if draft.is_empty:
            self._drafts.pop(self.conversation_id, None)
        elif self.conversation_id:
            self._drafts[self.conversation_id] = draft

    @Slot(str)
    def _on_command_chosen(self, text: str) -> None:
        self.view.composer.show_text(text)
        self.view.focus_composer()

    @Slot()
    def _on_queued_wanted(self) -> None:
        draft = draft_of(self._talking().talk.unqueue(self.conversation_id))
        if not draft.is_empty:
            self.view.composer.show_text(draft.text)
            self.view.composer.show_attachments(draft.attachments)

    @Slot(str)
    def _on_pasted_long(self, text: str) -> None:
        number = len(self.view.composer.attachments()) + 1
        one = Attachment(f"{TEXT_URI}{number}", pasted_title(len(text)), text)
        self._attach((one,))

    def attach(self) -> None:
        """Choose what is attached to the message."""
        if not self.view.composer.edit.isReadOnly():
            self._on_attach_wanted(False)

    @Slot(bool)
    def _on_attach_wanted(self, by_at: bool) -> None:  # noqa: FBT001 - a signal's payload
        popover = AttachPopover(self.context.theme, self.view)
        popover.sought.connect(partial(self._seek, popover))
        popover.attached.connect(partial(self._on_attached, by_at=by_at))
        popover.closed.connect(popover.deleteLater)
        self._seek(popover, "")
        popover.popup_below(self.view.composer.attach)

    def _seek(self, popover: AttachPopover, text: str) -> None:
        self._seeking.run(self._find(popover, text))

    async def _find(self, popover: AttachPopover, text: str) -> None:
        here = self.context.here()
        if here is not None:
            popover.show_found(
                await self.background.read(found_memories, self.inklings, here, text)
            )

    def _on_attached(self, entries: Sequence[MemoryEntry], *, by_at: bool) -> None:
        if by_at:
            self.view.composer.edit.take_back_at()
        self.attach_entries(entries)
        self.view.focus_composer()

    def attach_entries(self, entries: Sequence[MemoryEntry]) -> None:
        """Put memories to the message."""
        self._attach(tuple(attached(one) for one in entries))

    def _attach(self, more: tuple[Attachment, ...]) -> None:
        composer = self.view.composer
        known = {one.uri for one in composer.attachments()}
        new = tuple(one for one in more if one.uri not in known)
        composer.show_attachments((*composer.attachments(), *new))

    @Slot(object)
    def _on_attachment_opened(self, one: Attachment) -> None:
        if one.tier:
            self.context.go(ToMemoryBeside(one.memory_id, tr("Attached to the message")))

    # -- what a turn touched ------------------------------------------------------------------

    @Slot(object, object)
    def _on_part_activated(self, part: Part, turn: Turn) -> None:
        if part.act[0] == MEMORY:
            self.open_memory(part.act[1], turn)
        elif part.act[0] == READ_LIST:
            popover = TouchedPopover(self.context.theme, part.act[1], self.view)
            popover.chosen.connect(lambda one: self.open_memory(one, turn))
            popover.closed.connect(popover.deleteLater)
            popover.popup_below(self.view.composer)
        elif part.act[0] == UNDO:
            self._undo(turn, part.act[1])
        elif part.act[0] == EDIT_QUEUED:
            self._on_queued_wanted()
            self.view.focus_composer()
        elif part.act[0] == DROP_QUEUED:
            self._talking().talk.unqueue(self.conversation_id)

    def open_memory(self, touched: Touched, turn: Turn) -> None:
        """Open a memory beside the thread, as one of those that its turn touched."""
        those = [one for one in turn.touched if one.how == touched.how] or [touched]
        self._touched, self._touched_turn = tuple(turn.touched) or (touched,), turn
        self._opened = touched
        self.view.thread_view.show_opened(f"{touched.tier}/{touched.id}")
        at = next((n for n, one in enumerate(those) if one.id == touched.id), 0) + 1
        labels = {
            "read": tr("Read for this turn, {n} of {all}"),
            "written": tr("Written in this turn, {n} of {all}"),
            "forgotten": tr("Forgotten in this turn, {n} of {all}"),
            "proposed": tr("Proposed in this turn, {n} of {all}"),
            "restored": tr("Restored in this turn, {n} of {all}"),
        }
        label = labels.get(touched.how, "").format(n=at, all=len(those))
        said = said_from(turn, touched)
        self.context.go(ToMemoryBeside(touched.id, label, touched.why, said))

    def step_touched(self, step: int) -> None:
        """Go to the next memory that the turn touched, or the one before."""
        if self._touched_turn is None or not self._touched:
            return
        ids = [one.id for one in self._touched]
        at = (
            ids.index(self._opened.id) if self._opened is not None and self._opened.id in ids else 0
        )
        there = at + step
        if 0 <= there < len(ids):
            self.open_memory(self._touched[there], self._touched_turn)

    def touched_steps(self) -> tuple[bool, bool]:
        """Whether the turn touched one before the memory that is open, and one after it."""
        ids = [one.id for one in self._touched]
        if self._opened is None or self._opened.id not in ids:
            return False, False
        at = ids.index(self._opened.id)
        return at > 0, at < len(ids) - 1

    def memory_closed(self) -> None:
        """Nothing is open beside the thread any more."""
        self._opened = None
        self.view.thread_view.show_opened("")

    def _undo(self, turn: Turn, touched: Sequence[Touched]) -> None:
        memory = touched[0].id if len(touched) == 1 else None
        done = counted(len(touched), "Taken back", "All {n} changes are taken back")
        self._talking().talk.undo(
            self.conversation_id,
            turn.id,
            memory,
            then=lambda: self.view.toast.show_message(done, icon="arrow-counter-clockwise"),
        )

    @Slot()
    def _on_room_wanted(self) -> None:
        self.context.go(ToRoom(self.conversation_id))

    @Slot(object, QPoint)
    def _on_menu_wanted(self, turn: Turn, at: QPoint) -> None:
        menu = QMenu(self.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = rows.text_of_turn(turn)
        if self.view.thread_view.chosen_text():
            menu.addAction(tr("Copy"), self.view.thread_view.copy_chosen)
        menu.addAction(tr("Copy text"), partial(self._copy, text)).setEnabled(bool(text))
        if not why_withheld():
            words = self.view.thread_view.chosen_text() or without_memory_links(text)
            write = menu.addAction(
                tr("Write a memory from this"), partial(self.context.go, ToNewMemory(words))
            )
            write.setEnabled(bool(words))
        if turn.role == rows.ASSISTANT:
            if turn == self.said.turns[-1] and self._can_say():
                menu.addAction(tr("Why this answer"), self._ask_why)
            undoable = [one for one in turn.touched if one.undo]
            for one in undoable:
                words = tr("Take back: {text}").format(text=one.excerpt[:40].replace("&", "&&"))
                menu.addAction(words, partial(self._undo, turn, (one,)))
        menu.popup(at)

    def _is_sent_with_ctrl(self) -> bool:
        return self.inklings.settings.appearance.send_key == "ctrl_enter"

    def _can_say(self) -> bool:
        """Whether a message would be answered at once."""
        content = self.content
        is_open = content is not None and content.is_granted and not content.is_archived
        is_silent = not self.said.is_running and not why_withheld()
        return is_open and is_silent and self._talking().is_ready

    def _ask_why(self) -> None:
        """Let the agent tell what its last answer was made from; it remembers no earlier one."""
        asked = {"kind": "text", "text": f"/{wire.COMMAND_WHY}"}
        self.view.thread_view.go_to_foot()
        self._talking().talk.prompt(self.conversation_id, (asked,))

    # -- what the window asks -----------------------------------------------------------------

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        """Bring the keyboard to the composer, also while a card waits."""
        self.view.focus_composer()

    def panes(self) -> Panes:
        """What F6 goes through."""
        return self.view.stops()

    def key_hints(self) -> tuple[KeyHint, ...]:
        """What can be done by key just now."""
        next_pane = KeyHint(("F6",), tr("next pane"))
        if self.talking is None or not self.conversation_id:
            return (KeyHint(("Ctrl T",), tr("new conversation")), next_pane)
        if self.said.open_questions:
            return (
                KeyHint(("F6",), tr("to the question")),
                KeyHint(("Y",), tr("allow once")),
                KeyHint(("A",), tr("always here")),
                KeyHint(("N",), tr("deny")),
                KeyHint(("Esc",), tr("back to writing")),
            )
        send = "Ctrl Enter" if self._is_sent_with_ctrl() else "Enter"
        if self.said.is_running:
            return (
                KeyHint((send,), tr("queue")),
                KeyHint(("Ctrl .",), tr("stop")),
                KeyHint(("J", "K"), tr("turns")),
                next_pane,
            )
        return (
            KeyHint((send,), tr("send")),
            KeyHint(("J", "K"), tr("turns")),
            KeyHint(("Ctrl T",), tr("new conversation")),
            next_pane,
        )

    @property
    def has_unsaved(self) -> bool:
        """What is not sent yet stays in its conversation, and asks nothing."""
        return False

    def on_shown(self, *, is_shown: bool) -> None:
        """Reads what came meanwhile."""
        super().on_shown(is_shown=is_shown)


def without_memory_links(text: str) -> str:
    """An answer as prose: the words of a link to a memory stay, the link goes."""
    return _MEMORY_LINK.sub(r"\1", text)


def said_from(turn: Turn, touched: Touched) -> str:
    """The paragraph of an answer that leans on a memory; empty for none."""
    link = f"(memory:{touched.tier}/{touched.id})"
    for block in turn.blocks:
        if isinstance(block, TextBlock) and link in block.text:
            paragraph = next(one for one in block.text.split("\n\n") if link in one)
            return paragraph.replace(link, "").replace("[", "").replace("]", "").lstrip("> ")
    return ""
