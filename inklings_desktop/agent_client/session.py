"""Who is told what becomes of a talk, and a conversation as a talk leads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent_client.handshake import AgentFacts
    from inklings_desktop.agent_client.problems import Problem
    from inklings_desktop.agent_client.thread_state import ThreadState

UPDATES_PER_SECOND: Final = 2000
MAX_TURN_BYTES: Final = 64 * 1024 * 1024
MAX_WAITING_BYTES: Final = 64 * 1024 * 1024
MAX_OPEN_QUESTIONS: Final = 20
MAX_QUESTIONS_A_TURN: Final = 200


class UpdateRate:
    """So many updates at once, and as many again in each second; the others wait."""

    def __init__(self, clock: Callable[[], float], most: int = UPDATES_PER_SECOND) -> None:
        self._clock = clock
        self._most = most
        self._left = float(most)
        self._at = clock()

    def count(self) -> None:
        self._left -= 1

    def may_go_on(self) -> bool:
        """Whether the next may be worked through now."""
        if self._left < 1:
            now = self._clock()
            self._left = min(self._left + (now - self._at) * self._most, float(self._most))
            self._at = now
        return self._left >= 1


class TurnGuard:
    """How much one turn of an agent may send and ask."""

    def __init__(self, most_bytes: int = MAX_TURN_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._n_questions = 0

    def begin(self) -> None:
        self._n_bytes = self._n_questions = 0

    def takes(self, n_bytes: int) -> bool:
        """Count what came; whether it is still within bounds."""
        self._n_bytes += n_bytes
        return self._n_bytes <= self._most_bytes

    def may_ask(self, n_open: int) -> bool:
        """Count a question; whether it may be shown, with so many open already."""
        self._n_questions += 1
        return n_open < MAX_OPEN_QUESTIONS and self._n_questions <= MAX_QUESTIONS_A_TURN


class Keep(Protocol):
    """Stores what a person says, so that nothing that happens to the agent can lose it."""

    def __call__(
        self,
        session: str,
        turn: str,
        said: Sequence[Mapping[str, Any]],
        then: Callable[[Problem | None], None],
    ) -> None:
        """Keep it as the message of this turn.

        Args:
            turn: The turn that will answer it.
            then: Called once it is durable, or with why it cannot be kept.
        """


class Listener(Protocol):
    """Who is told what becomes of a talk. Every method is called from within `AgentLink.pump`."""

    def begun(self, facts: AgentFacts) -> None:
        """The agent is there, and we understand each other."""

    def opened(self, session: str) -> None:
        """A conversation was begun or opened: it can be talked in."""

    def changed(self, session: str) -> None:
        """What is shown of a conversation changed; called often, so note it and draw later."""

    def asked(self, session: str, permission_id: str) -> None:
        """The agent asks whether it may do something."""

    def ended(self, session: str) -> None:
        """A turn ended, however it did; its row says how."""

    def failed(self, session: str | None, problem: Problem) -> None:
        """What was asked for outside a turn did not work; None: it was about no conversation."""

    def lost(self, problem: Problem) -> None:
        """The agent is gone. Threads stay; `reconnect` over a new link goes on with them."""


@dataclass(slots=True)
class Session:
    """A conversation as this talk leads it; ``number`` counts its prompts.

    What is said while it is being opened waits in ``until_open``: the agent knows it only then.
    """

    thread: ThreadState
    guard: TurnGuard = field(default_factory=TurnGuard)
    number: int = 0
    is_open: bool = False
    is_stopping: bool = False
    is_ignored: bool = False
    until_open: list[Callable[[], None]] | None = None
