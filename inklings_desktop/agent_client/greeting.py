"""Tries whether an agent can be talked with: it is started, greeted, and left, without memory."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.link import AgentLink
from inklings_desktop.agent_client.session import (
    NO_ANSWER,
    AgentFacts,
    Guest,
    Problem,
    facts_of,
    misunderstanding,
    opening,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.agent_client.plain_process import PlainProcess

GREET_SECONDS: Final = 90.0
"""A foreign agent on a busy machine needed 18 s for its first answer."""
_STEP_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Greeting:
    """What came of it.

    Attributes:
        facts: What the agent says of itself; None where it said nothing.
        problem: Why it cannot be talked with; None where it can.
        seconds: How long it took.
        last_lines: What it said last on standard error.
    """

    facts: AgentFacts | None
    problem: Problem | None
    seconds: float
    last_lines: tuple[str, ...] = ()


def greet(
    start: Callable[[], PlainProcess],
    cwd: str | None = None,
    seconds: float = GREET_SECONDS,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Greeting:
    """Start an agent, say the first words, and let it begin a conversation that nobody leads.

    Args:
        start: Starts its process.
        cwd: The folder of that conversation; None begins none.
        seconds: Longest wait for each answer.
        is_stopped: Whether nobody waits for it any longer.
    """
    began = time.monotonic()
    try:
        process = start()
    except OSError as error:
        never = Problem(words.AGENT_FAILED_TO_START, error.strerror or "")
        return Greeting(None, never, time.monotonic() - began)
    with closing(Asking(process, is_stopped)) as greeter:
        facts, problem = greeter.ask(words.INITIALIZE, opening(), seconds)
        problem = problem or misunderstanding(facts)
        if problem is None and cwd is not None:
            _, problem = greeter.ask(words.NEW, Guest("", cwd=cwd).place(), seconds)
        told = facts_of(facts) if facts else None
        return Greeting(told, problem, time.monotonic() - began, tuple(process.last_lines))


class Asking:
    """Asks an agent one thing after the other, and waits for each; of no conversation."""

    def __init__(
        self, process: PlainProcess, is_stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """Talk with this process, which ends with ``close``."""
        self._process, self._is_stopped = process, is_stopped
        self._link = AgentLink(process.send)

    def ask(
        self, method: str, params: dict[str, Any], seconds: float = GREET_SECONDS
    ) -> tuple[dict[str, Any], Problem | None]:
        """The answer, or why there is none."""
        found: list[tuple[dict[str, Any], Problem | None]] = []
        self._link.request(
            method,
            params,
            lambda answer: found.append((answer, None)),
            lambda problem: found.append(({}, problem)),
            seconds=seconds,
        )
        while not found:
            data = self._process.read(_STEP_SECONDS)
            if self._is_stopped():
                self._link.close(Problem(NO_ANSWER))
            elif data == b"":
                self._link.close(self._process.end(is_ready=False))
            elif data:
                self._link.feed(data)
            self._link.pump(_STEP_SECONDS)
        return found[0]

    def close(self) -> None:
        """Let it end."""
        self._process.leave()
