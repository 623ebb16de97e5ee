"""Make older turns short before a model is asked: once for each range, and never unannounced."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING, Any, Literal

from inklings_desktop.acp_wire.parts import info
from inklings_desktop.acp_wire.words import COMPACTED
from inklings_desktop.agent.context.compaction import KEPT_MESSAGES, compacted, is_due
from inklings_desktop.agent.graph.nodes.situations import situation_of
from inklings_desktop.agent.graph.state import replaced
from inklings_desktop.agent.model_planner.compacting import worded_by_model
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn


async def made_short(state: TurnState, turn: Turn) -> dict[str, Any]:
    """The channels that change with it; none where nothing is to be made short, or it stopped."""
    history = state.get("history") or []
    window = turn.window
    if window is None or not is_due(history, _other_characters(state, turn), window):
        return {}
    up_to = int(history[-KEPT_MESSAGES - 1].get("message") or 0)
    situation = situation_of(state, turn.conversation)
    older = situation.earlier[:-KEPT_MESSAGES]
    before = state.get("compact")
    done = await asyncio.to_thread(turn.runs.compactions, turn.conversation)
    compact = next((dict(one.compact) for one in done if one.up_to_message == up_to), None)
    if compact is None:
        compact = compacted(older, before, situation)
        worded = await turn.stop.unless(worded_by_model(turn.aside("plan"), older, before))
        if turn.stop:
            return {}
        compact |= worded or {}
        text = "\n".join(one.text for one in older)
        digest = hashlib.sha256(text.encode()).hexdigest()
        by: Literal["model", "mechanical"] = "model" if worded else "mechanical"
        await asyncio.to_thread(
            turn.runs.add_compaction, turn.conversation, up_to, compact, digest, by
        )
        run = run_id_of(turn.conversation, turn.id)
        summary = {"up_to_message": up_to, "n_messages": len(older), "by": by}
        detail = {"compact": compact}
        await asyncio.to_thread(turn.runs.add_trace, run, "plan", "compaction", summary, detail)
    told = {"up_to_message": up_to, "n_messages": len(older)}
    await turn.teller.tell(info({COMPACTED: told}))
    return {
        "history": replaced(history[-KEPT_MESSAGES:]),
        "compact": compact | {"up_to_message": up_to},
    }


def _other_characters(state: TurnState, turn: Turn) -> int:
    told = state["turn"] or {}
    outcomes = [one["outcome"] for one in state.get("results") or []]
    document = "" if turn.context is None else turn.context.document
    return len(document) + len(str(told.get("prompt"))) + len(json.dumps(outcomes))
