"""``inklings skill`` on a real data root."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inklings_desktop.worldfiles.skill_folders import SHIPPED

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console

MAIN = """---
name: tide-tables
description: Reads tides.
license: MIT
allowed-tools: memory_read
metadata:
  inklings:
    artifacts: {assets/ask.md: prompt_template}
    assertions: [{check: max_length, value: 12}]
---
Read {{day}}.
"""


def a_folder(place: Path, name: str = "tide-tables", ask: str = "When, on {{day}}?") -> Path:
    folder = place / name
    (folder / "assets").mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(MAIN.replace("tide-tables", name).encode())
    (folder / "assets" / "ask.md").write_bytes(ask.encode())
    return folder


def test_a_folder_comes_in_is_looked_at_switched_on_and_goes_out(
    world: Console, tmp_path: Path
) -> None:
    place = str(a_folder(tmp_path))
    assert "new" in world("skill", "import", place, "--preview").out
    came = world.document("skill", "import", place)["skill"]
    assert (came["origin"], came["enabled"], came["seen_at"]) == ("community", False, None)
    refused = world("skill", "enable", "tide-tables")
    assert (refused.status, "Look at it first" in refused.err) == (1, True)
    shown = world("skill", "show", "tide-tables").out
    assert "prompt_template" in shown
    assert "It may use: memory_read." in shown
    assert world.document("skill", "enable", "tide-tables")["skill"]["enabled"] is True
    listed = {one["name"]: one["level"] for one in world.document("skill", "list")["skills"]}
    assert listed == {"tide-tables": "workspace", **dict.fromkeys(SHIPPED, "program")}
    (tmp_path / "out").mkdir()
    out = world.document("skill", "export", "tide-tables", str(tmp_path / "out"), "--zip")["path"]
    assert "same" in world("skill", "import", out, "--preview").out
    found = world.document("skill", "list", "--query", "which tides")["skills"]
    assert [one["name"] for one in found] == ["tide-tables"]


def test_one_is_copied_edited_and_its_version_brought_back(world: Console, tmp_path: Path) -> None:
    world.document("skill", "import", str(a_folder(tmp_path)), "--account")
    copy = world.document("skill", "fork", "tide-tables", "--as", "ebb")["skill"]
    assert (copy["origin"], copy["forked_from"]) == ("user", "tide-tables@1")
    changed = a_folder(tmp_path / "new", "ebb", "And now?")
    edited = world.document("skill", "edit", "ebb", "--from", str(changed))["skill"]
    assert edited["version"] == 2
    (one,) = world.document("skill", "versions", "ebb")["versions"]
    assert one["files"]["assets/ask.md"] == "When, on {{day}}?"
    assert world.document("skill", "versions", "ebb", "--restore", "1")["skill"]["version"] == 3
    body = world.document("skill", "show", "ebb", "--file", "assets/ask.md")["file"]["body"]
    assert body == "When, on {{day}}?"
    made = world.document("skill", "edit", "fresh", "--from", str(a_folder(tmp_path, "fresh")))
    assert made["skill"]["version"] == 1
    assert world.document("skill", "delete", "ebb")["versions"] == 2
    gone = world("skill", "show", "ebb")
    assert (gone.status, "inklings skill list" in gone.err) == (1, True)


def test_it_is_tried_on_an_input_and_an_answer_is_checked(world: Console, tmp_path: Path) -> None:
    world.document("skill", "import", str(a_folder(tmp_path)))
    found = world.document(
        "skill", "run", "tide-tables", "--input", '{"day": "Monday"}', "--output", "x" * 13
    )
    assert found["steps"] == "Read Monday.\n"
    assert found["prompts"] == {"assets/ask.md": "When, on Monday?"}
    assert [(one["holds"], one["got"]) for one in found["assertions"]] == [(False, "13")]
    assert "not met" in world("skill", "run", "tide-tables", "--output", "x" * 13).out
    assert "Not run here: scripts/" in world("skill", "run", "name-collisions").out


def test_traces_are_written_as_lines_to_learn_from(world: Console, tmp_path: Path) -> None:
    from inklings_desktop.bootstrap import open_inklings
    from inklings_desktop.usecases.skills.runs import RunReport

    world.document("skill", "import", str(a_folder(tmp_path)))
    with open_inklings(world.data_dir, workspace="Field notes") as inklings:
        assert inklings.workspace is not None
        report = RunReport(given="Monday", output="At six.", ms=7)
        inklings.skill_runs.note(inklings.workspace.id, "tide-tables", report)
    assert "passed" in world("skill", "traces", "tide-tables").out
    (line,) = world("skill", "traces", "tide-tables", "--lines").out.splitlines()
    example = json.loads(line)
    assert (example["inputs"], example["outputs"], example["score"]) == (
        {"task": "Monday"}, {"answer": "At six."}, 1.0,
    )  # fmt: skip


def test_a_catalogue_is_compared_and_brought_in(world: Console, tmp_path: Path) -> None:
    for name in ("ebb", "flood"):
        a_folder(tmp_path / "all", name)
    (a_folder(tmp_path / "all", "wrong") / "SKILL.md").write_bytes(b"nothing")
    said = world("skill", "catalogue", str(tmp_path / "all")).out
    assert said.count("new") == 2
    assert "The head of SKILL.md cannot be read" in said
    came = world.document("skill", "catalogue", str(tmp_path / "all"), "--bring")["brought_in"]
    assert [one["name"] for one in came] == ["ebb", "flood"]
    (tmp_path / "all" / "ebb" / "assets" / "ask.md").write_bytes(b"Changed.")
    states = {
        one["name"]: one["state"]
        for one in world.document("skill", "catalogue", str(tmp_path / "all"))["skills"]
    }
    assert states == {"ebb": "update", "flood": "same", "wrong": "refused"}


def test_what_counts_is_not_called_hidden_where_it_is_searched_for(world: Console) -> None:
    assert "hidden" not in world("skill", "list", "--query", "which names are too close").out


def test_a_skill_is_written_into_a_folder_that_is_made_for_it(
    world: Console, tmp_path: Path
) -> None:
    place = tmp_path / "new" / "out"
    made = world.document("skill", "export", "name-collisions", str(place))["path"]
    assert made == str(place / "name-collisions")
    assert (place / "name-collisions" / "SKILL.md").is_file()


def test_a_skill_is_saved_under_no_other_name_than_the_one_that_was_typed(
    world: Console, tmp_path: Path
) -> None:
    refused = world("skill", "edit", "ebb", "--from", str(a_folder(tmp_path)))
    assert (refused.status, "called tide-tables, not ebb" in refused.err) == (2, True)
    own = world("skill", "edit", "name-collisions")
    assert (own.status, "inklings skill fork" in own.err) == (1, True)
    levels = {one["level"] for one in world.document("skill", "list")["skills"]}
    assert levels == {"program"}


def test_a_name_that_no_skill_has_is_no_skill_without_runs(world: Console) -> None:
    assert world("skill", "traces", "name-collisions").out == "Nothing was run yet.\n"
    for more in ((), ("--lines",)):
        assert world("skill", "traces", "nobody", *more).status == 1


def test_a_catalogue_says_what_came_in_and_what_did_not(world: Console, tmp_path: Path) -> None:
    a_folder(tmp_path, "ebb")
    (a_folder(tmp_path, "flow") / "ebb.bin").write_bytes(b"\xff")
    a_folder(tmp_path, "tide-tables")
    (tmp_path / "tide-tables" / ".DS_Store").write_bytes(b"")
    told = world("skill", "catalogue", str(tmp_path)).out
    assert ".DS_Store left out" in told
    assert "Nothing was changed" not in told
    brought = world("skill", "catalogue", str(tmp_path), "--bring").out
    assert "- ebb\n- tide-tables\n" in brought
    assert "flow  refused  ebb.bin is not text in UTF-8." in brought


def test_what_the_system_refuses_is_said_without_its_number(world: Console, tmp_path: Path) -> None:
    said = world("skill", "import", str(tmp_path / "nowhere")).err
    assert "nowhere cannot be used: No such file or directory. " in said
