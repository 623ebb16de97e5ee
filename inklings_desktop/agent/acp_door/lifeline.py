"""Lines in and out of the process, on plain threads: whoever hosts it may go at any moment.

A stream of the event loop would wait for ever where the host died with a full pipe, and would hear
of nothing while the loop is stuck. These threads do not.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from inklings_desktop.acp_wire.words import INVALID_REQUEST, PARSE_ERROR

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FRAME_BYTES = 8 * 1024 * 1024
GRACE_SECONDS = 1.0
"""How long the process has to leave in good order once its host is gone."""
_FULL_BYTES = 1024 * 1024
"""So much may wait for the pipe before whoever writes more has to wait, too."""
_NO_MESSAGE = (
    "Each line is one JSON-RPC 2.0 request, notification or answer; batches are not taken."
)


def leave_at_once() -> None:
    """End the process, whatever it is stuck in."""
    os._exit(0)


class Lifeline:
    """A transport of messages; its end is the end of the process."""

    def __init__(
        self, source: BinaryIO, sink: int, leave: Callable[[], None] = leave_at_once
    ) -> None:
        """Know the two ends; nothing is read yet.

        Args:
            source: Gives lines.
            sink: Descriptor that takes them.
            leave: Called a moment after the source has ended.
        """
        self._source = source
        self._sink = sink
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._incoming: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._n_waiting = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._is_broken = False
        for work in (self._read, self._write):
            threading.Thread(target=work, name=f"lifeline{work.__name__}", daemon=True).start()

    async def send(self, message: dict[str, Any]) -> None:
        """Hand a message on; it waits while the other side does not read.

        Raises:
            ConnectionError: Nobody is there any more.
        """
        if self._is_broken:
            raise ConnectionError("gone")
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self._n_waiting += len(line)
        self._outgoing.put(line)
        if self._n_waiting > _FULL_BYTES:
            self._has_room.clear()
            await self._has_room.wait()

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None at the end."""
        return await self._incoming.get()

    async def close(self) -> None:
        """Let what was sent go out, then write no more."""
        self._outgoing.put(None)

    def _read(self) -> None:
        while line := self._source.readline(MAX_FRAME_BYTES + 1):
            if len(line) > MAX_FRAME_BYTES:
                self._pass_over(line)
                self._tell(self._refuse, INVALID_REQUEST, "A frame can have at most 8 MiB.")
                continue
            if not line.strip():
                continue
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self._tell(self._refuse, PARSE_ERROR, "This line is not JSON.")
                continue
            if _is_message(message):
                self._tell(self._incoming.put_nowait, message)
            else:
                self._tell(self._refuse, INVALID_REQUEST, _NO_MESSAGE)
        self._gone()

    def _pass_over(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._source.readline(MAX_FRAME_BYTES)

    def _refuse(self, code: int, message: str) -> None:
        refused = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
        line = json.dumps(refused).encode() + b"\n"
        self._n_waiting += len(line)
        self._outgoing.put(line)

    def _write(self) -> None:
        while (line := self._outgoing.get()) is not None:
            rest = memoryview(line)
            try:
                while rest:
                    rest = rest[os.write(self._sink, rest) :]
            except OSError:
                self._is_broken = True
                self._gone()
                return
            self._tell(self._written, len(line))

    def _written(self, n_bytes: int) -> None:
        self._n_waiting -= n_bytes
        if self._n_waiting <= _FULL_BYTES:
            self._has_room.set()

    def _gone(self) -> None:
        """Say that the host is gone, and do not wait longer than a moment for what that does."""
        self._tell(self._incoming.put_nowait, None)
        time.sleep(GRACE_SECONDS)
        self._leave()

    def _tell(self, what: Callable[..., None], *values: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: the process is about to end
            self._loop.call_soon_threadsafe(what, *values)


def _is_message(message: Any) -> bool:
    """Whether it is a request, a notification or an answer."""
    if not isinstance(message, dict):
        return False
    method, id_ = message.get("method"), message.get("id")
    if isinstance(id_, bool) or not isinstance(id_, int | float | str | None):
        return False
    is_answer = "id" in message and ("result" in message or "error" in message)
    return isinstance(method, str) or ("method" not in message and is_answer)
