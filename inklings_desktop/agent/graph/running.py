"""Carry a turn through the graph: from its first node, or from where it was cut off."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import info, tool_update
from inklings_desktop.agent.context.skill_work import left_by
from inklings_desktop.agent.graph.nodes.act import act
from inklings_desktop.agent.graph.nodes.decide import ALLOW, decide
from inklings_desktop.agent.graph.nodes.orient import gate, orient
from inklings_desktop.agent.graph.nodes.persist import persist
from inklings_desktop.agent.graph.nodes.plan import plan
from inklings_desktop.agent.graph.nodes.receive import receive
from inklings_desktop.agent.graph.nodes.situations import (
    call_of,
    results_of,
    say_again,
    tell_result,
)
from inklings_desktop.agent.graph.nodes.spawn import CardTeller, pending_tasks, spawn
from inklings_desktop.agent.graph.nodes.work import work
from inklings_desktop.agent.graph.state import TurnState, begun
from inklings_desktop.agent.graph.telling import tool_part
from inklings_desktop.agent.graph.turn import Turn
from inklings_desktop.agent.memory_door.call import agent_error
from inklings_desktop.agent.memory_door.filters import SPAWN
from inklings_desktop.domain.errors import AgentError, InklingsError, StorageError
from inklings_desktop.domain.runs.run_rows import RESTORED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.runtime import Runtime

    from inklings_desktop.agent.graph.saver import RunStateSaver
    from inklings_desktop.agent.graph.turn import Stop
    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.domain.runs.run_rows import RunStateWord

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
TEAM_NODES: dict[str, Node] = {"work": work, "ask": decide, "do": act}


def build_graph(saver: BaseCheckpointSaver[int]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of the Orchestrator, its state kept by this saver.

    Only here is somebody sent for something; the state of those is kept by the same saver, each in
    a namespace of its own.
    """
    graph = StateGraph(TurnState, context_schema=Turn)
    for name, node in NODES.items():
        graph.add_node(name, _noted(name, node))
    graph.add_node(SPAWN, _sent(build_team_graph()))
    graph.add_edge(START, "receive")
    graph.add_edge("receive", "orient")
    graph.add_edge("orient", "gate")
    graph.add_edge("gate", "plan")
    graph.add_conditional_edges("plan", _after_plan, ["decide", "persist"])
    graph.add_edge("decide", "act")
    graph.add_conditional_edges("act", _after_act, [SPAWN, "plan"])
    graph.add_edge(SPAWN, "plan")
    graph.add_edge("persist", END)
    return graph.compile(checkpointer=saver)


