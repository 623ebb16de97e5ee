"""Clients of every version of the protocol, old and new, over every transport."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

from inklings_desktop.mcp_server.words.answers import UNTRUSTED_SHORT
from tests.mcp_server.agent_door import LOOM, AgentDoor
from tests.mcp_server.served_process import serve_command, served, served_over_http
from tests.mcp_server.test_tools import READING, WRITING
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

MODES = ["legacy", "auto", *MODERN_PROTOCOL_VERSIONS]
SAID = "The bell of Wend is never rung at noon."


async def uses(client: Client) -> str:
    """Everything a client does in its first minute; the version that was agreed on."""
    names = {tool.name for tool in (await client.list_tools()).tools}
    assert names >= READING | WRITING
    templates = (await client.list_resource_templates()).resource_templates
    assert {one.name for one in templates} == {"named_entry", "orientation"}
    put = await client.call_tool("memory_put", {"tier": "workspace", "content": SAID})
    assert structured(put)["status"] in {"stored", "known"}  # known from the mode before
    found = structured(
        await client.call_tool("memory_read", {"tier": "workspace", "query": "bell"})
    )
    assert found["note"] == UNTRUSTED_SHORT
    assert found["hits"][0]["content"] == SAID
    started = structured(await client.call_tool("conversation_start", {}))
    address = f"inklings://orientation/{started['conversation']['ref_code']}"
    turn = await client.read_resource(address)
    assert SAID in str(getattr(turn.contents[0], "text", ""))
    return client.protocol_version


def structured(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    document: dict[str, Any] = result.structured_content
    return document


def agreed(mode: str) -> str:
    return LATEST_HANDSHAKE_VERSION if mode == "legacy" else MODERN_PROTOCOL_VERSIONS[-1]


@pytest.mark.parametrize("mode", MODES)
def test_a_client_in_memory(door: AgentDoor, mode: str) -> None:
    async def run() -> str:
        async with Client(door.server(), mode=mode) as client:
            return await uses(client)

    assert asyncio.run(run()) == agreed(mode)


@pytest.mark.parametrize("mode", mostly_wide(MODES, every_day=lambda mode: mode == "auto"))
def test_a_client_over_stdio(world: tuple[Path, str], mode: str) -> None:
    command, *arguments = serve_command(*world, LOOM)

    async def run() -> str:
        server = StdioServerParameters(command=command, args=arguments)
        async with Client(server, mode=mode) as client:
            return await uses(client)

    assert asyncio.run(run()) == agreed(mode)


def test_clients_over_http(world: tuple[Path, str]) -> None:
    with served_over_http(*world, LOOM) as loopback:

        async def run(mode: str) -> str:
            async with http_client(loopback.address, loopback.headers, mode) as client:
                return await uses(client)

        for mode in MODES:
            assert asyncio.run(run(mode)) == agreed(mode)


@pytest.mark.parametrize(
    "version",
    mostly_wide(
        HANDSHAKE_PROTOCOL_VERSIONS, every_day=lambda one: one == HANDSHAKE_PROTOCOL_VERSIONS[0]
    ),
)
def test_an_older_client_is_answered_in_its_version(world: tuple[Path, str], version: str) -> None:
    with served(*world, LOOM) as process:
        answer = process.begin(version)["result"]
        assert answer["protocolVersion"] == version
        assert answer["serverInfo"]["name"] == "inklings"
        listed = process.ask(1, "tools/list")["result"]["tools"]
        assert {tool["name"] for tool in listed} >= READING | WRITING
        arguments = {"tier": "workspace", "content": SAID}
        put = process.ask(2, "tools/call", name="memory_put", arguments=arguments)["result"]
        # Versions before 2025-06-18 have no structured content; the text says what counts.
        assert '"stored"' in put["content"][0]["text"]


@pytest.mark.parametrize(
    "version",
    mostly_wide(("2019-01-01", "2099-12-31", "no version"), every_day=lambda one: "2099" in one),
)
def test_a_client_of_an_unknown_version_is_offered_the_newest_of_the_handshake(
    world: tuple[Path, str], version: str
) -> None:
    with served(*world, LOOM) as process:
        assert process.begin(version)["result"]["protocolVersion"] == LATEST_HANDSHAKE_VERSION


@asynccontextmanager
async def http_client(address: str, headers: dict[str, str], mode: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as web,
        Client(streamable_http_client(address, http_client=web), mode=mode) as client,
    ):
        yield client
