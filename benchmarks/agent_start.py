"""How soon the agent's door gives its first answer, beside a bare server of the protocol's library.

Whole processes in turn, from their start to the answer to ``initialize`` over standard output:
elapsed time and, where the system tells it of a running process, processor time of all threads.
The bare server has one tool and no store. Every program starts from its bytecode, as an installed
one does; the first round is not counted.

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
from pathlib import Path

from benchmarks.made_worlds import make_world
from benchmarks.measuring import Report, Row, options

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
GOAL = "<= 1.5"


def measure(n_memories: int, n_runs: int) -> Report:
    """First answers over a workspace of this size."""
    report = Report("agent_start", settings={"memories": n_memories, "runs": n_runs})
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as bytecode:
        root = Path(folder)
        make_world(root, n_memories)
        serve = ["-m", "inklings_desktop.cli", "--data-dir", folder, "mcp", "serve"]
        programs = {"bare": ["-c", BARE], "ours": [*serve, "--client", "benchmark"]}
        wall: dict[str, list[float]] = {name: [] for name in programs}
        cpu: dict[str, list[float]] = {name: [] for name in programs}
        for round_ in range(n_runs + 1):
            for name, arguments in programs.items():
                elapsed, worked = first_answer(arguments, Path(bytecode))
                if round_:  # the first round fills the disk's cache and compiles the modules
                    wall[name].append(elapsed)
                    if worked is not None:
                        cpu[name].append(worked)
    for unit, spent in (("s wall", wall), ("s CPU", cpu)):
        if spent["ours"]:
            report.rows.append(
                Row(
                    "first answer to an agent (bare is an empty server of the library)",
                    statistics.median(spent["ours"]),
                    statistics.median(spent["bare"]),
                    unit,
                    GOAL,
                    n_runs,
                )
            )
    return report


def first_answer(arguments: list[str], bytecode: Path) -> tuple[float, float | None]:
    """Seconds from the start of a process to its first answer: elapsed, and of the processor.

    Raises:
        RuntimeError: It answered something else, or nothing.
    """
    environment = os.environ | {
        "PYTHONPYCACHEPREFIX": str(bytecode),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(GREETING).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        elapsed = time.perf_counter() - begun
        worked = processor_seconds(process.pid)
        process.stdin.close()
        process.wait(timeout=60)
    if "result" not in json.loads(line or b"{}"):
        raise RuntimeError(f"no answer from {arguments[0]}")
    return elapsed, worked


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
