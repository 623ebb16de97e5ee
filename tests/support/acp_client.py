"""A plain client of an agent: a line out, lines in, nothing of ours in between."""

from __future__ import annotations

import json
import queue
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from tests.support.acp_schema import ANSWERS, checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS = 90.0


class AgentGoneError(Exception):
    """The agent has closed its end."""


class AcpClient:
    """Talks with one agent; whatever that says has to be of the protocol.

    Attributes:
        updates: Every update that came, in order.
        asked: The parameters of every permission that was asked for.
        seconds: How long an answer is waited for.
        answer_with: Says which option answers a question; None leaves it open.
        allow_of: Of a question about several calls the ids of those that are allowed; None for all.
    """

    def __init__(self, out: BinaryIO, into: BinaryIO) -> None:
        """Talk over these two ends."""
        self._out = out
        self._into = into
        self._n_sent = 0
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._answers: dict[int, dict[str, Any]] = {}
        self._methods: dict[int, str] = {}
        self.seconds = SECONDS
        self.updates: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.answer_with: Callable[[dict[str, Any]], str | None] = lambda _: "once"
        self.allow_of: Callable[[list[dict[str, Any]]], list[str]] | None = None
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def begin(self) -> dict[str, Any]:
        """Say hello."""
        return self.ask("initialize", {"protocolVersion": 1, "clientCapabilities": {}})

    def new(self, **own: Any) -> str:
        """The id of a new session."""
        params = {"cwd": "/", "mcpServers": [], "_meta": {"inklings": own}}
        return str(self.ask("session/new", params)["sessionId"])

    def load(self, session: str) -> dict[str, Any]:
        """Load a session; the answer."""
        return self.ask("session/load", {"sessionId": session, "cwd": "/", "mcpServers": []})

    def say(self, session: str, text: str) -> dict[str, Any]:
        """Prompt, and wait for how the turn ended."""
        return self.wait(self.prompt(session, text))

    def prompt(self, session: str, text: str) -> int:
        """Prompt; the number of the request."""
        block = {"type": "text", "text": text}
        return self.send("session/prompt", {"sessionId": session, "prompt": [block]})

    def cancel(self, session: str) -> None:
        """Stop the turn."""
        self.tell("session/cancel", {"sessionId": session})

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Tell it something."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        return self.wait(self.send(method, params))

    def send(self, method: str, params: dict[str, Any]) -> int:
        """Ask; the number of the request."""
        self._n_sent += 1
        self._methods[self._n_sent] = method
        asked = {"jsonrpc": "2.0", "id": self._n_sent, "method": method, "params": params}
        self._write(asked)
        return self._n_sent

    def wait(self, number: int) -> dict[str, Any]:
        """The answer to a request: its result, or its error under ``error``.

        Raises:
            AgentGoneError: There will be none.
        """
        deadline = time.monotonic() + self.seconds
        while number not in self._answers:
            self.take(max(deadline - time.monotonic(), 0.0))
        answer = self._answers.pop(number)
        result: dict[str, Any] = answer if "error" in answer else answer["result"]
        return result

    def take(self, seconds: float = SECONDS) -> None:
        """Deal with the next message.

        Raises:
            AgentGoneError: There is none any more.
        """
        message = self._lines.get(timeout=seconds)
        if message is None:
            self._lines.put(None)
            raise AgentGoneError
        checked(message, ANSWERS.get(self._methods.get(message.get("id", 0), "")))
        if message.get("method") == "session/update":
            self.updates.append(message["params"]["update"])
        elif message.get("method") == "session/request_permission":
            self.asked.append(message["params"])
            option = self.answer_with(message["params"])
            if option is not None:
                result: dict[str, Any] = {"outcome": {"outcome": "selected", "optionId": option}}
                choices = message["params"]["_meta"]["inklings"].get("choices")
                if choices and self.allow_of is not None:
                    result["_meta"] = {"inklings": {"chosen": self.allow_of(choices)}}
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})
        elif "method" not in message:
            self._answers[message["id"]] = message

    def take_within(self, seconds: float) -> None:
        """Deal with the next message, if one comes within so long."""
        with suppress(queue.Empty):
            self.take(seconds)

    def until(self, is_there: Callable[[], bool]) -> None:
        """Deal with messages until something is there."""
        while not is_there():
            self.take()

    def hang_up(self) -> None:
        """Close the agent's input: it ends by itself."""
        with suppress(OSError):
            self._out.close()

    def close(self) -> None:
        """Hear what an agent that is gone still said, and go."""
        self.hang_up()
        self._reading.join(SECONDS)
        # To close what another thread reads would wait for that thread, deaf to every signal.
        assert not self._reading.is_alive(), "somebody still holds the agent's output"
        self._into.close()

    def spoken(self) -> str:
        """What the agent said last outside a turn."""
        chunks = (one for one in reversed(self.updates) if "content" in one)
        said = next(chunks, {"content": {"text": ""}})
        assert "turn" not in said.get("_meta", {}).get("inklings", {})
        return str(said["content"]["text"])

    def texts(self) -> list[str]:
        """What the agent said, turn by turn, repeats dropped by their numbers."""
        said: dict[str, dict[int, str]] = {}
        for turn, number, update in self._numbered():
            if update["sessionUpdate"] == "agent_message_chunk":
                said.setdefault(turn, {}).setdefault(number, update["content"]["text"])
        return ["".join(chunks[one] for one in sorted(chunks)) for chunks in said.values()]

    def _numbered(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        for update in self.updates:
            own = (update.get("_meta") or {}).get("inklings") or {}
            if "seq" in own:
                yield own["turn"], own["seq"], update

    def _write(self, message: dict[str, Any]) -> None:
        with suppress(OSError):  # that it is gone is heard by whoever waits
            self._out.write(json.dumps(message).encode() + b"\n")
            self._out.flush()

    def _read(self) -> None:
        with suppress(OSError):
            for line in self._into:
                with suppress(ValueError):
                    self._lines.put(json.loads(line))
        self._lines.put(None)
