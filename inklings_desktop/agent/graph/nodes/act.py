"""Make the calls that were allowed: reads at once, writes one after another, each with its key."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import tool_update
from inklings_desktop.agent.graph.nodes.composing import composing_outcome
from inklings_desktop.agent.graph.nodes.decide import ALLOW
from inklings_desktop.agent.graph.nodes.scripting import script_outcome
from inklings_desktop.agent.graph.nodes.situations import call_of, results_of, stored_call
from inklings_desktop.agent.graph.nodes.skilled import outcome_noted
from inklings_desktop.agent.graph.telling import (
    permission_part,
    plan_entries,
    tool_part,
    touched_by,
    trace_call,
)
from inklings_desktop.agent.graph.turn import READS_AT_ONCE, RESULT_CHARACTERS
from inklings_desktop.agent.memory_door.call import Outcome
from inklings_desktop.agent.memory_door.filters import (
    DRY_RUN_SKILL,
    NOTE_OUTCOME,
    RUN_SCRIPT,
    SET_PLAN,
    SPAWN,
    VALIDATE_SKILL,
)
from inklings_desktop.agent.planning import MEMORY_WRITES
from inklings_desktop.domain.runs.run_rows import Spent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.planning import Call, Result

STOPPED = Outcome({"word": "cancelled", "message": ""}, is_error=True)
_CHANGES = MEMORY_WRITES | {
    "note_write", "note_clear", "named_entry_propose", "skill_propose", "world_propose",
}  # fmt: skip
_IN_FULL = frozenset({"memory_read", "memory_put", "memory_update"})
_SHORT = 2_000
"""Characters of a part that stays of an answer that is too long."""
_LOCAL = {
    VALIDATE_SKILL: composing_outcome,
    DRY_RUN_SKILL: composing_outcome,
    NOTE_OUTCOME: outcome_noted,
}
KEYED = MEMORY_WRITES
"""Tools whose calls carry a request key, so that none is carried out twice."""


async def act(state: TurnState, turn: Turn) -> dict[str, Any]:
    """The results of the calls, in the order of the calls; who is to be sent is left to be sent."""
    told = dict(state["turn"] or {})
    every = state.get("calls") or []
    left = [one for one in every if one["tool"] == SPAWN and turn.brief is None]
    calls = [one for one in every if one not in left]
    done: dict[str, dict[str, Any]] = {}
    read = {one["id"]: one for one in state.get("touched") or []}
    before = results_of(state)
    room = asyncio.Semaphore(READS_AT_ONCE)

    async def carry_out(stored: dict[str, Any]) -> None:
        async with room:
            done[stored["id"]] = await result_of(turn, stored, read, before)
            read.update((one["id"], one) for one in done[stored["id"]]["part"]["touched"])

    reads = [one for one in calls if one["tool"] not in _CHANGES]
    await asyncio.gather(*(carry_out(one) for one in reads))
    for one in calls:
        if one["tool"] in _CHANGES:
            await carry_out(one)
    results = [done[one["id"]] for one in calls]
    spent = Spent(n_tool_calls=len(results))
    await asyncio.to_thread(turn.runs.note_run, turn.run, "act", spent)
    return await _planned(state, turn, results) | {
        "calls": left,
        "results": results,
        "spent": {"ms": turn.newly_spent()},
        "touched": [one for result in results for one in result["part"]["touched"]],
        "turn": told | {"seq": turn.teller.seq},
    }


async def _planned(state: TurnState, turn: Turn, results: list[dict[str, Any]]) -> dict[str, Any]:
    """The plan as it was set last among these results, told; a plan keeps what it held before."""
    told = [one["call"] for one in results if one["call"]["tool"] == SET_PLAN]
    if not told:
        return {}
    entries = plan_entries(told[-1]["arguments"], state.get("plan") or [])
    update = {"sessionUpdate": words.PLAN, "entries": entries}
    await turn.teller.tell(update | {"_meta": {words.OWN: {"by": turn.process}}})
    return {"plan": entries}


async def result_of(
    turn: Turn,
    stored: dict[str, Any],
    read: dict[str, dict[str, Any]],
    before: Sequence[Result] = (),
) -> dict[str, Any]:
    """What came of one call, told and traced.

    Args:
        read: The memories that the turn has touched by now, by their ids.
        before: What came back in the steps before this one.
    """
    call, began = call_of(stored), time.monotonic()
    if stored["decision"] != ALLOW:
        word = {"word": stored["decision"], "why": stored.get("word", ""), "message": ""}
        outcome, status = Outcome(word, is_error=True), "refused"
    else:
        outcome = await _made(turn, call, before)
        status = "failed" if outcome.is_error else "completed"
    if outcome.is_error:
        turn.writes.give_back(call.id)
    parent = turn.brief.call if turn.brief else ""
    part = tool_part(turn.id, call, status, turn.process, parent)
    part["ms"] = round((time.monotonic() - began) * 1000)
    part["outcome"] = outcome.word or str(outcome.answer.get("status", ""))
    part["touched"] = [] if outcome.is_error else touched_by(call, outcome.answer, read)
    await turn.teller.tell(tool_update(part, {}, begins=False))
    turn.told.add(str(call.id))
    result = {
        "call": stored_call(call),
        "seq": turn.teller.seq,
        "outcome": _shortened(outcome.answer),
        "is_error": outcome.is_error,
        "part": part,
    }
    if "said" in stored:
        result["said"] = stored["said"]
    if stored.get("asked"):
        result["asked"] = permission_part(
            turn.id, call, str(stored.get("effect") or part["title"]), stored["asked"]
        )
    await asyncio.to_thread(trace_call, turn.runs, turn.conversation, turn.id, result, stored)
    return result


async def _made(turn: Turn, call: Call, before: Sequence[Result]) -> Outcome:
    arguments = dict(call.arguments)
    if call.tool == SET_PLAN:
        return Outcome({"status": "set"})
    if call.tool == RUN_SCRIPT or call.tool in _LOCAL:
        is_script = call.tool == RUN_SCRIPT
        doing = script_outcome(turn, call, before) if is_script else _LOCAL[call.tool](turn, call)
        ran = await turn.stop.unless(doing)
        return STOPPED if ran is None else ran
    if call.tool in _IN_FULL:
        arguments.setdefault("detail", "full")
    key = f"{turn.id}:{call.id}" if call.tool in KEYED else None
    if call.tool in _CHANGES:
        # A write is never cut off: whether it was done would not be known.
        return (
            STOPPED
            if turn.stop
            else await turn.memory.call(turn.process, call.tool, arguments, key)
        )
    made = await turn.stop.unless(turn.memory.call(turn.process, call.tool, arguments))
    return STOPPED if made is None else made


def _shortened(answer: Any) -> dict[str, Any]:
    """An answer as the state keeps it: of a list that is too long its head."""
    kept = dict(answer)
    for key in ("hits", "memories"):
        while isinstance(kept.get(key), list) and kept[key] and _length(kept) > RESULT_CHARACTERS:
            kept[key] = kept[key][: len(kept[key]) // 2]
            kept["shortened"] = True
    if _length(kept) <= RESULT_CHARACTERS:
        return kept
    # What is short stays: of a skill that is what it leaves its reader to call.
    return {key: one for key, one in kept.items() if _length(one) <= _SHORT} | {"shortened": True}


def _length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))
