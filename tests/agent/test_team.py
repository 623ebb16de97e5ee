"""Somebody is sent for something: what comes back, what stays there, and how it ends early."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent.scripts.artifact import COMPILED
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey
from inklings_desktop.domain.runs.run_rows import Run
from tests.agent.conftest import World
from tests.agent.test_model_planner import cards, own, said_in
from tests.support.acp_client import AcpClient, AgentGoneError
from tests.support.interpreters import know

pytestmark = pytest.mark.slow

HARBOUR = (
    "The harbour gate of Sele closes at dusk.",
    "The harbour gate of Sele closes at noon.",
    "The harbour of Sele has two cranes.",
    "The orchard is walled.",
)
COMPARE = "Compare all memories about the harbour for contradictions"
PAGE = "# Sele\n\nThe harbour gate of Sele closes at midnight.\n\nIts bell weighs nine tons.\n"


@pytest.fixture
def harbour(world: World, tmp_path: Path) -> World:
    """A world with memories of a harbour, and a page that says otherwise."""
    with world.inklings() as opened:
        for one in HARBOUR:
            opened.memories.put(MemoryDraft(world.scope, one))
        folder = tmp_path / "isles"
        folder.mkdir()
        (folder / "Sele.md").write_text(PAGE, encoding="utf-8")
        opened.world.link(world.workspace, folder)
        opened.world.look(world.workspace)
    return world


def runs_of(client: AcpClient) -> dict[str, dict[str, Any]]:
    """The cards of those who were sent, as they were told last, by the id of the card."""
    told = [one for one in client.updates if own(one).get("run")]
    told.sort(key=lambda one: str(one["toolCallId"]))  # they begin in any order
    return {one["toolCallId"]: own(one)["run"] for one in told}


def run_rows(world: World, session: str) -> tuple[Run, tuple[Run, ...]]:
    """The row of the latest turn, and those of whoever was sent in it."""
    with closing(world.runs()) as state:
        latest = state.runs(session, 1)[0]
        return latest, state.parts(latest.id)


def notes_of(world: World, session: str) -> dict[str, Any]:
    with world.inklings() as opened:
        found = opened.notes.list([ScopeKey.conversation(world.workspace, session)])
        return {one.key: json.loads(one.value_json) for one in found}


def sent(goal: str, role: str = "researcher", **more: Any) -> dict[str, Any]:
    return {"name": "spawn", "arguments": {"role": role, "goal": goal} | more}


def report(summary: str, *findings: Mapping[str, Any], **more: Any) -> str:
    return json.dumps({"summary": summary, "findings": findings, "confidence": "high"} | more)


def test_two_sweeps_without_a_model_answer_with_quoted_findings(harbour: World) -> None:
    with harbour.agent() as agent:
        session = agent.client.new()
        assert agent.client.say(session, COMPARE)["stopReason"] == "end_turn"
        runs = runs_of(agent.client)
        cards_told = [own(one)["run"] for one in agent.client.updates if own(one).get("run")]
        at_work = {(one["of"], one["of"]) for one in cards_told if one["done"] == one["of"] > 0}
        (told,) = agent.client.texts()
        agent.client.updates.clear()
        agent.client.say(session, "Are there contradictions about the orchard?")
        nothing = agent.client.texts()[-1]
    assert [one["state"] for one in runs.values()] == ["done", "done"]
    assert [(one["done"], one["of"]) for one in runs.values()] == [(0, 0), (0, 0)]
    assert at_work == {(3, 3)}
    of_pages = list(runs.values())[1]["findings"]
    assert {one["page"] for one in of_pages if "memory" not in one} == {"Sele"}
    assert [(one["n_memories"], one["n_pages"]) for one in runs.values()] == [(3, 0), (3, 1)]
    assert all(one["role"] == "researcher" and not one["may"] for one in runs.values())
    assert "3 memories" in told
    assert "3 pairs may contradict each other" in told
    assert told.count("](memory:workspace/") == 4
    assert "“The harbour gate of Sele closes at noon.”" in told
    assert "*Sele* (draft)" in told
    assert "closes at midnight" in told
    assert "two cranes" not in told
    assert "found no two that contradict" in nothing
    notes = notes_of(harbour, session)
    assert {"finding/t1.1/contradictions", "finding/t1.2/contradictions"} <= notes.keys()
    assert "finding/t2.1/contradictions" in notes
    parts = said_in(harbour, session)
    assert [one["run"]["state"] for one in parts if one.get("tool") == "spawn"] == ["done"] * 2


def test_a_researcher_reads_how_something_has_changed(harbour: World) -> None:
    with harbour.inklings() as opened:
        [kept] = [
            one
            for one in opened.listing.browse([harbour.scope]).entries
            if one.content == HARBOUR[0]
        ]
        patch = MemoryPatch(content="The harbour gate of Sele never closes.")
        opened.memories.update(kept.ref, patch, expected_version=kept.version)
    chat = (
        {"when": "How has", "calls": [sent("Follow the gate through time")]},
        {"when": "How has", "after": 1, "text": "It closed at dusk once."},
        {"process": "researcher", "calls": [
            {"name": "memory_history", "arguments": {"id": kept.id}},
            {"name": "event_list", "arguments": {"about": "memory.edited"}},
            {"name": "world_changes", "arguments": {}}]},
        {"process": "researcher", "after": 3, "text": report("It closed at dusk once.")},
    )  # fmt: skip
    with harbour.agent(chat=chat) as agent:
        agent.client.say(agent.client.new(), "How has my gate evolved?")
        (run,) = runs_of(agent.client).values()
    assert [(one["tool"], one["status"]) for one in run["did"][:3]] == [
        ("memory_history", "completed"), ("event_list", "completed"),
        ("world_changes", "completed"),
    ]  # fmt: skip
    assert run["did"][0]["n"] == 1


TOLLS = (
    {"when": "Read the", "calls": [sent("Find when the gate closes", inputs={"about": "gate"}),
                                   sent("Read the page of Sele", overlay="A harbour master.")]},
    {"when": "Read the", "after": 2, "text": "At dusk, says [a note](memory:workspace/{id})."},
    {"process": "researcher", "when": "when the gate", "calls": [
        {"name": "memory_read", "arguments": {"tier": "workspace", "query": "gate dusk"}},
        {"name": "spawn", "arguments": {"role": "worker", "goal": "x"}}]},
    {"process": "researcher", "when": "when the gate", "after": 2,
     "text": report("At dusk, or noon.", {"place": "here", "id": "{id}", "text": "At dusk."})},
    {"process": "researcher", "when": "page of Sele", "calls": [
        {"name": "world_read", "arguments": {"page": "Sele"}}]},
    {"process": "researcher", "when": "page of Sele", "after": 1, "text": "No JSON, only words."},
)  # fmt: skip


def test_raw_content_stays_out(harbour: World) -> None:
    with harbour.agent(chat=TOLLS) as agent:
        session = agent.client.new()
        agent.client.say(session, "Read the gate scenes")
        runs = runs_of(agent.client)
        agent.client.updates.clear()
        agent.client.say(session, "And now?")
    first, second = runs.values()
    assert first["summary"] == "At dusk, or noon."
    assert (first["model"], first["input"]) == ("scripted/by-heart", 200)
    assert first["confidence"] == "high"
    assert [one["status"] for one in first["did"]] == ["completed", "refused", "completed"]
    assert first["findings"][0]["memory"]["tier"] == "workspace"
    assert (second["overlay"], second["n_pages"]) == ("A harbour master.", 1)
    assert (second["summary"], second["confidence"]) == ("No JSON, only words.", "low")
    with closing(harbour.runs()) as rows:
        turn = next(one for one in rows.runs(session) if ":t1-" in one.id)
        parts = rows.parts(turn.id)
    assert {(one.model, one.provider) for one in parts} == {("by-heart", "scripted")}
    assert [one.spent.input_tokens for one in parts] == [200, 200]
    assert turn.spent.input_tokens > 400
    notes = notes_of(harbour, session)
    assert notes["finding/t1.1/report"]["findings"][0]["text"] == "At dusk."
    state = harbour.runs()
    sent_to_it = [
        one.detail["sent"] for run in state.runs(session) for one in state.traces(run.id)
        if one.kind == "model" and one.node == "plan" and one.detail
    ]  # fmt: skip
    assert len(sent_to_it) == 3
    assert "At dusk, or noon." in str(sent_to_it)
    assert "nine tons" not in str(sent_to_it)
    [of_overlay] = [
        one.detail["sent"] for run in state.runs(session) for one in state.traces(run.id)
        if one.node == "work" and one.detail and "nine tons" not in str(one.detail)
        and "A harbour master." in str(one.detail)
    ]  # fmt: skip
    assert list(of_overlay) == ["rules", "standing", "role", "message"]
    assert of_overlay["role"].endswith("first\n\nA harbour master.")
    assert not any("harbour master" in one for one in harbour.memories())
    assert "nine tons" not in str(said_in(harbour, session))
    branches = [one for one in state.checkpoints(session) if one.ns]
    assert branches == []


def test_worker_writes_within_its_brief_and_is_named_as_its_source(harbour: World) -> None:
    allowed = [{"tool": "memory_put", "tier": "conversation"}]
    chat = (
        {"when": "Sort", "calls": [sent("Note the bell", "worker", allowed=allowed),
                                   sent("Widen", "worker", allowed=["memory_restore"])]},
        {"when": "Sort", "after": 2, "text": "Done."},
        {"process": "worker", "calls": [
            {"name": "memory_put", "arguments": {"tier": one, "content": "Sort the bells"}}
            for one in ("conversation", "workspace")]},
        {"process": "worker", "after": 2, "text": report("One kept.")},
    )  # fmt: skip
    with harbour.agent(chat=chat) as agent:
        session = agent.client.new()
        agent.client.say(session, "Sort the bells")
        (card,) = runs_of(agent.client).items()
        statuses = {one["toolCallId"][-2:]: own(one).get("status", one["status"])
                    for one in cards(agent.client)}  # fmt: skip
    run = card[1]
    assert statuses == {":1": "completed", ":2": "refused"}
    assert [one["status"] for one in run["did"]] == ["completed", "refused", "completed"]
    assert [one["tool"] for one in run["may"]] == ["memory_put"]
    with harbour.inklings() as opened:
        scope = ScopeKey.conversation(harbour.workspace, session)
        [kept] = opened.listing.browse([scope]).entries
    assert (kept.content, kept.source) == ("Sort the bells", "worker")
    assert harbour.memories() == sorted(HARBOUR)


@pytest.mark.parametrize("interactive", [True, False])
def test_questions_of_a_task_reach_the_person_or_stay_undone(
    harbour: World, *, interactive: bool
) -> None:
    allowed = [{"tool": "memory_put", "tier": "workspace"}]
    worker = sent("Guess", "worker", allowed=allowed, interactive=interactive)
    guess = {"tier": "workspace", "content": "The cranes belong to the guild of rope makers"}
    chat = (
        {"when": "Sort", "calls": [worker]},
        {"when": "Sort", "after": 1, "text": "Done."},
        {"process": "worker", "calls": [{"name": "memory_put", "arguments": guess}]},
        {"process": "worker", "after": 1, "text": report("Done with it.")},
    )
    with harbour.agent(chat=chat) as agent:
        session = agent.client.new()
        agent.client.say(session, "Sort the bells")
        (run,) = runs_of(agent.client).values()
        asked = list(agent.client.asked)
    assert (guess["content"] in harbour.memories()) is interactive
    assert len(asked) == int(interactive)
    if interactive:
        assert own(asked[0])["process"] == "worker"
    assert run["did"][0]["status"] == ("completed" if interactive else "refused")


SCRIPT = """
import inklings

