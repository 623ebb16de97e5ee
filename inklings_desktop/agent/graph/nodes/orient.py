"""What a turn begins with, gathered by fixed rules: no model has a say in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.assembling import (
    Assembled,
    assembled,
    gated,
    orientation_request,
)
from inklings_desktop.agent.graph.nodes.situations import planner_of, situation_of
from inklings_desktop.agent.graph.telling import trace_orientation
from inklings_desktop.agent.memory_door.call import PIPELINE

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn


async def orient(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Gather it; the state holds which memories these were, never what they say."""
    turn.context = await gathered(state, turn)
    kept = [
        {"id": one.id, "tier": one.tier, "version": one.version} for one in turn.context.candidates
    ]
    await asyncio.to_thread(trace_orientation, turn.runs, turn.conversation, turn.id, kept)
    return {"context": {"slices": kept, "dropped": turn.context.n_left_out}}


async def gathered(state: TurnState, turn: Turn) -> Assembled:
    """Orientation and overview, both at once; without them the turn goes on all the same."""
    situation = situation_of(state, turn.conversation)
    asked = orientation_request(situation, has_model=planner_of(state, turn).produced_by == "model")
    found = await turn.stop.unless(
        asyncio.gather(
            turn.memory.call(PIPELINE, "memory_orient", asked),
            turn.memory.call(PIPELINE, "workspace_overview", {}),
        )
    )
    if found is None:
        return Assembled("")
    return assembled(*({} if one.is_error else one.answer for one in found))


async def gate(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Sort out what is of no use; without a model nothing is asked for anew."""
    if turn.context is None:  # gathered by a process that is gone
        turn.context = await gathered(state, turn)
    found = gated(str((state["turn"] or {})["prompt"]), turn.context.candidates)
    turn.context = turn.context.without(found.drop)
    return {
        "gate": {
            "verdict": "accept",
            "drop": list(found.drop),
            "queries": [],
            "by": found.by,
        }
    }
