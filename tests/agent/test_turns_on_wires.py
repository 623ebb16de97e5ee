"""A whole turn with two tools on each wire: from the settings to memory and back to the client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.model_planner.messages import STANDING
from inklings_desktop.agent.model_planner.prompts import prompt
from tests.support.wire_servers import Refused, Said, wire_server

if TYPE_CHECKING:
    from tests.agent.conftest import World
    from tests.support.acp_client import AcpClient
    from tests.support.wire_servers import Answer

pytestmark = pytest.mark.slow

WIRES = pytest.mark.parametrize("wire", ["openai_chat", "anthropic_messages"])
SETTINGS = """
[embedding]
model = "none"
[agent.classes]
frontier = "gull/gull-1"
[[agent.providers]]
id = "gull"
wire = "{wire}"
base_url = "{address}"
"""
FORMS = {
    "gate": {"verdict": "accept", "drop": [], "queries": []},
    "title": {"title": "The ferry at dusk"},
    "summary": {"lines": []},
}
CALLS = (
    ("c1", "memory_search", ('{"query": ', '"ferry"}')),
    ("c2", "memory_put", ('{"tier": "workspace", "content": "The ferry leaves at dusk"}',)),
)


def played(asked: dict[str, Any]) -> Answer:
    """What the provider says: forms as they are asked for, else two calls and then an answer."""
    sent = json.dumps(asked)
    for name, form in FORMS.items():
        if json.dumps(prompt(name).text)[1:-1] in sent:
            return Said((json.dumps(form),))
    if "fails at once" in sent:
        return Refused(401, {"type": "authentication_error"})
    if "call00002" not in sent:
        return Said(("Let me look. ",), ("It is a wish.",), CALLS, "tools")
    return Said(("The ferry ", "leaves at dusk; kept."))


def set_up(world: World, wire: str, address: str) -> None:
    told = SETTINGS.format(wire=wire, address=address)
    (world.root / "settings.toml").write_text(told, encoding="utf-8")


def problems(client: AcpClient) -> list[str]:
    own = [(one.get("_meta") or {}).get("inklings", {}) for one in client.updates]
    return [one["problem"]["word"] for one in own if "problem" in one]


@WIRES
def test_turn_with_two_tools(lone_world: World, wire: str) -> None:
    with wire_server(played) as served:
        set_up(lone_world, wire, served.address)
        with lone_world.agent() as agent:
            client, session = agent.client, agent.client.new()
            ended = client.say(session, "Remember that the ferry leaves at dusk")
            assert ended["stopReason"] == "end_turn"
            assert client.texts() == ["Let me look. The ferry leaves at dusk; kept."]
            thoughts = [one for one in client.updates if "thought" in one["sessionUpdate"]]
            assert thoughts[-1]["content"]["text"] == "It is a wish."
            titles = [one["title"] for one in client.updates if "title" in one and "_meta" in one]
            assert titles[-1] == "The ferry at dusk"
        asked = [
            body for _, body in served.asked if body.get("tools") and "tool_choice" not in body
        ]
    assert lone_world.memories() == ["The ferry leaves at dusk"]
    first, second = asked
    assert {"memory_search", "memory_put"} <= set(_tools(first))
    assert _system(first) == _system(second)  # what stays the same can be kept by the provider
    assert _system(first)[0].startswith(prompt("orchestrator").text[:200])
    assert STANDING in "".join(_system(first))
    spent = lone_world.runs().runs(session)[0].spent
    assert spent.output_tokens > 0


@WIRES
def test_key_that_is_refused_leaves_the_turn_to_the_rules(lone_world: World, wire: str) -> None:
    with wire_server(played) as served:
        set_up(lone_world, wire, served.address)
        with lone_world.agent() as agent:
            client, session = agent.client, agent.client.new()
            ended = client.say(session, "Remember that the pier fails at once in a storm")
            assert ended["stopReason"] == "end_turn"
            assert problems(client) == ["no_key"]
    assert lone_world.memories() == ["The pier fails at once in a storm"]
    assert lone_world.said(session) == [("user", "complete"), ("assistant", "complete")]


def _tools(body: dict[str, Any]) -> list[str]:
    return [str(one.get("name") or one["function"]["name"]) for one in body["tools"]]


def _system(body: dict[str, Any]) -> list[str]:
    if "system" in body:
        return [str(one["text"]) for one in body["system"]]
    return [str(one["content"]) for one in body["messages"] if one["role"] == "system"]
