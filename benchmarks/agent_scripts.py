"""How quick and how light scripts in the sandbox are, each figure beside what it may be at most.

A result of an interpreter that waits is compared with the longest that it may take; reading memory
from a script with the same calls of the same server, made by the process around it: the processor
time of that process alone, and the wall with what the server takes. What an
agent's process takes with one interpreter ahead is compared with the most that it may.

    python -m benchmarks.agent_scripts [--memories 1000] [--calls 200] [--runs 10] [--json]
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from benchmarks.agent_models import place_in
from benchmarks.agent_start import server
from benchmarks.agent_talk import CLIENT, Conversation, Place, resident_mb
from benchmarks.made_worlds import make_world
from benchmarks.measuring import Report, Row, options
from inklings_desktop.agent.memory_door.call import MemoryDoor, MemoryPool, ServerCommand
from inklings_desktop.agent.memory_door.filters import ANALYSIS
from inklings_desktop.agent.providers.catalogue import CHAT
from inklings_desktop.agent.scripts.executor import Interpreter
from inklings_desktop.agent.scripts.memory_module import memory_module, over_memory
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.data_root import cache_dir
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from tests.support.wire_servers import Said, wire_server

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.agent.memory_door.call import Outcome

RESULT_BOUND_MS, RESIDENT_BOUND_MB, COMPILE_BOUND_S = 100.0, 240.0, 17.0
NOTHING = "def main(inputs): return 1"
LISTS = """
import inklings
def main(inputs):
    return sum(len(inklings.memory_list(limit=20)[0]) for _ in range(inputs["calls"]))
"""
SENDS = Said(calls=(("c1", "spawn", ('{"role": "worker", "goal": "Count"}',)),), stop="tools")
THINKS = Said(("I ",), form="held")
BOOTS_SECONDS = 5.0


def measure(n_memories: int, n_calls: int, n_runs: int) -> Report:
    """All figures over a workspace of this size.

    Args:
        n_memories: In the workspace.
        n_calls: Of a tool, in one script.
        n_runs: Scripts that count.
    """
    settings = {"memories": n_memories, "calls": n_calls, "runs": n_runs}
    report = Report("agent_scripts", settings=settings)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        workspace = make_world(root, n_memories).id
        with open_inklings(root, embed_writes=False) as inklings:
            rights = preset_rights(ClientKind.WORLD_AGENT, workspace)
            inklings.clients.grant(CLIENT, rights, kind=ClientKind.WORLD_AGENT)
        command, *arguments = Place(root, workspace, None).relay
        server = ServerCommand(command, tuple(arguments), ())
        asyncio.run(_measured(report, root, server, n_calls, n_runs))
        report.rows.append(_resident(root))
    return report


async def _measured(
    report: Report, root: Path, command: ServerCommand, n_calls: int, n_runs: int
) -> None:
    interpreter, pool = Interpreter(root, root), MemoryPool(sys.stderr)
    begun = time.process_time()
    await interpreter.warm()
    compiling = time.process_time() - begun
    door = MemoryDoor(pool.take(command))

    async def call(tool: str, given: Mapping[str, Any]) -> Outcome:
        return await door.call(ANALYSIS, tool, given)

    executor = over_memory(memory_module(call, lambda _text, _share: None)).build(interpreter)

    async def scripted(clock: Callable[[], float], script: str, calls: int = 0) -> float:
        await interpreter.warm()
        await asyncio.sleep(0.5)  # it boots while nobody waits
        begun = clock()
        ran = await executor.execute(script, {"calls": calls})
        spent = clock() - begun
        assert ran.outcome == "ok", ran
        return spent * 1000

    async def bare(clock: Callable[[], float]) -> float:
        begun = clock()
        for _ in range(n_calls):
            outcome = await call(
                "memory_list", {"tier": "workspace", "limit": 20, "detail": "full"}
            )
            assert not outcome.is_error
        return (clock() - begun) * 1000

    await bare(time.process_time)  # the server opens the workspace with its first answer
    wall, cpu = time.perf_counter, time.process_time
    results = [await scripted(cpu, NOTHING) for _ in range(n_runs)]
    in_script = [await scripted(wall, LISTS, n_calls) for _ in range(n_runs)]
    outside = [await bare(wall) for _ in range(n_runs)]
    cpu_in_script = [await scripted(cpu, LISTS, n_calls) for _ in range(n_runs)]
    cpu_outside = [await bare(cpu) for _ in range(n_runs)]
    await pool.close()
    name = f"{n_calls} calls of memory in a script"
    report.rows += [
        Row("making it ready, once on a machine", compiling, COMPILE_BOUND_S, "s CPU", "<= 1"),
        _row("an interpreter that waits, to the result", results, RESULT_BOUND_MS, "<= 1", "CPU"),
        _row(name, cpu_in_script, statistics.median(cpu_outside), "<= 3", "CPU"),
        _row(f"{name}, with the server", in_script, statistics.median(outside), "<= 3", "wall"),
    ]


def _row(path: str, spent: list[float], bare: float, goal: str, clock: str) -> Row:
    return Row(path, statistics.median(spent), bare, f"ms {clock}", goal, len(spent))


def _resident(root: Path) -> Row:
    """An agent in a talk: its Worker's model thinks, and an interpreter waits for its script."""
    with wire_server(SENDS, THINKS) as served:
        (root / "talk").mkdir()
        place, found = place_in(root / "talk", CHAT, served.address), list[float]()
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(root / "cache")}):
            cache_dir().mkdir(parents=True)
            asyncio.run(_compiled(cache_dir(), place.root))
            with server(place.agent, None) as process:
                talk = Conversation(process)
                talk.begin(place.memory())

                def look() -> None:
                    time.sleep(BOOTS_SECONDS)
                    found.append(resident_mb(process.pid))

                talk.stopped_after("Count them", b'"role":"worker"', look)
    name = "memory of the agent's process in a talk"
    note = "a model's library, and one interpreter ahead"
    return Row(name, found[0], RESIDENT_BOUND_MB, "MB", "<= 1", note=note)


async def _compiled(cache: Path, root: Path) -> None:
    interpreter = Interpreter(cache, root)
    await interpreter.warm()
    interpreter.drop()


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=1_000, calls=200, runs=10).parse_args()
    measure(chosen.memories, chosen.calls, chosen.runs).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
