"""A data root behind the agent's door, and clients of the protocol's own library at it."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jsonschema
from mcp import Client

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.mcp_server.server import InklingsServer
from inklings_desktop.mcp_server.session import ClientSession
from tests.support.stopwatch import SLOWNESS, Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp.types import CallToolResult

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

FREE_SECONDS = 2.0 * SLOWNESS
LOOM = "loom"
STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class AgentDoor:
    """One workspace, the author's own agent ``loom``, and whoever else was let in.

    Attributes:
        inklings: The author's use cases.
        workspace: The workspace behind the door.
    """

    inklings: Inklings
    workspace: Workspace

    def server(self, client: str = LOOM) -> InklingsServer:
        """A server for this client over the same files.

        Whom the author named their World Agent is taken for its program, whatever its name.
        """

        @contextmanager
        def opened() -> Iterator[Inklings]:
            yield self.inklings

        session = ClientSession(client, opened)
        kinds = {one.client.name: one.client.kind for one in self.inklings.clients.list()}
        session.is_program = kinds.get(client) is ClientKind.WORLD_AGENT
        return InklingsServer(session)

    def call(self, tool: str, *, client: str = LOOM, **arguments: Any) -> CallToolResult:
        """What the protocol's client hears."""
        return asyncio.run(_called(self.server(client), tool, arguments))

    def answer(self, tool: str, *, client: str = LOOM, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a call that must succeed, with every field unless it says so.

        It holds nothing that its tool does not list in its schema.
        """
        server = self.server(client)
        offered = {one.name: one for one in asyncio.run(_listed(server))}.get(tool)
        if offered is not None and "detail" in offered.input_schema["properties"]:
            arguments = {"detail": "full"} | arguments
        result = asyncio.run(_called(server, tool, arguments))
        assert not result.is_error, sentence(result)
        assert result.structured_content is not None
        structured: dict[str, Any] = result.structured_content
        if offered is not None:
            jsonschema.validate(structured, _closed(offered.output_schema))
        return structured

    def refusal(self, tool: str, *, client: str = LOOM, **arguments: Any) -> str:
        """The sentence of a call that must fail."""
        result = self.call(tool, client=client, **arguments)
        assert result.is_error
        return sentence(result)

    def tools(self, client: str = LOOM) -> list[Any]:
        """The tools that this client is shown."""
        return asyncio.run(_listed(self.server(client)))


def make_root(root: Path) -> Workspace:
    """A data root with one workspace: ``loom`` is the author's own agent, a stranger may read."""
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        made = inklings.workspaces.create("Saltglass")
        inklings.clients.grant(
            LOOM, preset_rights(ClientKind.WORLD_AGENT, made.id), kind=ClientKind.WORLD_AGENT
        )
        inklings.clients.let_in(STRANGER, made.id)
    return made


@contextmanager
def agent_door(root: Path, made: Workspace | None = None) -> Iterator[AgentDoor]:
    """The door of such a data root, which is made unless this workspace lies there."""
    made = made or make_root(root)
    with open_inklings(
        root, workspace=made.id, embedder=NullEmbedder("none"), embed_writes=False
    ) as inklings:
        yield AgentDoor(inklings, made)


def is_free_and_sound(root: Path, workspace: str) -> bool:
    """Whether another program works here at once: nothing locked, nothing leased, all whole."""
    with open_inklings(root, workspace=workspace, embedder=NullEmbedder("none")) as inklings:
        scope = ScopeKey.workspace(workspace)
        watch = Stopwatch()
        inklings.memories.put(MemoryDraft(scope, "Written afterwards."))
        inklings.consolidation.run(scope)  # refused while anybody holds a lease
        is_free = watch.seconds < FREE_SECONDS
        return is_free and inklings.keeping.check_data().is_clean


def sentence(result: CallToolResult) -> str:
    """The text of a result."""
    return " ".join(getattr(part, "text", "") for part in result.content)


def _closed(schema: Any) -> Any:
    """The schema, with no room for a property that it does not name."""
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(one) for name, one in schema.items()}
    return {"additionalProperties": False} | closed if "properties" in schema else closed


async def _called(server: InklingsServer, tool: str, arguments: dict[str, Any]) -> CallToolResult:
    async with Client(server) as client:
        return await client.call_tool(tool, arguments)


async def _listed(server: InklingsServer) -> list[Any]:
    async with Client(server) as client:
        return (await client.list_tools()).tools
