"""The table of tools in the guide for developers of agents, made from the tools themselves.

python -m tests.mcp_server.write_tool_table
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from inklings_desktop.mcp_server.server import InklingsServer
from inklings_desktop.mcp_server.session import ClientSession

DOCUMENT = Path("docs/guides/agent-developer.md")
HEAD = "| tool | what it does |\n|---|---|\n"


def table() -> str:
    """A row for each tool that other programs than our own agent are shown."""
    session = ClientSession("a-client", nullcontext)  # type: ignore[arg-type]  # opens nothing
    tools = asyncio.run(MCPServer.list_tools(InklingsServer(session)))
    rows = [f"| `{one.name}` | {(one.description or '').splitlines()[0]} |\n" for one in tools]
    return HEAD + "".join(rows)


def rendered(document: str) -> str:
    """The guide with the table as it has to be."""
    before, head, rest = document.partition(HEAD)
    assert head
    rows, end, after = rest.partition("\n\n")
    assert rows.startswith("|")
    return before + table().rstrip("\n") + end + after


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
