"""Turns that a model answers, from the client to its provider's socket and back, on both wires."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.sentences import SENTENCES
from inklings_desktop.agent.providers.catalogue import CHAT, MESSAGES
from inklings_desktop.agent_settings import KEY_VARIABLES
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryDraft
from inklings_desktop.settings_file import put_row, save_values
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.agent.conftest import Agent, World, world_at
from tests.support.processes import REPOSITORY, children_of, kill_processes_on, processes_on
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wire_servers import Refused, Said, WireServer, wire_server

pytestmark = [pytest.mark.end2end, pytest.mark.slow]

KEPT = "The gull is called Ada"
SHOWN = ("tier", "query", "content")
TRANSCRIPT = REPOSITORY / "docs" / "agent_transcript.md"
NEEDLE = "sk-needle-81c4d0aa6f2b4e97"


def call(number: int, tool: str, **arguments: Any) -> tuple[str, str, tuple[str, ...]]:
    """A call whose arguments come in two pieces."""
    text = json.dumps({"tier": "workspace"} | arguments)
    return f"c{number}", tool, (text[:9], text[9:])


LOOKS = call(1, "memory_read", query="gull")
PUTS = call(2, "memory_put", content=KEPT)
TWO_TOOLS = Said(("Let me ", "look. "), ("First I look.",), (LOOKS, PUTS), "tools", (300, 40, 100))
ANSWER = Said(("Kept: ", "the gull is called Ada."), used=(400, 10, 200))
ASKED = f"Remember: {KEPT}"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("models") / "root"
    yield root
    kill_processes_on(root)


@pytest.fixture
def served() -> Iterator[WireServer]:
    with wire_server(ANSWER) as server:
        yield server


@pytest.fixture(params=[CHAT, MESSAGES])
def world(root: Path, served: WireServer, request: pytest.FixtureRequest) -> World:
    """A world in which conversations alone go to a model, on one of the wires."""
    made = world_at(root)
    put_row(root, "agent.providers", {"id": "near", "wire": request.param} | at(served))
    off = {f"agent.routing.{one}": "off" for one in ("gate", "title", "summary", "compact")}
    save_values(root, {"agent.classes.frontier": "near/by-heart"} | off)
    return made


def at(served: WireServer) -> dict[str, str]:
    return {"base_url": served.address}


@pytest.fixture
def agent(world: World) -> Iterator[Agent]:
    with world.agent() as agent:
        yield agent


def own(update: dict[str, Any]) -> dict[str, Any]:
    return (update.get("_meta") or {}).get("inklings") or {}


def asked_lines(asked: list[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    """What a provider was asked, a line each: who says something, and of which kinds."""
    for path, body in asked:
        said = []
        for one in body["messages"]:
            blocks = one["content"] if isinstance(one["content"], list) else []
            calls = ["tool_call" for _ in one.get("tool_calls", ())]
            said.append(" ".join([one["role"], *(block["type"] for block in blocks), *calls]))
        yield f"POST {path}: {', '.join(said)}; {len(body['tools'])} tools"


def told_lines(updates: list[dict[str, Any]]) -> Iterator[str]:
    """The updates of a turn, a line each, as the transcript has them; ids are left out."""
    for one in updates:
        kind, content = one["sessionUpdate"], one.get("content")
        said = content.get("text") if isinstance(content, dict) else None
        match kind:
            case "agent_message_chunk" | "agent_thought_chunk":
                yield f"{kind:<22}{said!r}"
            case "tool_call":
                given = {name: said for name, said in one["rawInput"].items() if name in SHOWN}
                yield f"{kind:<22}{one['title']}: {json.dumps(given)}"
            case "tool_call_update":
                yield f"{kind:<22}{one['status']}"
            case "usage_update":
                yield f"{kind:<22}{one['used']} of {one['size']} tokens, {own(one)['provider']}"


def problems(agent: Agent) -> list[str]:
    return [own(one)["problem"]["word"] for one in agent.client.updates if "problem" in own(one)]


def makers(agent: Agent) -> set[str]:
    """Who made what was said."""
    chunks = (one for one in agent.client.updates if one["sessionUpdate"] == words.AGENT_CHUNK)
    return {own(one)["produced_by"] for one in chunks if "produced_by" in own(one)}


def parts(world: World, session: str) -> list[dict[str, Any]]:
    """The last message of a conversation, as it is kept."""
    with world.inklings() as opened:
        found, _ = opened.messages.list(world.workspace, session)
    kept: list[dict[str, Any]] = json.loads(found[-1].parts_json)
    return kept


def test_turn_with_two_tools_at_once(agent: Agent, world: World, served: WireServer) -> None:
    served.answers[:] = [TWO_TOOLS, ANSWER]
    client = agent.client
    session = client.new()
    assert client.say(session, ASKED)["stopReason"] == "end_turn"
    kinds = [one["sessionUpdate"] for one in client.updates]
    assert kinds.index("agent_thought_chunk") < kinds.index("agent_message_chunk")
    assert client.texts() == ["Let me look. Kept: the gull is called Ada."]
    cards = [one for one in client.updates if one["sessionUpdate"] == "tool_call_update"]
    assert [one["status"] for one in cards] == ["completed", "completed"]
    assert [one["kind"] for one in parts(world, session)] == [
        "text", "tool", "tool", "text", "touched",
    ]  # fmt: skip
    assert world.memories() == [KEPT]
    shown = "\n".join([*asked_lines(served.asked), "", *told_lines(client.updates)])
    assert f"```\n{shown}\n```" in TRANSCRIPT.read_text(encoding="utf-8")
    usage = [one for one in client.updates if one["sessionUpdate"] == words.USAGE]
    assert own(usage[-1])["provider"] == "near"
    assert usage[-1]["used"] == 410
    (run,) = world.runs().runs(session)
    assert (run.spent.input_tokens, run.spent.output_tokens) == (700, 50)
    assert run.spent.cached_tokens == 300
    assert (run.state, run.spent.n_tool_calls) == ("finished", 2)
    first, second = (json.dumps(body["messages"]) for _, body in served.asked)
    calls = [f'"name": "{tool}"' for tool in ("memory_read", "memory_put")]
    assert not any(one in first for one in calls)
    assert 0 < second.index(calls[0]) < second.index(calls[1])
    with world.inklings() as opened:
        kinds = [one.kind for one in opened.log.list(world.workspace)]
    assert kinds.count(EventKind.MEMORY_CREATED) == 1


def test_network_that_goes_in_mid_answer_costs_nothing_that_was_there(
    agent: Agent, world: World, served: WireServer
) -> None:
    served.answers[:] = [TWO_TOOLS, Said(("Kept: the ", "gull ", "is ", "called"), form="cut")]
    client = agent.client
    session = client.new()
    client.say(session, ASKED)
    assert problems(agent) == ["provider_unreachable"]
    kept = parts(world, session)
    assert next(one["text"] for one in kept if one["kind"] == "text") == "Let me look. "
    assert "provider_unreachable" in [one.get("word") for one in kept]
    assert world.said(session)[-1] == ("assistant", "stopped")
    served.answers[:] = [ANSWER]
    client.updates.clear()
    assert client.say(session, "/retry")["stopReason"] == "end_turn"
    assert client.texts() == ["Kept: the gull is called Ada."]
    assert world.memories() == [KEPT]


def test_provider_that_stays_away_leaves_the_rules_to_answer(
    agent: Agent, world: World, served: WireServer
) -> None:
    with world.inklings() as opened:
        opened.memories.put(MemoryDraft(world.scope, "The weir leaks in March"))
    served.answers[:] = [Refused(500)]
    session = agent.client.new()
    assert agent.client.say(session, "What leaks in March?")["stopReason"] == "end_turn"
    assert len(served.asked) == 4
    assert problems(agent) == ["provider_failed"]
    assert "The weir leaks in March" in agent.client.texts()[0]
    assert makers(agent) == {"mechanical"}
    agent.client.say(session, ASKED)
    assert sorted(world.memories()) == [KEPT, "The weir leaks in March"]


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (401, words.NO_KEY),
        (402, words.NO_CREDIT),
        (404, words.MODEL_UNKNOWN),
        (429, words.PROVIDER_BUSY),
        (500, words.PROVIDER_FAILED),
    ],
)
def test_refusal_is_told_in_a_word_that_has_a_sentence(
    agent: Agent, world: World, served: WireServer, status: int, word: str
) -> None:
    served.answers[:] = [Refused(status, {"message": f"Do not tell: {NEEDLE}"})]
    session = agent.client.new()
    assert agent.client.say(session, "Where is the gull?")["stopReason"] == "end_turn"
    assert problems(agent) == [word]
    assert SENTENCES[word]
    assert NEEDLE not in json.dumps([agent.client.updates, parts(world, session)])


def test_stop_closes_the_connection_and_keeps_what_was_said(
    agent: Agent, world: World, served: WireServer
) -> None:
    served.answers[:] = [Said(("The gull ", "flies ", "and ", "flies"), form="held")]
    client = agent.client
    session = client.new()
    number = client.prompt(session, "Where is the gull?")
    client.until(lambda: bool(client.texts()))
    client.cancel(session)
    assert client.wait(number)["stopReason"] == "cancelled"
    assert served.gone.wait(HANG_SECONDS)
    assert world.said(session)[-1] == ("assistant", "stopped")
    served.answers[:] = [ANSWER]
    assert client.say(session, "And now?")["stopReason"] == "end_turn"


def test_key_of_the_environment_is_in_no_child_and_no_file(tmp_path: Path) -> None:
    """keys_nowhere: after a turn, a crash and an export, with the memory server still running."""
    root = tmp_path / "root"
    world = world_at(root)
    given = [("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")]
    given += [(name, NEEDLE) for name in KEY_VARIABLES]
    try:
        with world.agent(environment=tuple(given)) as agent:
            listed = agent.client.ask(words.PROVIDER_LIST, {})["providers"]
            assert {one["key"] for one in listed if one["needs_key"]} == {"environment"}
            session = agent.client.new()
            agent.client.say(session, ASKED)
            pid = agent.process.pid or 0
            others = {*children_of(pid), *processes_on(root)} - {pid}
            assert others
            for one in others:
                for what in ("cmdline", "environ"):
                    assert NEEDLE.encode() not in Path(f"/proc/{one}/{what}").read_bytes()
            os.kill(pid, signal.SIGKILL)
            agent.process.join(HANG_SECONDS)
        with world.inklings() as opened:
            opened.transfer.export(ExportRequest(), tmp_path / "all.zip")
    finally:
        kill_processes_on(root)
    assert NEEDLE not in json.dumps([listed, agent.client.updates])
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert any(one.suffix == ".log" for one in files)
    assert [one for one in files if NEEDLE.encode() in one.read_bytes()] == []
