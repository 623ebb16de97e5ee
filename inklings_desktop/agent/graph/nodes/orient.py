"""What a turn begins with, gathered by fixed rules, and sorted out before anybody answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.assembling import (
    Assembled,
    assembled,
    gated,
    orientation_request,
    skill_request,
)
from inklings_desktop.agent.graph.nodes.situations import planner_of, situation_of
from inklings_desktop.agent.graph.telling import trace_orientation
from inklings_desktop.agent.memory_door.filters import PIPELINE
from inklings_desktop.agent.model_planner.gating import gate_by_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent.context.assembling import Candidate, SkillOffer
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn

HITS_PER_QUERY = 5


async def orient(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Gather it; the state holds which memories these were, never what they say."""
    turn.context = await gathered(state, turn)
    kept = [
        {"id": one.id, "tier": one.tier, "version": one.version} for one in turn.context.candidates
    ]
    await asyncio.to_thread(trace_orientation, turn.runs, turn.conversation, turn.id, kept)
    found = {"slices": kept, "dropped": turn.context.n_left_out}
    if skills := [one.name for one in turn.context.skills]:
        found["skills"] = skills
    return {"context": found}


async def gathered(state: TurnState, turn: Turn) -> Assembled:
    """Orientation, overview, and skills for a model, at once; without them the turn goes on too."""
    situation = situation_of(state, turn.conversation)
    has_model = planner_of(state, turn).produced_by == "model"
    asked = [
        ("memory_orient", orientation_request(situation, has_model=has_model)),
        ("workspace_overview", {}),
    ]
    if has_model:
        asked.append(("skill_search", skill_request(situation)))
    calls = (turn.memory.call(PIPELINE, tool, arguments) for tool, arguments in asked)
    found = await turn.stop.unless(asyncio.gather(*calls))
    if found is None:
        return Assembled("")
    return assembled(*({} if one.is_error else one.answer for one in found))


async def gathered_anew(state: TurnState, turn: Turn) -> Assembled:
    """The same once more, as the gate had left it, by a process that did not gather it."""
    gate = state.get("gate") or {}
    found = (await gathered(state, turn)).without(gate.get("drop", ()))
    return found.with_found(await _looked_up(turn, gate.get("queries", ())))


async def gate(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Sort out what is of no use; a model may have something looked for besides, once."""
    if turn.context is None:  # gathered by a process that is gone
        turn.context = await gathered(state, turn)
    prompt, candidates = str((state["turn"] or {})["prompt"]), turn.context.candidates
    found = gated(prompt, candidates)
    if found.by != "skipped" and planner_of(state, turn).produced_by == "model":
        seconds = turn.limits.gate_seconds
        offered: tuple[Candidate | SkillOffer, ...] = (*candidates, *turn.context.skills)
        asking = gate_by_model(turn.aside("gate"), prompt, offered, seconds)
        by_model = await turn.stop.unless(asking)
        found = by_model or found
    turn.context = turn.context.without(found.drop)
    if found.queries:
        turn.context = turn.context.with_found(await _looked_up(turn, found.queries))
    return {
        "gate": {
            "verdict": "refine" if found.queries else "accept",
            "drop": list(found.drop),
            "queries": list(found.queries),
            "by": found.by,
        }
    }


async def _looked_up(turn: Turn, queries: Sequence[str]) -> list[dict[str, Any]]:
    """What memory finds for each of these, best first."""
    wanted = {"limit": HITS_PER_QUERY, "found_only": True, "detail": "full"}
    asking = (
        turn.memory.call(PIPELINE, "memory_search", wanted | {"query": one}) for one in queries
    )
    found = await turn.stop.unless(asyncio.gather(*asking))
    return [hit for one in found or () for hit in one.answer.get("hits") or ()]
