"""How quick and how light the World Agent is, each figure beside what it cannot do without.

Whole processes and a real memory with the model that searches by meaning. A start is compared with
a process that imports the protocol's library; the first answer of a cold machine with the slower of
what it waits for, importing its libraries and a bare client's first `memory_orient`; a turn without
a model with the same calls of tools, as they were overheard, made by a bare client. What is stopped
and what is left behind is compared with the longest that it may take.

    python -m benchmarks.agent_speed [--memories 1000] [--runs 5] [--turns 40] [--json]
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmarks.agent_start import compiled_anew, processor_seconds, server
from benchmarks.agent_talk import (
    CLIENT,
    Conversation,
    Place,
    children_of,
    host_of,
    overheard,
    resident_mb,
    wait_until_gone,
    worked_ms,
)
from benchmarks.made_worlds import make_world
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights

QUESTION = "Who keeps the harbour glass at night?"
KEPT = "The seventh lamp of the quay is never lit."
FORGET = "Forget that the seventh lamp of the quay is never lit."
IMPORTS_PROTOCOL = """
import acp
print("{}", flush=True)
input()
"""
IMPORTS_ALL = """
import acp.connection, acp.schema
import langgraph.graph, langgraph.checkpoint.base
import mcp.client.session, mcp.client.stdio
print("{}", flush=True)
input()
"""
ORIENTS = """
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    command, *arguments = json.loads(sys.argv[1])
    server = StdioServerParameters(command=command, args=arguments)
    async with stdio_client(server) as (out, into), ClientSession(out, into) as session:
        await session.initialize()
        await session.call_tool("memory_orient", {"query": sys.argv[2]})
        print("{}", flush=True)

