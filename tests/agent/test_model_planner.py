"""A turn that a model plans: what it says, what it calls, and what holds where it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from tests.agent.conftest import Agent, World, world_at
from tests.support.acp_client import AcpClient

pytestmark = pytest.mark.slow


def read(query: str) -> dict[str, Any]:
    return {"name": "memory_read", "arguments": {"tier": "workspace", "query": query}}


def put(content: str, **more: Any) -> dict[str, Any]:
    arguments = {"tier": "workspace", "content": content} | more
    return {"name": "memory_put", "arguments": arguments}


CHAT: tuple[dict[str, Any], ...] = (
    {"when": "two tools", "thought": "First I look.", "text": "Let me look. ",
     "calls": [read("gull"), put("The gull is called Ada")]},
    {"when": "two tools", "after": 2, "text": "Kept: [the gull](memory:workspace/{id})."},
    {"when": "invent", "text": "See [this](memory:workspace/00000000-0000-4000-8000-000000000000)"
     " and ![a picture](https://example.org/x.png)."},
    *({"when": "no such", "after": n, "calls": [{"name": f"tool_{n}", "arguments": {}}]}
      for n in range(9)),
    {"when": "half a call", "calls": [{"name": "memory_read", "arguments": None}]},
    {"when": "half a call", "after": 1, "text": "Never mind."},
    {"when": "fails at once", "fails": "provider_unreachable"},
    {"when": "fails halfway", "text": "As far as I know, [the weir](memory:workspace/{id}) is ",
     "fails": "provider_failed"},
    {"when": "fails later", "calls": [read("gull")]},
    {"when": "fails later", "after": 1, "fails": "provider_busy"},
    {"when": "is cut", "text": "On and on", "stop": "length"},
    {"when": "will not", "text": "No.", "stop": "refused"},
    {"when": "refine me", "text": "Found besides: {id}"},
    {"process": "gate", "when": "refine me",
     "text": '{"verdict": "refine", "drop": [], "queries": ["cormorant"]}'},
    {"process": "gate", "text": '{"verdict": "accept", "drop": [], "queries": []}'},
    {"process": "title", "when": "cormorants", "text": '{"title": "Cormorants on the pier"}'},
    {"process": "title", "text": "no"},
    {"process": "summary", "when": "", "text": '{"lines": [{"message": 3, "text":'
     ' "Prefers cormorants over gulls on the pier."}]}'},
    {"when": "cormorants", "text": "As you like."},
    {"when": "slowly", "text": "one two three four five six seven eight nine ten " * 20,
     "pause": 0.05},
)  # fmt: skip


@pytest.fixture(scope="module")
def shared_world(shared_root: Path) -> World:
    """A world for this file alone: what others keep would be sent to the model."""
    return world_at(shared_root)


@pytest.fixture(scope="module")
def talking(shared_world: World) -> Iterator[Agent]:
    with shared_world.agent(chat=CHAT) as agent:
        yield agent


def own(update: dict[str, Any]) -> dict[str, Any]:
    return (update.get("_meta") or {}).get("inklings") or {}


def problems(client: AcpClient) -> list[str]:
    return [own(one)["problem"]["word"] for one in client.updates if "problem" in own(one)]


def cards(client: AcpClient) -> list[dict[str, Any]]:
    return [one for one in client.updates if one["sessionUpdate"] == "tool_call_update"]


def said_in(world: World, session: str) -> list[dict[str, Any]]:
    """The parts of the last answer, as they are kept."""
    with world.inklings() as opened:
        found, _ = opened.messages.list(world.workspace, session)
        parts: list[dict[str, Any]] = json.loads(found[-1].parts_json)
        return parts


def begun(agent: Agent) -> str:
    session = agent.client.new()
    agent.client.updates.clear()
    return session


def test_turn_with_two_tools_streams_text_and_thoughts(talking: Agent, shared_world: World) -> None:
    session = begun(talking)
    client = talking.client
    ended = client.say(session, "Use two tools: the gull is called Ada")
    assert ended["stopReason"] == "end_turn"
    kinds = [one["sessionUpdate"] for one in client.updates]
    assert kinds.index("agent_thought_chunk") < kinds.index("agent_message_chunk")
    assert kinds.index("agent_message_chunk") < kinds.index("tool_call")
    assert [one["status"] for one in cards(client)] == ["completed", "completed"]
    assert "The gull is called Ada" in shared_world.memories()
    with shared_world.inklings() as opened:
        [kept] = [
            one
            for one in opened.listing.browse([shared_world.scope]).entries
            if one.content == "The gull is called Ada"
        ]
    parts = said_in(shared_world, session)
    assert [one["kind"] for one in parts] == ["text", "tool", "tool", "text", "touched"]
    assert parts[0]["text"] == "Let me look. "
    assert parts[3]["text"] == f"Kept: [the gull](memory:workspace/{kept.id})."
    assert parts[3]["quotes"] == [{"id": kept.id, "tier": "workspace"}]
    told = [own(one) for one in client.updates if one["sessionUpdate"] == "agent_message_chunk"]
    assert {one["produced_by"] for one in told} == {"model"}
    client.load(session)
    replayed = [
        one["content"]["text"]
        for one in client.updates
        if one["sessionUpdate"] == "agent_message_chunk" and "seq" not in own(one)
    ]
    assert replayed == ["Let me look. ", parts[3]["text"]]


def test_link_to_a_memory_that_it_was_not_given_becomes_words(
    talking: Agent, shared_world: World
) -> None:
    session = begun(talking)
    talking.client.say(session, "Please invent something")
    assert talking.client.texts() == ["See this and [a picture](https://example.org/x.png)."]
    assert said_in(shared_world, session)[0]["quotes"] == []


def test_three_calls_that_cannot_be_made_end_the_turn_in_words(talking: Agent) -> None:
    session = begun(talking)
    assert talking.client.say(session, "Call no such tool")["stopReason"] == "end_turn"
    assert len(cards(talking.client)) == 3
    assert talking.client.texts()[0].startswith("I asked for several things that do not exist")


def test_call_without_arguments_that_can_be_read_is_told_so(talking: Agent) -> None:
    session = begun(talking)
    talking.client.say(session, "Make half a call")
    assert [own(one)["status"] for one in cards(talking.client)] == ["refused"]
    assert talking.client.texts() == ["Never mind."]


def test_model_that_fails_before_its_first_word_gives_way_to_the_rules(
    talking: Agent, shared_world: World
) -> None:
    with shared_world.inklings() as opened:
        opened.memories.put(MemoryDraft(shared_world.scope, "The weir fails at once in March"))
    session = begun(talking)
    client = talking.client
    assert client.say(session, "What fails at once in March?")["stopReason"] == "end_turn"
    assert problems(client) == ["provider_unreachable"]
    assert "The weir fails at once in March" in client.texts()[0]
    told = [own(one) for one in client.updates if one["sessionUpdate"] == "agent_message_chunk"]
    assert {one["produced_by"] for one in told} == {"mechanical"}
    assert said_in(shared_world, session)[0] == {
        "kind": "problem", "word": "provider_unreachable", "detail": "scripted",
    }  # fmt: skip
    assert shared_world.said(session)[-1] == ("assistant", "complete")


def test_what_was_said_before_a_model_failed_stays_and_is_marked(
    talking: Agent, shared_world: World
) -> None:
    with shared_world.inklings() as opened:
        opened.memories.put(MemoryDraft(shared_world.scope, "The weir fails halfway"))
    session = begun(talking)
    talking.client.say(session, "What of it fails halfway?")
    assert problems(talking.client) == ["provider_failed"]
    assert shared_world.said(session) == [("user", "complete"), ("assistant", "stopped")]
    said, problem = said_in(shared_world, session)
    assert said["text"].startswith("As far as I know, [the weir](memory:workspace/")
    assert [one["tier"] for one in said["quotes"]] == ["workspace"]
    assert said["quotes"][0]["id"] in said["text"]
    assert problem == {"kind": "problem", "word": "provider_failed", "detail": "scripted"}
    assert shared_world.runs().runs(session)[0].state == "finished"


def test_model_that_fails_after_its_calls_repeats_none_of_them(
    talking: Agent, shared_world: World
) -> None:
    session = begun(talking)
    talking.client.say(session, "It fails later")
    assert problems(talking.client) == ["provider_busy"]
    assert [one["status"] for one in cards(talking.client)] == ["completed"]
    assert shared_world.said(session) == [("user", "complete"), ("assistant", "stopped")]
    assert said_in(shared_world, session)[-1]["word"] == "provider_busy"


def test_end_of_an_answer_is_told_in_the_protocols_words(talking: Agent) -> None:
    session = begun(talking)
    assert talking.client.say(session, "This is cut")["stopReason"] == "max_tokens"
    assert talking.client.say(session, "You will not")["stopReason"] == "refusal"


def test_answer_that_is_stopped_is_kept_as_far_as_it_was_told(
    talking: Agent, shared_world: World
) -> None:
    session = begun(talking)
    client = talking.client
    number = client.prompt(session, "Speak slowly")
    client.until(lambda: bool(client.texts()))
    client.cancel(session)
    assert client.wait(number)["stopReason"] == "cancelled"
    assert client.say(session, "/help")["stopReason"] == "end_turn"
    assert shared_world.said(session)[1] == ("assistant", "stopped")


def test_slash_command_is_answered_by_the_rules(talking: Agent) -> None:
    session = begun(talking)
    talking.client.say(session, "/help")
    told = [own(one) for one in talking.client.updates if "content" in one]
    assert {one["produced_by"] for one in told} == {"mechanical"}


def test_role_is_laid_over_one_message_below_the_standing_wishes(world: World) -> None:
    role = "a harbour master who counts barrels"
    with world.inklings() as opened:
        opened.entries.create(Tier.WORKSPACE, world.workspace, "MANNERS", "Be dry.")
    chat = ({"when": "", "text": "Twelve of them."},)
    with world.agent(chat=chat) as agent:
        session = agent.client.new()
        agent.client.say(session, f"/as {role}: How many barrels are there?")
        agent.client.say(session, "And how many casks?")
        agent.client.say(session, "/as nobody")
        assert "/as a strict copy editor" in agent.client.texts()[-1]
    with closing(world.runs()) as state:
        _, second, first = (
            [
                one.detail["sent"]
                for one in state.traces(run.id)
                if one.node == "plan" and one.detail
            ]
            for run in state.runs(session)
        )
    assert list(first[0])[:3] == ["rules", "standing", "role"]
    assert "Be dry." in first[0]["standing"]
    assert first[0]["role"].endswith(f"first\n\n{role}")
    assert first[0]["message"] == "How many barrels are there?"
    assert "role" not in second[0]
    assert "How many barrels are there?" in second[0]["history"]
    assert "harbour master" not in str(second)
    assert not any("harbour master" in one for one in world.memories())
    with world.inklings() as opened:
        said, _ = opened.messages.list(world.workspace, session)
        notes = opened.notes.list([ScopeKey.conversation(world.workspace, session)])
    assert role in said[0].parts_json
    assert "harbour master" not in str([one.value_json for one in notes])


def test_what_was_sent_is_kept_with_its_figures(talking: Agent, shared_world: World) -> None:
    session = begun(talking)
    ended = talking.client.say(session, "Use two tools: the gull is called Ada")
    turn = own({"_meta": ended["_meta"]})["turn"]
    asked = {"sessionId": session, "turn": turn}
    steps = talking.client.ask("_inklings/turn/trace", asked)["steps"]
    models = [one for one in steps if one["kind"] == "model"]
    first, second = (one for one in models if one["node"] == "plan")
    names = [one["name"] for one in second["summary"]["slices"]]
    assert names[:3] == ["rules", "standing", "tools"]
    assert names[-2:] == ["message", "results"]
    assert first["summary"]["prompt"] == "orchestrator.1"
    assert "Use two tools" in first["detail"]["sent"]["message"]
    spent = shared_world.runs().runs(session)[0].spent
    assert (spent.input_tokens, spent.output_tokens) == (100 * len(models), 10 * len(models))


def test_gate_has_something_looked_for_besides_once(talking: Agent, shared_world: World) -> None:
    with shared_world.inklings() as opened:
        kept = opened.memories.put(MemoryDraft(shared_world.scope, "The cormorant dries its wings"))
    session = begun(talking)
    ended = talking.client.say(session, "Please refine me this")
    assert talking.client.texts() == [f"Found besides: {kept.id}"]
    turn = own({"_meta": ended["_meta"]})["turn"]
    asked = {"sessionId": session, "turn": turn}
    steps = talking.client.ask("_inklings/turn/trace", asked)["steps"]
    models = [one["summary"]["prompt"] for one in steps if one["kind"] == "model"]
    assert models == ["gate.1", "orchestrator.1", "title.1", "title.1"]
    memories = next(one for one in steps if one["kind"] == "model" and one["node"] == "plan")
    assert "The cormorant dries its wings" in memories["detail"]["sent"]["memories"]


def test_model_names_a_conversation_and_sums_it_up(talking: Agent, shared_world: World) -> None:
    session = begun(talking)
    client = talking.client
    client.say(session, "What about cormorants on the pier?")
    titles = [one["title"] for one in client.updates if "title" in one and "toolCallId" not in one]
    assert titles == ["What about cormorants on the pier?", "Cormorants on the pier"]
    client.say(session, "I prefer cormorants over gulls on the pier, by far.")
    with shared_world.inklings() as opened:
        note = opened.notes.read(shared_world.workspace, session, "summary")
        assert opened.conversations.get(shared_world.workspace, session).title == titles[-1]
    assert json.loads(note.value_json) == "Prefers cormorants over gulls on the pier."


def test_why_says_what_was_sent(talking: Agent) -> None:
    session = begun(talking)
    client = talking.client
    client.say(session, "Use two tools: the gull is called Ada")
    client.updates.clear()
    client.say(session, "/why")
    told = [one["content"]["text"] for one in client.updates if "content" in one]
    assert told[0].startswith("Quoted in the answer:")
    assert len(told) == 3
    assert told[1].strip().startswith("Sent to by-heart (scripted), about ")
    assert ": rules 8" in told[1]
    assert ", your message 9." in told[1]
    assert ", answers of tools " in told[2]
