"""Many agents at the door while the window is used: nothing fails, nothing is lost, nobody waits.

Twenty clients of one loopback server and one client of each of four stdio servers, two calls a
second each: four reads of ten thousand memories to one write, half of the questions asked before.
Meanwhile the real window, offscreen and on the same files, is typed into, scrolled and changed.
Afterwards every acknowledged write must be there, and every hit counted as one read.

The limit of writes per client is raised for this, since all clients of one server share one name.

    python -m benchmarks.agent_load [--memories 10000] [--seconds 60] [--http 20] [--stdio 4]
                                    [--json]
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.made_worlds import WORDS, make_world
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.clients import ClientKind, preset_rights
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.storage.driver import sqlite_module

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

CALLS_PER_SECOND = 2
WRITES_EVERY = 5
REPEATED_QUESTIONS = 10
READ_BOUND_MS = 100.0
GAP_BOUND_MS = 100.0
SETTINGS = "[agents]\nwrites_per_minute = 6000\n\n[memory]\ncap = 100000\n"
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(sys.path)}


@dataclass(slots=True)
class Outcome:
    """What the clients saw.

    Attributes:
        reads_ms: Every memory_read, by kind of server.
        writes_ms: Every memory_put.
        hits: Memories that were handed over.
        written: Ids of the memories whose writing was acknowledged.
        errors: What failed, in words.
        by_words: Reads that were answered without meaning.
    """

    reads_ms: dict[str, list[float]] = field(default_factory=lambda: {"http": [], "stdio": []})
    writes_ms: list[float] = field(default_factory=list)
    hits: int = 0
    written: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    by_words: int = 0

    @property
    def every_read_ms(self) -> list[float]:
        """Of all servers."""
        return [*self.reads_ms["http"], *self.reads_ms["stdio"]]


def measure(n_memories: int, seconds: int, n_http: int, n_stdio: int) -> Report:
    """Figures of one load.

    Raises:
        RuntimeError: A call failed, a write was lost or a read was not counted exactly once.
    """
    report = Report(
        "agent_load",
        settings={"memories": n_memories, "seconds": seconds, "http": n_http, "stdio": n_stdio},
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "settings.toml").write_text(SETTINGS, encoding="utf-8")
        workspace = make_world(root, n_memories).id
        names = ["web", *(f"agent-{number}" for number in range(n_stdio))]
        grant(root, workspace, names)
        before = reads_counted(root, workspace)
        with window_in_use(root) as window, loopback(root, "web") as (address, header):
            outcome = asyncio.run(loaded(root, address, header, seconds, n_http, names[1:]))
            gaps = window()
        report.settings["load_average"] = [round(one, 2) for one in os.getloadavg()]
        report.settings |= judged(root, workspace, outcome, reads_counted(root, workspace) - before)
    count = f"{n_http} + {n_stdio} clients, {n_memories:,} memories"
    for name, spent in (
        ("memory_read", outcome.every_read_ms),
        ("memory_read over HTTP", outcome.reads_ms["http"]),
        ("memory_read over stdio", outcome.reads_ms["stdio"]),
        ("memory_put", outcome.writes_ms),
    ):
        if not spent:
            continue
        goal = "<= 1" if name == "memory_read" else ""
        label = f"p95 of {name}, {count} (bare is the bound)"
        bound = READ_BOUND_MS if goal else None
        report.rows.append(Row(label, percentile(spent, 95), bound, "ms wall", goal, len(spent)))
        report.settings[f"median of {name}, ms"] = round(statistics.median(spent), 1)
    label = f"p99 of the window's busy time, {count} (bare is the bound)"
    report.rows.append(Row(label, percentile(gaps, 99), GAP_BOUND_MS, "ms wall", "<= 1", len(gaps)))
    report.settings["longest busy time of the window, ms"] = round(max(gaps), 1)
    return report


def judged(root: Path, workspace: str, outcome: Outcome, counted: int) -> dict[str, Any]:
    """Counts for the report, once nothing is wrong.

    Raises:
        RuntimeError: Something is.
    """
    lost = missing(root, workspace, outcome.written)
    faults = [f"{len(outcome.errors)} calls failed: {outcome.errors[:3]}"] if outcome.errors else []
    if lost:
        faults.append(f"{lost} of {len(outcome.written)} acknowledged writes are lost")
    if counted != outcome.hits:
        faults.append(f"{outcome.hits} hits were handed over, {counted} reads counted")
    if faults:
        raise RuntimeError("; ".join(faults))
    return {
        "calls": len(outcome.every_read_ms) + len(outcome.writes_ms),
        "errors": 0,
        "writes": len(outcome.written),
        "lost": 0,
        "hits, each counted once": outcome.hits,
        "reads by words alone": outcome.by_words,
    }


def grant(root: Path, workspace: str, names: list[str]) -> None:
    """Make every client the author's own agent."""
    with open_inklings(root, workspace=workspace, embed_writes=False) as inklings:
        rights = preset_rights(ClientKind.WORLD_AGENT, workspace)
        for name in names:
            inklings.grant_rights(inklings.caller, name, rights, kind=ClientKind.WORLD_AGENT)


def reads_counted(root: Path, workspace: str) -> int:
    """Sum of the access counts of every memory of the workspace."""
    path = root / "workspaces" / workspace / "agents.db"
    with contextlib.closing(sqlite_module().connect(path)) as connection:
        total: int = connection.execute("SELECT sum(access_count) FROM memories").fetchone()[0]
    return total


