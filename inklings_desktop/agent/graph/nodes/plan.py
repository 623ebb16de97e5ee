"""Ask the planner what comes next: calls, or the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.types import interrupt

from inklings_desktop.acp_wire.parts import tool_update
from inklings_desktop.acp_wire.words import CANCELLED, LIMIT_REACHED, MAX_TURN_REQUESTS
from inklings_desktop.agent.graph.nodes.orient import gathered
from inklings_desktop.agent.graph.nodes.situations import results_of, situation_of, stored_call
from inklings_desktop.agent.graph.telling import tool_part
from inklings_desktop.agent.graph.turn import MAX_REPEAT_REFUSALS
from inklings_desktop.agent.planning import Answer

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn

REPEATED = "repeated"


async def plan(state: TurnState, turn: Turn) -> dict[str, Any]:
    """The next calls, told as cards that wait, or the answer, told as it comes."""
    told = dict(state["turn"] or {})
    if turn.stop:
        return _answer(turn, told, "", [], CANCELLED)
    spent = state.get("spent") or {}
    used = {"steps": 1}
    if _is_over(turn, spent):
        interrupt({"limit": LIMIT_REACHED})
        used["grants"] = 1
    results = results_of(state)
    if sum(one.outcome.get("why") == REPEATED for one in results) >= MAX_REPEAT_REFUSALS:
        return _answer(turn, told, "", [], MAX_TURN_REQUESTS)
    situation = situation_of(state, turn.conversation)
    turn.teller.text = ""
    if turn.context is None:  # gathered by a process that is gone
        dropped = (state.get("gate") or {}).get("drop", ())
        turn.context = (await gathered(state, turn)).without(dropped)
    planning = turn.planner(situation, results, turn.context, turn.teller.say)
    step = await turn.stop.unless(planning)
    if step is None:
        await turn.teller.flush()
        return _answer(turn, told, turn.teller.text, [], CANCELLED)
    if isinstance(step, Answer):
        quotes = [{"id": one.id, "tier": one.tier} for one in step.quotes]
        await turn.teller.finish(step.text, quotes)
        return _answer(turn, told, step.text, quotes, step.stop)
    calls = []
    for call in step:
        part = tool_part(turn.id, call, "pending")
        await turn.teller.tell(tool_update(part, {}, begins=True))
        calls.append(stored_call(call) | {"seq": turn.teller.seq})
    return {
        "calls": calls,
        "spent": used | {"tool_calls": len(step)},
        "turn": told | {"seq": turn.teller.seq},
    }


def _is_over(turn: Turn, spent: dict[str, Any]) -> bool:
    limits, times = turn.limits, 1 + spent.get("grants", 0)
    return bool(
        spent.get("steps", 0) >= limits.steps * times
        or spent.get("tool_calls", 0) >= limits.tool_calls * times
        or turn.ms > limits.seconds * 1000 * times
    )


def _answer(
    turn: Turn, told: dict[str, Any], text: str, quotes: list[dict[str, Any]], stop: str
) -> dict[str, Any]:
    turn.has_told = True
    answer = {
        "text": text,
        "quotes": quotes,
        "produced_by": turn.planner.produced_by,
        "stop": stop,
    }
    return {
        "answer": answer,
        "calls": [],
        "spent": {"steps": 1},
        "turn": told | {"seq": turn.teller.seq},
    }
