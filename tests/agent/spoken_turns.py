"""Conversations of the planner without a model, over the real memory tools and without a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.steps import next_step
from inklings_desktop.agent.planning import (
    DENIED,
    REFUSED,
    Answer,
    Call,
    Result,
    Situation,
    Utterance,
)
from inklings_desktop.agent.policy import judge
from tests.end2end.agent_doors import RefusedError
from tests.end2end.stage import OWN

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings
    from tests.end2end.stage import Stage


@dataclass(slots=True)
class Talk:
    """One conversation after another, of one client in one workspace.

    Attributes:
        stage: Where it is played.
        inklings: The workspace.
        client: Who the agent is.
        allows: Whether the person says yes when asked.
        conversation: The one under way.
        earlier: What was said in it.
        calls: Every call of the last turn, with what became of it.
        asked: The tools that the person was asked about in the last turn.
        has_pages: Whether the agent knows of pages.
    """

    stage: Stage
    inklings: Inklings
    client: str = OWN
    allows: bool = True
    conversation: str = ""
    earlier: tuple[Utterance, ...] = ()
    calls: list[Result] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    has_pages: bool = False

    def begin(self) -> str:
        """Start a conversation."""
        self.conversation, self.earlier = self.stage.client(self.inklings, self.client).start(), ()
        return self.conversation

    def end(self) -> None:
        """Let the conversation rest, without a summary."""
        self.stage.client(self.inklings, self.client).end(self.conversation)

    def situation(self, prompt: str) -> Situation:
        """What a turn begins with."""
        now = self.stage.clock().isoformat()
        return Situation(
            self.conversation, "general", prompt, self.earlier, started_at=now,
            has_pages=self.has_pages,
        )  # fmt: skip

    def say(self, prompt: str) -> Answer:
        """What the agent answers; its calls are made, and asked about where the policy says so."""
        if not self.conversation:
            self.begin()
        situation = self.situation(prompt)
        self.calls, self.asked = [], []
        while not isinstance(step := next_step(prompt, situation, self.calls), Answer):
            assert len(self.calls) < 20, "the planner goes round in circles"
            self.calls += [self.made(call, situation) for call in step]
        self.earlier += (
            Utterance("user", prompt),
            Utterance("assistant", step.text, step.quotes),
        )
        return step

    def made(self, call: Call, situation: Situation) -> Result:
        """What becomes of a call."""
        verdict = judge(call, situation, tuple(self.calls))
        if verdict.decision == "refuse":
            return Result(call, {"word": REFUSED, "why": verdict.word}, is_error=True)
        if verdict.decision == "ask":
            self.asked.append(call.tool)
            if not self.allows:
                return Result(call, {"word": DENIED}, is_error=True)
        arguments: dict[str, Any] = dict((verdict.call or call).arguments)
        if call.tool in {"memory_put", "memory_update", "memory_forget"}:
            arguments["request_key"] = f"{self.conversation[:8]}-{len(self.earlier)}:{call.id}"
        door = self.stage.client(self.inklings, self.client)
        try:
            return Result(call, door.call(call.tool, **arguments))
        except RefusedError as refused:
            return Result(call, {"word": "failed", "message": str(refused)}, is_error=True)
