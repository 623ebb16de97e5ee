"""An agent's process without an event loop: threads carry its bytes, nobody waits for a pipe."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from inklings_desktop.agent_client.launching import end_session
from inklings_desktop.agent_client.session import ended

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from inklings_desktop.agent_client.session import Problem

LAST_LINES: Final = 40
LEAVE_SECONDS: Final = 3.0
_LAST_WORDS_SECONDS = 1.0
_READ_BYTES = 64 * 1024
_MOST_WAITING = 64
_MOST_LINE = 500


class PlainProcess:
    """A process that is talked with over its standard input and output.

    Attributes:
        last_lines: What it said last on standard error.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
    ) -> None:
        """Start it, without a shell, out of reach of what is typed at this terminal.

        Args:
            command: Its program and arguments.
            environment: Its variables.
            folder: Where another's agent works; None for our own.

        Raises:
            OSError: It cannot be started.
        """
        self.last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self._began = time.monotonic()
        self._is_guest = folder is not None
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self._process = subprocess.Popen(  # noqa: S603 - a list of arguments, no shell
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            bufsize=0,
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
        # One that sends faster than it is read waits, instead of filling this memory.
        self._read: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._is_left = threading.Event()
        self._words = self._begun(self._hearing)
        for work in (self._reading, self._writing):
            self._begun(work)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        return self._process.poll()

    def end(self, *, is_ready: bool) -> Problem:
        """What is to be said of it once its output has ended: its code, and how long it ran."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVE_SECONDS)
        return ended(self.status, time.monotonic() - self._began, is_ready=is_ready)

    def send(self, data: bytes) -> None:
        """Hand it bytes; returns at once."""
        self._to_write.put(data)

    def read(self, seconds: float) -> bytes | None:
        """What it wrote; empty at its end, None if nothing came in this time."""
        try:
            return self._read.get(timeout=seconds)
        except queue.Empty:
            return None

    def leave(self) -> None:
        """Close its input and wait a moment for it to end; then end it."""
        self._to_write.put(None)
        self._is_left.set()
        with suppress(queue.Empty):
            while True:
                self._read.get_nowait()
        try:
            self._process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._is_guest:
            end_session(self.pid)

    @staticmethod
    def _begun(work: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=work, name=f"agent{work.__name__}", daemon=True)
        thread.start()
        return thread

    def _reading(self) -> None:
        stream = _stream(self._process.stdout)
        while data := stream.read(_READ_BYTES):
            if not self._is_left.is_set():
                self._read.put(data)
        stream.close()
        self._words.join(_LAST_WORDS_SECONDS)  # whoever hears of its end asks what it said last
        if not self._is_left.is_set():
            self._read.put(b"")

    def _writing(self) -> None:
        stream = _stream(self._process.stdin)
        with suppress(OSError):
            while (data := self._to_write.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[stream.write(rest) :]
        with suppress(OSError):
            stream.close()

    def _hearing(self) -> None:
        stream = _stream(self._process.stderr)
        while line := stream.readline(_MOST_LINE):
            self.last_lines.append(line.decode("utf-8", "replace").rstrip())
        stream.close()


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
