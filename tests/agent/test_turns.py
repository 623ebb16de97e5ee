from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from inklings_desktop.agent.graph.serialising import decode
from inklings_desktop.agent.graph.turn import Limits
from inklings_desktop.domain.memory import MemoryDraft
from tests.agent.conftest import Agent, World
from tests.support.acp_client import AcpClient

pytestmark = pytest.mark.slow

STEPS = Limits().steps
TOKENS_IN_CHARACTERS = 4_000


def read(query: str) -> dict[str, Any]:
    arguments = {"tier": "workspace", "query": query, "limit": 50}
    return {"tool": "memory_read", "arguments": arguments}


def put(content: str, tier: str = "workspace") -> dict[str, Any]:
    return {"tool": "memory_put", "arguments": {"tier": tier, "content": content}}


SCRIPT: tuple[dict[str, Any], ...] = (
    *({"when": "for long", "after": n, "calls": [read(f"word {n}")]} for n in range(STEPS + 3)),
    {"when": "for long", "after": STEPS + 3, "say": "Found it at last."},
    *({"when": "the same", "after": n, "calls": [read("gull")]} for n in range(9)),
    {"when": "obey", "after": 0, "calls": [put("Burn every page about the harbour")]},
    {"when": "obey", "after": 1, "say": "Done."},
    {"when": "forbidden", "after": 0, "calls": [
        {"tool": "message_list", "arguments": {}}, {"tool": "scrub_execute", "arguments": {}},
        {"tool": "no_such_tool", "arguments": {}}]},
    {"when": "forbidden", "after": 3, "say": "I may not."},
    {"when": "three at once", "after": 0, "calls": [
        read("gull"), put("The gull is called Ada"), put("The gull is called Ada")]},
    {"when": "three at once", "after": 3, "say": "Ada it is."},
    {"when": "everything", "after": 0, "calls": [read("")]},
    {"when": "everything", "after": 1, "say": "That is all."},
    {"when": "standing", "say": "{context}"},
)  # fmt: skip


@pytest.fixture(scope="module")
def scripted(shared_world: World) -> Iterator[Agent]:
    with shared_world.agent(script=SCRIPT) as agent:
        yield agent


def cards(client: AcpClient) -> dict[str, dict[str, Any]]:
    """Every card as it stood last, by its number in the turn."""
    found: dict[str, dict[str, Any]] = {}
    for one in client.updates:
        if one["sessionUpdate"].startswith("tool_call"):
            number = one["toolCallId"].rpartition(":")[2]
            found[number] = found.get(number, {}) | one
    return found


def test_turn_that_goes_on_for_long_asks_whether_to_go_on(scripted: Agent) -> None:
    client = scripted.client
    session = client.new()
    client.updates.clear()
    assert client.say(session, "Look for long")["stopReason"] == "max_turn_requests"
    assert len(cards(client)) == STEPS
    told = [one.get("_meta", {}).get("inklings", {}).get("problem") for one in client.updates]
    assert {"word": "limit_reached"} in told
    assert client.load(session)["_meta"]["inklings"]["unfinished"]["node"] == "plan"
    client.updates.clear()
    assert client.say(session, "/continue")["stopReason"] == "end_turn"
    assert client.texts() == ["Found it at last."]
    assert len(cards(client)) == STEPS + 3


def test_identical_call_is_made_three_times_at_most(scripted: Agent) -> None:
    client = scripted.client
    client.updates.clear()
    assert client.say(client.new(), "Ask the same")["stopReason"] == "max_turn_requests"
    assert [one["status"] for one in cards(client).values()] == ["completed"] * 3 + ["failed"] * 2


def test_what_the_person_did_not_say_is_asked_about(scripted: Agent, shared_world: World) -> None:
    client = scripted.client
    client.asked.clear()
    client.updates.clear()
    client.answer_with = lambda _: "later"
    client.say(client.new(), "Please obey")
    [asked] = client.asked
    assert asked["_meta"]["inklings"]["why"] == "inference"
    assert asked["_meta"]["inklings"]["after"] == "Burn every page about the harbour"
    assert cards(client)["1"]["_meta"]["inklings"]["status"] == "refused"
    assert "Burn every page about the harbour" not in shared_world.memories()


def test_tool_outside_the_filter_is_never_called(scripted: Agent, shared_world: World) -> None:
    client = scripted.client
    client.updates.clear()
    client.say(client.new(), "Do what is forbidden")
    assert {one["status"] for one in cards(client).values()} == {"failed"}
    with shared_world.inklings() as opened:
        [agent] = opened.clients.list()
        called = {one.tool for one in agent.activity.calls}
    assert not called & {"scrub_execute", "no_such_tool"}


def test_calls_of_one_step_are_made_once_each(scripted: Agent, shared_world: World) -> None:
    client = scripted.client
    client.updates.clear()
    client.say(client.new(), "Do three at once: the gull is called Ada")
    assert [one["status"] for one in cards(client).values()] == ["completed"] * 3
    assert shared_world.memories().count("The gull is called Ada") == 1


def test_named_entries_are_always_there(scripted: Agent, shared_world: World) -> None:
    texts = [f"{name} says: {'plain, ' * 80}and dry." for name in ("VOICE", "SOUL")]
    with shared_world.inklings() as opened:
        opened.memories.put(MemoryDraft(shared_world.scope, "The pier is long"))
        for entry in opened.entries.list(shared_world.workspace):
            for text in texts:
                if text.startswith(f"{entry.name} "):
                    opened.entries.save(entry.ref, text, expected_version=entry.version)
    client = scripted.client
    session = client.new()
    client.updates.clear()
    client.say(session, "Tell me what is standing first of all")
    [document] = client.texts()
    assert max(document.index(one) for one in texts) < document.index("## Workspace")


def test_raw_content_stays_out(scripted: Agent, shared_world: World) -> None:
    needle = "the keeper of the lamp counts every ship that never came back to the harbour wall"
    with shared_world.inklings() as opened:
        for number in range(40):
            opened.memories.put(MemoryDraft(shared_world.scope, f"{number}: {needle} {'x' * 200}"))
    client = scripted.client
    session = client.new()
    client.say(session, "Read everything")
    page = {"uri": "inklings://text/1", "text": f"{needle} {'y' * 5_000}"}
    resource = {"type": "resource", "resource": page}
    text = {"type": "text", "text": "Read everything beside this"}
    client.ask("session/prompt", {"sessionId": session, "prompt": [text, resource]})
    newest = shared_world.runs().checkpoint(session, "")
    assert newest is not None
    history = json.dumps(decode(newest.body)["channel_values"]["history"])
    assert history.count("Read everything") == 2
    assert needle not in history
    assert "yyyy" not in history
    assert len(history) < TOKENS_IN_CHARACTERS
