"""An agent that is spoken to line by line, what it is heard to do, and the processes of both.

For measuring: nothing of the program's own client stands in between.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.agent_start import asked, processor_seconds, said, server

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

CLIENT = "world-agent"
OVERHEARS = """
import subprocess, sys, threading
kept = open(sys.argv[1], "ab", buffering=0)
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def forth():
    for line in sys.stdin.buffer:
        kept.write(line)
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()

threading.Thread(target=forth, daemon=True).start()
for line in server.stdout:
    kept.write(line)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
_GONE = (OSError, ValueError, IndexError)
_MB = 2**20


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace, and how its agent and its memory server are started."""

    root: Path
    workspace: str
    bytecode: Path | None

    @property
    def agent(self) -> list[str]:
        """What Python runs for the agent."""
        program = ["-m", "inklings_desktop.agent_program", "--data-dir", str(self.root)]
        return [*program, "--workspace", self.workspace]

    @property
    def relay(self) -> list[str]:
        """The command of the memory server, whose host leaves with its last client."""
        program = [sys.executable, "-m", "inklings_desktop.cli", "--data-dir", str(self.root)]
        program += ["--workspace", self.workspace, "mcp", "serve", "--client", CLIENT]
        return [*program, "--linger", "0"]

    def memory(self, *before: str) -> dict[str, Any]:
        """The memory server as a client of the agent names it, behind another command if given."""
        command, *arguments = [*before, *self.relay]
        return {"name": "inklings", "command": command, "args": arguments, "env": []}


@dataclass(slots=True)
class Conversation:
    """One session of an agent that is spoken to line by line."""

    process: subprocess.Popen[bytes]
    session: str = ""
    n_sent: int = 0

    def begin(self, memory: dict[str, Any]) -> None:
        """Say hello, and open a session on this memory."""
        self.ask("initialize", {"protocolVersion": 1})
        made = self.ask("session/new", {"cwd": os.sep, "mcpServers": [memory]})
        self.session = made["sessionId"]

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        return asked(self.process, self._request(method, params))

    def say(self, text: str) -> str:
        """The id of the turn that answered."""
        answer = self.ask("session/prompt", self._prompt(text))
        turn: str = answer["_meta"]["inklings"]["turn"]
        return turn

    def stopped_after(
        self, text: str, seen: bytes, meanwhile: Callable[[], None] = lambda: None
    ) -> float:
        """Milliseconds from the stop of a turn, as soon as it says something, to its end.

        Args:
            meanwhile: Done before the stop.

        Raises:
            RuntimeError: It ended otherwise.
        """
        request = self._request("session/prompt", self._prompt(text))
        said(self.process, request)
        assert self.process.stdout is not None
        begun = 0.0
        for line in self.process.stdout:
            if not begun and seen in line:
                params = {"sessionId": self.session}
                meanwhile()
                begun = time.perf_counter()
                said(self.process, {"jsonrpc": "2.0", "method": "session/cancel", "params": params})
            message = json.loads(line)
            if message.get("id") == request["id"] and "method" not in message:
                if message["result"]["stopReason"] != "cancelled":
                    break
                return (time.perf_counter() - begun) * 1000
        raise RuntimeError("a turn that was stopped went on to its end")

    def _prompt(self, text: str) -> dict[str, Any]:
        return {"sessionId": self.session, "prompt": [{"type": "text", "text": text}]}

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.n_sent += 1
        # Not the number of a question that the agent asks.
        number = f"b{self.n_sent}"
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


@dataclass(frozen=True, slots=True)
class Heard:
    """The turn that was overheard: its id, and its session's."""

    id: str
    session: str


def overheard(place: Place, question: str) -> tuple[str, Heard]:
    """The calls of tools that a turn makes, as JSON: lists of those that are made at once."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "lines")
        with server(place.agent, place.bytecode) as process:
            talk = Conversation(process)
            talk.begin(place.memory(sys.executable, "-c", OVERHEARS, str(kept)))
            for _ in range(2):
                talk.say(question)
            before = kept.stat().st_size
            turn = talk.say(question)
            lines = kept.read_bytes()[before:].splitlines()
    groups: list[list[dict[str, Any]]] = []
    is_answered = True
    for line in lines:
        message = json.loads(line)
        if message.get("method") == "tools/call":
            if is_answered:
                groups.append([])
            called = message["params"]
            groups[-1].append({"name": called["name"], "arguments": called["arguments"]})
        is_answered = "method" not in message
    return json.dumps(groups), Heard(turn, talk.session)


def worked_ms(process_ids: list[int]) -> float:
    """Processor milliseconds of these processes so far."""
    return sum((processor_seconds(one) or 0.0) * 1000 for one in process_ids)


def resident_mb(process_id: int) -> float:
    """Memory of a process, shared pages too."""
    pages = int(Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MB


def children_of(parent: int, but: int = 0) -> list[int]:
    """The processes that a process has started, without one of them."""
    found = []
    for one in Path("/proc").glob("[0-9]*/stat"):
        with suppress(*_GONE):
            told = one.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(told[1]) == parent and told[0] != "Z":
                found.append(int(one.parent.name))
    return [one for one in found if one != but]


def host_of(root: Path) -> int | None:
    """The process that holds the memory of this data root; None where none runs."""
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(*_GONE):
            words = one.read_bytes().split(b"\0")
            if b"mcp-host" in words and str(root).encode() in words:
                return int(one.parent.name)
    return None


def wait_until_gone(process_id: int | None) -> None:
    """Return once a process has ended.

    Raises:
        RuntimeError: It does not.
    """
    for _ in range(3_000):
        state = "Z"
        with suppress(*_GONE):
            stat = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8")
            state = stat.rpartition(")")[2].split()[0]
        if state == "Z":
            return
        time.sleep(0.01)
    raise RuntimeError(f"process {process_id} does not end")
