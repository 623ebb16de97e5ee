"""What a turn begins with, gathered by fixed rules: no model has a say in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.memory_door.filters import PIPELINE

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn

QUERY_CHARACTERS = 2000


async def orient(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Orientation and overview, both at once; without them the turn goes on all the same."""
    query = str((state["turn"] or {})["prompt"])[:QUERY_CHARACTERS]
    asked = {"conversation": turn.conversation, "query": query, "detail": "full"}
    found = await turn.stop.unless(
        asyncio.gather(
            turn.memory.call(PIPELINE, "memory_orient", asked),
            turn.memory.call(PIPELINE, "workspace_overview", {}),
        )
    )
    if found is None:
        return {"context": {}}
    orientation, overview = found
    context = {
        "standing": orientation.answer.get("markdown", ""),
        "slices": list(orientation.answer.get("items", [])),
        "workspace": dict(overview.answer),
    }
    return {"context": context}
