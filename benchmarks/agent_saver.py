"""What keeping the state after every step costs a turn, beside the same graph that keeps nothing.

Five nodes that do nothing but hand on what a turn of talk holds; the bare graph has no saver. How
much a thread grows is measured on the file, with its WAL folded back.

    python -m benchmarks.agent_saver [--turns 60] [--json]
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph

from benchmarks.measuring import Report, Row, in_turn, medians, options
from inklings_desktop.agent.graph.saver import RunStateSaver
from inklings_desktop.agent.graph.state import Object, TurnState, begun, cleared
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.places import DATABASE_NAME, workspace_folder
from inklings_desktop.storage.runs.run_state import SqliteRunState

if TYPE_CHECKING:
    from collections.abc import Callable

SAID = "The ferry to the saltglass quay is late again, and Ann waits under the lamp. " * 6


async def receive(_: TurnState) -> Object:
    """What the person said."""
    return {"history": [{"role": "user", "parts": [{"kind": "text", "text": SAID}]}]}


async def orient(_: TurnState) -> Object:
    """What a turn begins with."""
    return {"context": {"slices": [SAID] * 4}, "spent": {"steps": 1}}


async def plan(_: TurnState) -> Object:
    """A call."""
    return {"calls": [{"id": "c1", "name": "memory_read", "args": {"query": SAID[:60]}}]}


async def act(_: TurnState) -> Object:
    """What it gave."""
    touched = [{"id": f"m{n}", "how": "read", "version": 1} for n in range(5)]
    return {"results": [{"call": "c1", "digest": SAID * 4}], "touched": touched}


async def persist(_: TurnState) -> Object:
    """The answer."""
    said = {"role": "assistant", "parts": [{"kind": "text", "text": SAID * 2}]}
    return cleared() | {"history": [said]}


def measure(n_turns: int) -> Report:
    """Processor and elapsed time of a turn, and how much a thread of them grows the file."""
    report = Report("agent_saver", settings={"turns": n_turns, "nodes": 5})
    graph = StateGraph(TurnState)
    before = START
    nodes: tuple[Any, ...] = (receive, orient, plan, act, persist)
    for node in nodes:
        graph.add_node(node.__name__, node)
        graph.add_edge(before, node.__name__)
        before = node.__name__
    graph.add_edge(before, END)
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        root = Path(folder, "root")
        with open_inklings(root, embed_writes=False) as inklings:
            workspace_id = inklings.workspaces.create("Measured").id
        database = workspace_folder(root, workspace_id) / DATABASE_NAME
        with closing(SqliteRunState(root, workspace_id)) as state:
            saver = RunStateSaver(state)
            kept, bare = graph.compile(checkpointer=saver), graph.compile()

            def ways(thread: str) -> dict[str, list[Callable[[], object]]]:
                config: Any = {"configurable": {"thread_id": thread}}
                given: Any = begun({"id": "t1"})
                return {
                    "kept": [lambda: runner.run(kept.ainvoke(given, config, durability="sync"))]
                    * n_turns,
                    "bare": [lambda: runner.run(bare.ainvoke(given))] * n_turns,
                }

            size = folded(database)
            in_turn(ways("first"), clock=time.perf_counter)
            grown = folded(database) - size
            wall = medians(in_turn(ways("wall"), clock=time.perf_counter))
            cpu = medians(in_turn(ways("cpu"), clock=time.process_time))
            saver.close()
    note = "bare has no saver"
    report.rows += [
        Row("turn of 5 nodes", wall["kept"], wall["bare"], "ms wall", "<= 3.5", n_turns, note),
        Row("turn of 5 nodes", cpu["kept"], cpu["bare"], "ms CPU", "<= 3.5", n_turns, note),
        Row(
            f"growth of the file by {n_turns} turns of one thread",
            grown / 2**20,
            0.5,
            "MB",
            "<= 1",
            note="bare is the goal",
        ),
    ]
    return report


def folded(database: Path) -> int:
    """Bytes of a file that has everything in it."""
    with closing(connect_raw(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.stat().st_size


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, turns=60).parse_args()
    measure(chosen.turns).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
