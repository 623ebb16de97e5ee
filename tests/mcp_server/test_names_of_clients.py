"""Agents learn the names of no other agents; the author sees all of them."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from inklings_desktop.domain.access.access import ANOTHER_AGENT, Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

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
