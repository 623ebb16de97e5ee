"""Hosts an agent for the open workspace; tells the rail, and who listens, how it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import StepBlock, TextBlock
from inklings_desktop.agent_client.session import problem_of_keeping
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.conversation.drawing.steps import step_rows
from inklings_desktop.ui.conversation.talking import Talking
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.page_spec import RailMark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent_client.session import Problem
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.ui.kit.page.context import Context


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
        self.now: Talking | None = None

    @property
    def talking(self) -> Talking:
        """The agent of the open workspace; its process is started once it is wanted."""
        if self.now is None:
            clock = self._context.inklings.clock
            here = self._context.here()
            keep = None if here is None else partial(self._keep, here.workspace.id)
            talking = self.now = Talking(self._command(), self, clock=clock, keep=keep)
            talking.due.connect(self._on_due)
            talking.asking.connect(self._on_asking)
            talking.turn_over.connect(self.turn_over)
            talking.state_changed.connect(self.state_changed)
            talking.refused.connect(self.refused)
        return self.now

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of the conversations in which a message waits for the end of a turn."""
        return () if self.now is None else self.now.talk.waiting

    def said_in(self, conversation_id: str) -> ThreadState:
        """What is said in a conversation."""
        return self.talking.talk.thread(conversation_id)

    def invite(self, workspace_id: str, conversation_id: str) -> None:
        """Let the agent take part in a conversation, and be there for it."""
        if conversation_id in self._inviting:
            return
        if self.talking.is_installed and self.talking.problem is None:
            self._inviting.add(conversation_id)
            self._context.background.spawn(self._invite(workspace_id, conversation_id))

    def leave(self) -> None:
        """Let go of the agent of the workspace before; the window does not wait for it."""
        talking, self.now = self.now, None
        if talking is not None:
            talking.part()
        for conversation_id in list(self._marks):
            self._mark(conversation_id, "")

    def close(self) -> None:
        """End the agent's process with the window."""
        talking, self.now = self.now, None
        if talking is not None:
            talking.close()
            talking.deleteLater()

    def tell_rail(self, conversation_id: str) -> None:
        """Let the conversation's row say whether the agent works there, or waits."""
        said = self.said_in(conversation_id)
        state = "waiting" if said.open_questions else "working" if said.is_running else ""
        self._mark(conversation_id, state)

    def _mark(self, conversation_id: str, state: str) -> None:
        if self._marks.get(conversation_id, "") != state:
            self._marks[conversation_id] = state
            self._context.mark(conversation_id, RailMark(state=state))

    def _keep(
        self,
        workspace_id: str,
        session: str,
        turn: str,
        said: Sequence[Mapping[str, Any]],
        then: Callable[[Problem | None], None],
    ) -> None:
        """Store what is said, then let the agent hear of it."""

        async def kept() -> None:
            store = partial(
                self._context.inklings.messages.keep_said, workspace_id, session, turn, said
            )
            try:
                await self._context.background.write(store)
            except InklingsError as error:
                then(problem_of_keeping(error))
            else:
                self.said.emit(session)
                then(None)

        self._context.background.spawn(kept())

    async def _invite(self, workspace_id: str, conversation_id: str) -> None:
        invite = self._context.inklings.conversations.invite
        call = partial(invite, workspace_id, conversation_id, wire.WORLD_AGENT)
        try:
            await self._context.background.write(call)
        finally:
            self._inviting.discard(conversation_id)
        self.talking.want(conversation_id)

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

    def asks(self) -> None:
        """The agent waits for an answer."""
        announce(self._source, tr("The World Agent asks you something."), urgent=True)

    def over(self, said: ThreadState) -> None:
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
        announce(self._source, told)
