"""A turn that is worked by a skill: offered, chosen, narrowed, checked and noted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent.scripts.artifact import COMPILED
from inklings_desktop.domain.skills.traces import SkillTrace
from tests.agent.conftest import World
from tests.agent.test_model_planner import cards, own, put, said_in
from tests.agent.test_team import report, runs_of, sent
from tests.support.acp_client import AgentGoneError
from tests.support.interpreters import know

pytestmark = pytest.mark.slow

HEAD = """---
name: tide-tables
description: Reads the tides of a day from a table.
allowed-tools: memory_read run_script
metadata:
  inklings:
    role: You are a pilot of the harbour.
    artifacts: {assets/ask.md: prompt_template}
    input: {type: object, properties: {day: {type: string}}}
    assertions:
      - {check: max_length, value: 12}
      - {check: required_keys, value: [tide], on: scripts/tide.py}
      - {check: judge, value: Is it a time?, on: scripts/tide.py}
---
"""
CODE = """
import inklings

def main(inputs):
    try:
        inklings.memory_read("workspace", "tide")
        kept = "read"
        inklings.note_write("tide", 6)
    except inklings.RefusedError:
        kept = "no note"
    return {inputs.get("as", "tide"): inputs["day"], "kept": kept}
"""
FILES = {
    "SKILL.md": f"{HEAD}Read the table of {{{{day}}}}.",
    "assets/ask.md": "When, on {{day}}?",
    "scripts/tide.py": CODE,
}
CHOOSE = {"name": "skill_tide_tables", "arguments": {"day": "Monday"}}
YES = {"process": "judge", "text": '{"why": "It is.", "holds": true}'}


@pytest.fixture
def harbour(world: World) -> World:
    with world.inklings() as opened:
        opened.skills.save(world.workspace, FILES)
    return world


def traces(world: World) -> list[SkillTrace]:
    """What came of its runs, the oldest first."""
    with world.inklings() as opened:
        return [*opened.skill_runs.traces(world.workspace, "tide-tables")][::-1]


def requests(world: World, session: str, node: str = "plan") -> list[Mapping[str, str]]:
    """What a model was sent, slice by slice."""
    state = world.runs()
    return [
        one.detail["sent"] for run in state.runs(session)[::-1] for one in state.traces(run.id)
        if one.kind == "model" and one.node == node and one.detail
    ]  # fmt: skip


def test_what_fits_is_offered_as_quoted_and_the_gate_may_drop_it(harbour: World) -> None:
    keep = '{"verdict": "accept", "drop": [], "queries": []}'
    drop = '{"verdict": "accept", "drop": [1], "queries": []}'
    chat = (
        {"text": "At six."},
        {"process": "gate", "when": "of a whole day", "text": drop},
        {"process": "gate", "text": keep},
    )
    with harbour.agent(chat=chat) as agent:
        session = agent.client.new()
        for asked in ("Which tides are there?", "Which tides of a whole day?", "The tower is red"):
            agent.client.say(session, asked)
    first, second, third = requests(harbour, session)
    assert "skill_tide_tables (the author's own): Tide tables: Reads the tides" in first["skills"]
    assert list(first)[-3:] == ["skills", "place", "message"]
    assert "skills" not in second
    assert "skills" not in third
    asked_of_gate = requests(harbour, session, "gate")
    assert "1. (skill) Tide tables" in asked_of_gate[0]["candidates"]


def test_answer_by_a_skill_is_checked_given_once_again_and_noted(harbour: World) -> None:
    chat = (
        {"when": "tides", "calls": [CHOOSE, put("The tides of Monday are noted")]},
        {"when": "tides", "after": 2, "text": "At six in the morning."},
        {"when": "not as it asks for", "text": "At six."},
    )
    with harbour.agent(chat=chat) as agent:
        session = agent.client.new()
        assert agent.client.say(session, "Tell the tides")["stopReason"] == "end_turn"
        assert agent.client.texts() == ["At six in the morning.At six."]
    noted = traces(harbour)
    assert [(one.position, one.outcome.value) for one in noted if one.position == 0] == [
        (0, "failed"), (0, "passed"),
    ]  # fmt: skip
    assert noted[0].output == "At six in the morning."
    assert json.loads(noted[0].given) == {"day": "Monday"}
    assert noted[0].tokens
    assert [one["text"] for one in said_in(harbour, session) if one["kind"] == "text"] == [
        "At six in the morning.", "At six.",
    ]  # fmt: skip
    again = requests(harbour, session)[-1]["results"]
    assert "max_length 12 (22)" in again
    assert "note_outcome" not in again
    assert "Read the table of Monday." in again
    assert "When, on Monday?" in again
    assert "scripts/tide.py" in again
    assert "memory_read(" not in again


def test_what_breaks_it_twice_is_said_to_have_failed(harbour: World) -> None:
    chat = (
        {"when": "tides", "calls": [CHOOSE]},
        {"when": "tides", "after": 1, "text": "At six in the morning."},
        {"when": "not as it asks for", "text": "At six in the evening."},
    )
    with harbour.agent(chat=chat) as agent:
        session = agent.client.new()
        assert agent.client.say(session, "Tell the tides")["stopReason"] == "end_turn"
        (told,) = agent.client.texts()
    assert told.startswith("At six in the morning.At six in the evening.\n\n*I tried twice")
    assert told.endswith("as the skill “Tide tables” asks for: max\\_length 12 (22).*")
    assert [one.outcome.value for one in traces(harbour) if one.position == 0] == ["failed"] * 2


def test_a_skill_narrows_and_never_widens(harbour: World) -> None:
    allowed = [{"tool": "memory_put", "tier": "workspace"}]
    chat = (
        {"when": "tides", "calls": [CHOOSE]},
        {"when": "tides", "after": 1, "calls": [
            put("Tell the tides"), sent("Keep it", "worker", allowed=allowed)]},
        {"when": "tides", "after": 3, "text": "At six."},
        {"process": "worker", "calls": [put("Tell the tides")]},
        {"process": "worker", "after": 1, "text": report("Nothing kept.")},
    )  # fmt: skip
    with harbour.agent(chat=chat) as agent:
        session = agent.client.new()
        agent.client.say(session, "Tell the tides")
        (run,) = runs_of(agent.client).values()
        statuses = [own(one).get("status", one["status"]) for one in cards(agent.client)]
    assert "refused" in statuses
    assert run["did"][0]["status"] == "refused"
    assert run["may"] == []
    assert run["overlay"] == "You are a pilot of the harbour."
    assert run["note_key"].endswith("/report")
    assert harbour.memories() == []
    before, after = requests(harbour, session)[:2]
    assert "memory_put:" in before["tools"]
    assert "memory_put:" not in after["tools"]
    assert {"memory_read", "spawn", "skill_read"} <= {
        line.partition(":")[0] for line in after["tools"].splitlines()
    }


def by_script(*inputs: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """A worker that runs the script of the skill with these inputs, one after the other."""
    steps = tuple(
        {"process": "worker", "after": number, "calls": [{"name": "run_script", "arguments": {
            "skill": "tide-tables", "file": "scripts/tide.py", "inputs": one}}]}
        for number, one in enumerate(inputs)
    )  # fmt: skip
    return (
        {"when": "tides", "calls": [sent("Run the script of tide-tables", "worker")]},
        {"when": "tides", "after": 1, "text": "At six."},
        *steps,
        {"process": "worker", "after": len(inputs), "text": report("At six.")},
    )


@pytest.fixture
def cache(harbour: World, compiled: Path) -> tuple[tuple[str, str], ...]:
    """The environment in which scripts find their interpreter."""
    know(compiled, harbour.root)
    folder = compiled / "Inklings"
    folder.mkdir(exist_ok=True)
    (folder / COMPILED).write_bytes((compiled / COMPILED).read_bytes())
    return (("XDG_CACHE_HOME", str(compiled)),)


def test_script_of_a_skill_runs_checked_and_judged(
    harbour: World, cache: tuple[tuple[str, str], ...]
) -> None:
    wrong, right = {"day": "Monday", "as": "day"}, {"day": "Monday"}
    chat = (*by_script(wrong, right), YES)
    with harbour.agent(chat=chat, environment=cache) as agent:
        session = agent.client.new()
        agent.client.say(session, "Tell the tides")
        (run,) = runs_of(agent.client).values()
    assert [one["status"] for one in run["did"][:2]] == ["completed", "completed"]
    failed, passed = traces(harbour)
    assert (failed.outcome.value, passed.outcome.value) == ("failed", "passed")
    assert json.loads(passed.output) == {"tide": "Monday", "kept": "no note"}
    assert [one["holds"] for one in passed.assertions] == [True, True]
    assert passed.fuel
    assert passed.run_id.startswith("t1-")
    told = " ".join(one["results"] for one in requests(harbour, session, "work")[1:])
    assert "Run it once again" in told
    assert "import inklings" not in told
    state = harbour.runs()
    of_judge = [
        one for each in state.runs(session) for one in state.traces(each.id)
        if one.kind == "model" and one.summary["process"] == "judge"
    ]  # fmt: skip
    assert len(of_judge) == 2
    assert state.spent(session).input_tokens >= 700


def test_script_that_breaks_it_twice_has_failed_and_runs_no_third_time(
    harbour: World, cache: tuple[tuple[str, str], ...]
) -> None:
    wrong = [{"day": day, "as": "day"} for day in ("Monday", "Tuesday", "Friday")]
    with harbour.agent(chat=by_script(*wrong), environment=cache) as agent:
        agent.client.say(agent.client.new(), "Tell the tides")
        (run,) = runs_of(agent.client).values()
    assert [one["status"] for one in run["did"][:3]] == ["completed", "failed", "failed"]
    noted = traces(harbour)
    assert [one.outcome.value for one in noted] == ["failed", "failed"]
    assert [one["holds"] for one in noted[0].assertions] == [False, None]  # nobody can judge


def test_an_answer_is_noted_once_though_the_program_dies(harbour: World) -> None:
    chat = (
        {"when": "tides", "calls": [CHOOSE]},
        {"when": "tides", "after": 1, "text": "At six."},
    )
    with harbour.agent(chat=chat, dies="kept:act") as agent:  # once it has chosen
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Tell the tides")
    with harbour.agent(chat=chat, dies="after:act") as agent:  # noted, and nobody knows it
        agent.client.load(session)
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "/continue")
    before = traces(harbour)
    with harbour.agent(chat=chat) as agent:
        agent.client.load(session)
        assert agent.client.say(session, "/continue")["stopReason"] == "end_turn"
    assert sorted(one.position for one in before) == [0, 1]
    assert {one.id for one in traces(harbour)} == {one.id for one in before}


def test_a_script_is_noted_once_though_the_program_dies(
    harbour: World, cache: tuple[tuple[str, str], ...]
) -> None:
    chat = by_script({"day": "Monday"})
    with harbour.agent(chat=chat, dies="after:do", environment=cache) as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Tell the tides")
    before = traces(harbour)
    with harbour.agent(chat=chat, environment=cache) as agent:
        agent.client.load(session)
        assert agent.client.say(session, "/continue")["stopReason"] == "end_turn"
    assert len(before) == 1
    assert [one.id for one in traces(harbour)] == [one.id for one in before]
