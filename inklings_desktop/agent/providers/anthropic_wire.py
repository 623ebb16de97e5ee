"""The messages wire: Anthropic's, and that of every address that is compatible with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.agent.providers.port import Stop, TextDelta, ThoughtDelta, ToolCall, Usage
from inklings_desktop.agent.providers.wire import Reading, Wire, arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.agent.planning import Json
    from inklings_desktop.agent.providers.port import Event, Message, Request

_ANSWER: Final = "answer"
"""The tool whose arguments are the answer, where an answer must have a form."""
_STOPS: Final = {
    "max_tokens": Stop("length"),
    "model_context_window_exceeded": Stop("length"),
    "refusal": Stop("refused"),
    "tool_use": Stop("tools"),
}


class AnthropicWire(Wire):
    """A model that is asked by ``/v1/messages``."""

    _path = "/v1/messages"

    def _client(self, **options: Any) -> tuple[Any, Any]:
        import anthropic

        options["base_url"] = self._address.removesuffix("/v1")  # its paths have that themselves
        return anthropic, anthropic.AsyncAnthropic(**options, open_telemetry=False)

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": _messages(request.messages),
            "stream": True,
        }
        if system := _system(request):
            body["system"] = system
        if request.schema is not None:
            form = {"name": _ANSWER, "description": "The answer.", "input_schema": request.schema}
            body |= {"tools": [form], "tool_choice": {"type": "tool", "name": _ANSWER}}
            return body  # no model thinks that is made to call a tool
        if request.tools:
            body["tools"] = [
                {"name": one.name, "description": one.description, "input_schema": one.schema}
                for one in request.tools
            ]
        if request.effort:
            body["thinking"] = {"type": "adaptive", "display": "summarized"}
            body["output_config"] = {"effort": request.effort}
        return body

    def _reading(self, request: Request) -> Reading:
        return _MessageReading(is_form=request.schema is not None)


def _system(request: Request) -> list[dict[str, Any]]:
    """The blocks before everything; tools and blocks up to the last stable one may be cached."""
    blocks: list[dict[str, Any]] = []
    for number, text in enumerate(request.system, start=1):
        if text:
            blocks.append({"type": "text", "text": text})
        if blocks and number == request.n_stable:
            blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return blocks


def _messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """The messages; what one side says in several stands in one."""
    found: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        if not found or found[-1]["role"] != role:
            found.append({"role": role, "content": []})
        found[-1]["content"] += _blocks(message)
    return [one for one in found if one["content"]]


def _blocks(message: Message) -> list[Json]:
    if message.role == "tool":
        result = {"tool_use_id": message.call_id, "content": message.text}
        return [{"type": "tool_result", "is_error": message.is_error, **result}]
    text = [{"type": "text", "text": message.text}] if message.text else []
    calls = (
        {"type": "tool_use", "id": one.id, "name": one.name, "input": one.arguments or {}}
        for one in message.calls
    )
    return [*text, *calls]


class _MessageReading(Reading):
    """Reads the events of a message, or a whole message."""

    def __init__(self, *, is_form: bool) -> None:
        self._is_form = is_form
        self._call: Json | None = None
        self._arguments = ""
        self._reason = ""
        self._used: dict[str, Any] = {}

    def take(self, piece: Json) -> Iterator[Event]:
        match piece.get("type"):
            case "message_start":
                self._use(piece["message"])
            case "content_block_start" if piece["content_block"]["type"] == "tool_use":
                self._call, self._arguments = piece["content_block"], ""
            case "content_block_delta":
                yield from self._delta(piece["delta"])
            case "content_block_stop" if self._call is not None:
                if not self._is_form:
                    found = arguments_of(self._arguments)
                    yield ToolCall(self._call["id"], self._call["name"], found)
                self._call = None
            case "message_delta":
                self._reason = piece["delta"].get("stop_reason") or self._reason
                self._use(piece)
            case "message_stop":
                self._end()
            case "message":
                yield from self._whole(piece)
            case _:
                pass  # what this version does not know

    def _delta(self, new: Json) -> Iterator[Event]:
        if (text := new.get("text")) and not self._is_form:
            yield TextDelta(text)
        if thought := new.get("thinking"):
            yield ThoughtDelta(thought)
        if part := new.get("partial_json"):
            self._arguments += part
            if self._is_form:
                yield TextDelta(part)

    def _whole(self, message: Json) -> Iterator[Event]:
        for block in message["content"]:
            if block["type"] != "tool_use":
                yield from self._delta(block)
            elif self._is_form:
                yield TextDelta(json.dumps(block["input"]))
            else:
                yield ToolCall(block["id"], block["name"], block["input"])
        self._reason = message.get("stop_reason") or ""
        self._use(message)
        self._end()

    def _use(self, piece: Json) -> None:
        """Take the figures of usage; later ones replace earlier ones."""
        self._used |= {name: n for name, n in (piece.get("usage") or {}).items() if n is not None}
        cached = self._used.get("cache_read_input_tokens", 0)
        written = self._used.get("cache_creation_input_tokens", 0)
        if "output_tokens" in self._used:
            self.usage = Usage(
                self._used.get("input_tokens", 0) + cached + written,
                self._used["output_tokens"],
                cached,
            )

    def _end(self) -> None:
        is_form = self._is_form and self._reason == "tool_use"
        self.stop = Stop("end") if is_form else _STOPS.get(self._reason, Stop("end"))