def missing(root: Path, workspace: str, written: list[str]) -> int:
    """How many of these ids are not there, whole and active."""
    lost = 0
    with open_inklings(root, workspace=workspace, embed_writes=False) as inklings:
        scope = ScopeKey.workspace(workspace)
        for memory_id in written:
            try:
                entry = inklings.show_memory(inklings.caller, MemoryRef(scope, memory_id)).entry
            except NotFoundError:
                lost += 1
            else:
                lost += entry.is_forgotten or not entry.content.startswith("Told by ")
    return lost


async def loaded(
    root: Path, address: str, header: dict[str, str], seconds: int, n_http: int, names: list[str]
) -> Outcome:
    """Run every client for this long."""
    outcome = Outcome()
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            ("http", await stack.enter_async_context(over_http(address, header)))
            for _ in range(n_http)
        ]
        clients += [
            ("stdio", await stack.enter_async_context(over_stdio(root, name))) for name in names
        ]
        for _, client in clients:  # the model of every server is loaded before it counts
            await by_meaning(client)
        began = time.monotonic()
        await asyncio.gather(
            *(
                talking(number, kind, client, began + seconds, outcome)
                for number, (kind, client) in enumerate(clients)
            )
        )
    return outcome


async def by_meaning(client: Client) -> None:
    """Wait until searches of this server go by meaning; finds nothing, so that nothing counts."""
    question = {"tier": "account", "query": "ready"}
    for _ in range(600):
        answer = await client.call_tool("memory_read", question)
        if "notice" not in (answer.structured_content or {}):
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("a server never loaded its model")


async def talking(number: int, kind: str, client: Client, until: float, outcome: Outcome) -> None:
    """Two calls a second, the first one somewhere in the first half second."""
    dice = random.Random(number)
    step = 1 / CALLS_PER_SECOND
    due = time.monotonic() + dice.random() * step
    for turn in itertools.count():
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() >= until:
            return
        begun = time.perf_counter()
        if turn % WRITES_EVERY == WRITES_EVERY - 1:
            tool, arguments = "memory_put", told(dice, number, turn)
        else:
            tool, arguments = "memory_read", asked(dice, number, turn)
        try:
            answer = await client.call_tool(tool, arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted and told
            outcome.errors.append(f"{tool}: {error!r}")
        else:
            note(outcome, kind, tool, answer, (time.perf_counter() - begun) * 1_000)
        due += step


def asked(dice: random.Random, number: int, turn: int) -> dict[str, Any]:
    """A question; every other one is one of a few that all clients ask."""
    if turn % 2:
        words = random.Random(dice.randrange(REPEATED_QUESTIONS)).sample(WORDS, 4)
    else:
        words = [*dice.sample(WORDS, 4), f"{number}-{turn}"]
    return {"tier": "workspace", "query": " ".join(words)}


def told(dice: random.Random, number: int, turn: int) -> dict[str, Any]:
    """Something new to remember."""
    text = f"Told by {number} in turn {turn}: {' '.join(dice.choices(WORDS, k=15))}."
    return {"tier": "workspace", "content": text}


def note(outcome: Outcome, kind: str, tool: str, answer: Any, milliseconds: float) -> None:
    """Keep what became of a call."""
    document = answer.structured_content or {}
    if answer.is_error:
        outcome.errors.append(f"{tool}: {answer.content[0].text}")
    elif tool == "memory_read":
        outcome.reads_ms[kind].append(milliseconds)
        outcome.hits += len(document["hits"])
        outcome.by_words += "notice" in document
    elif document["status"] == "stored":
        outcome.writes_ms.append(milliseconds)
        outcome.written.append(document["memory"]["id"])
    else:
        outcome.errors.append(f"{tool}: {document['status']}")


@contextlib.asynccontextmanager
async def over_http(address: str, header: dict[str, str]) -> AsyncIterator[Client]:
    """One client of the loopback server."""
    async with (
        httpx2.AsyncClient(headers=header, timeout=60) as web,
        Client(streamable_http_client(address, http_client=web)) as client,
    ):
        yield client


@contextlib.asynccontextmanager
async def over_stdio(root: Path, name: str) -> AsyncIterator[Client]:
    """A server of its own and its client."""
    server = StdioServerParameters(
        command=sys.executable, args=serve_arguments(root, name), env=ENVIRONMENT
    )
    async with Client(stdio_client(server)) as client:
        yield client


def serve_arguments(root: Path, name: str) -> list[str]:
    """What starts a server for this client."""
    return ["-m", "inklings_desktop.cli", "--data-dir", str(root), "mcp", "serve", "--client", name]


@contextlib.contextmanager
def loopback(root: Path, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The server over HTTP; its address and the header that lets a client in."""
    command = [sys.executable, *serve_arguments(root, name), "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        address, token = (process.stderr.readline().decode().split()[-1] for _ in range(2))
        try:
            yield address, {"Authorization": f"Bearer {token}"}
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)


@contextlib.contextmanager
def window_in_use(root: Path) -> Iterator[Any]:
    """The window, used until the function that is handed out is called; it tells the gaps."""
    command = [sys.executable, "-m", "benchmarks.window_in_use", str(root)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the window did not open")

        def stop() -> list[float]:
            out, _ = process.communicate("\n", timeout=60)
            gaps: list[float] = json.loads(out)["gaps_ms"]
            return gaps

        try:
            yield stop
        finally:
            if process.poll() is None:
                process.kill()


def percentile(values: list[float], percent: int) -> float:
    """The value that this many of a hundred do not exceed; by nearest rank."""
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


def main() -> None:
    """Measure and print."""
    parser = options(__doc__, memories=10_000, seconds=60, http=20, stdio=4)
    chosen = parser.parse_args()
    report = measure(chosen.memories, chosen.seconds, chosen.http, chosen.stdio)
    report.print(as_json=chosen.json)
    if not chosen.json:
        print(json.dumps(report.settings, indent=2))


if __name__ == "__main__":
    main()
