"""Carry lines between a client and the host, also past the end of a host.

A host that is gone is replaced by another one: the handshake is played to it, and what was not
answered yet is asked once more where that is safe.
"""

from __future__ import annotations

import json
import threading

from inklings_desktop.relay.link import HostUnavailableError, RefusedError

TYPE_CHECKING = False  # the module that has it takes as long to import as all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, BinaryIO

    from inklings_desktop.relay.link import Link

LEAVE_SECONDS = 5.0
"""Longest wait for a host to end what a client that has gone still asked for."""
_INTERNAL_ERROR = -32_603
IN_DOUBT = (
    "The server of Inklings ended before it answered, and it is not known whether this was done."
    " Look first, then do it again if it was not."
)
ENDED_AGAIN = "it ended as soon as it had begun."
NO_HOST = "The server of Inklings ended and cannot be started again: {reason}"


class _Asked:
    """A request without an answer.

    Attributes:
        line: As the client wrote it.
        is_safe: Whether it may be asked twice.
        n_sent: How many hosts may have it.
    """

    __slots__ = ("is_safe", "line", "n_sent")

    def __init__(self, line: bytes, *, is_safe: bool) -> None:
        self.line = line
        self.is_safe = is_safe
        self.n_sent = 0

    @property
    def is_in_doubt(self) -> bool:
        """Whether a host that ended may have done it, and it must not be asked once more."""
        return self.n_sent > (1 if self.is_safe else 0)


class Relay:
    """One client's lines: a thread of its own reads the client's, the caller's the host's."""

    def __init__(
        self,
        connect: Callable[[], Link],
        source: Iterable[bytes],
        sink: BinaryIO,
        leave: Callable[[], None],
    ) -> None:
        """Connect; nothing is read yet.

        Args:
            connect: Makes a connection to the host.
            source: The client's lines.
            sink: Takes the answers.
            leave: Ends the process; called when the client has gone and the host does not end.

        Raises:
            RefusedError: The host does not serve this client.
            HostUnavailableError: There is no way to a host.
        """
        self._connect = connect
        self._source = source
        self._sink = sink
        self._leave = leave
        self._link = connect()
        self._sending = threading.Lock()  # one line at a time, and none while hosts change
        self._asked: dict[str, _Asked] = {}
        self._greeting: dict[str, bytes] = {}
        self._is_leaving = False

    def run(self) -> int:
        """Carry lines until the client or the host goes; the exit status."""
        threading.Thread(target=self._read_client, daemon=True).start()
        while True:
            line = _received(self._link)
            if line:
                self._answer(line)
            elif line is not None or self._is_leaving:
                return 0
            else:
                try:
                    self._begin_again()
                except (RefusedError, HostUnavailableError) as error:
                    return self._give_up(str(error))

    def _read_client(self) -> None:
        """Pass on the client's lines; at their end say so, and do not wait for ever."""
        for line in self._source:
            if line.strip():
                self._pass_on(line)
        with self._sending:
            self._is_leaving = True
            self._send(b"")
        leaving = threading.Timer(LEAVE_SECONDS, self._leave)
        leaving.daemon = True
        leaving.start()

    def _pass_on(self, line: bytes) -> None:
        message = _message(line)
        with self._sending:
            if message.get("method") in _GREETINGS:
                self._greeting[message["method"]] = line
            if message.get("method") == "notifications/cancelled":
                self._asked.pop(_cancelled(message), None)  # nobody answers it any more
            if "method" in message and "id" in message:
                asked = _Asked(line, is_safe=_is_safe(message, self._link.repeatable))
                self._asked[_key(message)] = asked
                asked.n_sent += self._send(line)
            else:
                self._send(line)

    def _send(self, line: bytes) -> bool:
        """Whether the host took it; that it is gone is for the other thread to find."""
        try:
            self._link.connection.send_bytes(line)
        except OSError:
            return False
        return True

    def _answer(self, line: bytes) -> None:
        message = _message(line)
        if "method" not in message:
            self._asked.pop(_key(message), None)
        self._tell(line)

    def _tell(self, line: bytes) -> None:
        self._sink.write(line + b"\n")
        self._sink.flush()

    def _begin_again(self) -> None:
        """Greet another host as the client did, and ask what is safe to ask again."""
        with self._sending:
            self._link.connection.close()
            self._link = self._connect()
            if "initialize" in self._greeting:
                self._greet_again(self._greeting["initialize"])
            for key, asked in list(self._asked.items()):
                if asked.is_in_doubt:
                    del self._asked[key]
                    self._tell(_error(asked.line, IN_DOUBT))
                else:
                    asked.n_sent += self._send(asked.line)

    def _greet_again(self, hello: bytes) -> None:
        key = _key(_message(hello))
        self._send(hello)
        while _key(_message(line := _received(self._link) or b"")) != key:
            if not line:
                raise HostUnavailableError(ENDED_AGAIN)
        if self._asked.pop(key, None) is not None:
            self._tell(line)
        if "notifications/initialized" in self._greeting:
            self._send(self._greeting["notifications/initialized"])

    def _give_up(self, reason: str) -> int:
        with self._sending:
            for asked in self._asked.values():
                self._tell(_error(asked.line, NO_HOST.format(reason=reason)))
        return 1


_GREETINGS = frozenset({"initialize", "notifications/initialized"})


def _received(link: Link) -> bytes | None:
    """The next line of the host; empty at its orderly end, None when it is gone."""
    try:
        return link.connection.recv_bytes()
    except (OSError, EOFError):
        return None


def _message(line: bytes) -> dict[str, Any]:
    """What a line says; nothing where it is no message, which the host answers as it must."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _key(message: dict[str, Any]) -> str:
    return json.dumps(message.get("id"))


def _cancelled(message: dict[str, Any]) -> str:
    """The key of the request that a client takes back."""
    params = message.get("params")
    return json.dumps(params.get("requestId") if isinstance(params, dict) else None)


def _is_safe(message: dict[str, Any], repeatable: frozenset[str]) -> bool:
    """Whether asking twice does no more than asking once."""
    if message["method"] != "tools/call":
        return True
    params = message.get("params")
    if not isinstance(params, dict) or params.get("name") not in repeatable:
        return False
    arguments = params.get("arguments")
    # What takes the place of something finds it gone the second time.
    return not (isinstance(arguments, dict) and arguments.get("replaces"))


def _error(line: bytes, sentence: str) -> bytes:
    said = {"code": _INTERNAL_ERROR, "message": sentence}
    return json.dumps({"jsonrpc": "2.0", "id": _message(line).get("id"), "error": said}).encode()
