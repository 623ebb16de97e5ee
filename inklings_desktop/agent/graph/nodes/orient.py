"""What a turn begins with, gathered by fixed rules: no model has a say in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.graph.turn import Context
from inklings_desktop.agent.memory_door.filters import PIPELINE
from inklings_desktop.agent.tracing import trace_orientation

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn

QUERY_CHARACTERS = 2000
_KEPT = ("id", "tier", "version")


async def orient(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Gather it; the state holds which memories these were, never what they say."""
    turn.context = await gathered(turn, str((state["turn"] or {})["prompt"]))
    kept = [{key: one.get(key) for key in _KEPT} for one in turn.context.items]
    await asyncio.to_thread(trace_orientation, turn.runs, turn.conversation, turn.id, kept)
    return {"context": {"slices": kept, "workspace": dict(turn.context.workspace)}}


async def gathered(turn: Turn, prompt: str) -> Context:
    """Orientation and overview, both at once; without them the turn goes on all the same."""
    asked = {
        "conversation": turn.conversation,
        "query": prompt[:QUERY_CHARACTERS],
        "detail": "full",
    }
    found = await turn.stop.unless(
        asyncio.gather(
            turn.memory.call(PIPELINE, "memory_orient", asked),
            turn.memory.call(PIPELINE, "workspace_overview", {}),
        )
    )
    if found is None:
        return Context("", (), {})
    orientation, overview = found
    return Context(
        str(orientation.answer.get("markdown", "")),
        tuple(orientation.answer.get("items", ())),
        {} if overview.is_error else overview.answer,
    )
