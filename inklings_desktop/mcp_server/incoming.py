"""What a client says, also where a text of it holds half a character."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    Heard = SessionMessage | Exception


async def pass_on(incoming: ReadStream[Heard], heard: WriteStream[Heard]) -> None:
    """Lose no request, so that each of them is answered; both streams are closed at the end.

    The library drops a line whose JSON holds half of a pair. Python reads it, and whoever carries
    the request out refuses the text.
    """
    async with incoming, heard:
        async for one in incoming:
            await heard.send(_read_again(one))


def _read_again(one: Heard) -> Heard:
    if isinstance(one, ValidationError):
        with suppress(ValueError, TypeError, RecursionError):
            (first, *_) = one.errors(include_url=False)
            said = json.loads(first["input"])
            return SessionMessage(jsonrpc_message_adapter.validate_python(said, by_name=False))
    return one
