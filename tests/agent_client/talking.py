"""A talk with a peer that plays lines, and what its listener heard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.agent_client.link import AgentLink
from inklings_desktop.agent_client.session import Guest
from inklings_desktop.agent_client.talk import Talk
from tests.support.fake_acp_peer import FakeAcpPeer

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.agent_client.session import AgentFacts, Problem

SESSION = "c-1"
BEGIN = """
-> initialize
{"jsonrpc":"2.0","id":"$initialize","result":{"protocolVersion":1,"agentCapabilities":\
{"loadSession":true,"sessionCapabilities":{"resume":{}}},"agentInfo":{"name":"W","version":"1"},\
"_meta":{"inklings":{"version":"0.1.0","records":true,"mechanical":true}}}}
"""
OPEN = (
    BEGIN
    + """
-> session/new
{"jsonrpc":"2.0","id":"$session/new","result":{"sessionId":"c-1","_meta":{"inklings":{"ref_code":"K7"}}}}
"""
)


@dataclass
class Clock:
    """Seconds, as a test wants them."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Heard:
    """What a talk told."""

    begun_with: list[AgentFacts] = field(default_factory=list)
    opened_ones: list[str] = field(default_factory=list)
    n_changes: int = 0
    questions: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    problems: list[tuple[str | None, Problem]] = field(default_factory=list)
    losses: list[Problem] = field(default_factory=list)

    def begun(self, facts: AgentFacts) -> None:
        self.begun_with.append(facts)

    def opened(self, session: str) -> None:
        self.opened_ones.append(session)

    def changed(self, session: str) -> None:
        self.n_changes += 1

    def asked(self, session: str, permission_id: str) -> None:
        self.questions.append(permission_id)

    def ended(self, session: str) -> None:
        self.ends.append(session)

    def failed(self, session: str | None, problem: Problem) -> None:
        self.problems.append((session, problem))

    def lost(self, problem: Problem) -> None:
        self.losses.append(problem)


class Table:
    """A talk at which both sides sit."""

    def __init__(
        self,
        talk: str,
        *,
        is_ours: bool = True,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """Begin, as the peer plays these lines."""
        self.heard = Heard()
        self.clock = Clock()
        self.peer = FakeAcpPeer(talk)
        self.link = AgentLink(self.peer.send, self.clock)
        guest = None if is_ours else Guest("claude-code", "Claude Code")
        self.talk = Talk(self.link, self.heard, guest=guest, clock=clock)
        self.talk.begin()

    def opened(self) -> Table:
        """Begin a conversation, too."""
        self.talk.new_session("general")
        self.play()
        assert self.heard.opened_ones == [SESSION]
        return self

    def play(self) -> None:
        """Let the peer say what it can."""
        self.peer.play(self.link)

    def over_a_new_process(self, talk: str) -> None:
        """Let the agent be started again, which plays these lines."""
        self.peer = FakeAcpPeer(talk)
        self.link = AgentLink(self.peer.send, self.clock)
        self.talk.reconnect(self.link)

    def say(self, text: str) -> None:
        """Say this."""
        self.talk.prompt(SESSION, [{"kind": "text", "text": text}])
        self.play()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The rows."""
        return self.talk.thread(SESSION).turns
