"""A provider on this machine that plays answers on both wires, as they would be recorded there."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Literal

from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from email.message import Message

CHAT, MESSAGES = "/chat/completions", "/messages"
_CHAT_STOPS = {
    "end": "stop",
    "tools": "tool_calls",
    "length": "length",
    "refused": "content_filter",
}
_MESSAGE_STOPS = {
    "end": "end_turn",
    "tools": "tool_use",
    "length": "max_tokens",
    "refused": "refusal",
}


@dataclass(frozen=True)
class Said:
    """What a model says, whatever the wire.

    Attributes:
        calls: Id, name and arguments of each call, the arguments as the pieces they come in.
        used: Tokens read, written and found in a cache; None where the provider does not tell.
        cost: What the chat wire says that it cost, in dollars.
        form: ``stream``; ``whole`` for JSON in its place; ``cut`` for a stream that breaks off
            before its end, ``unended`` for one that ends without saying so; ``held`` for one that
            waits there until its reader has gone.
    """

    texts: tuple[str, ...] = ()
    thoughts: tuple[str, ...] = ()
    calls: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    stop: Literal["end", "tools", "length", "refused"] = "end"
    used: tuple[int, int, int] | None = (20, 5, 0)
    cost: float | None = None
    form: Literal["stream", "whole", "cut", "unended", "held"] = "stream"


@dataclass(frozen=True)
class Refused:
    """An answer that is none.

    Attributes:
        error: The object that both wires tell under ``error``.
    """

    status: int
    error: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=lambda: {"retry-after-ms": "1"})


@dataclass(frozen=True)
class Silent:
    """No answer, until whoever asked has gone."""


Answer = Said | Refused | Silent | dict[str, Any] | list[Any]
"""What is played; plain JSON is told as it is."""


@dataclass
class WireServer:
    """What a test sees of the server.

    Attributes:
        address: Where it listens; both wires are there.
        answers: What it plays, one after another; the last one again and again. Some are made of
            the body that came.
        listings: What it answers by GET, by path.
        asked: Paths and bodies that it was asked with; a GET has none.
        headers: What came with each question.
        begun: Set when somebody has asked.
        gone: Set when a reader of something held or silent has gone.
    """

    address: str
    answers: list[Answer | Callable[[dict[str, Any]], Answer]] = field(default_factory=list)
    listings: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)

    def note(self, path: str, asked: dict[str, Any], headers: Message) -> None:
        """Note a question."""
        self.asked.append((path, asked))
        self.headers.append({name.lower(): said for name, said in headers.items()})
        self.begun.set()

    def next(self, asked: dict[str, Any]) -> Answer:
        """What is played now."""
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return found(asked) if callable(found) else found


class _Server(ThreadingHTTPServer):
    served: WireServer


class _Wires(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        with suppress(ConnectionError):  # whoever asked has gone
            super().handle()

    def do_GET(self) -> None:
        self.server.served.note(self.path, {}, self.headers)
        match self.server.served.listings.get(self.path, Refused(404)):
            case Refused() as refused:
                self._refuse(refused)
            case found:
                self._json(200, found)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.served.note(self.path, asked, self.headers)
        self._play(self.server.served.next(asked), asked)

    def _play(self, answer: Answer, asked: dict[str, Any]) -> None:
        is_chat = self.path.endswith(CHAT)
        match answer:
            case Refused() as refused:
                self._refuse(refused)
            case Silent():
                self._hold()
            case dict() | list() as told:
                self._json(200, told)
            case Said(form="whole") as said:
                whole = chat_whole(said) if is_chat else messages_whole(said, asked)
                self._json(200, whole)
            case Said() as said:
                pieces = chat_stream(said) if is_chat else messages_stream(said, asked)
                self._stream(said.form, pieces)

    def _refuse(self, refused: Refused) -> None:
        self._json(refused.status, {"type": "error", "error": refused.error}, refused.headers)

    def _json(self, status: int, said: Any, headers: Mapping[str, str] | None = None) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, form: str, pieces: list[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        n_shown = len(pieces) if form == "stream" else len(pieces) // 2
        for piece in pieces[:n_shown]:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if form == "cut":
            self.close_connection = True
        elif form == "held":
            self._hold()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _hold(self) -> None:
        self.connection.settimeout(HANG_SECONDS)
        self.close_connection = True
        with suppress(ConnectionError):
            self.rfile.read(1)
        self.server.served.gone.set()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Say nothing on the terminal."""


