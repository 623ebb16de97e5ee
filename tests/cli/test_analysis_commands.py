"""``inklings analysis``: what it says of each end of a script, and what it starts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent_client.analyses import SHIPPED, shipped
from tests.support.played_script import command, ran

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console


def playing(world: Console, *lines: dict[str, Any]) -> Console:
    """A console whose agent says these lines."""
    started = command(*lines)
    program = replace(world.program, agent_command=lambda _data_dir, _workspace: started)
    return replace(world, program=program)


def test_those_that_come_with_the_program_are_listed(console: Console) -> None:
    listed = console.document("analysis", "list")["analyses"]
    assert tuple(one["name"] for one in listed) == SHIPPED
    assert all(one["title"] and one["description"] and one["license"] for one in listed)
    assert listed[0]["inputs"] == {"query": "Name or word"}
    assert "Find all references" in console("analysis", "list").out


def test_a_script_is_read_copied_and_run_as_ones_own(world: Console, tmp_path: Path) -> None:
    text = shipped("references").text
    assert world("analysis", "show", "references").out == text
    file = tmp_path / "mine.py"
    assert "--file" in world("analysis", "fork", "references", str(file)).out
    assert file.read_text(encoding="utf-8") == text
    again = world("analysis", "fork", "references", str(file))
    assert (again.status, file.read_text(encoding="utf-8")) == (3, text)
    file.write_text(text.replace("Find all references", "Mine"), encoding="utf-8")
    console = playing(world, ran("SCRIPT"))
    said = console.document("analysis", "run", "--file", str(file), "--query", "gull")
    assert said["result"] == file.read_text(encoding="utf-8")


def test_a_result_is_said_with_where_it_was_found(world: Console) -> None:
    findings = [{"says": "Two\x1b eyes", "memories": ["m1"], "pages": ["p1"]}, {"says": "None"}]
    result = {"summary": "Found: 2.", "findings": findings}
    console = playing(world, {"compiling": True}, ran(result, printed="so\n"))
    said = console("analysis", "run", "references", "--query", "gull")
    assert said.status == 0
    assert said.out.splitlines() == [
        "Found: 2.", "- Two eyes [memory m1, page p1]", "- None", "", "It printed:", "so",
    ]  # fmt: skip
    assert said.err.startswith("Making scripts ready to run; once on this computer")


def test_steps_are_said_to_whoever_wants_them(world: Console) -> None:
    step = {"progress": {"text": "Reading", "share": 0.25}}
    console = playing(world, step, ran([1]))
    assert console("analysis", "run", "consistency", "--progress").err == "Reading (25%)\n"
    assert console("analysis", "run", "consistency").err == ""
    lines = console("analysis", "run", "consistency", "--json", "--progress").err
    assert json.loads(lines) == {"step": "Reading", "share": 0.25}


def test_what_is_filled_in_reaches_the_script(world: Console) -> None:
    console = playing(world, ran("ASKED"))
    assert console.document("analysis", "run", "references", "--query", "gull")["result"] == {
        "query": "gull"
    }
    said = console.document("analysis", "run", "consistency", "--input", "folder=pages")
    assert said["result"] == {"folder": "pages"}
    assert console.document("analysis", "run", "consistency")["result"] == {"folder": ""}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((), "Name one analysis"),
        (("references", "--file", "x.py"), "Name one analysis"),
        (("references", "--input", "query"), "NAME=TEXT"),
        (("references", "--input", "folder=x"), "asks for no folder; it asks for: query."),
    ],
)
def test_what_makes_no_sense_is_refused(world: Console, given: tuple[str, ...], says: str) -> None:
    said = world("analysis", "run", *given)
    assert said.status == 2
    assert says in said.err


def test_an_analysis_that_is_not_there_is_named(world: Console) -> None:
    said = world("analysis", "run", "tides")
    assert said.status == 1
    assert said.err == (
        "There is no analysis \u201ctides\u201d here. See inklings analysis list.\n"
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "not valid UTF-8"),
        (b"x" * 300_000, "256 KiB"),
        (b"# /// inklings\n# title = \n# ///\n", "head of this script"),
    ],
)
def test_a_file_that_is_no_script_is_refused(
    world: Console, tmp_path: Path, content: bytes, says: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(content)
    said = world("analysis", "run", "--file", str(file))
    assert said.status == 1
    assert says in said.err


@pytest.mark.parametrize(
    ("line", "status", "says"),
    [
        (ran(outcome="time_limit"), 1, "it took too long"),
        (ran(outcome="script_error", said="Line 2: NameError"), 1, "no result. Line 2: NameError"),
        ({"problem": {"word": "not_granted", "message": ""}}, 1, "mcp grant world-agent"),
        (
            {"problem": {"word": "scripts_not_installed", "message": "Missing."}},
            3,
            "Missing.",
        ),
    ],
)
def test_each_other_end_is_said(
    world: Console, line: dict[str, Any], status: int, says: str
) -> None:
    said = playing(world, line)("analysis", "run", "references")
    assert said.status == status
    assert says in said.out + said.err


def test_a_process_that_dies_is_said_with_its_last_words(world: Console) -> None:
    said = playing(world)("analysis", "run", "references")
    assert said.status == 3
    assert said.err.splitlines() == ["The agent ended unexpectedly.", "  ['--script']"]


def test_without_the_agent_it_is_said_how_to_get_it(world: Console) -> None:
    bare = replace(world, program=replace(world.program, agent_command=lambda _root, _id: None))
    said = bare("analysis", "run", "references")
    assert said.status == 3
    assert "inklings-desktop[agent]" in said.err
