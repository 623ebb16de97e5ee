"""How soon the agent's door gives its first answer, beside a bare server of the protocol's library.

Whole processes in turn, from their start to the answer to ``initialize`` over standard output:
elapsed time and, where the system tells it of a running process, processor time of all threads.
The bare server has one tool and no store. Ours is started in both ways: alone in its process, and
as the relay to a host that runs already, where the first search by meaning is timed as well, from
the start of the process to its answer. Every program starts from its bytecode, as an installed one
does; the first round is not counted.

    python -m benchmarks.agent_start [--memories 10000] [--runs 10] [--json]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.made_worlds import make_world
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT = "benchmark"
BARE = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("bare", version="1")


@server.tool()
def echo(text: str) -> str:
    "Say it again."
    return text


server.run("stdio")
"""
GREETING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
GREETED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
SEARCH = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "memory_read",
        "arguments": {"tier": "workspace", "query": "Who keeps the harbour at night?"},
    },
}
GOAL = "<= 1.5"
RELAYED_BOUND_S, SEARCH_BOUND_S = 0.25, 0.4


def measure(n_memories: int, n_runs: int, *, is_smoke: bool = False) -> Report:
    """First answers over a workspace of this size.

    Args:
        n_memories: In the workspace.
        n_runs: Starts that count.
        is_smoke: Whether nobody reads the figures: no round is thrown away then, and nothing is
            compiled anew.
    """
    report = Report("agent_start", settings={"memories": n_memories, "runs": n_runs})
    with tempfile.TemporaryDirectory() as folder, compiled_anew(is_smoke=is_smoke) as bytecode:
        root = Path(folder)
        workspace = make_world(root, n_memories)
        let_in(root, workspace.id)
        serve = ["-m", "inklings_desktop.cli", "--data-dir", folder, "mcp", "serve"]
        relay = [*serve, "--client", CLIENT]
        programs = {"bare": ["-c", BARE], "ours": [*relay, "--in-process"], "relayed": relay}
        wall: dict[str, list[float]] = {name: [] for name in programs}
        cpu: dict[str, list[float]] = {name: [] for name in programs}
        searched = []
        with hosted(relay, bytecode):
            for round_ in range(is_smoke, n_runs + 1):
                for name, arguments in programs.items():
                    elapsed, worked = first_answer(arguments, bytecode)
                    if round_:  # the first round fills the disk's cache and compiles the modules
                        wall[name].append(elapsed)
                        if worked is not None:
                            cpu[name].append(worked)
                if round_:
                    searched.append(first_search(relay, bytecode))
    for unit, spent in (("s wall", wall), ("s CPU", cpu)):
        if spent["ours"]:
            report.rows.append(
                Row(
                    "first answer to an agent alone (bare is an empty server of the library)",
                    statistics.median(spent["ours"]),
                    statistics.median(spent["bare"]),
                    unit,
                    GOAL,
                    n_runs,
                )
            )
    for label, spent_s, bound in (
        ("first answer through the running host", wall["relayed"], RELAYED_BOUND_S),
        ("first search by meaning through the running host", searched, SEARCH_BOUND_S),
    ):
        ours = statistics.median(spent_s)
        report.rows.append(
            Row(f"{label} (bare is the bound)", ours, bound, "s wall", "<= 1", n_runs)
        )
    return report


def let_in(root: Path, workspace: str) -> None:
    """Make the benchmark's client the author's own agent."""
    with open_inklings(root, embed_writes=False) as inklings:
        rights = preset_rights(ClientKind.WORLD_AGENT, workspace)
        inklings.clients.grant(CLIENT, rights, kind=ClientKind.WORLD_AGENT)


@contextmanager
def compiled_anew(*, is_smoke: bool) -> Iterator[Path | None]:
    """A folder for the bytecode of the programs; None for where it lies already."""
    if is_smoke:
        yield None
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)


def first_answer(arguments: list[str], bytecode: Path | None) -> tuple[float, float | None]:
    """Seconds from the start of a process to its first answer: elapsed, and of the processor.

    Raises:
        RuntimeError: It answered something else, or nothing.
    """
    begun = time.perf_counter()
    with server(arguments, bytecode) as process:
        asked(process, GREETING)
        return time.perf_counter() - begun, processor_seconds(process.pid)


def first_search(arguments: list[str], bytecode: Path | None) -> float:
    """Seconds from the start of a process to the answer to its first search, by meaning.

    Raises:
        RuntimeError: It was answered by words alone.
    """
    begun = time.perf_counter()
    with server(arguments, bytecode) as process:
        asked(process, GREETING)
        said(process, GREETED)
        mode = searched_by(process)
        elapsed = time.perf_counter() - begun
    if mode != "hybrid":
        raise RuntimeError(f"the first search was answered by {mode}")
    return elapsed


@contextmanager
def hosted(arguments: list[str], bytecode: Path | None) -> Iterator[None]:
    """A client that stays, so that the host runs, with its model loaded."""
    with server(arguments, bytecode) as process:
        asked(process, GREETING)
        said(process, GREETED)
        for _ in range(600):
            if searched_by(process) == "hybrid":
                break
            time.sleep(0.1)
        else:
            raise RuntimeError("the host never loaded its model")
        yield


@contextmanager
def server(arguments: list[str], bytecode: Path | None) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Python that is spoken to; it has ended afterwards, whatever happened."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    if bytecode is not None:
        environment["PYTHONPYCACHEPREFIX"] = str(bytecode)
    with subprocess.Popen(
        [sys.executable, *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        try:
            yield process
            process.stdin.close()
            process.wait(timeout=60)
        finally:
            process.kill()


def said(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    """Send a message."""
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def asked(process: subprocess.Popen[bytes], request: dict[str, Any]) -> dict[str, Any]:
    """The result of a request.

    Raises:
        RuntimeError: It is something else, or nothing.
    """
    said(process, request)
    assert process.stdout is not None
    for line in process.stdout:
        answer = json.loads(line)
        if answer.get("id") == request["id"] and "result" in answer:
            result: dict[str, Any] = answer["result"]
            return result
        if "error" in answer:
            raise RuntimeError(f"a server refused: {answer['error']}")
    raise RuntimeError("no answer from a server")


def searched_by(process: subprocess.Popen[bytes]) -> str:
    """Whether a search is answered by meaning as well: ``hybrid``, else ``keyword``."""
    mode: str = asked(process, SEARCH)["structuredContent"]["mode"]
    return mode


def processor_seconds(process_id: int) -> float | None:
    """User and system time of a running process; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rpartition(")")[2]
    except OSError:
        return None
    user, system = (int(field) for field in fields.split()[11:13])
    return (user + system) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=10_000, runs=10).parse_args()
    measure(chosen.memories, chosen.runs).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
