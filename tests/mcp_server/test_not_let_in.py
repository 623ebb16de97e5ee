"""A client that was never granted anything, at every tool and resource."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server import MCPServer

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from tests.mcp_server.agent_door import STRANGER, AgentDoor, agent_door

NOBODY = "old loom"
SAID = (
    "old loom is not let in yet, so nothing here is open to it. The author can let it in, in the"
    " window of Inklings or with: inklings mcp grant 'old loom' --as external"
)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[AgentDoor]:
    with agent_door(tmp_path) as made:
        scope = ScopeKey.workspace(made.workspace.id)
        made.inklings.memories.put(MemoryDraft(scope, "The bell is cracked."))
        yield made


def fitting(schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a tool takes, made from what it says of them."""
    return {name: _value(schema["properties"][name]) for name in schema.get("required", ())}


def _value(asked: dict[str, Any]) -> Any:
    made = {"string": "x", "integer": 1, "number": 1, "boolean": True}
    match asked.get("type", "string"):
        case _ if "enum" in asked:
            return asked["enum"][0]
        case "object":
            return fitting(asked)
        case "array":
            return [_value(asked["items"])]
        case kind:
            return made[kind]


def test_every_tool_answers_an_unknown_client_with_one_sentence(door: AgentDoor) -> None:
    every = asyncio.run(MCPServer.list_tools(door.server(NOBODY)))
    assert len(every) > 15
    for tool in every:
        said = door.refusal(tool.name, client=NOBODY, **fitting(tool.input_schema))
        assert said == SAID
    inklings = door.inklings
    rooms = inklings.places.conversations(door.workspace.id, include_archived=True)
    assert not rooms


@pytest.mark.parametrize("address", ["named/workspace/VOICE", "orientation/whichever"])
def test_every_resource_answers_an_unknown_client_with_the_same(
    door: AgentDoor, address: str
) -> None:
    async def asked() -> str:
        async with Client(door.server(NOBODY)) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(f"inklings://{address}")
            return caught.value.error.message

    assert asyncio.run(asked()) == SAID


def test_it_is_shown_what_it_would_be_given_and_the_author_sees_it_wait(door: AgentDoor) -> None:
    assert {tool.name for tool in door.tools(NOBODY)} == {
        tool.name for tool in door.tools(STRANGER)
    }
    inklings = door.inklings
    found = inklings.clients.show(NOBODY)
    assert found.client.kind is ClientKind.UNKNOWN
    assert found.activity.last_error == "not_let_in"


def test_from_the_letting_in_on_the_next_request_is_answered(door: AgentDoor) -> None:
    inklings = door.inklings
    for _ in range(5):
        door.refusal("memory_read", client=NOBODY, tier="workspace", query="bell")
    inklings.clients.let_in(NOBODY, door.workspace.id)
    found = door.answer("memory_read", client=NOBODY, tier="workspace", query="bell")
    assert len(found["hits"]) == 1
    for kind, actor in ((EventKind.DENIED, NOBODY), (EventKind.GRANTED, inklings.caller.name)):
        where = EventFilter(kinds=frozenset({kind}), actors=frozenset({actor}))
        found_events = inklings.log.list(None, where)
        about = [one for one in found_events if NOBODY in {one.actor, *one.ids}]
        assert len(about) == 1
