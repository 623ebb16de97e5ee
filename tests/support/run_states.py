"""The state of runs over a real file, and a small graph whose turns are kept in it."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from inklings_desktop.agent.graph.saver import RunStateSaver
from inklings_desktop.agent.graph.state import CURRENT, Object, TurnState, begun, cleared
from inklings_desktop.storage.places import DATABASE_NAME, workspace_folder
from inklings_desktop.storage.runs.run_state import SqliteRunState
from tests.support.builders import WORKSPACE_ID
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inklings_desktop.agent.graph.state import StateMigrations
    from inklings_desktop.agent.ports import CheckpointStore

THREAD = "0d9f7f6c-9d5f-4c2e-8a55-1c1f4f1f0001"


@contextmanager
def a_run_state(root: Path) -> Iterator[SqliteRunState]:
    """The run state of a workspace that is made if it is not there yet."""
    with sqlite_world(root):
        pass
    with closing(SqliteRunState(root, WORKSPACE_ID)) as runs:
        yield runs


@dataclass(frozen=True, slots=True)
class Bench:
    """A run state and the talks over it.

    Attributes:
        root: The data root.
        runs: The run state.
    """

    root: Path
    runs: SqliteRunState
    _savers: list[RunStateSaver] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return workspace_folder(self.root, WORKSPACE_ID) / DATABASE_NAME

    def talk(self, **of: Any) -> Talk:
        """As a process that has just begun would have it."""
        talk = Talk(self.runs, **of)
        self._savers.append(talk.saver)
        return talk

    def saver(self) -> RunStateSaver:
        """A saver alone."""
        self._savers.append(RunStateSaver(self.runs))
        return self._savers[-1]

    def close(self) -> None:
        """Let the savers end."""
        for saver in self._savers:
            saver.close()


@contextmanager
def a_bench(root: Path) -> Iterator[Bench]:
    """A run state with nothing in it."""
    with a_run_state(root) as runs, closing(Bench(root, runs)) as bench:
        yield bench


@dataclass(slots=True)
class Talk:
    """Turns of three nodes: one plans, one asks, one answers.

    Attributes:
        store: Keeps their state.
        migrations: Which states they understand.
        visited: The nodes that were run, in order.
        planning: What the first node writes beside its call.
        answering: Done in the last node.
    """

    store: CheckpointStore
    migrations: StateMigrations = CURRENT
    visited: list[str] = field(default_factory=list)
    planning: Object = field(default_factory=dict)
    answering: Callable[[], None] = lambda: None
    saver: RunStateSaver = field(init=False)
    graph: Any = field(init=False)

    def __post_init__(self) -> None:
        """Put the graph together."""
        self.saver = RunStateSaver(self.store, self.migrations)
        graph = StateGraph(TurnState)
        nodes: tuple[Any, ...] = (self.plan, self.decide, self.persist)
        before = START
        for node in nodes:
            graph.add_node(node.__name__, node)
            graph.add_edge(before, node.__name__)
            before = node.__name__
        graph.add_edge(before, END)
        self.graph = graph.compile(checkpointer=self.saver)

    async def plan(self, _: TurnState) -> Object:
        """One call."""
        self.visited.append("plan")
        return {"calls": [{"id": "c1", "name": "memory_forget"}], **self.planning}

    async def decide(self, state: TurnState) -> Object:
        """Ask about it."""
        self.visited.append("decide")
        answer = interrupt({"call": state["calls"][0]["id"]})
        return {"results": [{"call": "c1", "outcome": answer}]}

    async def persist(self, state: TurnState) -> Object:
        """The answer, as it is remembered."""
        self.visited.append("persist")
        self.answering()
        said = {"role": "assistant", "parts": [], "told": state["results"][0]["outcome"]}
        return cleared() | {"history": [said]}

    async def say(self, given: object = None, thread: str = THREAD) -> Object:
        """Begin a turn, or go on with the one in hand for None or a command."""
        config = {"configurable": {"thread_id": thread}}
        said: Object = await self.graph.ainvoke(given, config, durability="sync")
        return said

    async def begin(self, turn: str = "t1", thread: str = THREAD) -> Object:
        """Begin a turn."""
        return await self.say(begun({"id": turn}), thread)

    async def standing(self, thread: str = THREAD) -> Any:
        """Where a thread stands."""
        return await self.graph.aget_state({"configurable": {"thread_id": thread}})
