"""Has the World Agent carry out an activity, in a process that ends with the answer.

Nobody can be asked: every question is left to the author, and the answer says what waits.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.launching import own_environment
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.rows import ProblemBlock, StepBlock
from inklings_desktop.agent_client.terminal_chat import AgentProblemError, TerminalChat
from inklings_desktop.domain.background.activities import Outcome, RunEnd, payload_of_budget
from inklings_desktop.domain.errors import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.agent_client.rows import AskBlock, Block, Turn
    from inklings_desktop.domain.background.activities import Budget
    from inklings_desktop.usecases.ports.progress import Progress

OPTION: Final = "--activity"
GO_ON: Final = f"/{words.CONTINUE}"
GRACE_SECONDS: Final = 30.0
"""So much longer than its budget an agent may take to say that it is over."""
STEP: Final = "tools"
_OVER: Final = frozenset({words.LIMIT_REACHED, words.BUDGET_SPENT})


class HeadlessAgent:
    """The ``ActivityRunner`` of this installation's agent."""

    def __init__(
        self,
        command: Callable[[str | None], list[str] | None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start nothing yet.

        Args:
            command: Starts the agent on a workspace; None where it is not installed.
            monotonic: Seconds that no clock setting changes.
        """
        self._command, self._monotonic = command, monotonic

    def is_there(self) -> bool:
        return self._command(None) is not None

    def carry_out(
        self, workspace_id: str, conversation_id: str, budget: Budget, progress: Progress
    ) -> RunEnd:
        command = self._command(workspace_id)
        if command is None:
            return RunEnd(Outcome.FAILED, words.AGENT_NOT_INSTALLED)
        told = [*command, OPTION, json.dumps(payload_of_budget(budget))]
        ends_at = self._monotonic() + budget.seconds + GRACE_SECONDS
        nobody = _Nobody(progress, lambda: self._monotonic() > ends_at)
        start = TerminalChat(lambda: PlainProcess(told, own_environment(os.environ)), nobody)
        with closing(start) as chat:
            try:
                chat.open(conversation_id)
                turn = chat.say(GO_ON)
                if turn.state == rows.INTERRUPTED:  # it died; another goes on where it was
                    turn = chat.say(GO_ON)
            except AgentProblemError as error:
                return RunEnd(Outcome.FAILED, error.problem.word)
        return _end_of(turn, nobody)


class _Nobody:
    """The ``Terminal`` at which nobody sits."""

    def __init__(self, progress: Progress, is_late: Callable[[], bool]) -> None:
        self._progress, self._is_late = progress, is_late
        self._n_steps = 0
        self.was_late = False

    def write(self, text: str) -> None:
        """It is kept with the conversation."""

    def show(self, block: Block) -> None:
        if isinstance(block, StepBlock):
            self._n_steps += 1
            self._progress.report(STEP, self._n_steps, 0)

    def ask(self, ask: AskBlock) -> str | None:
        offered = {one.id for one in ask.options}
        return words.OPTION_LATER if words.OPTION_LATER in offered else None

    def is_stopped(self) -> bool:
        if self._progress.is_put_off():
            raise StoppedError
        self.was_late = self.was_late or self._is_late()
        return self.was_late or self._progress.is_cancelled()


def _end_of(turn: Turn, nobody: _Nobody) -> RunEnd:
    """How a turn ended; a problem that it went on after is told in it."""
    problems = [one.word for one in turn.blocks if isinstance(one, ProblemBlock)]
    over = next((one for one in problems if one in _OVER), "")
    if over or nobody.was_late:
        return RunEnd(Outcome.BUDGET, over or words.LIMIT_REACHED)
    match turn.state:
        case rows.COMPLETE:
            return RunEnd(Outcome.DONE)
        case rows.STOPPED:
            return RunEnd(Outcome.STOPPED)
        case _:
            return RunEnd(Outcome.FAILED, problems[-1] if problems else words.AGENT_FAILED)
