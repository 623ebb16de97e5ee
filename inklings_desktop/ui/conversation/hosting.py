"""Hosts an agent for the open workspace, tells how it is, and acts on a turn."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import StepBlock, TextBlock
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.drawing.steps import step_rows
from inklings_desktop.ui.conversation.guests import GuestTalking, keeper
from inklings_desktop.ui.conversation.talking import Talking
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.page_spec import RailMark
from inklings_desktop.ui.kit.page.destinations import ToMemoryBeside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.rows import Touched, Turn
    from inklings_desktop.agent_client.session import Problem
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.ui.kit.page.context import Context

TalkingT = TypeVar("TalkingT", bound=Talking)
_MEMORY_LINK = re.compile(r"\[([^\]]*)\]\(memory:[^)\s]*\)")
_MOST_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class TurnActs:
    """What can be done with a turn; None: not with this one, or not now.

    Attributes:
        copy: Puts a text on the clipboard.
        copy_chosen: Copies what is chosen with the mouse.
        write: Writes a memory that begins with a text.
        ask_again: Begins a conversation with what was said before the turn, and asks there.
        bookmark: Asks for a name, and marks the place under it.
        ask_why: Lets the agent say what the answer was made from.
        undo: Undoes what the turn changed.
    """

    copy: Callable[[str], None]
    copy_chosen: Callable[[], None]
    write: Callable[[str], None] | None
    ask_again: Callable[[], None] | None
    bookmark: Callable[[], None] | None
    ask_why: Callable[[], None] | None
    undo: Callable[[Sequence[Touched]], None]


def turn_menu(turn: Turn, chosen: str, plain: str, acts: TurnActs, parent: QWidget) -> QMenu:
    """The menu.

    Args:
        turn: What it is about.
        chosen: What is chosen with the mouse; empty for nothing.
        plain: The words of the turn as they read.
        acts: What its rows do.
        parent: Owner.
    """
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    text = rows.text_of_turn(turn)
    if chosen:
        menu.addAction(tr("Copy"), acts.copy_chosen)
    menu.addAction(tr("Copy text"), partial(acts.copy, plain)).setEnabled(bool(plain))
    if turn.role == rows.ASSISTANT:
        as_written = menu.addAction(tr("Copy as Markdown"), partial(acts.copy, text))
        as_written.setEnabled(bool(text))
    if acts.write is not None:
        words = chosen or without_memory_links(text)
        write = menu.addAction(tr("Write a memory from this"), partial(acts.write, words))
        write.setEnabled(bool(words))
    if acts.ask_again is not None:
        menu.addAction(tr("Ask again from here"), acts.ask_again)
    if acts.bookmark is not None:
        menu.addAction(tr("Bookmark this place\u2026"), acts.bookmark)
    if acts.ask_why is not None:
        menu.addAction(tr("Why this answer"), acts.ask_why)
    for one in turn.touched:
        if one.undo and turn.role == rows.ASSISTANT:
            excerpt = one.excerpt[:_MOST_EXCERPT].replace("&", "&&")
            words = tr("Undo: {text}").format(text=excerpt)
            menu.addAction(words, partial(acts.undo, (one,)))
    return menu


def without_memory_links(text: str) -> str:
    """An answer as prose: the words of a link to a memory stay, the link goes."""
    return _MEMORY_LINK.sub(r"\1", text)


class TouchedWalk:
    """Opens memories of a turn beside the thread, and goes from one to the next."""

    def __init__(self, context: Context, mark: Callable[[str], None]) -> None:
        """Nothing is open.

        Args:
            context: What every page is given.
            mark: Shows which memory is open: ``tier/id``, or none.
        """
        self._context, self._mark = context, mark
        self._turn: Turn | None = None
        self._touched: tuple[Touched, ...] = ()
        self._at = -1

    def open(self, touched: Touched, turn: Turn) -> None:
        """Open a memory beside the thread, as one of those that its turn touched."""
        self._turn, self._touched = turn, tuple(turn.touched) or (touched,)
        self._at = _place(touched, self._touched)
        self._mark(f"{touched.tier}/{touched.id}")
        those = [one.id for one in turn.touched if one.how == touched.how] or [touched.id]
        at = those.index(touched.id) + 1 if touched.id in those else 1
        labels = {
            "read": tr("Read for this turn, {n} of {all}"),
            "written": tr("Written in this turn, {n} of {all}"),
            "forgotten": tr("Forgotten in this turn, {n} of {all}"),
            "proposed": tr("Proposed in this turn, {n} of {all}"),
            "restored": tr("Restored in this turn, {n} of {all}"),
        }
        label = labels.get(touched.how, "").format(n=at, all=len(those))
        said = said_from(turn, touched)
        self._context.go(ToMemoryBeside(touched.id, label, touched.why, said))

    def step(self, step: int) -> None:
        """Go to the next memory that the turn touched, or the one before."""
        there = max(self._at, 0) + step
        if self._turn is not None and 0 <= there < len(self._touched):
            self.open(self._touched[there], self._turn)

    def steps(self) -> tuple[bool, bool]:
        """Whether the turn touched one before the memory that is open, and one after it."""
        return self._at > 0, 0 <= self._at < len(self._touched) - 1

    def closed(self) -> None:
        """Nothing is open beside the thread any more."""
        self._at = -1
        self._mark("")


def _place(touched: Touched, those: Sequence[Touched]) -> int:
    """Where it stands among those; a memory may stand there twice, as read and as written."""
    exact = (n for n, one in enumerate(those) if (one.id, one.how) == (touched.id, touched.how))
    same = (n for n, one in enumerate(those) if one.id == touched.id)
    return next(exact, next(same, -1))


def said_from(turn: Turn, touched: Touched) -> str:
    """The paragraph of an answer that leans on a memory; empty for none."""
    link = f"(memory:{touched.tier}/{touched.id})"
    for block in turn.blocks:
        if isinstance(block, TextBlock) and link in block.text:
            paragraph = next(one for one in block.text.split("\n\n") if link in one)
            return paragraph.replace(link, "").replace("[", "").replace("]", "").lstrip("> ")
    return ""


class Hosting(QObject):
    """One agent for one workspace after the other.

    Attributes:
        now: The agent's process; None before one was wanted.

    Signals:
        due: Id of a conversation that is to be drawn anew.
        asking: Id of a conversation in which the agent asks.
        turn_over: Id of a conversation in which a turn ended.
        state_changed: The agent came, or is gone.
        refused: Id of a conversation or None, and the ``Problem`` with what was asked for there.
        said: Id of a conversation in which a message was stored.
    """

    due = Signal(str)
    asking = Signal(str)
    turn_over = Signal(str)
    state_changed = Signal()
    refused = Signal(object, object)
    said = Signal(str)

    def __init__(
        self, context: Context, command: Callable[[], Sequence[str] | None], parent: QObject
    ) -> None:
        """Host nobody yet.

        Args:
            context: What every page is given.
            command: What starts the agent for the open workspace; None where none is installed.
            parent: Owner.
        """
        super().__init__(parent)
        self._context, self._command = context, command
        self._inviting: set[str] = set()
        self._marks: dict[str, str] = {}
        self._guests: dict[str, GuestTalking] = {}
        self._leads: dict[str, str] = {}
        self.now: Talking | None = None

    def talking_in(self, conversation_id: str) -> Talking:
        """The agent that answers in a conversation; its process is started once it is wanted."""
        return self._guests.get(self._leads.get(conversation_id, ""), self.talking)

    def let_lead(self, conversation_id: str, agent: Agent | None) -> None:
        """Let another's agent answer in a conversation from now on; None for the World Agent."""
        if agent is None:
            self._leads.pop(conversation_id, None)
            return
        self._leads[conversation_id] = agent.client
        known = self._guests.get(agent.client)
        here = self._context.here()
        if here is None or (known is not None and known.command == agent.command):
            return
        if known is not None:
            known.part()
        keep = keeper(self._context, here.workspace.id, self.said)
        made = GuestTalking(self._context, agent, here.workspace.id, keep, self)
        self._guests[agent.client] = self._heard(made)

    @property
    def problems(self) -> dict[str, Problem]:
        """What went wrong with agents that were started, by their client."""
        found = {client: one.problem or one.wants for client, one in self._guests.items()}
        return {client: problem for client, problem in found.items() if problem is not None}

    @property
    def talking(self) -> Talking:
        """The agent of the open workspace; its process is started once it is wanted."""
        if self.now is None:
            clock = self._context.inklings.clock
            here = self._context.here()
            keep = None if here is None else keeper(self._context, here.workspace.id, self.said)
            self.now = Talking(self._command(), self, clock=clock, keep=keep)
            self._heard(self.now)
        return self.now

    def _heard(self, talking: TalkingT) -> TalkingT:
        talking.due.connect(self._on_due)
        talking.asking.connect(self._on_asking)
        talking.turn_over.connect(self.turn_over)
        talking.state_changed.connect(self.state_changed)
        talking.refused.connect(self.refused)
        return talking

    @property
    def _all(self) -> list[Talking]:
        return [*([] if self.now is None else [self.now]), *self._guests.values()]

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of the conversations in which a message waits for the end of a turn."""
        return tuple(id_ for one in self._all for id_ in one.talk.waiting)

    def said_in(self, conversation_id: str) -> ThreadState:
        """What is said in a conversation."""
        return self.talking_in(conversation_id).talk.thread(conversation_id)

    def invite(self, workspace_id: str, conversation_id: str) -> None:
        """Let the agent take part in a conversation, and be there for it."""
        if conversation_id in self._inviting:
            return
        talking = self.talking_in(conversation_id)
        if talking.is_installed and talking.problem is None:
            self._inviting.add(conversation_id)
            self._context.background.spawn(self._invite(workspace_id, conversation_id))

    def leave(self) -> None:
        """Let go of the agent of the workspace before; the window does not wait for it."""
        for talking in self._drop():
            talking.part()
        for conversation_id in list(self._marks):
            self._mark(conversation_id, "")

    def close(self) -> None:
        """End the agent's process with the window."""
        for talking in self._drop():
            talking.close()
            talking.deleteLater()

    def _drop(self) -> list[Talking]:
        dropped = self._all
        self.now, self._guests, self._leads = None, {}, {}
        return dropped

    def tell_rail(self, conversation_id: str) -> None:
        """Let the conversation's row say whether the agent works there, or waits."""
        said = self.said_in(conversation_id)
        state = "waiting" if said.open_questions else "working" if said.is_running else ""
        self._mark(conversation_id, state)

    def _mark(self, conversation_id: str, state: str) -> None:
        if self._marks.get(conversation_id, "") != state:
            self._marks[conversation_id] = state
            self._context.mark(conversation_id, RailMark(state=state))

    async def _invite(self, workspace_id: str, conversation_id: str) -> None:
        invite = self._context.inklings.conversations.invite
        client = self._leads.get(conversation_id, wire.WORLD_AGENT)
        call = partial(invite, workspace_id, conversation_id, client)
        try:
            await self._context.background.write(call)
        finally:
            self._inviting.discard(conversation_id)
        self.talking_in(conversation_id).want(conversation_id)

    @Slot(set)
    def _on_due(self, sessions: set[str]) -> None:
        for session in sessions:
            self.tell_rail(session)
            self.due.emit(session)

    @Slot(str)
    def _on_asking(self, session: str) -> None:
        QApplication.alert(self._context.window)
        self.asking.emit(session)


