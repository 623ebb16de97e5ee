"""The graph of a turn, and which node follows which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

NODES = ("receive", "orient", "gate", "plan", "decide", "act", "persist")


def build_graph(saver: BaseCheckpointSaver[int]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph, its state kept by this saver."""
    graph = StateGraph(TurnState, context_schema=Turn)
    for name, node in zip(NODES, (receive, orient, gate, plan, decide, act, persist), strict=True):
        graph.add_node(name, node)
    graph.add_edge(START, "receive")
    graph.add_edge("receive", "orient")
    graph.add_edge("orient", "gate")
    graph.add_edge("gate", "plan")
    graph.add_conditional_edges("plan", _after_plan, ["decide", "persist"])
    graph.add_edge("decide", "act")
    graph.add_edge("act", "plan")
    graph.add_edge("persist", END)
    return graph.compile(checkpointer=saver)


def _after_plan(state: TurnState) -> str:
    return "decide" if state.get("calls") else "persist"