def build_team_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of whoever is sent for something: it has no way to send anybody."""
    graph = StateGraph(TurnState, context_schema=Turn)
    for name, node in TEAM_NODES.items():
        graph.add_node(name, _noted(name, node))
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", _after_work, ["ask", END])
    graph.add_edge("ask", "do")
    graph.add_edge("do", "work")
    return graph.compile()


def _sent(team: CompiledStateGraph[Any, Any, Any, Any]) -> Node:
    async def sent(
        task: dict[str, Any], runtime: Runtime[Turn], config: RunnableConfig
    ) -> dict[str, Any]:
        turn = runtime.context
        await asyncio.to_thread(turn.runs.note_run, turn.run, SPAWN)
        return await spawn(task, turn, team, config)

    return sent


def _noted(name: str, node: Node) -> Node:
    """A node that says of the run that it is there; a run that was scrubbed goes no further."""

    async def noted(state: TurnState, runtime: Runtime[Turn]) -> dict[str, Any]:
        turn = runtime.context
        await asyncio.to_thread(turn.runs.note_run, turn.run, name)
        if isinstance(turn.teller, CardTeller):
            if name == "work":
                await turn.teller.show(state, "in_progress", turn.ms)
        else:
            turn.teller.seq = max(turn.teller.seq, (state["turn"] or {}).get("seq", 0))
            turn.memory.only = left_by(results_of(state))
        return await node(state, turn)

    return noted


def _after_plan(state: TurnState) -> str:
    return "decide" if state.get("calls") else "persist"


def _after_act(state: TurnState) -> list[Send] | str:
    """Each one who is sent goes alone: what one has come to is kept while others are at work."""
    return [Send(SPAWN, one) for one in pending_tasks(state)] or "plan"


def _after_work(state: TurnState) -> str:
    return "ask" if state.get("calls") else END


_log = logging.getLogger("inklings.agent")
_ENDED: dict[str, RunStateWord] = {
    words.CANCELLED: "stopped",
    words.MAX_TURN_REQUESTS: "stopped",
}


class Asks(Protocol):
    """Asks the person."""

    async def ask(
        self, turn: str, questions: Sequence[Mapping[str, Any]], stop: Stop
    ) -> Mapping[str, str]:
        """The option that was chosen for each question, by the id of its call."""


class Runner:
    """Turns of one workspace."""

    def __init__(self, saver: RunStateSaver, runs: RunState) -> None:
        self._saver = saver
        self._graph = build_graph(saver)
        self._runs = runs

    async def run(self, turn: Turn, told: Mapping[str, Any] | None, asks: Asks) -> str:
        """Carry out a turn; how it ended, in the protocol's word.

        Args:
            told: What begins it; None where it goes on from where it was cut off.

        Raises:
            InklingsError: It could not be carried out; what it had come to is kept.
        """
        run = turn.run
        await asyncio.to_thread(self._runs.begin_run, run, turn.conversation, "orchestrator")
        state: RunStateWord = "failed"
        problem = ""
        try:
            reason = await self._carry(turn, told, asks)
        except InklingsError as error:
            state, problem = "parked", agent_error(error).word
            raise
        except asyncio.CancelledError:
            state = "parked"
            raise
        else:
            state = "parked" if turn.stop_reason == "" else _ENDED.get(reason, "finished")
            if state != "parked":
                with suppress(StorageError):  # what those who were sent came to is in the message
                    await asyncio.to_thread(self._runs.delete_branches, turn.conversation)
            return reason
        finally:
            # Not here: while another program writes to the file, nobody could be answered. What
            # cannot be noted is found out when the turn is to go on.
            with suppress(StorageError):
                await asyncio.to_thread(self._runs.end_run, run, state, problem)

    async def unfinished(self, conversation: str) -> Mapping[str, Any] | None:
        """What the turn was begun with that did not come to its end; None for none.

        Raises:
            AgentError: There is one, and its state is none that could be gone on with.
        """
        if await self._saver.is_parked(conversation):
            raise AgentError(words.RUN_UNKNOWN_VERSION)
        latest = await asyncio.to_thread(self._runs.runs, conversation, 1)
        if latest and latest[0].state == "parked" and latest[0].problem == RESTORED:
            raise AgentError(words.RUN_DAMAGED, detail=RESTORED)
        found = await self._graph.aget_state(_config(conversation))
        turn = found.values.get("turn")
        return turn if found.next and isinstance(turn, dict) else None

    async def _carry(self, turn: Turn, told: Mapping[str, Any] | None, asks: Asks) -> str:
        config = _config(turn.conversation)
        config["recursion_limit"] = turn.limits.recursion
        given: Any = None
        if told is not None:
            given = begun(dict(told))
        else:
            await self._count_again(turn, config)
            await self._tell_again(turn, config)
        while True:
            asked = False
            try:
                # Questions are read once the stream is closed: before, not all of them are there.
                async for update in self._graph.astream(
                    given, config, context=turn, stream_mode="updates", durability="sync"
                ):
                    asked = asked or "__interrupt__" in update
            except GraphRecursionError:
                return words.MAX_TURN_REQUESTS
            if not asked:
                return turn.stop_reason or words.END_TURN
            given = await self._answer(turn, config, asks)
            if given is None:
                return words.CANCELLED if turn.stop else words.MAX_TURN_REQUESTS

    async def _count_again(self, turn: Turn, config: RunnableConfig) -> None:
        """Count the writes of a turn that was cut off, by the newest state of each of its parts."""
        seen: set[str] = set()
        async for kept in self._saver.alist(config):
            place = kept.config["configurable"]["checkpoint_ns"]
            state = kept.checkpoint["channel_values"]
            if place not in seen and (state.get("turn") or {}).get("id") == turn.id:
                turn.writes.restore(state, ALLOW)
            seen.add(place)

    async def _tell_again(self, turn: Turn, config: RunnableConfig) -> None:
        """Tell what a turn did before it was cut off; who has heard it knows it by its numbers."""
        state = (await self._graph.aget_state(config)).values
        last = 0
        for result in state.get("results") or []:
            await tell_result(turn, result)
            last = max(last, turn.teller.seq)
        for stored in state.get("calls") or []:
            if stored["id"] in turn.told:
                continue
            await say_again(turn, stored)
            part = tool_part(turn.id, call_of(stored), "pending")
            update = tool_update(part, {}, begins=True)
            await turn.teller.once_more(update, int(stored["seq"]))
            last = max(last, turn.teller.seq)
        turn.teller.seq = last  # those who are sent end in any order

    async def _answer(self, turn: Turn, config: RunnableConfig, asks: Asks) -> Command[Any] | None:
        """What goes on after a question; None where the turn rests."""
        found = await self._graph.aget_state(config)
        asked = found.interrupts[0]  # of several who ask, one after the other
        waiting = asked.value
        if "limit" in waiting:
            if not turn.is_continued or turn.limits.is_final:
                await turn.teller.tell(info({words.PROBLEM: {"word": waiting["limit"]}}))
                return None
            turn.is_continued = False
            return Command(resume={asked.id: {"more": True}})
        questions = waiting["questions"]
        answers = await asks.ask(turn.id, questions, turn.stop)
        if turn.stop.word == "parked":
            return None
        for one in questions:
            if answers.get(one["id"]) == words.OPTION_ALWAYS and not one.get(words.CHOICES):
                always = partial(self._runs.put_rule, turn.conversation, one["tool"], "", "allow")
                await asyncio.to_thread(always)
        given = {"by": turn.answered_by, "answers": dict(answers)}
        return Command(resume={asked.id: given})


def _config(conversation: str) -> RunnableConfig:
    return {"configurable": {"thread_id": conversation}}
