"""Whether what was gathered is good enough to plan with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn


async def gate(_state: TurnState, _turn: Turn) -> dict[str, Any]:
    """Accept it; without a model nothing is asked for anew."""
    return {"gate": {"verdict": "accept", "drop": [], "queries": [], "by": "mechanical"}}
