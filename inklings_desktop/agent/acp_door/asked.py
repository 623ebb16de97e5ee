"""What a request may say, beyond the form of its parameters; each refusal names what is wrong."""

from __future__ import annotations

import json
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from acp.exceptions import RequestError

from inklings_desktop.acp_wire import words
from inklings_desktop.domain.errors import AgentError, InvalidValueError
from inklings_desktop.domain.rooms.messages import MAX_PARTS_BYTES
from inklings_desktop.domain.words.text_rules import stored_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from acp.schema import LoadSessionRequest, NewSessionRequest, ResumeSessionRequest

_NO_WORDS = frozenset({"image", "audio"})
_FLAWS = {
    "encoding": "The message contains half a character, which is not text. Nothing was kept.",
    "nul": "The message contains the character NUL. Nothing was kept.",
}


def require_words(blocks: Sequence[Mapping[str, Any]], parts: list[dict[str, Any]]) -> None:
    """Return only for a prompt that can be kept: words alone, and not too many.

    Raises:
        RequestError: It holds a picture or sound, which was never offered.
        AgentError: It cannot be stored.
    """
    if any(one.get("type") in _NO_WORDS for one in blocks):
        raise _refused(
            "prompt", "Pictures and sound cannot be kept here, so nothing was kept. Send words."
        )
    try:
        n_bytes = stored_bytes("".join(map(_text, parts)), "prompt")
    except InvalidValueError as error:
        raise AgentError(words.INVALID_VALUE, detail=error.rule, said=_FLAWS[error.rule]) from None
    if n_bytes > MAX_PARTS_BYTES:
        raise AgentError(words.MESSAGE_TOO_LONG, detail=str(n_bytes))


def require_place(asked: LoadSessionRequest | NewSessionRequest | ResumeSessionRequest) -> None:
    """Return only for what the protocol allows: an absolute folder, and servers over pipes.

    Raises:
        RequestError: It is something else.
    """
    if not (PurePosixPath(asked.cwd).is_absolute() or PureWindowsPath(asked.cwd).is_absolute()):
        raise _refused("cwd", "cwd must be an absolute path.")
    if any(not hasattr(one, "command") for one in asked.mcp_servers or ()):
        raise _refused("mcpServers", "Only MCP servers over stdio are offered, not HTTP or SSE.")


def unused(asked: LoadSessionRequest | NewSessionRequest | ResumeSessionRequest) -> dict[str, Any]:
    """What the client is told of servers that it named and that are not used: all but memory."""
    names = [one.name for one in asked.mcp_servers or () if one.name != words.MEMORY_SERVER]
    return {words.UNUSED_SERVERS: names} if names else {}


def _text(part: Mapping[str, Any]) -> str:
    """A part as it is kept, with a NUL as it is."""
    return json.dumps(part, ensure_ascii=False).replace("\\u0000", "\0")


def _refused(field: str, sentence: str) -> RequestError:
    return RequestError(words.INVALID_PARAMS, sentence, {"fields": [field]})
