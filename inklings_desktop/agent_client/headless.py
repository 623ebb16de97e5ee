"""Has an agent carry out an activity, in a process that ends with the answer.

Nobody can be asked: every question is left to the author, and the answer says what waits.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.launching import empty_folder, leave_folder, own_environment
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.presets import agents, environment
from inklings_desktop.agent_client.recording import answer_of
from inklings_desktop.agent_client.rows import ProblemBlock, StepBlock
from inklings_desktop.agent_client.terminal_chat import AgentProblemError, TerminalChat
from inklings_desktop.domain.access.connections import ServerCommand
from inklings_desktop.domain.background.activities import Outcome, RunEnd, payload_of_budget
from inklings_desktop.domain.errors import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.rows import AskBlock, Block, Turn
    from inklings_desktop.agent_settings import Preset
    from inklings_desktop.domain.background.activities import Errand
    from inklings_desktop.usecases.ports.progress import Progress

OPTION: Final = "--activity"
GO_ON: Final = f"/{words.CONTINUE}"
GRACE_SECONDS: Final = 30.0
"""So much longer than its budget an agent may take to say that it is over."""
STEP: Final = "tools"
MANY: Final = 1_000_000
_OVER: Final = frozenset({words.LIMIT_REACHED, words.BUDGET_SPENT})


@dataclass(frozen=True, slots=True)
class Others:
    """Agents of other makers.

    Attributes:
        presets: Those of the settings, asked for when one is looked for.
        root: The data root.
        program: Starts our memory server: its path, and what stands before its arguments.
    """

    presets: Callable[[], Sequence[Preset]]
    root: Path
    program: Callable[[], tuple[str, tuple[str, ...]]]

    def named(self, client: str) -> Agent | None:
        """The one that goes by this name, if it may be started here."""
        known = agents(self.presets(), self.root)
        return next((one for one in known if one.client == client and one.command), None)

    def server(self, client: str, workspace_id: str) -> ServerCommand:
        """What starts our memory for it."""
        root = str(self.root.absolute())
        return ServerCommand(*self.program(), data_dir=root, workspace=workspace_id, client=client)


class HeadlessAgent:
    """The ``ActivityRunner`` of this installation's agent, and of those of other makers."""

    def __init__(
        self,
        command: Callable[[str | None], list[str] | None],
        others: Others | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start nothing yet.

        Args:
            command: Starts the agent on a workspace; None where it is not installed.
            others: Those of other makers; None for none.
            monotonic: Seconds that no clock setting changes.
        """
        self._command, self._others, self._monotonic = command, others, monotonic

    def is_there(self, agent: str = words.WORLD_AGENT) -> bool:
        if agent == words.WORLD_AGENT:
            return self._command(None) is not None
        return self._others is not None and self._others.named(agent) is not None

    def carry_out(self, errand: Errand, progress: Progress) -> RunEnd:
        if errand.agent != words.WORLD_AGENT:
            return self._by_another(errand, progress)
        command = self._command(errand.workspace_id)
        if command is None:
            return RunEnd(Outcome.FAILED, words.AGENT_NOT_INSTALLED)
        told = [*command, OPTION, json.dumps(payload_of_budget(errand.budget))]
        nobody = self._nobody(errand, progress)
        start = TerminalChat(lambda: PlainProcess(told, own_environment(os.environ)), nobody)
        with closing(start) as chat:
            try:
                chat.open(errand.conversation_id)
                turn = chat.say(GO_ON)
                if turn.state == rows.INTERRUPTED:  # it died; another goes on where it was
                    turn = chat.say(GO_ON)
            except AgentProblemError as error:
                return RunEnd(Outcome.FAILED, error.problem.word)
        return _end_of(turn, nobody)

    def _by_another(self, errand: Errand, progress: Progress) -> RunEnd:
        """Have another maker's agent answer: its words are kept here, and its tools counted."""
        agent = None if self._others is None else self._others.named(errand.agent)
        if self._others is None or agent is None or agent.command is None:
            return RunEnd(Outcome.FAILED, words.AGENT_NOT_INSTALLED)
        if errand.is_continued:  # it has no way to go on, and would do everything twice
            return RunEnd(Outcome.FAILED, words.AGENT_GONE)
        folder = empty_folder()
        guest = agent.guest(self._others.server(agent.client, errand.workspace_id), str(folder))
        started = partial(
            PlainProcess, agent.command, environment(os.environ, agent.preset), folder
        )
        nobody = self._nobody(errand, progress, errand.budget.tool_calls)
        with ExitStack() as leaving:
            leaving.callback(leave_folder, folder)
            chat = leaving.enter_context(closing(TerminalChat(started, nobody, guest=guest)))
            try:
                chat.open(errand.conversation_id)
                turn = chat.say(errand.prompt, errand.turn)
            except AgentProblemError as error:
                return RunEnd(Outcome.FAILED, error.problem.word)
        answer = answer_of(turn) if turn.is_named else None
        return replace(_end_of(turn, nobody), answer=answer, n_tool_calls=nobody.n_steps)

    def _nobody(self, errand: Errand, progress: Progress, n_steps: int = MANY) -> _Nobody:
        ends_at = self._monotonic() + errand.budget.seconds
        if errand.agent == words.WORLD_AGENT:
            ends_at += GRACE_SECONDS
        return _Nobody(progress, lambda n: n >= n_steps or self._monotonic() > ends_at)


class _Nobody:
    """The ``Terminal`` at which nobody sits."""

    def __init__(self, progress: Progress, is_over: Callable[[int], bool]) -> None:
        self._progress, self._is_over = progress, is_over
        self.n_steps = 0
        self.was_over = False

    def write(self, text: str) -> None:
        """It is kept with the conversation."""

    def show(self, block: Block) -> None:
        if isinstance(block, StepBlock):
            self.n_steps += 1
            self._progress.report(STEP, self.n_steps, 0)

    def ask(self, ask: AskBlock) -> str | None:
        offered = {one.id for one in ask.options}
        return words.OPTION_LATER if words.OPTION_LATER in offered else None

    def is_stopped(self) -> bool:
        if self._progress.is_put_off():
            raise StoppedError
        self.was_over = self.was_over or self._is_over(self.n_steps)
        return self.was_over or self._progress.is_cancelled()


def _end_of(turn: Turn, nobody: _Nobody) -> RunEnd:
    """How a turn ended; a problem that it went on after is told in it."""
    problems = [one.word for one in turn.blocks if isinstance(one, ProblemBlock)]
    over = next((one for one in problems if one in _OVER), "")
    if over or (nobody.was_over and turn.state != rows.COMPLETE):
        return RunEnd(Outcome.BUDGET, over or words.LIMIT_REACHED)
    match turn.state:
        case rows.COMPLETE:
            return RunEnd(Outcome.DONE)
        case rows.STOPPED:
            return RunEnd(Outcome.STOPPED)
        case _:
            return RunEnd(Outcome.FAILED, problems[-1] if problems else words.AGENT_FAILED)
