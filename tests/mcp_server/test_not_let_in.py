"""A client that was never granted anything, at every tool and resource."""

from __future__ import annotations

import asyncio
import json
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, MCPError
from mcp.server import MCPServer

from inklings_desktop.domain.access.access import ANOTHER_AGENT, Action
from inklings_desktop.domain.access.clients import ClientKind, Right
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from tests.mcp_server.agent_door import LOOM, STRANGER, agent_door

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.mcp_server.agent_door import AgentDoor

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


WEAVER = "weaver of Wend"
READINGS: dict[str, dict[str, Any]] = {
    "memory_read": {"tier": "workspace", "query": "bell"},
    "memory_list": {"tier": "workspace"},
    "memory_search": {"query": "bell"},
    "memory_orient": {"query": "bell"},
}


def weave(door: AgentDoor) -> str:
    """Another client, the author and the asker write about the bell; the id of the first one's."""
    inklings, workspace = door.inklings, door.workspace.id
    right = Right(Tier.WORKSPACE, workspace, Action.WRITE)
    inklings.clients.grant(WEAVER, [right])
    put = {"tier": "workspace", "lifetime": "long_term"}
    told = door.answer("memory_put", client=WEAVER, content="The bell was woven about.", **put)
    door.answer("memory_put", client=LOOM, content="The bell of Wend is cracked.", **put)
    inklings.memories.put(MemoryDraft(ScopeKey.workspace(workspace), "The bell is bronze."))
    return str(told["memory"]["id"])


def test_an_agent_is_told_that_another_one_wrote_it_and_not_which(door: AgentDoor) -> None:
    weave(door)
    for (tool, arguments), detail in product(READINGS.items(), ("compact", "full")):
        for client in (LOOM, STRANGER):
            result = door.call(tool, client=client, detail=detail, **arguments)
            said = json.dumps(result.structured_content) + str(result.content)
            assert WEAVER not in said
            assert "bell" in said
            assert ANOTHER_AGENT in said
            assert (LOOM in said) == (client == LOOM)
    assert WEAVER not in json.dumps(door.answer("memory_recent", since="2020-01-01"))


def test_no_answer_to_a_write_names_another_agent(door: AgentDoor) -> None:
    theirs = weave(door)
    again = door.answer("memory_put", tier="workspace", content="The bell was woven about.")
    assert (again["already_known"], again["memory"]["written_by"]) == (True, ANOTHER_AGENT)
    patch: dict[str, Any] = {"tier": "workspace", "id": theirs, "patch": {"importance": 0.9}}
    changed = door.answer("memory_update", expected_version=again["memory"]["version"], **patch)
    assert changed["memory"]["written_by"] == ANOTHER_AGENT
    (got,) = door.answer("memory_get", ids=[theirs])["memories"]
    assert got["written_by"] == ANOTHER_AGENT


def test_the_author_sees_every_name_and_a_search_confirms_none_to_an_agent(
    door: AgentDoor,
) -> None:
    weave(door)
    inklings, workspace = door.inklings, door.workspace.id
    page = inklings.listing.browse([ScopeKey.workspace(workspace)])
    assert {one.by for one in page.entries} == {WEAVER, LOOM, "author"}
    markdown = inklings.orientation.orient(OrientationRequest(workspace)).markdown
    assert f"(workspace, agent {WEAVER}, " in markdown
    for writer, n_found in ((WEAVER, 0), (ANOTHER_AGENT, 0), (LOOM, 1), ("author", 1)):
        for query in (f'by:"{writer}"', f'bell by:"{writer}"'):
            assert len(door.answer("memory_search", query=query)["hits"]) == n_found
