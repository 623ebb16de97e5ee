"""What both wires do alike: connect, stream, stop, and say what went wrong.

The libraries read the stream and try again before it begins; pieces are taken as plain JSON, since
an address that is only compatible leaves out what their own types ask for.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.connecting import checked_address, http_client, is_loopback
from inklings_desktop.agent.providers.port import Usage
from inklings_desktop.agent.providers.problems import answered, problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from inklings_desktop.agent.planning import Json
    from inklings_desktop.agent.providers.port import Event, Request, Stop

UNKNOWN_WINDOW: Final = 32_768
N_RETRIES: Final = 3
CHARACTERS_A_TOKEN: Final = 4
T = TypeVar("T")
_NOT_ITS_FORM: Final = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What reading an answer raises that is none of its wire."""


class Reading(ABC):
    """Reads one answer, piece by piece.

    Attributes:
        usage: What the provider says was used.
        stop: Why it ended; None for an answer that was cut off.
    """

    usage: Usage | None = None
    stop: Stop | None = None

    @abstractmethod
    def take(self, piece: Json) -> Iterator[Event]:
        """The events of one piece of a stream, or of a whole answer, but for usage and stop."""


class Wire(ABC):
    """A model behind an address: a ``ChatModel`` that is asked through a library."""

    _path: str

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        address: str,
        key: Callable[[], str] = str,
        window: int = UNKNOWN_WINDOW,
        silent_seconds: float | None = None,
    ) -> None:
        """Ask a model; the library is imported when that happens first.

        Args:
            provider: Its id.
            model: As its provider names it.
            address: The base of its paths.
            key: Finds the key, on a thread, when it is asked first; empty for an address that asks
                for none.
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
        self._find_key = key
        self._key = ""
        self._silent_seconds = silent_seconds
        self._connected: tuple[Any, Any] | None = None

    async def stream(self, request: Request) -> AsyncIterator[Event]:
        """The answer as it comes; a ``ChatModel`` says more."""
        sdk, client = await self._connect()
        body = self._body(request)
        reading = self._reading(request)
        n_characters = 0
        with self._told(sdk):
            answer = await client.post(
                self._path,
                cast_to=object,
                body=body,
                options=self._options(sdk),
                stream=True,
                stream_cls=sdk.AsyncStream[object],
            )
            try:
                async for piece in _pieces(answer):
                    if piece.get("error"):
                        raise answered(self.provider, 0, piece)
                    for event in reading.take(piece):
                        n_characters += len(getattr(event, "text", None) or str(event))
                        yield event
            finally:
                await answer.close()
            if reading.stop is None:
                raise problem(words.PROVIDER_UNREACHABLE, self.provider)
        yield reading.usage or Usage(
            len(json.dumps(body, ensure_ascii=False)) // CHARACTERS_A_TOKEN,
            n_characters // CHARACTERS_A_TOKEN,
            is_estimated=True,
        )
        yield reading.stop

    async def get(self, path: str, read: Callable[[Json], T]) -> T:
        """What is read from what a path tells, asked for once.

        Args:
            path: Below the address, or an address of its own.

        Raises:
            AgentError: It tells nothing that can be read.
        """
        sdk, client = await self._connect()
        with self._told(sdk):
            options = {**self._options(sdk), "max_retries": 0}
            return read(await client.get(path, cast_to=object, options=options))

    async def _connect(self) -> tuple[Any, Any]:
        if self._connected is None:
            self._connected = await asyncio.to_thread(self._load)
        return self._connected

    def _load(self) -> tuple[Any, Any]:
        self._key = self._find_key()
        options = {"api_key": self._key or "none", "base_url": self._address}
        http = http_client(self._address, self._silent_seconds)
        return self._client(**options, max_retries=N_RETRIES, http_client=http)

    def _options(self, sdk: Any) -> dict[str, Any]:
        return {} if self._key else {"headers": {"Authorization": sdk.Omit()}}

    @contextmanager
    def _told(self, sdk: Any) -> Iterator[None]:
        """Say what goes wrong in the words of the protocol."""
        import httpx2

        try:
            yield
        except (sdk.APIConnectionError, httpx2.TransportError, OSError):
            raise problem(words.PROVIDER_UNREACHABLE, self.provider) from None
        except (sdk.APIError, *_NOT_ITS_FORM) as error:
            status, body = getattr(error, "status_code", 0), getattr(error, "body", None)
            raise answered(self.provider, status, body, has_key=bool(self._key)) from None

    @abstractmethod
    def _client(self, **options: Any) -> tuple[Any, Any]:
        """The library, imported, and its client."""

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
