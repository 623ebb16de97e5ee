"""``inklings mcp serve`` as a process of its own, spoken to line by line."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.support.stopwatch import HANG_SECONDS, Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def initialize(version: str = "2025-06-18") -> dict[str, Any]:
    """The first message of a client that speaks this version."""
    return {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "line", "version": "1"},
        },
    }


@dataclass(slots=True)
class ServedProcess:
    """A running server and everything it has written so far."""

    process: subprocess.Popen[bytes]
    lines: list[bytes] = field(default_factory=list)
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _reader: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        """Begin to collect what it says."""
        self._reader = threading.Thread(target=self._collect, name="served-output", daemon=True)
        self._reader.start()

    def write(self, line: bytes) -> None:
        """Send a line, whatever it holds."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message of the protocol."""
        self.write(json.dumps(message).encode())

    def ask(self, number: int, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a request."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.answer(number)

    def answer(self, number: int) -> dict[str, Any]:
        """The answer with this number, waited for."""

        def found() -> dict[str, Any] | None:
            for line in self.lines:
                message = json.loads(line)
                if message.get("id") == number and ("result" in message or "error" in message):
                    return dict(message)
            return None

        with self._arrived:
            assert self._arrived.wait_for(lambda: found() is not None, HANG_SECONDS)
            message = found()
        assert message is not None
        return message

    def begin(self, version: str = "2025-06-18") -> dict[str, Any]:
        """Shake hands; the answer to ``initialize``."""
        self.send(initialize(version))
        answer = self.answer(0)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def seconds_to_end(self) -> float:
        """How long it takes to end by itself, in seconds from now by a ``Stopwatch``."""
        watch = Stopwatch(self.process.pid)
        while self.process.poll() is None:
            assert watch.seconds < HANG_SECONDS
            time.sleep(0.01)
        return watch.seconds

    def end_input(self) -> None:
        """The client goes."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wrote_only_protocol(self) -> bool:
        """Whether every line so far is a message; to be asked once it has ended."""
        self._reader.join()
        return all(json.loads(line)["jsonrpc"] == "2.0" for line in self.lines)

    def finish(self) -> None:
        """Make sure that nothing of it is left."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._arrived:
                self.lines.append(line)
                self._arrived.notify_all()


def inklings_command(root: Path, *more: str) -> list[str]:
    """A command line on this data root."""
    return [sys.executable, "-m", "inklings_desktop.cli", "--data-dir", str(root), *more]


def serve_command(root: Path, workspace: str, client: str, *more: str) -> list[str]:
    """The command that serves a client on this data root, in its own process if nothing is said."""
    more = more or ("--in-process",)
    words = ("--workspace", workspace, "mcp", "serve", "--client", client)
    return inklings_command(root, *words, *more)


@contextlib.contextmanager
def served(root: Path, workspace: str, client: str, *more: str) -> Iterator[ServedProcess]:
    """A server on this data root; killed at the end if it is still there."""
    with running(serve_command(root, workspace, client, *more)) as process:
        yield process


@contextlib.contextmanager
def running(command: list[str]) -> Iterator[ServedProcess]:
    """A server; killed at the end if it is still there."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    started = ServedProcess(process)
    try:
        yield started
    finally:
        started.finish()


@dataclass(frozen=True, slots=True)
class Loopback:
    """A server over HTTP.

    Attributes:
        running: Its process.
        address: Where it listens.
        token: What it wants to see; empty where each client has its own.
    """

    running: ServedProcess
    address: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What a client that may come in sends along."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return urlsplit(self.address).port or 0


@contextlib.contextmanager
def served_over_http(root: Path, workspace: str, client: str) -> Iterator[Loopback]:
    """A server on a free port of the loopback; killed at the end if it is still there."""
    with served(root, workspace, client, "--http", "--port", "0") as started:
        assert started.process.stderr is not None
        address, token = (started.process.stderr.readline().decode().split()[-1] for _ in range(2))
        yield Loopback(started, address, token)


@contextlib.contextmanager
def served_to_everyone(root: Path) -> Iterator[Loopback]:
    """A server for every client that has a token; killed at the end if it is still there."""
    with running(inklings_command(root, "mcp", "serve", "--http", "--port", "0")) as started:
        assert started.process.stderr is not None
        address, _ = (started.process.stderr.readline().decode().split()[-1] for _ in range(2))
        yield Loopback(started, address, "")
