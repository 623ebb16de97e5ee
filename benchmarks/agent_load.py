"""Many agents at the door while the window is used: nothing fails, nothing is lost, nobody waits.

Twenty clients of one loopback server and four over standard input and output, each by a relay of
its own to the host that they share, two calls a second each: four reads of ten thousand memories
to one write, half of the questions asked before.
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

from benchmarks.agent_start import processor_seconds
from benchmarks.made_facts import WordVectors, fill, questions
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

CALLS_PER_SECOND = 2
WRITES_EVERY = 5
REPEATED_QUESTIONS = 10
TOPICS = 400
READ_BOUND_MS = 100.0
GAP_BOUND_MS = 100.0
HOSTED_BOUND_MB = 350.0
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
        http_calls: Answers of the loopback server.
        hosted_mb: Memory of the host and its relays at the end, shared pages counted once; None
            where the system does not tell.
    """

    reads_ms: dict[str, list[float]] = field(default_factory=lambda: {"http": [], "stdio": []})
    writes_ms: list[float] = field(default_factory=list)
    hits: int = 0
    written: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    by_words: int = 0
    http_calls: int = 0
    hosted_mb: float | None = None

    @property
    def every_read_ms(self) -> list[float]:
        """Of all servers."""
        return [*self.reads_ms["http"], *self.reads_ms["stdio"]]