def main(inputs):
    found = [one for one in inklings.every_memory() if inputs["word"] in one["content"]]
    try:
        inklings.call("ask", tool="memory_put", arguments={"tier": "workspace", "content": "x"})
    except inklings.RefusedError as error:
        refused = str(error)
    inklings.note_write("counted", len(found))
    return {"n": len(found), "refused": refused}
"""


@pytest.mark.parametrize("script", [SCRIPT, "def main(i): return 1 / 0"])
def test_worker_runs_a_script_that_reaches_no_more_than_it_may(
    harbour: World, compiled: Path, script: str
) -> None:
    know(compiled, harbour.root)
    cache = compiled / "Inklings"
    cache.mkdir(exist_ok=True)
    (cache / COMPILED).write_bytes((compiled / COMPILED).read_bytes())
    chat = (
        {"when": "Count", "calls": [sent("Count the harbour", "worker")]},
        {"when": "Count", "after": 1, "text": "Counted."},
        {"process": "worker", "calls": [{"name": "run_script", "arguments": {
            "script": script, "inputs": {"word": "harbour"}}}]},
        {"process": "worker", "after": 1, "text": report("Counted them.")},
    )  # fmt: skip
    with harbour.agent(chat=chat, environment=(("XDG_CACHE_HOME", str(compiled)),)) as agent:
        session = agent.client.new()
        agent.client.say(session, "Count the memories")
        (run,) = runs_of(agent.client).values()
    is_whole = script == SCRIPT
    assert [(one["tool"], one["status"]) for one in run["did"]] == [
        ("run_script", "completed" if is_whole else "failed"), ("note_write", "completed"),
    ]  # fmt: skip
    assert notes_of(harbour, session).get("counted") == (3 if is_whole else None)
    assert harbour.memories() == sorted(HARBOUR)


@pytest.mark.parametrize("dies", ["", "kept:ask", "after:do"])
def test_ten_memories_are_written_in_a_turn_whoever_writes(world: World, dies: str) -> None:
    allowed = [{"tool": "memory_put", "tier": "conversation"}]
    puts = {
        name: [
            {"name": "memory_put", "arguments": {
                "tier": "conversation", "content": f"The {name} gate has the number {n}."}}
            for n in range(5)
        ]
        for name in ("first", "second", "third")
    }  # fmt: skip
    chat: tuple[dict[str, Any], ...] = (
        {"when": "Go", "calls": [sent(f"The {one} gate", "worker", allowed=allowed)
                                 for one in puts]},
        {"when": "Go", "after": 3, "text": "Done."},
        *({"process": "worker", "when": f"The {one} gate", "calls": calls}
          for one, calls in puts.items()),
        {"process": "worker", "after": 5, "text": report("Written.")},
    )  # fmt: skip
    if dies:
        with world.agent(dies=dies, chat=chat) as agent:
            session = agent.client.new()
            with pytest.raises(AgentGoneError):
                agent.client.say(session, "Go")
    with world.agent(chat=chat) as agent:
        session = session if dies else agent.client.new()
        if dies:
            agent.client.load(session)
        agent.client.say(session, "/continue" if dies else "Go")
        runs = runs_of(agent.client)
    did = [one for run in runs.values() for one in run["did"] if one["tool"] == "memory_put"]
    assert sorted(one["status"] for one in did) == ["completed"] * 10 + ["refused"] * 5
    with world.inklings() as opened:
        page = opened.listing.browse([ScopeKey.conversation(world.workspace, session)])
    assert len(page.entries) == 10
    turn, parts = run_rows(world, session)
    assert [one.process for one in parts] == ["worker"] * 3
    assert sum(one.spent.n_tool_calls for one in parts) == turn.spent.n_tool_calls
    assert sum(one.spent.input_tokens for one in parts) < turn.spent.input_tokens


def test_three_are_at_work_at_once_and_the_next_goes_when_one_ends(world: World) -> None:
    chat = (
        {"when": "Go", "calls": [sent(f"Walk {n}") for n in range(5)]},
        {"process": "researcher", "text": "on and on " * 1000, "pause": 0.05},
    )
    with world.agent(chat=chat) as agent:
        client = agent.client
        session = client.new()
        asked = client.prompt(session, "Go")
        client.until(lambda: len(runs_of(client)) == 3)
        first = next(iter(runs_of(client)))
        client.ask("_inklings/turn/stop_run", {"sessionId": session, "run": first})
        client.until(lambda: len(runs_of(client)) == 4)
        client.until(lambda: runs_of(client)[first]["state"] == "stopped")
        assert [one["state"] for one in runs_of(client).values()].count("running") == 3
        client.cancel(session)
        assert client.wait(asked)["stopReason"] == "cancelled"


def test_more_than_six_are_not_sent(world: World) -> None:
    many = [sent(f"Look {n}") for n in range(8)]
    chat = (
        {"when": "Go", "calls": many},
        {"when": "Go", "after": 8, "text": "Done."},
        {"process": "researcher", "text": report("Nothing.")},
    )
    with world.agent(chat=chat) as agent:
        agent.client.say(agent.client.new(), "Go")
        assert len(runs_of(agent.client)) == 6
        refused = [one for one in cards(agent.client) if own(one).get("status") == "refused"]
    assert len(refused) == 2


def test_one_is_stopped_and_the_turn_goes_on(harbour: World) -> None:
    note = {"key": "finding/t1.1/gate", "value": "At dusk."}
    chat = (
        {"when": "Go", "calls": [sent("Walk slowly"), sent("Be quick")]},
        {"when": "Go", "after": 2, "text": "Done."},
        {"process": "researcher", "when": "slowly", "calls": [
            {"name": "note_write", "arguments": note}]},
        {"process": "researcher", "when": "slowly", "after": 1, "text": "on and on " * 1000,
         "pause": 0.05},
        {"process": "researcher", "when": "quick", "text": report("Quick.")},
    )  # fmt: skip
    with harbour.agent(chat=chat) as agent:
        client = agent.client
        session = client.new()
        asked = client.prompt(session, "Go")
        client.until(lambda: any(one["n_findings"] for one in runs_of(client).values()))
        slow = next(id_ for id_, one in runs_of(client).items() if "slowly" in one["goal"])
        assert client.ask("_inklings/turn/stop_run", {"sessionId": session, "run": slow}) == {}
        assert client.wait(asked)["stopReason"] == "end_turn"
        assert client.texts() == ["Done."]
        runs = runs_of(client)
        assert (runs[slow]["state"], runs[slow]["incomplete"]) == ("stopped", True)
        assert runs[slow]["findings"] == [{"place": "gate", "text": "At dusk."}]
        assert [one["state"] for id_, one in runs.items() if id_ != slow] == ["done"]


def test_stop_ends_all_of_them(world: World) -> None:
    chat = (
        {"when": "Go", "calls": [sent("Walk"), sent("Run")]},
        {"process": "researcher", "text": "on and on " * 1000, "pause": 0.05},
    )
    with world.agent(chat=chat) as agent:
        client = agent.client
        session = client.new()
        asked = client.prompt(session, "Go")
        client.until(lambda: len(runs_of(client)) == 2)
        client.cancel(session)
        assert client.wait(asked)["stopReason"] == "cancelled"
        agent.client.say(session, "What do you know?")
    assert world.said(session)[1] == ("assistant", "stopped")


MOMENTS = [f"{when}:{node}" for node in ("spawn", "work", "ask", "do") for when in
           ("before", "after", "kept")]  # fmt: skip


@pytest.mark.endurance
def test_kill_during_a_sub_run(harbour: World, reduced_or_full: Callable[[int, int], int]) -> None:
    every = len(MOMENTS) // reduced_or_full(4, len(MOMENTS))
    for moment in MOMENTS[::-every]:
        with harbour.agent(dies=moment) as agent:
            session = agent.client.new()
            with pytest.raises(AgentGoneError):
                agent.client.say(session, COMPARE)
        with harbour.agent() as agent:
            agent.client.load(session)
            assert agent.client.say(session, "/continue")["stopReason"] == "end_turn", moment
            runs = runs_of(agent.client)
            assert len(agent.client.texts()) == 1, moment
            assert "3 pairs" in agent.client.texts()[0], moment
        assert {one["state"] for one in runs.values()} == {"done"}, moment
        has_begun = moment.endswith((":ask", ":do"))  # before that nothing of it was kept
        assert any(one["resumed"] for one in runs.values()) or not has_begun, moment
        assert {"finding/t1.1/contradictions", "finding/t1.2/contradictions"} <= set(
            notes_of(harbour, session)
        )
        turn, parts = run_rows(harbour, session)
        assert turn.state == "finished", moment
        assert [(one.process, one.state) for one in parts] == [("researcher", "finished")] * 2
        assert harbour.said(session) == [("user", "complete"), ("assistant", "complete")], moment
