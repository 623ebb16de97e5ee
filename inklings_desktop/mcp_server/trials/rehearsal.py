"""Play a client against the real server, as a process over a data root made for it.

Speaks the protocol by lines on its own: what is tried is what a foreign client meets.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from inklings_desktop.domain.access.connections import ServerCommand
from inklings_desktop.domain.errors import StoppedError, StorageError
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.ports.connections import RehearsalStep, RehearsedStep, StepResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from inklings_desktop.domain.access.clients import ClientKind, Right
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.connections import ServerProgram

TIMEOUT_SECONDS = 20.0
"""Longest wait for one answer."""
LEAVE_SECONDS = 3.0
PROTOCOL = "2025-06-18"

_POLL_SECONDS = 0.05
_TEXT = "The rehearsal lamp is lit."


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """A folder that is gone afterwards.

    Raises:
        StorageError: There is no room for one.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
    except OSError as error:
        raise StorageError(None, type(error).__name__) from error
    with folder as name:
        yield Path(name)


class _UnansweredError(Exception):
    """A step got no answer.

    Attributes:
        word: Why, a stable word.
        said: The server's own sentence, if it gave one.
    """

    def __init__(self, word: str, said: str = "") -> None:
        super().__init__(word)
        self.word = word
        self.said = said


@dataclass(slots=True)
class _Server:
    """A running server and what it says, line by line."""

    process: subprocess.Popen[bytes]
    complaints: IO[bytes]
    is_stopped: Callable[[], bool]
    timeout: float
    _lines: queue.Queue[bytes | None] = field(default_factory=queue.Queue)
    _reader: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._collect, name="rehearsal", daemon=True)
        self._reader.start()

    def tell(self, method: str) -> None:
        self._send({"jsonrpc": "2.0", "method": method})

    def ask(self, number: int, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request.

        Raises:
            _UnansweredError: There is none.
            StoppedError: The person gave up.
        """
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        deadline = time.monotonic() + self.timeout
        while True:
            if self.is_stopped():
                raise StoppedError
            try:
                line = self._lines.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise _UnansweredError("timeout") from None
                continue
            if line is None:
                raise _UnansweredError("ended", self._complaint())
            answer = _message(line)
            if answer.get("id") == number:
                if isinstance(error := answer.get("error"), dict):
                    raise _UnansweredError("refused", str(error.get("message", "")))
                result = answer.get("result")
                if not isinstance(result, dict):
                    raise _UnansweredError("protocol")
                return result

    def leave(self) -> None:
        """End it, kindly first; nothing of it is left."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        self.process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise _UnansweredError("ended", self._complaint()) from None

    def _complaint(self) -> str:
        """The last line that it wrote to standard error."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LEAVE_SECONDS)
        self.complaints.seek(0)
        lines = self.complaints.read().decode(errors="replace").split("\n")
        return next((one.strip() for one in reversed(lines) if one.strip()), "")

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)


@dataclass(frozen=True, slots=True)
class StdioRehearsal:
    """Initialise, list, read and write, over standard input and output.

    Attributes:
        program: How this program is started.
        timeout: Longest wait for one answer, in seconds.
    """

    program: ServerProgram
    opener: Callable[[Path], AbstractContextManager[Inklings]]
    timeout: float = TIMEOUT_SECONDS

    def __call__(
        self,
        client: str,
        kind: ClientKind,
        rights: Callable[[str], frozenset[Right]],
        is_stopped: Callable[[], bool],
    ) -> tuple[RehearsedStep, ...]:
        """What was tried, up to the first step that failed.

        Raises:
            StoppedError: The person gave up.
            StorageError: There is no room for a data root to rehearse in.
        """
        with scratch_folder("inklings-rehearsal-") as folder:
            root = folder / "data"
            with self.opener(root) as inklings:
                world = inklings.workspaces.create("Rehearsal")
                scope = ScopeKey.workspace(world.id)
                inklings.memories.put(MemoryDraft(scope, _TEXT))
                inklings.clients.grant(client, rights(world.id), kind=kind)
            command = ServerCommand(
                *self.program(), data_dir=str(root), workspace=world.id, client=client
            )
            with tempfile.TemporaryFile() as complaints:
                return self._played(command, complaints, is_stopped)

    def _played(
        self, command: ServerCommand, complaints: IO[bytes], is_stopped: Callable[[], bool]
    ) -> tuple[RehearsedStep, ...]:
        began = time.monotonic()
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program
                # A folder that goes away needs no host, which would leave its address behind.
                [command.command, *command.arguments, "--in-process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
                if sys.platform == "win32"
                else 0,
            )
        except OSError as error:
            start, waited = RehearsalStep.START, time.monotonic() - began
            why = error.strerror or ""
            return (
                RehearsedStep(start, StepResult.FAILED, waited, reason="not_started", said=why),
            )
        server = _Server(process, complaints, is_stopped, self.timeout)
        done: list[RehearsedStep] = []
        try:
            for step, play in _PLAYED:
                began = time.monotonic()
                try:
                    result, count = play(server)
                except _UnansweredError as error:
                    waited = time.monotonic() - began
                    failed = StepResult.FAILED
                    done.append(
                        RehearsedStep(step, failed, waited, reason=error.word, said=error.said)
                    )
                    break
                done.append(RehearsedStep(step, result, time.monotonic() - began, count))
        finally:
            server.leave()
        return tuple(done)


def _start(server: _Server) -> tuple[StepResult, int]:
    client = {"name": "inklings-rehearsal", "version": "1"}
    server.ask(1, "initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=client)
    server.tell("notifications/initialized")
    return StepResult.DONE, 0


def _list(server: _Server) -> tuple[StepResult, int]:
    tools = server.ask(2, "tools/list").get("tools")
    if not isinstance(tools, list):
        raise _UnansweredError("protocol")
    return (StepResult.DONE if tools else StepResult.REFUSED), len(tools)


def _read(server: _Server) -> tuple[StepResult, int]:
    wanted = {"tier": "workspace", "query": "rehearsal lamp", "mode": "keyword"}
    result = server.ask(3, "tools/call", name="memory_read", arguments=wanted)
    if result.get("isError"):
        return StepResult.REFUSED, 0
    hits = result.get("structuredContent", {}).get("hits")
    if not isinstance(hits, list):
        raise _UnansweredError("protocol")
    return StepResult.DONE, len(hits)


def _write(server: _Server) -> tuple[StepResult, int]:
    wanted = {"tier": "workspace", "content": "Written in the rehearsal."}
    result = server.ask(4, "tools/call", name="memory_put", arguments=wanted)
    return (StepResult.REFUSED, 0) if result.get("isError") else (StepResult.DONE, 1)


_PLAYED = (
    (RehearsalStep.START, _start),
    (RehearsalStep.TOOLS, _list),
    (RehearsalStep.READ, _read),
    (RehearsalStep.WRITE, _write),
)


def _message(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        raise _UnansweredError("protocol") from None
    if not isinstance(message, dict):
        raise _UnansweredError("protocol")
    return message
