"""Ask the planner what comes next: calls, or the answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from langgraph.types import interrupt

from inklings_desktop.acp_wire.parts import info, tool_update
from inklings_desktop.acp_wire.words import (
    BUDGET_SPENT,
    CANCELLED,
    END_TURN,
    LIMIT_REACHED,
    MAX_TURN_REQUESTS,
    OPTION_ONCE,
    PROBLEM,
)
from inklings_desktop.agent.context.compaction import KEPT_MESSAGES
from inklings_desktop.agent.graph.nodes.compacting import made_short
from inklings_desktop.agent.graph.nodes.orient import gathered_anew
from inklings_desktop.agent.graph.nodes.situations import (
    FELL,
    answers_to,
    planner_of,
    results_of,
    situation_of,
    stored_call,
    tell_result,
)
from inklings_desktop.agent.graph.telling import quotes_in, tool_part
from inklings_desktop.agent.graph.turn import MAX_REPEAT_REFUSALS, Voice
from inklings_desktop.agent.planning import MODEL_PROBLEMS, Answer
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import PlannerPort, Turn
    from inklings_desktop.agent.planning import Call, Result, Situation, Step

REPEATED = "repeated"


async def plan(state: TurnState, turn: Turn) -> dict[str, Any]:
    """The next calls, told as cards that wait, or the answer, told as it comes."""
    told = dict(state["turn"] or {})
    planner = planner_of(state, turn)
    turn.teller.produced_by = planner.produced_by
    await _tell_rest(state, turn)
    if turn.stop:
        return _answer(turn, told, stop=CANCELLED)
    spent = state.get("spent") or {}
    used = {"steps": 1}
    if turn.has_used_up(spent):
        interrupt({"limit": LIMIT_REACHED})
        used["grants"] = 1
    if (unpaid := await _unpaid(turn, planner, spent, told, used)) is not None:
        return unpaid
    results = results_of(state)
    if sum(one.outcome.get("why") == REPEATED for one in results) >= MAX_REPEAT_REFUSALS:
        return _answer(turn, told, stop=MAX_TURN_REQUESTS)
    turn.teller.text = ""
    if turn.context is None:  # gathered by a process that is gone
        turn.context = await gathered_anew(state, turn)
    short: dict[str, Any] = {}
    if planner.produced_by == "model":
        short = await made_short(state, turn)
        told["seq"] = turn.teller.seq
    situation = situation_of(_with(state, short), turn.conversation)
    try:
        step = await _planned(turn, planner, situation, results)
    except AgentError as error:
        if error.word not in MODEL_PROBLEMS:
            raise
        problem = {"word": error.word, "detail": error.detail}
        await turn.teller.tell(info({PROBLEM: problem}))
        if results or turn.teller.text:
            return short | _cut(turn, told, problem=problem)
        told[FELL] = problem
        turn.teller.produced_by = turn.rules.produced_by
        step = await _planned(turn, turn.rules, situation, results)
    if step is None:
        await turn.teller.flush()
        return short | _cut(turn, told, stop=CANCELLED)
    if isinstance(step, Answer):
        quotes = [{"id": one.id, "tier": one.tier} for one in step.quotes]
        await turn.teller.finish(step.text, quotes)
        return short | _answer(turn, told, step.text, quotes, step.stop)
    calls = await _begun(turn, step, int(told.get("seq", 0)) + 1)
    return short | {
        "calls": calls,
        "spent": used | {"tool_calls": len(step), "ms": turn.newly_spent()},
        "turn": told | {"seq": turn.teller.seq},
    }


async def _tell_rest(state: TurnState, turn: Turn) -> None:
    """Tell the results that a process which is gone has told, and nobody since.

    Those who were sent end in any order, so the next number follows the highest one.
    """
    last = turn.teller.seq
    for result in state.get("results") or []:
        if str(result["call"]["id"]) not in turn.told:
            await tell_result(turn, result)
        last = max(last, int(result["seq"]))
    turn.teller.seq = last


def _with(state: TurnState, short: dict[str, Any]) -> TurnState:
    """The state as it is once older turns were made short."""
    if not short:
        return state
    history = (state.get("history") or [])[-KEPT_MESSAGES:]
    return {**state, "history": history, "compact": short["compact"]}


async def _planned(
    turn: Turn, planner: PlannerPort, situation: Situation, results: Sequence[Result]
) -> Step | None:
    """The next step; None where the turn was stopped before it was there."""
    assert turn.context is not None
    return await turn.stop.unless(planner(situation, results, turn.context, Voice(turn)))


async def _begun(turn: Turn, step: Sequence[Call], seq: int) -> list[dict[str, Any]]:
    """The calls of a step, told; the first of them keeps what was said before it."""
    await turn.teller.flush()
    calls: list[dict[str, Any]] = []
    for call in step:
        part = tool_part(turn.id, call, "pending")
        await turn.teller.tell(tool_update(part, {}, begins=True))
        calls.append(stored_call(call) | {"seq": turn.teller.seq})
    if turn.teller.produced_by == "model":
        calls[0]["said"] = {"text": turn.teller.text, "seq": seq}
    return calls


async def _unpaid(
    turn: Turn,
    planner: PlannerPort,
    spent: dict[str, Any],
    told: dict[str, Any],
    used: dict[str, int],
) -> dict[str, Any] | None:
    """The end of a turn whose next call of a model the person does not pay for; None to go on."""
    if turn.accounts is None or planner.produced_by != "model":
        return None
    run = (await asyncio.to_thread(turn.runs.runs, turn.conversation, 1))[0]
    n_calls, n_grants = spent.get("steps", 0), spent.get("paid", 0)
    due = await asyncio.to_thread(turn.accounts.due, run.spent, n_calls, n_grants)
    if due is None:
        return None
    question = due.question()
    if answers_to([question], turn).get(question["id"]) == OPTION_ONCE:
        used["paid"] = 1
        return None
    if turn.stop:
        return _answer(turn, told, stop=CANCELLED)
    problem = {"word": BUDGET_SPENT, "detail": due.detail, "values": due.figures()}
    await turn.teller.tell(info({PROBLEM: problem}))
    return _answer(turn, told, stop=MAX_TURN_REQUESTS, problem=problem)


def _cut(turn: Turn, told: dict[str, Any], **end: Any) -> dict[str, Any]:
    """What was said of an answer until it was cut off."""
    return _answer(turn, told, turn.teller.text, quotes_in(turn.teller.text), **end)


def _answer(
    turn: Turn,
    told: dict[str, Any],
    text: str = "",
    quotes: Sequence[Mapping[str, Any]] = (),
    stop: str = END_TURN,
    problem: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    turn.has_told = True
    answer: dict[str, Any] = {
        "text": text,
        "quotes": list(quotes),
        "produced_by": turn.teller.produced_by,
        "stop": stop,
    }
    if problem is not None:
        answer[PROBLEM] = problem
    return {
        "answer": answer,
        "calls": [],
        "spent": {"steps": 1},
        "turn": told | {"seq": turn.teller.seq, "said_seq": turn.teller.said_seq},
    }