@dataclass(frozen=True, slots=True)
class Load:
    """Who talks to whom, for how long.

    Attributes:
        root: The data root.
        address: Of the loopback server.
        header: Lets a client in there.
        seconds: How long.
        n_http: Clients of the loopback server.
        names: Clients with a server each over stdio.
        topics: Questions with an answer among the memories.
    """

    root: Path
    address: str
    header: dict[str, str]
    seconds: int
    n_http: int
    names: list[str]
    topics: list[str]


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
        names = ["web", *(f"agent-{number}" for number in range(n_stdio))]
        workspace = settled(root, n_memories, names)
        topics = questions(min(n_memories // 2, TOPICS), n_memories)
        before = reads_counted(root, workspace)
        with window_in_use(root) as window, loopback(root, "web") as (process_id, address, header):
            before_s = processor_seconds(process_id)
            load = Load(root, address, header, seconds, n_http, names[1:], topics)
            outcome = asyncio.run(loaded(load))
            after_s = processor_seconds(process_id)
            gaps = window()
        report.settings["load_average"] = [round(one, 2) for one in os.getloadavg()]
        report.settings |= judged(root, workspace, outcome, reads_counted(root, workspace) - before)
    count = f"{n_http} + {n_stdio} clients, {n_memories:,} memories"
    for name, spent in (
        ("memory_read", outcome.every_read_ms),
        ("memory_read over HTTP", outcome.reads_ms["http"]),
        ("memory_read through the host", outcome.reads_ms["stdio"]),
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
    if outcome.hosted_mb is not None and n_stdio:
        label = f"memory of the host and {n_stdio} clients (bare is the bound of four)"
        report.rows.append(Row(label, outcome.hosted_mb, HOSTED_BOUND_MB, "MB PSS", "<= 1"))
    if before_s is not None and after_s is not None:
        spent_ms = (after_s - before_s) * 1_000 / max(1, outcome.http_calls)
        report.rows.append(
            Row("loopback server, a call", spent_ms, None, "ms CPU", n=outcome.http_calls)
        )
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
        faults.append(f"{outcome.hits} matches were handed over, {counted} reads counted")
    if faults:
        raise RuntimeError("; ".join(faults))
    return {
        "calls": len(outcome.every_read_ms) + len(outcome.writes_ms),
        "errors": 0,
        "writes": len(outcome.written),
        "lost": 0,
        "matches, each counted once": outcome.hits,
        "reads by words alone": outcome.by_words,
    }


def settled(root: Path, n_memories: int, names: list[str]) -> str:
    """Fill a workspace and make every client the author's own agent; the workspace's id."""
    with open_inklings(root, embed_writes=False) as inklings:
        vectors = WordVectors(inklings.embedder.model_id)
        made = inklings.workspaces.create("Loaded")
        fill(inklings, ScopeKey.workspace(made.id), n_memories, vectors)
        rights = preset_rights(ClientKind.WORLD_AGENT, made.id)
        for name in names:
            inklings.clients.grant(name, rights, kind=ClientKind.WORLD_AGENT)
    return made.id


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
                entry = inklings.listing.show(MemoryRef(scope, memory_id)).entry
            except NotFoundError:
                lost += 1
            else:
                lost += entry.is_forgotten or not entry.content.startswith("Told by ")
    return lost


async def loaded(load: Load) -> Outcome:
    """Run every client for its time."""
    outcome = Outcome()
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            ("http", await stack.enter_async_context(over_http(load.address, load.header)))
            for _ in range(load.n_http)
        ]
        clients += [
            ("stdio", await stack.enter_async_context(over_stdio(load.root, name)))
            for name in load.names
        ]
        for _, client in clients:  # the model of every server is loaded before it counts
            await by_meaning(client)
        until = time.monotonic() + load.seconds
        await asyncio.gather(
            *(
                talking(Talker(number, kind, client, load.topics), until, outcome)
                for number, (kind, client) in enumerate(clients)
            )
        )
        outcome.hosted_mb = hosted_mb(load.root)
    return outcome


def hosted_mb(root: Path) -> float | None:
    """Proportional share of memory of the host of a data root and of its relays, in MB."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, StopIteration):
            words = (one / "cmdline").read_bytes().split(b"\0")
            if (
                os.fsencode(root) in words
                and b"--http" not in words
                and b"-m" in words
                and (b"mcp-host" in words or b"serve" in words)
            ):
                lines = (one / "smaps_rollup").read_text("ascii").splitlines()
                found.append(
                    int(next(line for line in lines if line.startswith("Pss:")).split()[1])
                )
    return sum(found) * 1_024 / 1e6 if found else None


async def by_meaning(client: Client) -> None:
    """Wait until searches of this server go by meaning; finds nothing, so that nothing counts."""
    question = {"tier": "account", "query": "ready"}
    for _ in range(600):
        answer = await client.call_tool("memory_read", question)
        if (answer.structured_content or {}).get("mode") == "hybrid":
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("a server never loaded its model")


@dataclass(frozen=True, slots=True)
class Talker:
    """One client and what it talks about.

    Attributes:
        number: Different for each.
        kind: Of its server.
        client: Speaks the protocol.
        topics: Questions with an answer among the memories.
    """

    number: int
    kind: str
    client: Client
    topics: list[str]

    def call(self, turn: int) -> tuple[str, dict[str, Any]]:
        """Tool and arguments; every other question is one of a few that all clients ask."""
        dice = random.Random(1_000 * self.number + turn)
        topic = dice.choice(self.topics)
        if turn % WRITES_EVERY == WRITES_EVERY - 1:
            text = f"Told by {self.number} in turn {turn}: {topic}"
            return "memory_put", {"tier": "workspace", "content": text, "detail": "full"}
        if turn % 2:
            topic = self.topics[dice.randrange(REPEATED_QUESTIONS)]
        else:
            topic = f"{topic} Turn {self.number}-{turn}."
        return "memory_read", {"tier": "workspace", "query": topic}


async def talking(talker: Talker, until: float, outcome: Outcome) -> None:
    """Two calls a second, the first one somewhere in the first half second."""
    step = 1 / CALLS_PER_SECOND
    due = time.monotonic() + random.Random(talker.number).random() * step
    for turn in itertools.count():
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() >= until:
            return
        tool, arguments = talker.call(turn)
        begun = time.perf_counter()
        try:
            answer = await talker.client.call_tool(tool, arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted and told
            outcome.errors.append(f"{tool}: {error!r}")
        else:
            note(outcome, talker.kind, tool, answer, (time.perf_counter() - begun) * 1_000)
        due += step


def note(outcome: Outcome, kind: str, tool: str, answer: Any, milliseconds: float) -> None:
    """Keep what became of a call."""
    document = answer.structured_content or {}
    outcome.http_calls += kind == "http"
    if answer.is_error:
        outcome.errors.append(f"{tool}: {answer.content[0].text}")
    elif tool == "memory_read":
        outcome.reads_ms[kind].append(milliseconds)
        # What only fills the place is no read.
        outcome.hits += sum(hit.get("matched", True) for hit in document["hits"])
        outcome.by_words += document.get("mode") == "keyword"
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
def loopback(root: Path, name: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    """The server over HTTP: its process, its address and the header that lets a client in."""
    command = [sys.executable, *serve_arguments(root, name), "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        address, token = (process.stderr.readline().decode().split()[-1] for _ in range(2))
        try:
            yield process.pid, address, {"Authorization": f"Bearer {token}"}
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)


@contextlib.contextmanager
def window_in_use(root: Path) -> Iterator[Any]:
    """The window, used until the function that is handed out is called; it tells the gaps.

    Raises:
        RuntimeError: It did not open, or complained of anything.
    """
    command = [sys.executable, "-m", "benchmarks.window_in_use", str(root)]
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True
        ) as process,
    ):
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the window did not open")

        def stop() -> list[float]:
            out, _ = process.communicate("\n", timeout=60)
            complaints.seek(0)
            if said := complaints.read():
                raise RuntimeError(f"the window complained: {said[:2_000]}")
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