asyncio.run(main())
"""
HOSTS = """
import json, subprocess, sys, time
agent = subprocess.Popen(
    json.loads(sys.argv[1]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
begins = json.loads(sys.argv[2])
floods = [["_inklings/" + "x" * 60_000, {}]] * 6
for number, (method, params) in enumerate(begins + floods):
    asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    agent.stdin.write(json.dumps(asked) + "\\n")
    agent.stdin.flush()
    while number < len(begins) and json.loads(agent.stdout.readline()).get("id") != number:
        pass
print(agent.pid, flush=True)
time.sleep(600)
"""
STOP_BOUND_MS, GONE_BOUND_S, RESIDENT_BOUND_MB = 100.0, 3.0, 140.0
BLOCK = 10


@dataclass(slots=True)
class Spent:
    """What turns took.

    Attributes:
        wall_ms: Of each turn.
        cpu_ms: Of each block of turns, per turn, all processes that took part.
    """

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)


def measure(n_memories: int, n_runs: int, n_turns: int, *, is_smoke: bool = False) -> Report:
    """All figures over a workspace of this size.

    Args:
        n_memories: In the workspace.
        n_runs: Starts that count.
        n_turns: Turns, and turns that are stopped.
        is_smoke: Whether nobody reads the figures: no round is thrown away then, and nothing is
            compiled anew.
    """
    settings = {"memories": n_memories, "runs": n_runs, "turns": n_turns}
    report = Report("agent_speed", settings=settings)
    with (
        tempfile.TemporaryDirectory() as folder,
        compiled_anew(is_smoke=is_smoke) as bytecode,
    ):
        root = Path(folder)
        workspace = make_world(root, n_memories).id
        with open_inklings(root, embed_writes=False) as inklings:
            rights = preset_rights(ClientKind.WORLD_AGENT, workspace)
            inklings.clients.grant(CLIENT, rights, kind=ClientKind.WORLD_AGENT)
        place = Place(root, workspace, bytecode)
        report.rows += starts(place, n_runs, n_before=0 if is_smoke else 1)
        report.rows += asyncio.run(turns(place, n_turns))
        report.rows += left_behind(place, n_runs)
    report.settings["load_average"] = [round(one, 2) for one in os.getloadavg()]
    return report


def starts(place: Place, n_runs: int, n_before: int = 1) -> list[Row]:
    """The first words of a process, and the first answer where nothing runs yet.

    What comes before the rounds that count fills the disk's cache and compiles the modules.
    """
    ways = {
        "acp": ["-c", IMPORTS_PROTOCOL],
        "agent": place.agent,
        "imports": ["-c", IMPORTS_ALL],
        "orients": ["-c", ORIENTS, json.dumps(place.relay), QUESTION],
    }
    wall: dict[str, list[float]] = {name: [] for name in (*ways, "answer")}
    cpu: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(n_before + n_runs):
        for name, arguments in ways.items():
            elapsed, worked = until_first_line(arguments, place.bytecode, is_agent=name == "agent")
            if round_ >= n_before:
                wall[name].append(elapsed)
                cpu[name].append(worked)
            wait_until_gone(host_of(place.root))
        elapsed = until_answered(place)
        if round_ >= n_before:
            wall["answer"].append(elapsed)
        wait_until_gone(host_of(place.root))
    at = {name: statistics.median(each) for name, each in wall.items()}
    worked_at = {name: statistics.median(each) for name, each in cpu.items()}
    begins = "agent's first words (bare imports the protocol's library)"
    slower = max(at["imports"], at["orients"])
    note = f"imports {at['imports']:.2f} s, bare connect and orient {at['orients']:.2f} s"
    label = "first answer, nothing running (bare is the slower part)"
    return [
        Row(begins, worked_at["agent"], worked_at["acp"], "s CPU", "<= 1.3", n_runs),
        Row(begins, at["agent"], at["acp"], "s wall", "", n_runs),
        Row(label, at["answer"], slower, "s wall", "<= 1.3", n_runs, note),
    ]


def until_first_line(
    arguments: list[str], bytecode: Path | None, *, is_agent: bool
) -> tuple[float, float]:
    """Seconds from the start of a process to its first line: elapsed, and of the processor."""
    begun = time.perf_counter()
    with server(arguments, bytecode) as process:
        if is_agent:
            Conversation(process).ask("initialize", {"protocolVersion": 1})
        else:
            assert process.stdout is not None
            process.stdout.readline()
        elapsed = time.perf_counter() - begun
        return elapsed, processor_seconds(process.pid) or 0.0


def until_answered(place: Place) -> float:
    """Seconds from the start of the agent to the end of its first turn."""
    begun = time.perf_counter()
    with server(place.agent, place.bytecode) as process:
        talk = Conversation(process)
        talk.begin(place.memory())
        talk.say(QUESTION)
        return time.perf_counter() - begun


async def turns(place: Place, n_turns: int) -> list[Row]:
    """A turn beside the calls that it makes, what a stop takes, and what the processes hold."""
    calls, turn = overheard(place, QUESTION)
    async with AsyncExitStack() as life:
        process = life.enter_context(server(place.agent, place.bytecode))
        talk = Conversation(process)
        talk.begin(place.memory())
        command, *arguments = place.relay
        parameters = StdioServerParameters(command=command, args=arguments)
        streams = await life.enter_async_context(stdio_client(parameters))
        bare = await life.enter_async_context(ClientSession(*streams))
        await bare.initialize()
        host = host_of(place.root)
        assert host is not None
        ours, theirs = Spent(), Spent()
        calls = calls.replace(turn.session, talk.session)
        await settle(talk, bare)
        for block in range(max(1, n_turns // BLOCK)):
            many = min(BLOCK, n_turns)
            # The processes that took part, the bare client's own being this one.
            parts = [process.pid, host, *children_of(process.pid)]
            before = worked_ms(parts)
            for _ in range(many):
                begun = time.perf_counter()
                talk.say(QUESTION)
                ours.wall_ms.append((time.perf_counter() - begun) * 1000)
            ours.cpu_ms.append((worked_ms(parts) - before) / many)
            mine = [host, *children_of(os.getpid(), but=process.pid)]
            before, spent = worked_ms(mine), time.process_time()
            for number in range(many):
                begun = time.perf_counter()
                await replayed(bare, calls.replace(turn.id, f"b{block}-{number}"))
                theirs.wall_ms.append((time.perf_counter() - begun) * 1000)
            own_ms = (time.process_time() - spent) * 1000
            theirs.cpu_ms.append((worked_ms(mine) - before + own_ms) / many)
        stops = stopped(talk, n_turns)
        resident = [resident_mb(one) for one in (process.pid, *children_of(process.pid)[:1])]
    n_calls = calls.count('"name"')
    label = f"turn without a model (bare is its {n_calls} calls)"
    median = statistics.median
    return [
        Row(label, median(ours.cpu_ms), median(theirs.cpu_ms), "ms CPU", "<= 2", n_turns),
        Row(label, median(ours.wall_ms), median(theirs.wall_ms), "ms wall", "<= 2", n_turns),
        Row(
            "p95 from a stop to its end (bare is the bound)",
            statistics.quantiles(stops, n=20, method="inclusive")[-1],
            STOP_BOUND_MS, "ms wall", "<= 1", len(stops),
            f"median {median(stops):.0f} ms, longest {max(stops):.0f} ms",
        ),
        Row(
            "memory of the agent's process (bare is the bound)",
            resident[0], RESIDENT_BOUND_MB, "MB", "<= 1",
            note=f"its relay {resident[1]:.0f} MB more",
        ),
    ]  # fmt: skip


async def settle(talk: Conversation, bare: ClientSession) -> None:
    """Let both begin, and memory load its model."""
    for _ in range(600):
        await bare.call_tool("memory_orient", {"query": QUESTION})
        found = await bare.call_tool("memory_read", {"tier": "workspace", "query": QUESTION})
        if (found.structured_content or {}).get("mode") == "hybrid":
            break
        await asyncio.sleep(0.1)
    for _ in range(3):
        talk.say(QUESTION)


def stopped(talk: Conversation, n_times: int) -> list[float]:
    """Milliseconds that stops take: of a turn that looks, and of one that asks."""
    talk.say(f"Remember that {KEPT[0].lower()}{KEPT[1:]}")
    moments = ((QUESTION, b'"tool_call"'), (FORGET, b"session/request_permission"))
    return [talk.stopped_after(*moments[number % 2]) for number in range(n_times)]


async def replayed(bare: ClientSession, calls: str) -> None:
    """Make these calls.

    Raises:
        RuntimeError: One of them failed.
    """
    for group in json.loads(calls):
        made = (bare.call_tool(one["name"], one["arguments"]) for one in group)
        for one, answer in zip(group, await asyncio.gather(*made), strict=True):
            if answer.is_error and one["name"] != "note_read":  # there may be no note yet
                raise RuntimeError(f"a call failed: {answer.content}")


def left_behind(place: Place, n_runs: int) -> list[Row]:
    """How long anything outlives a host that is killed while it reads nothing of a flood."""
    block = {"cwd": os.sep, "mcpServers": [place.memory()]}
    words = [("initialize", {"protocolVersion": 1}), ("session/new", block)]
    seconds = []
    for _ in range(n_runs):
        command = [sys.executable, "-c", HOSTS, json.dumps([sys.executable, *place.agent])]
        with subprocess.Popen([*command, json.dumps(words)], stdout=subprocess.PIPE) as host:
            assert host.stdout is not None
            agent = int(host.stdout.readline())
            left = [agent, *children_of(agent), host_of(place.root)]
            host.send_signal(signal.SIGKILL)
            begun = time.perf_counter()
            for one in left:
                wait_until_gone(one)
            seconds.append(time.perf_counter() - begun)
    label = "host killed to agent and memory gone (bare is the bound)"
    return [Row(label, max(seconds), GONE_BOUND_S, "s wall", "<= 1", n_runs, "longest")]


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=1_000, runs=5, turns=40).parse_args()
    measure(chosen.memories, chosen.runs, chosen.turns).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
