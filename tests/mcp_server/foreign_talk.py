"""One talk of a foreign client with the agent's door, run by the interpreter that has this client.

    python foreign_talk.py KIND COMMAND [--time N]

COMMAND is a JSON list that serves the client ``loom``; with ``stranger`` in the place of ``loom``
it serves a client that may read. The talk goes to standard output as JSON: a list of what was asked
and what was answered. With ``--time N`` the seconds of N searches by meaning instead.

Needs nothing of this project, and of the client nothing before it is asked for: each has its own
environment, which no type checker sees.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Said = tuple[bool, str]
    """Whether it is an error, and the text."""

CLIENT, STRANGER = "loom", "stranger"
BELL = "The bell of Wend is never rung at noon."
SEARCH = ("memory_read", {"tier": "workspace", "query": "when is the bell rung?"})
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("memory_put", {"tier": "workspace", "content": BELL, "tags": ["bell"]}),
    SEARCH,
    ("memory_read", {"tier": "palace", "query": "bell"}),
    ("memory_read", {"tier": "workspace", "qurey": "bell"}),
)
REFUSED = ("memory_read", {"tier": "account", "query": "bell"})
BY_WORDS = "by words alone"


@dataclass(frozen=True)
class Talk:
    """A connected client.

    Attributes:
        hello: What it knows of the server from the handshake.
        tools: Gives the tools that it sees, by name, with their schema.
        call: Calls a tool.
    """

    hello: str
    tools: Callable[[], Awaitable[dict[str, Any]]]
    call: Callable[[str, dict[str, Any]], Awaitable[Said]]


def told(result: Any) -> Said:
    """What a result of the protocol says, whichever age it is of."""
    is_error = getattr(result, "is_error", None) or getattr(result, "isError", False)
    return bool(is_error), "\n".join(one.text for one in result.content)


def greeted(version: str, server: Any) -> str:
    """What the handshake says."""
    return f"{server.name} {server.version}, protocol {version}"


def schemas(tools: Any) -> dict[str, Any]:
    """Each tool's schema of arguments."""
    return {
        one.name: getattr(one, "input_schema", None) or getattr(one, "inputSchema", None)
        for one in tools
    }


@asynccontextmanager
async def sdk_1(command: list[str]) -> AsyncIterator[Talk]:
    """The protocol's own library as it was in 2025."""
    mcp = import_module("mcp")
    where = mcp.StdioServerParameters(command=command[0], args=command[1:])
    stdio = import_module("mcp.client.stdio")
    async with stdio.stdio_client(where) as streams, mcp.ClientSession(*streams) as session:
        hello = await session.initialize()

        async def tools() -> dict[str, Any]:
            return schemas((await session.list_tools()).tools)

        async def call(name: str, arguments: dict[str, Any]) -> Said:
            return told(await session.call_tool(name, arguments))

        yield Talk(greeted(hello.protocolVersion, hello.serverInfo), tools, call)


@asynccontextmanager
async def sdk_2(command: list[str]) -> AsyncIterator[Talk]:
    """The protocol's own library of today."""
    mcp = import_module("mcp")
    where = mcp.StdioServerParameters(command=command[0], args=command[1:])
    stdio = import_module("mcp.client.stdio")
    async with mcp.Client(stdio.stdio_client(where)) as client:

        async def tools() -> dict[str, Any]:
            return schemas((await client.list_tools()).tools)

        async def call(name: str, arguments: dict[str, Any]) -> Said:
            return told(await client.call_tool(name, arguments))

        yield Talk(greeted(client.protocol_version, client.server_info), tools, call)


@asynccontextmanager
async def fastmcp(command: list[str]) -> AsyncIterator[Talk]:
    """FastMCP's client."""
    library = import_module("fastmcp")
    transports = import_module("fastmcp.client.transports")
    async with library.Client(transports.StdioTransport(command[0], command[1:])) as client:

        async def tools() -> dict[str, Any]:
            return schemas(await client.list_tools())

        async def call(name: str, arguments: dict[str, Any]) -> Said:
            return told(await client.call_tool(name, arguments, raise_on_error=False))

        yield Talk("connected", tools, call)


