"""The guide for developers of agents names every tool that their agents are shown."""

from __future__ import annotations

from tests.mcp_server.write_tool_table import DOCUMENT, rendered


def test_the_table_of_the_guide_is_what_the_tools_say() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    is_true = document == rendered(document)
    assert is_true, "write it again: python -m tests.mcp_server.write_tool_table"
