"""Whether what was gathered is good enough to plan with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.refinement import gated
from inklings_desktop.agent.graph.nodes.orient import gathered

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn


async def gate(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Sort out what is of no use; without a model nothing is asked for anew."""
    if turn.context is None:  # gathered by a process that is gone
        turn.context = await gathered(state, turn)
    found = gated(str((state["turn"] or {})["prompt"]), turn.context.candidates)
    turn.context = turn.context.without(found.drop)
    return {
        "gate": {
            "verdict": found.verdict,
            "drop": list(found.drop),
            "queries": list(found.queries),
            "by": found.by,
        }
    }
