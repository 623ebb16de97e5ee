"""What a client reads by its address: named entries, and the document that begins a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.mcp_server.session import RequestFailedError
from inklings_desktop.mcp_server.tools.memory_tools import MemoryTools
from inklings_desktop.mcp_server.words.answers import entry_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.mcp_server.session import ClientSession
    from inklings_desktop.usecases.bundle import Inklings

URIS = {
    "named_entry": "inklings://named/{tier}/{name}",
    "orientation": "inklings://orientation/{conversation}",
}
_MISSING = frozenset({"not_found", "scope_denied"})


class Resources:
    """Plain functions over one session; their arguments are the parts of the address."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    def named_entry(self, tier: str, name: str) -> str:
        """A standing entry of the author, whole, in Markdown."""

        def found(mine: Inklings) -> tuple[dict[str, Any], int]:
            if tier not in {one.value for one in Tier}:
                raise NotFoundError("named_entry", name)
            workspace_id = self._session.workspace_id
            entry = mine.entries.find(workspace_id, name, Tier(tier))
            return {"text": entry_answer(entry, with_body=True).get("notice") or entry.body}, 1

        return _text(lambda: self._session.call("resource:named", found), "text")

    def orientation(self, conversation: str) -> str:
        """The document to begin a turn of this conversation with."""
        tools = MemoryTools(self._session)
        return _text(lambda: tools.memory_orient(conversation), "markdown")


def _text(ask: Callable[[], Mapping[str, Any]], key: str) -> str:
    """The text of an answer, or the error that a resource has for it.

    Raises:
        ResourceNotFoundError: There is nothing at this address for this client.
        ResourceError: It could not be read; the sentence says why.
    """
    try:
        text: str = ask()[key]
    except RequestFailedError as error:
        kind = ResourceNotFoundError if error.word in _MISSING else ResourceError
        raise kind(str(error)) from None
    return text
