"""The chat wire: OpenAI's own, and that of every address that is compatible with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.agent.providers.port import Stop, TextDelta, ThoughtDelta, ToolCall, Usage
from inklings_desktop.agent.providers.wire import Reading, Wire, arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.agent.planning import Json
    from inklings_desktop.agent.providers.port import Event, Message, Request

_STOPS: Final = {
    "length": Stop("length"),
    "content_filter": Stop("refused"),
    "tool_calls": Stop("tools"),
}


class OpenAIWire(Wire):
    """A model that is asked by ``/chat/completions``."""

    _path = "/chat/completions"

    def _client(self, **options: Any) -> tuple[Any, Any]:
        import openai

        return openai, openai.AsyncOpenAI(**options)

    def _body(self, request: Request) -> dict[str, Any]:
        text = "\n\n".join(filter(None, request.system))
        system = [{"role": "system", "content": text}] if text else []
        # One provider takes only the newer name, and the others all take the older one.
        limit = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [*system, *map(_message, request.messages)],
            limit: request.max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.tools:
            body["tools"] = [
                _function(one.name, description=one.description, parameters=one.schema)
                for one in request.tools
            ]
        if request.schema is not None:
            named = {"name": "answer", "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if request.effort:
            body["reasoning_effort"] = request.effort
        return body

    def _reading(self, request: Request) -> Reading:  # noqa: ARG002 - all are read alike
        return _ChatReading()


def _function(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, **more}}


def _message(message: Message) -> Json:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
    if not message.calls:
        return {"role": message.role, "content": message.text}
    calls = [
        {"id": one.id} | _function(one.name, arguments=json.dumps(one.arguments or {}))
        for one in message.calls
    ]
    return {"role": "assistant", "content": message.text or None, "tool_calls": calls}


class _ChatReading(Reading):
    """Reads chunks, each with what is new; a whole answer looks like one of them."""

    def __init__(self) -> None:
        self._calls: list[dict[str, str]] = []
        self._at: dict[Any, dict[str, str]] = {}
        self._is_refused = False

    def take(self, piece: Json) -> Iterator[Event]:
        if used := piece.get("usage"):
            self.usage = _usage(used)
        for choice in piece.get("choices") or ():
            new = choice.get("delta") or choice.get("message") or {}
            thought = new.get("reasoning_content") or new.get("reasoning")
            if thought and isinstance(thought, str):
                yield ThoughtDelta(thought)
            for text in (new.get("content"), new.get("refusal")):
                if text and isinstance(text, str):
                    yield TextDelta(text)
            self._is_refused |= bool(new.get("refusal"))
            for call in new.get("tool_calls") or ():
                self._collect(call)
            if self.stop is None and (reason := choice.get("finish_reason")):
                yield from self._end(reason)

    def _collect(self, piece: Json) -> None:
        """Add to a call: some send no index, some the same one for every call."""
        index, new_id = piece.get("index"), piece.get("id")
        call = self._at.get(index)
        if call is None or (new_id and new_id != call["id"]):
            call = {"id": new_id or f"call_{len(self._calls)}", "name": "", "arguments": ""}
            self._at[index] = call
            self._calls.append(call)
        function = piece.get("function") or {}
        call["name"] += function.get("name") or ""
        call["arguments"] += function.get("arguments") or ""

    def _end(self, reason: str) -> Iterator[Event]:
        for call in self._calls:
            yield ToolCall(call["id"], call["name"], arguments_of(call["arguments"]))
        usual = Stop("refused" if self._is_refused else "tools" if self._calls else "end")
        self.stop = _STOPS.get(reason, usual)


def _usage(used: Json) -> Usage:
    cost = used.get("cost")
    details = used.get("prompt_tokens_details") or {}
    return Usage(
        used.get("prompt_tokens") or 0,
        used.get("completion_tokens") or 0,
        details.get("cached_tokens") or 0,
        cost_micro=None if cost is None else round(float(cost) * 1_000_000),
        currency=None if cost is None else "USD",
    )