@contextmanager
def wire_server(*answers: Answer | Callable[[dict[str, Any]], Answer]) -> Iterator[WireServer]:
    """A provider that plays these answers, for as long as a test needs it."""

    server = _Server(("127.0.0.1", 0), _Wires)
    served = WireServer(f"http://127.0.0.1:{server.server_port}/v1", list(answers))
    server.served = served
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def chat_stream(said: Said) -> list[bytes]:
    """The chunks of the chat wire, one piece each."""
    chunks: list[dict[str, Any]] = [
        {"role": "assistant", "content": ""},
        *({"reasoning_content": thought} for thought in said.thoughts),
        *({"content": text} for text in said.texts),
    ]
    for index, (call, name, parts) in enumerate(said.calls):
        begun = {"id": call, "type": "function", "function": {"name": name, "arguments": ""}}
        pieces: list[dict[str, Any]] = [begun]
        pieces += ({"function": {"arguments": part}} for part in parts)
        chunks += ({"tool_calls": [{"index": index} | piece]} for piece in pieces)
    choices: list[dict[str, Any]] = [
        {"index": 0, "delta": chunk, "finish_reason": None} for chunk in chunks
    ]
    choices.append({"index": 0, "delta": {}, "finish_reason": _CHAT_STOPS[said.stop]})
    shown: list[dict[str, Any]] = [{"choices": [choice]} for choice in choices]
    if said.used is not None:
        shown.append({"choices": [], "usage": _chat_usage(said)})
    return [*(f"data: {json.dumps(one)}\n\n".encode() for one in shown), b"data: [DONE]\n\n"]


def chat_whole(said: Said) -> dict[str, Any]:
    """A whole answer of the chat wire."""
    message: dict[str, Any] = {"role": "assistant", "content": "".join(said.texts)}
    message["reasoning"] = "".join(said.thoughts)
    message["tool_calls"] = [
        {"id": call, "type": "function", "function": {"name": name, "arguments": "".join(parts)}}
        for call, name, parts in said.calls
    ]
    choice = {"index": 0, "message": message, "finish_reason": _CHAT_STOPS[said.stop]}
    return {"choices": [choice], "usage": said.used and _chat_usage(said), "error": None}


def _chat_usage(said: Said) -> dict[str, Any]:
    read, written, cached = said.used or (0, 0, 0)
    used: dict[str, Any] = {"prompt_tokens": read, "completion_tokens": written}
    used["prompt_tokens_details"] = {"cached_tokens": cached}
    return used if said.cost is None else used | {"cost": said.cost}


def messages_stream(said: Said, asked: Mapping[str, Any]) -> list[bytes]:
    """The events of the messages wire, one piece each."""
    used = _messages_usage(said)
    shown: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"role": "assistant", "usage": used}},
        {"type": "ping"},
    ]
    for index, block in enumerate(_blocks(said, asked)):
        empty, deltas = _split(block)
        shown.append({"type": "content_block_start", "index": index, "content_block": empty})
        shown += (
            {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
        )
        shown.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": _MESSAGE_STOPS["tools" if "tool_choice" in asked else said.stop]}
    shown.append({"type": "message_delta", "delta": stop, "usage": used})
    shown.append({"type": "message_stop"})
    return [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in shown]


def messages_whole(said: Said, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A whole answer of the messages wire."""
    content: list[dict[str, Any]] = []
    for block in _blocks(said, asked):
        whole = {name: "".join(part) if name in _PARTS else part for name, part in block.items()}
        content.append(whole)
        if whole["type"] == "tool_use":
            whole["input"] = json.loads(whole["input"])
    stop = _MESSAGE_STOPS["tools" if "tool_choice" in asked else said.stop]
    usage = _messages_usage(said)
    return {"type": "message", "content": content, "stop_reason": stop, "usage": usage}


_PARTS = {"text": "text_delta", "thinking": "thinking_delta", "input": "input_json_delta"}


def _blocks(said: Said, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a message, with the pieces of each; an answer of a form is a call."""
    blocks: list[dict[str, Any]] = []
    if said.thoughts:
        blocks.append({"type": "thinking", "thinking": said.thoughts})
    if said.texts and "tool_choice" in asked:
        form = asked["tool_choice"]["name"]
        blocks.append({"type": "tool_use", "id": "form", "name": form, "input": said.texts})
    elif said.texts:
        blocks.append({"type": "text", "text": said.texts})
    for call, name, parts in said.calls:
        blocks.append({"type": "tool_use", "id": call, "name": name, "input": parts})
    return blocks


def _split(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """A block as it begins, and what is added to it."""
    (name,) = _PARTS.keys() & block.keys()
    field_name = "partial_json" if name == "input" else name
    empty = block | {name: {} if name == "input" else ""}
    return empty, [{"type": _PARTS[name], field_name: part} for part in block[name]]


def _messages_usage(said: Said) -> dict[str, Any]:
    if said.used is None:
        return {}
    read, written, cached = said.used
    used = {"input_tokens": read - cached, "output_tokens": written}
    return {**used, "cache_read_input_tokens": cached, "cache_creation_input_tokens": None}
