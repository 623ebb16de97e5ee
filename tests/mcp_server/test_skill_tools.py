"""The tools for skills: shown where one may be chosen, each skill a tool of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.skills.folder import together
from inklings_desktop.mcp_server.tools.skill_tools import MAX_LISTED
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

if TYPE_CHECKING:
    from pathlib import Path

OWN_TOOLS = {"skill_search", "skill_read", "skill_trace_append"}


def files(name: str = "tide-tables", body: str = "Read {{day}}.") -> dict[str, str]:
    head = (
        f"---\nname: {name}\ndescription: {'Reads tides. ' * 20}\nallowed-tools: memory_read\n"
        "metadata:\n  inklings:\n    artifacts: {assets/ask.md: prompt_template}\n"
        "    input: {type: object, properties: {day: {type: string}}}\n"
        "    assertions: [{check: max_length, value: 12}]\n---\n"
    )
    return {"SKILL.md": head + body, "assets/ask.md": "When, on {{day}}?", "scripts/a.py": "x = 1"}


def names(door: AgentDoor, client: str = LOOM) -> set[str]:
    return {one.name for one in door.tools(client)}


def test_those_of_the_program_alone_make_no_strangers_list_longer(door: AgentDoor) -> None:
    assert "skill_continuity_check" in names(door)
    assert not any(name.startswith("skill_") for name in names(door, STRANGER))
    door.inklings.skills.save(door.workspace.id, files())
    assert names(door, STRANGER) >= {*OWN_TOOLS, "skill_tide_tables", "skill_name_collisions"}
    door.inklings.skills.enable(door.workspace.id, "tide-tables", on=False)
    assert not any(name.startswith("skill_") for name in names(door, STRANGER))
    assert "skill_tide_tables" not in names(door)


def test_a_skill_is_called_by_its_name_and_tells_its_steps(door: AgentDoor) -> None:
    door.inklings.skills.save(door.workspace.id, files())
    (tool,) = (one for one in door.tools() if one.name == "skill_tide_tables")
    assert list(tool.input_schema["properties"]) == ["day"]
    assert len(tool.description or "") == 160
    told = door.answer("skill_tide_tables", day="Monday")
    assert told["steps"] == "Read Monday."
    assert told["prompts"] == {"assets/ask.md": "When, on Monday?"}
    assert (told["scripts"], told["only_tools"]) == (["scripts/a.py"], ["memory_read"])
    assert door.inklings.skills.show(door.workspace.id, "tide-tables").last_used_at is not None
    assert "There is no such skill" in door.refusal("skill_nowhere")


def test_it_is_found_and_read_file_by_file(door: AgentDoor) -> None:
    door.inklings.skills.save(door.workspace.id, files())
    (found,) = door.answer("skill_search", query="tides")["skills"]
    assert (found["name"], found["level"]) == ("tide-tables", "workspace")
    whole = door.answer("skill_read", name="tide-tables")
    assert [one["path"] for one in whole["files"]] == ["SKILL.md", "assets/ask.md", "scripts/a.py"]
    (one,) = door.answer("skill_read", name="tide-tables", file="scripts/a.py")["files"]
    assert (one["kind"], one["text"]) == ("code_template", "x = 1")
    assert "There is no" in door.refusal("skill_read", name="tide-tables", file="gone.md")


def test_what_somebody_else_wrote_is_told_as_that(door: AgentDoor, tmp_path: Path) -> None:
    folder = tmp_path / "tide-tables"
    for path, text in files(body="Obey.").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    door.inklings.skill_transfer.bring_in(door.workspace.id, folder)
    assert "skill_tide_tables" not in names(door)
    assert "There is no such skill" in door.refusal("skill_tide_tables", task="x")
    door.inklings.skills.look_at(door.workspace.id, "tide-tables")
    door.inklings.skills.enable(door.workspace.id, "tide-tables")
    assert "not the author's word" in door.answer("skill_tide_tables")["note"]


def test_what_came_of_it_is_checked_by_the_memory_and_not_by_the_agent(door: AgentDoor) -> None:
    door.inklings.skills.save(door.workspace.id, files())
    good = door.answer("skill_trace_append", name="tide-tables", output="At six.", run="t1", ms=4)
    bad = door.answer("skill_trace_append", name="tide-tables", output="At six in the morning.")
    assert (good["status"], good["broken"]) == ("passed", [])
    assert (bad["status"], bad["broken"][0]["got"]) == ("failed", "22")
    kept = door.inklings.skill_runs.traces(door.workspace.id, "tide-tables")
    assert sorted(one.outcome.value for one in kept) == ["failed", "passed"]


def test_a_report_that_is_sent_again_takes_the_place_of_the_first(door: AgentDoor) -> None:
    judged = files() | {
        "SKILL.md": files()["SKILL.md"].replace("max_length, value: 12", "judge, value: Is it so?")
    }
    door.inklings.skills.save(door.workspace.id, judged)
    (one,) = door.answer("skill_read", name="tide-tables", file="SKILL.md")["files"]
    assert one["questions"] == ["Is it so?"]
    told = {"name": "tide-tables", "run": "t1", "request_key": "t1:2"}
    first = door.answer("skill_trace_append", **told, output="Six.")
    again = door.answer("skill_trace_append", **told, output="Six.", judged=[False], fuel=7)
    other = door.answer("skill_trace_append", **told, output="6", file="scripts/a.py")
    assert (first["status"], first["unchecked"]) == ("passed", 1)
    assert (again["status"], again["unchecked"], again["id"]) == ("failed", 0, first["id"])
    assert other["id"] != first["id"]
    kept = door.inklings.skill_runs.traces(door.workspace.id, "tide-tables")
    assert sorted((one.position, one.fuel) for one in kept if one.position == 0) == [(0, 7)]
    assert len(kept) == 2


def test_only_a_skill_that_the_author_wrote_gives_a_role(door: AgentDoor, tmp_path: Path) -> None:
    text = files()["SKILL.md"].replace("  inklings:\n", "  inklings:\n    role: A pilot.\n")
    door.inklings.skills.save(door.workspace.id, files() | {"SKILL.md": text})
    assert door.answer("skill_tide_tables", day="Monday")["role"] == "A pilot."
    assert door.answer("skill_read", name="tide-tables")["only_tools"] == ["memory_read"]
    door.inklings.skills.delete(door.workspace.id, "tide-tables")
    folder = tmp_path / "tide-tables"
    folder.mkdir()
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    door.inklings.skill_transfer.bring_in(door.workspace.id, folder)
    door.inklings.skills.look_at(door.workspace.id, "tide-tables")
    door.inklings.skills.enable(door.workspace.id, "tide-tables")
    assert "role" not in door.answer("skill_tide_tables", day="Monday")


def test_a_proposed_skill_waits_for_the_author(door: AgentDoor) -> None:
    rights = [
        Right(Tier.WORKSPACE, door.workspace.id, one) for one in (Action.READ, Action.PROPOSE)
    ]
    door.inklings.clients.grant(LOOM, rights)
    asked = door.answer("skill_propose", files=together(files()), reason="It came up twice.")
    assert asked["status"] == "held_for_review"
    assert "skill_tide_tables" not in names(door)
    (one,) = door.inklings.proposals.list(door.workspace.id)
    door.inklings.proposals.accept(one.ref)
    assert "skill_tide_tables" in names(door)
    assert json.dumps(door.answer("skill_tide_tables", day="{{x}}")["steps"]) == '"Read {{x}}."'


@pytest.mark.parametrize("extra", [1, 60])
def test_no_more_are_listed_than_a_model_can_look_through(door: AgentDoor, extra: int) -> None:
    for number in range(extra):
        door.inklings.skills.save(door.workspace.id, files(f"tides-{number}"))
    listed = {name for name in names(door) if name.startswith("skill_")} - {
        *OWN_TOOLS, "skill_propose",
    }  # fmt: skip
    assert len(listed) == min(extra + 3, MAX_LISTED)
    if extra > 1:
        door.answer("skill_tides_59")
        assert "skill_tides_59" in names(door)
