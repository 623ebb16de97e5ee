"""Who is told what becomes of a talk, and a conversation as a talk leads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from inklings_desktop.agent_client.guards import TurnGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent_client.handshake import AgentFacts
    from inklings_desktop.agent_client.problems import Problem
    from inklings_desktop.agent_client.thread_state import ThreadState


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
            session: The conversation's id.
            turn: The turn that will answer it.
            said: Its parts.
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
