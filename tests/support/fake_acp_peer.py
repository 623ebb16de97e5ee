"""An agent that plays lines from a file: what it sends, and what it waits for in between."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from acp import schema

from tests.support.acp_schema import checked

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.agent_client.link import AgentLink


class FakeAcpPeer:
    """Plays a talk.

    A line that begins with ``->`` waits for a call of that method, or for the answer to the call
    with that id; every other line is sent as it stands, ``$method`` in it being the id of the last
    call of that method. Everything that comes is checked against the protocol's own library.

    Attributes:
        got: Every message that came, in order.
    """

    def __init__(self, talk: str) -> None:
        """Play these lines."""
        self.got: list[dict[str, Any]] = []
        self._lines = [line for line in talk.splitlines() if line.strip() and line[0] != "#"]
        self._n_met = 0
        self._ids: dict[str, Any] = {}

    @classmethod
    def of(cls, file: Path) -> FakeAcpPeer:
        """Play what a file holds."""
        return cls(file.read_text())

    @property
    def is_done(self) -> bool:
        """Whether every line was played."""
        return not self._lines

    def send(self, data: bytes) -> None:
        """What a link sends by."""
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        message = json.loads(data)
        is_answer = "result" in message
        self.got.append(checked(message, schema.RequestPermissionResponse if is_answer else None))
        if "method" in message and "id" in message:
            self._ids[message["method"]] = message["id"]

    def said(self, method: str) -> list[dict[str, Any]]:
        """What came by calls of this method."""
        return [one["params"] for one in self.got if one.get("method") == method]

    def answered(self, id_: int | str) -> dict[str, Any]:
        """The answer to one of our calls."""
        (found,) = [one for one in self.got if one.get("id") == id_ and "method" not in one]
        return found

    def play(self, link: AgentLink) -> None:
        """Send whatever can be sent now."""
        while self._lines:
            line = self._lines[0]
            if line.startswith("->"):
                if not self._is_met(line[2:].strip()):
                    return
            else:
                link.feed(self._filled(line).encode() + b"\n")
            self._lines.pop(0)
            while link.pump(1.0):
                pass

    def _is_met(self, wanted: str) -> bool:
        for at in range(self._n_met, len(self.got)):
            one = self.got[at]
            if wanted in {one.get("method"), str(one.get("id")) if "method" not in one else None}:
                self._n_met = at + 1
                return True
        return False

    def _filled(self, line: str) -> str:
        for method in sorted(self._ids, key=len, reverse=True):
            line = line.replace(f'"${method}"', json.dumps(self._ids[method]))
        return line
