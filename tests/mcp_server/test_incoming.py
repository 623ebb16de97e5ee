"""Every request is answered, also one whose text holds half a character."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from anyio import create_memory_object_stream, fail_after
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from inklings_desktop.mcp_server.hosting.host import _message
from tests.mcp_server.agent_door import AgentDoor
from tests.mcp_server.served_process import initialize
from tests.support.stopwatch import HANG_SECONDS

HALF = "The bell \ud800 rings."


def asked(door: AgentDoor, method: str, **params: Any) -> dict[str, Any]:
    """The answer to a request that came as a line of JSON, as a process hears it."""

    async def ask() -> dict[str, Any]:
        sending, incoming = create_memory_object_stream[SessionMessage | Exception](8)
        answering, answers = create_memory_object_stream[SessionMessage](8)
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        for one in (initialize(), ready, request):
            sending.send_nowait(_message(json.dumps(one).encode()))
        serving = asyncio.create_task(door.server().serve(incoming, answering))
        with fail_after(HANG_SECONDS):
            await answers.receive()
            said = await answers.receive()
        await sending.aclose()
        await serving
        answers.close()
        answer: dict[str, Any] = said.message.model_dump(by_alias=True)
        return answer

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("memory_put", {"tier": "workspace", "content": HALF}, "content"),
        ("memory_put", {"tier": "workspace", "content": "The bell.", "tags": [HALF]}, "tags"),
        ("memory_put_many", {"memories": [{"tier": "workspace", "content": HALF}]}, "memories"),
        ("memory_read", {"tier": "workspace", "query": HALF}, "query"),
        ("conversation_start", {"title": "\udfff"}, "title"),
        ("memory_put", {"tier": "workspace", "content": "a\x00b"}, "content"),
    ],
)
def test_half_a_character_is_answered_with_the_name_of_its_field(
    door: AgentDoor, tool: str, arguments: dict[str, Any], names: str
) -> None:
    result = asked(door, "tools/call", name=tool, arguments=arguments)["result"]
    assert result["isError"]
    (said,) = result["content"]
    assert said["text"].startswith("Text can't contain half a character or NUL;")
    assert f"change {names}." in said["text"]
    assert door.answer("memory_list", tier="workspace")["memories"] == []


def test_half_a_character_elsewhere_is_answered_too(door: AgentDoor) -> None:
    prompt = asked(door, "prompts/get", name="remember", arguments={"what": HALF})
    assert "change what." in prompt["error"]["message"]
    assert "error" in asked(door, HALF)
    with pytest.raises(ValueError, match="hex escape"):
        jsonrpc_message_adapter.validate_json(json.dumps({"half": HALF}))
