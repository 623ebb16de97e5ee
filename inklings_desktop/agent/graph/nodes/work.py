"""The steps of somebody who was sent for something: what comes next, until it reports.

It is the turn's own loop without what belongs to a conversation: it has no plan, sends nobody, and
what it says stays with it.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire.words import (
    BUDGET_SPENT,
    CANCELLED,
    END_TURN,
    LIMIT_REACHED,
    MAX_TURN_REQUESTS,
)
from inklings_desktop.agent.context.assembling import Assembled
from inklings_desktop.agent.graph.nodes.situations import results_of, situation_of, stored_call
from inklings_desktop.agent.graph.turn import Voice
from inklings_desktop.agent.planning import MODEL_PROBLEMS, Answer
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.planning import Sent


@dataclass(slots=True)
class WorkVoice:
    """Through which somebody of the team speaks: its words are heard by nobody, its costs are kept.

    Attributes:
        said: Its words in this step.
        used: What its calls of a model used.
        model: Which that was, as ``provider/model``; empty for none.
        currency: What they cost money in; empty for not told.
    """

    turn: Turn
    said: str = ""
    used: dict[str, int] = field(default_factory=dict)
    model: str = ""
    currency: str = ""

    async def __call__(self, text: str) -> None:
        self.said += text

    async def think(self, text: str) -> None:
        """Nobody hears it."""

    async def note(self, sent: Sent) -> None:
        await Voice(self.turn, "work").note(sent)
        self.model, self.currency = f"{sent.provider}/{sent.model}", sent.currency or ""
        figures = {
            "input": sent.input_tokens, "output": sent.output_tokens,
            "cost_micro": sent.cost_micro or 0, "unpriced": int(sent.cost_micro is None),
        }  # fmt: skip
        for name, figure in figures.items():
            self.used[name] = self.used.get(name, 0) + figure


async def work(state: TurnState, turn: Turn) -> dict[str, Any]:
    """The next calls, or the report."""
    results, spent = results_of(state), state.get("spent") or {}
    if turn.stop:
        return _ended(CANCELLED)
    if word := await _spent_out(turn, spent):
        return _ended(MAX_TURN_REQUESTS, word)
    voice = WorkVoice(turn)
    began = time.monotonic()
    try:
        planning = turn.planner(
            situation_of(state, turn.conversation), results, turn.context or Assembled(""), voice
        )
        step = await turn.stop.unless(planning)
    except AgentError as error:
        if error.word not in MODEL_PROBLEMS:
            raise
        return _ended(END_TURN, error.word) | {"spent": voice.used}
    used = voice.used | {"steps": 1, "ms": round((time.monotonic() - began) * 1000)}
    told = {"model": voice.model, "currency": voice.currency} if voice.model else {}
    found = {"spent": used, "scratch": told}
    if step is None:
        return _ended(CANCELLED) | found
    if isinstance(step, Answer):
        return _ended(step.stop, report=step.report, text=step.text) | found
    calls: list[dict[str, Any]] = [stored_call(one) | {"seq": 0} for one in step]
    if turn.planner.produced_by == "model":
        calls[0]["said"] = {"text": voice.said, "seq": 0}
    return found | {"calls": calls}


async def _spent_out(turn: Turn, spent: dict[str, Any]) -> str:
    """The word for what is used up; empty where it may go on."""
    limits = turn.limits
    if (
        spent.get("steps", 0) >= limits.steps
        or spent.get("tool_calls", 0) >= limits.tool_calls
        or turn.ms > limits.seconds * 1000
    ):
        return LIMIT_REACHED
    if turn.accounts is None or turn.planner.produced_by != "model":
        return ""
    run = (await asyncio.to_thread(turn.runs.runs, turn.conversation, 1))[0]
    n_calls = spent.get("steps", 0) + spent.get("before", 0)
    due = await asyncio.to_thread(turn.accounts.due, run.spent, n_calls, spent.get("paid", 0))
    return "" if due is None else BUDGET_SPENT


def _ended(stop: str, problem: str = "", report: Any = None, text: str = "") -> dict[str, Any]:
    answer = {"text": text, "stop": stop, "problem": problem, "report": report}
    return {"answer": answer, "calls": []}