@asynccontextmanager
async def langchain(command: list[str]) -> AsyncIterator[Talk]:
    """LangChain's adapters in their default way: a process for each call."""
    library = import_module("langchain_mcp_adapters.client")
    server = {"transport": "stdio", "command": command[0], "args": command[1:]}
    known = {one.name: one for one in await library.MultiServerMCPClient({"i": server}).get_tools()}

    async def tools() -> dict[str, Any]:
        return {name: one.args_schema for name, one in known.items()}

    async def call(name: str, arguments: dict[str, Any]) -> Said:
        wanted = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
        answer = await known[name].ainvoke(wanted)
        return answer.status == "error", "\n".join(one["text"] for one in answer.content)

    yield Talk("a process for each call", tools, call)


@asynccontextmanager
async def pydantic_ai(command: list[str]) -> AsyncIterator[Talk]:
    """Pydantic AI's toolset, which hands its model what is structured."""
    library = import_module("pydantic_ai.mcp")
    transports = import_module("fastmcp.client.transports")
    transport = transports.StdioTransport(command[0], command[1:])
    async with library.MCPToolset(transport, tool_error_behavior="error") as toolset:

        async def tools() -> dict[str, Any]:
            return schemas(await toolset.list_tools())

        async def call(name: str, arguments: dict[str, Any]) -> Said:
            try:
                answer = await toolset.direct_call_tool(name, arguments)
            except import_module("fastmcp.exceptions").ToolError as error:
                return True, str(error)
            return False, answer if isinstance(answer, str) else json.dumps(answer)

        info = toolset.server_info
        yield Talk(f"{info.name} {info.version}", tools, call)


@asynccontextmanager
async def openai_agents(command: list[str]) -> AsyncIterator[Talk]:
    """The OpenAI Agents SDK, every schema made strict as it makes it."""
    library = import_module("agents.mcp")
    strict = import_module("agents.strict_schema")
    params = {"command": command[0], "args": command[1:]}
    async with library.MCPServerStdio(params, client_session_timeout_seconds=60) as server:

        async def tools() -> dict[str, Any]:
            found = schemas(await server.list_tools())
            # Raises where a schema cannot be strict.
            return {name: strict.ensure_strict_json_schema(one) for name, one in found.items()}

        async def call(name: str, arguments: dict[str, Any]) -> Said:
            return told(await server.call_tool(name, arguments))

        yield Talk("connected; every schema is strict", tools, call)


KINDS = {
    one.__name__: one for one in (sdk_1, sdk_2, fastmcp, langchain, pydantic_ai, openai_agents)
}


async def talk(kind: str, command: list[str]) -> list[tuple[str, str]]:
    """What was asked and answered, in order."""
    said: list[tuple[str, str]] = []

    async def ask(client: Talk, name: str, arguments: dict[str, Any]) -> None:
        is_error, text = await client.call(name, arguments)
        asked = f"{name} {json.dumps(arguments)}"
        said.append((asked, f"error: {text}" if is_error else text))

    async with KINDS[kind](command) as client:
        said.append(("connect", client.hello))
        said.append(("list tools", f"{len(await client.tools())} tools"))
        for name, arguments in CALLS:
            await ask(client, name, arguments)
    async with KINDS[kind]([STRANGER if one == CLIENT else one for one in command]) as client:
        said.append((f"list tools, as {STRANGER}", f"{len(await client.tools())} tools"))
        await ask(client, *REFUSED)
    return said


async def timed(kind: str, command: list[str], times: int) -> list[float]:
    """Seconds of each of so many searches by meaning."""
    seconds = []
    name, arguments = SEARCH
    async with KINDS[kind](command) as client:
        for _ in range(times):
            began = time.perf_counter()
            is_error, text = await client.call(name, arguments)
            seconds.append(time.perf_counter() - began)
            if is_error or BELL not in text or BY_WORDS in text:
                sys.exit(text)
    return seconds


def main() -> None:
    """Talk, and print it."""
    kind, command, *more = sys.argv[1:]
    wanted = json.loads(command)
    found: Any = asyncio.run(timed(kind, wanted, int(more[1])) if more else talk(kind, wanted))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
