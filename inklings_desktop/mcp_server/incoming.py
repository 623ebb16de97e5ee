"""What a client says, also where a text of it holds half a character."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.shared._stream_protocols import ReadStream

    Heard = SessionMessage | Exception


class Readable:
    """A stream of messages in which no request gets lost, so that each of them is answered.

    The library drops a line whose JSON holds half of a pair. Python reads it, and whoever carries
    the request out refuses the text.
    """

    def __init__(self, stream: ReadStream[Heard]) -> None:
        self._stream = stream

    async def receive(self) -> Heard:
        """The next message."""
        return _read_again(await self._stream.receive())

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Heard:
        return _read_again(await anext(self._stream))

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(kind, error, trace)


def _read_again(heard: Heard) -> Heard:
    if isinstance(heard, ValidationError):
        with suppress(ValueError, TypeError, RecursionError):
            (first, *_) = heard.errors(include_url=False)
            said = json.loads(first["input"])
            return SessionMessage(jsonrpc_message_adapter.validate_python(said, by_name=False))
    return heard
