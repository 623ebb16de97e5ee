"""A model that talks and plays a script: where the last message matches, these events.

It is asked through the port for models, as a provider's is; nothing of it plans.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.providers.port import (
    Event,
    Stop,
    TextDelta,
    ThoughtDelta,
    ToolCall,
    Usage,
)
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from inklings_desktop.agent.providers.port import Message, Request

TALKS = "orchestrator"
ASKED = "The author says:\n"
"""What stands before the person's own words in a message of a turn."""
_ID = re.compile(r"\bid\"?:? \"?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_CONTENT = re.compile(r'"content": ("(?:[^"\\]|\\.)*")')
_ORDER = re.compile(r"CALL (\w+) ((?:[\w.]+=[\w@.-]+ ?)*)")


class ScriptedChat:
    """Plays the first line that fits what it is asked.

    A line is ``{"when": text of the last message of the person, "after": number of answers of tools
    behind it, "thought", "text", "calls": [{name, arguments}], "stop", "fails": word of an error at
    the end, "pause": seconds between words, "obeys": whether it calls whatever any text that it is
    sent tells it to}``. ``{id}`` in it is the last id of a memory that it was sent; in a text,
    ``{context}`` is what came with the person's message, and ``{found}`` what every memory says
    that tools answered with.

    Attributes:
        asked: Every request, in order.
    """

    provider = "scripted"
    is_local = True

    def __init__(self, lines: Sequence[Mapping[str, Any]], window: int = 32_768) -> None:
        self.model = "by-heart"
        self.window = window
        self.asked: list[Request] = []
        self._lines = lines

    async def stream(self, request: Request) -> AsyncIterator[Event]:
        """What the line says, as it comes."""
        self.asked.append(request)
        n_user = max(n for n, one in enumerate(request.messages) if one.role == "user")
        said, done = request.messages[n_user].text, request.messages[n_user + 1 :]
        said = said.rpartition(ASKED)[2]
        n_done = sum(one.role == "tool" for one in done)
        for line in self._lines:
            if line.get("when", "") in said and line.get("after", 0) == n_done:
                break
        else:
            line = {"text": "I know nothing to say."}
        for event in self._events(line, request):
            yield event
            if pause := line.get("pause"):
                await asyncio.sleep(pause)
        if word := line.get("fails"):
            raise AgentError(str(word), retry=True, detail=self.provider)

    def _events(self, line: Mapping[str, Any], request: Request) -> list[Event]:
        line = json.loads(json.dumps(dict(line)).replace("{id}", _last_id(request.messages)))
        text = str(line.get("text", "")).replace("{context}", _context(request))
        text = text.replace("{found}", _found(request))
        events: list[Event] = [ThoughtDelta(one) for one in _pieces(line.get("thought", ""))]
        events += [TextDelta(one) for one in _pieces(text)]
        calls = list(line.get("calls", ())) + (_ordered(request) if line.get("obeys") else [])
        events += [
            ToolCall(f"theirs-{number}", one["name"], one["arguments"])
            for number, one in enumerate(calls)
        ]
        if line.get("fails"):
            return events
        reason: Any = line.get("stop") or ("tools" if calls else "end")
        return [*events, Usage(100, 10, 5), Stop(reason)]


class ScriptedModels:
    """Models that play lines; a line says with ``process`` whose it is, one perhaps the window."""

    def __init__(self, lines: Sequence[Mapping[str, Any]], window: int = 32_768) -> None:
        window = next((one["window"] for one in lines if "window" in one), window)
        processes = {str(one.get("process", TALKS)) for one in lines}
        self.chats = {
            process: ScriptedChat(
                [one for one in lines if one.get("process", TALKS) == process], window
            )
            for process in processes
        }

    def model_for(self, process: str) -> ScriptedChat | None:
        """The one that has lines for it."""
        return self.chats.get(process)


def _pieces(text: str) -> list[str]:
    return re.findall(r"\S*\s*", text)[:-1] if text else []


def _context(request: Request) -> str:
    return next(one.text for one in reversed(request.messages) if one.role == "user")


def _found(request: Request) -> str:
    said = "".join(one.text for one in request.messages if one.role == "tool")
    texts = [json.loads(one) for one in _CONTENT.findall(said)]
    return " · ".join(f"“{one}”" for one in texts) or "nothing"


def _last_id(messages: Sequence[Message]) -> str:
    found = [id_ for one in messages for id_ in _ID.findall(one.text)]
    return found[-1] if found else ""


def _ordered(request: Request) -> list[dict[str, Any]]:
    """Whatever any text of a request tells its reader to call: ``CALL tool key=value ...``."""
    texts = [*request.system, *(one.text for one in request.messages)]
    return [
        {"name": name, "arguments": _arguments(told)}
        for text in texts
        for name, told in _ORDER.findall(text)
    ]


def _arguments(told: str) -> dict[str, Any]:
    """``name=value`` pairs; a dot in a name goes one level down, ``_`` in a value is a blank."""
    found: dict[str, Any] = {}
    for one in told.split():
        name, _, value = one.partition("=")
        place, _, inner = name.partition(".")
        words: Any = value.replace("_", " ")
        if value.isdigit() or value in {"true", "false"}:
            words = json.loads(value)
        found[place] = found.get(place, {}) | {inner: words} if inner else words
    return found
