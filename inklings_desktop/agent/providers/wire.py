"""What both wires do alike: connect, stream, stop, and say what went wrong.

The libraries read the stream and try again before it begins; pieces are taken as plain JSON, since
an address that is only compatible leaves out what their own types ask for.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.connecting import (
    checked_address,
    http_client,
    is_loopback,
    keep_quiet,
)
from inklings_desktop.agent.providers.port import Stop, TextDelta, ThoughtDelta, ToolCall, Usage
from inklings_desktop.agent.providers.problems import answered, problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from inklings_desktop.agent.providers.port import Event, Json, Request
    from inklings_desktop.domain.errors import AgentError

UNKNOWN_WINDOW: Final = 32_768
N_RETRIES: Final = 3
CHARACTERS_A_TOKEN: Final = 4
_NOT_ITS_FORM: Final = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What reading an answer raises that is none of its wire."""


class Reading(ABC):
    """Reads one answer, piece by piece."""

    usage: Usage | None = None
    """What the provider says was used."""
    reason: str | None = None
    """Why it ended, in the provider's word; None for an answer that was cut off."""

    @abstractmethod
    def take(self, piece: Json) -> Iterator[Event]:
        """The events of one piece of a stream, or of a whole answer."""

    @abstractmethod
    def stop(self) -> Stop:
        """Why it ended."""

    def rest(self) -> Iterator[Event]:
        """The events that are known only at the end, but for usage and stop."""
        yield from ()


class Wire(ABC):
    """A model behind an address: a ``ChatModel`` that is asked through a library."""

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        address: str,
        key: str = "",
        window: int = UNKNOWN_WINDOW,
        silent_seconds: float | None = None,
    ) -> None:
        """Ask a model; the library is imported when that happens first.

        Args:
            provider: Its id.
            model: As its provider names it.
            address: The base of its paths.
            key: Empty for an address that asks for none.
            window: Tokens that it takes in all.
            silent_seconds: How long nothing may come; by default what fits the address.

        Raises:
            AgentError: ``address_refused``.
        """
        self.provider = provider
        self.model = model
        self.window = window
        self._address = checked_address(address)
        self.is_local = is_loopback(address)
        self._key = key
        self._silent_seconds = silent_seconds
        self._connected: tuple[Any, Any] | None = None

    async def stream(self, request: Request) -> AsyncIterator[Event]:
        """The answer as it comes; a ``ChatModel`` says more."""
        if self._connected is None:
            self._connected = await asyncio.to_thread(self._connect)
        sdk, client = self._connected
        import httpx2

        broken = (sdk.APIConnectionError, httpx2.TransportError, OSError)
        wrong = (sdk.APIError, *_NOT_ITS_FORM)
        without_key: Any = {"headers": {"Authorization": sdk.Omit()}}
        body = self._body(request)
        reading = self._reading(request)
        n_characters = 0
        try:
            answer = await client.post(
                self._path,
                cast_to=object,
                body=body,
                options={} if self._key else without_key,
                stream=True,
                stream_cls=sdk.AsyncStream[object],
            )
            try:
                async for piece in _pieces(answer):
                    if piece.get("error"):
                        raise answered(self.provider, 0, piece)
                    for event in reading.take(piece):
                        n_characters += _characters(event)
                        yield event
            finally:
                await answer.close()
            if reading.reason is None:
                raise problem(words.PROVIDER_UNREACHABLE, self.provider)
            for event in reading.rest():
                n_characters += _characters(event)
                yield event
        except broken:
            raise problem(words.PROVIDER_UNREACHABLE, self.provider) from None
        except wrong as error:
            raise self._refused(error) from None
        yield reading.usage or Usage(
            len(json.dumps(body, ensure_ascii=False)) // CHARACTERS_A_TOKEN,
            n_characters // CHARACTERS_A_TOKEN,
            is_estimated=True,
        )
        yield reading.stop()

    def _connect(self) -> tuple[Any, Any]:
        keep_quiet()
        return self._client(http_client(self._address, self._silent_seconds))

    def _refused(self, error: Exception) -> AgentError:
        status = getattr(error, "status_code", 0)
        body = getattr(error, "body", None)
        return answered(self.provider, status, body, has_key=bool(self._key))

    _path: str

    @abstractmethod
    def _client(self, http: Any) -> tuple[Any, Any]:
        """The library and its client."""

    @abstractmethod
    def _body(self, request: Request) -> dict[str, Any]:
        """What is sent."""

    @abstractmethod
    def _reading(self, request: Request) -> Reading:
        """What reads the answer."""


def arguments_of(text: str) -> Json | None:
    """The arguments of a call; None for half a call, and for what is no object."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


async def _pieces(answer: Any) -> AsyncIterator[Json]:
    """The pieces of a stream; the whole answer where JSON came in its place."""
    if answer.response.headers.get("content-type", "").startswith("application/json"):
        yield json.loads(await answer.response.aread())
        return
    async for piece in answer:
        yield piece


def _characters(event: Event) -> int:
    match event:
        case TextDelta(text) | ThoughtDelta(text):
            return len(text)
        case ToolCall(name=name, arguments=arguments):
            return len(name) + len(json.dumps(arguments))
        case _:
            return 0
