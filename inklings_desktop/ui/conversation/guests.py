"""Leads the process of another maker's agent, and keeps for it what is said with it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from inklings_desktop.agent_client.launching import empty_folder, leave_folder
from inklings_desktop.agent_client.recording import answer_of
from inklings_desktop.agent_client.rows import ASSISTANT, ProblemBlock
from inklings_desktop.agent_client.session import (
    MEMORY_UNUSED,
    SIGN_IN_NEEDED,
    Problem,
    problem_of_keeping,
)
from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.ui.conversation.talking import Talking
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from PySide6.QtCore import QObject, SignalInstance

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.session import Keep
    from inklings_desktop.ui.kit.page.context import Context

MEMORY_MS = 30_000
"""So long an agent may take until it comes by the memory that it was handed."""


def keeper(context: Context, workspace_id: str, stored: SignalInstance) -> Keep:
    """What stores a person's message before an agent hears of it.

    Args:
        context: What every page is given.
        workspace_id: Where the conversation is.
        stored: Told its id once the message is stored.
    """

    def keep(
        session: str,
        turn: str,
        said: Sequence[Mapping[str, Any]],
        then: Callable[[Problem | None], None],
    ) -> None:
        async def kept() -> None:
            store = partial(context.inklings.messages.keep_said, workspace_id, session, turn, said)
            try:
                await context.background.write(store)
            except InklingsError as error:
                then(problem_of_keeping(error))
            else:
                stored.emit(session)
                then(None)

        context.background.spawn(kept())

    return keep


class GuestTalking(Talking):
    """One agent of another maker for one workspace.

    It is handed our memory under its own name; whether it came by it is looked at once.

    Attributes:
        wants: The problem that it wants one to sign in there; None where it does not.
    """

    def __init__(
        self, context: Context, agent: Agent, workspace_id: str, keep: Keep, parent: QObject
    ) -> None:
        """Start nothing yet.

        Args:
            context: What every page is given.
            agent: Which one.
            workspace_id: Whose memory it is handed.
            keep: Stores what is said before the agent hears of it.
            parent: Owner.
        """
        inklings = context.inklings
        self._context, self._workspace_id, self._agent = context, workspace_id, agent
        self._folder = Path(empty_folder())
        server = inklings.clients.describe_server(agent.client, workspace_id)
        super().__init__(
            agent.command,
            parent,
            clock=inklings.clock,
            keep=keep,
            guest=agent.guest(server, str(self._folder)),
            variables={one: os.environ[one] for one in agent.preset.env if one in os.environ},
        )
        self.wants: Problem | None = None
        self._again = ""
        self._since: datetime | None = None
        self._first = ""
        self._wait = timer(self, self._on_memory_due, MEMORY_MS)
        self.destroyed.connect(partial(leave_folder, self._folder))

    def opened(self, session: str) -> None:
        """Its conversation has begun: from now on it may come by the memory."""
        super().opened(session)
        if self._since is None:
            self._since, self._first = self._context.inklings.clock(), session
            self._wait.start()

    def failed(self, session: str | None, problem: Problem) -> None:
        """What was asked for outside a turn did not work; it may work after a new start."""
        self._note_wish(problem)
        if session is not None:
            self._opened.discard(session)
        super().failed(session, problem)

    def restart(self, session: str) -> None:
        """Start it again because the person asks for it, also one that is there and signed out."""
        self.wants = None
        if self._process.is_running:
            self._again = session
            self._process.drop()
        else:
            super().restart(session)

    def ended(self, session: str) -> None:
        """A turn ended: what was said is kept, unless the agent keeps it itself."""
        facts, turns = self.talk.facts, self.talk.thread(session).turns
        answer = next((one for one in reversed(turns) if one.role == ASSISTANT), None)
        last = answer.blocks[-1] if answer is not None and answer.blocks else None
        met = Problem(last.word, last.detail) if isinstance(last, ProblemBlock) else None
        self._note_wish(met)
        records = facts is not None and facts.records
        if answer is not None and answer.is_named and not records:
            draft = answer_of(answer)
            keep = self._context.inklings.messages.keep_answer
            call = partial(keep, self._workspace_id, session, self._agent.client, draft)
            self._context.background.spawn(self._kept(session, call))
        super().ended(session)

    def _note_wish(self, problem: Problem | None) -> None:
        is_wish = problem is not None and problem.word == SIGN_IN_NEEDED
        self.wants = problem if is_wish else None

    async def _kept(self, session: str, call: Callable[[], object]) -> None:
        try:
            await self._context.background.write(call)
        except InklingsError as error:
            self.refused.emit(session, problem_of_keeping(error))

    @Slot(object)
    def _on_gone(self, code: int | None) -> None:
        super()._on_gone(code)
        again, self._again = self._again, ""
        if again:
            self.restart(again)

    @Slot()
    def _on_memory_due(self) -> None:
        self._context.background.spawn(self._look_for_it())

    async def _look_for_it(self) -> None:
        """Say so where the agent did not come by the memory since its conversation began."""
        show = partial(self._context.inklings.clients.show, self._agent.client, calls=1)
        try:
            came_at = (await self._context.background.read(show)).activity.last_call_at
        except NotFoundError:
            came_at = None
        if self.is_ready and (came_at is None or self._since is None or came_at < self._since):
            values = {"agent": self._agent.title}
            self.refused.emit(self._first, Problem(MEMORY_UNUSED, values=values))
