"""The graph of a turn, and which node follows which."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from langgraph.graph import END, START, StateGraph

from inklings_desktop.agent.graph.nodes.act import act
from inklings_desktop.agent.graph.nodes.decide import decide
from inklings_desktop.agent.graph.nodes.gate import gate
from inklings_desktop.agent.graph.nodes.orient import orient
from inklings_desktop.agent.graph.nodes.persist import persist
from inklings_desktop.agent.graph.nodes.plan import plan
from inklings_desktop.agent.graph.nodes.receive import receive
from inklings_desktop.agent.graph.state import TurnState
from inklings_desktop.agent.graph.turn import Turn
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.runtime import Runtime

Node: TypeAlias = Callable[..., Awaitable[dict[str, Any]]]
NODES: dict[str, Node] = {
    "receive": receive,
    "orient": orient,
    "gate": gate,
    "plan": plan,
    "decide": decide,
    "act": act,
    "persist": persist,
}


def build_graph(saver: BaseCheckpointSaver[int]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph, its state kept by this saver."""
    graph = StateGraph(TurnState, context_schema=Turn)
    for name, node in NODES.items():
        graph.add_node(name, _noted(name, node))
    graph.add_edge(START, "receive")
    graph.add_edge("receive", "orient")
    graph.add_edge("orient", "gate")
    graph.add_edge("gate", "plan")
    graph.add_conditional_edges("plan", _after_plan, ["decide", "persist"])
    graph.add_edge("decide", "act")
    graph.add_edge("act", "plan")
    graph.add_edge("persist", END)
    return graph.compile(checkpointer=saver)


def _noted(name: str, node: Node) -> Node:
    """A node that says of the run that it is there; a run that was scrubbed goes no further."""

    async def noted(state: TurnState, runtime: Runtime[Turn]) -> dict[str, Any]:
        turn = runtime.context
        run = run_id_of(turn.conversation, turn.id)
        await asyncio.to_thread(turn.runs.note_run, run, name)
        turn.teller.seq = max(turn.teller.seq, (state["turn"] or {}).get("seq", 0))
        return await node(state, turn)

    return noted


def _after_plan(state: TurnState) -> str:
    return "decide" if state.get("calls") else "persist"