class Announcing:
    """Says to a screen reader what became of the turn that runs."""

    def __init__(self, source: QObject) -> None:
        """Nothing was said yet.

        Args:
            source: Where it is heard from.
        """
        self._source = source
        self._steps_told = ""

    def steps(self, said: ThreadState) -> None:
        """What was done, once, when the answer to it begins."""
        last = said.turns[-1] if said.turns and said.is_running else None
        if last is None or last.id == self._steps_told:
            return
        steps = [one for one in last.blocks if isinstance(one, StepBlock)]
        if steps and any(isinstance(one, TextBlock) for one in last.blocks):
            self._steps_told = last.id
            announce(self._source, "; ".join(one.spoken for one in step_rows(steps)))

    def asks(self, agent: str) -> None:
        """The agent waits for an answer; ``agent`` is another's title, or empty."""
        asks = tr("{agent} asks you something.").format(agent=agent)
        ours = tr("The World Agent asks you something.")
        announce(self._source, asks if agent else ours, urgent=True)

    def over(self, said: ThreadState, agent: str) -> None:
        """A turn ended: how, and how much there is to read."""
        last = said.turns[-1] if said.turns else None
        if last is None:
            return
        if last.state in {rows.FAILED, rows.INTERRUPTED}:
            announce(self._source, tr("The turn failed."), urgent=True)
            return
        n = sum(len(one.text.split("\n\n")) for one in last.blocks if isinstance(one, TextBlock))
        told = counted(
            n, "World Agent answered, 1 paragraph", "World Agent answered, {n} paragraphs"
        )
        if agent:
            told = counted(n, "{agent} answered, 1 paragraph", "{agent} answered, {n} paragraphs")
            told = told.format(agent=agent)
        announce(self._source, told)
