"""Which agents of other makers are named, found and started, and which never are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.agent_client.presets import (
    BUILT_IN,
    FOUND,
    IN_DATA,
    NOT_FOUND,
    READY,
    RELATIVE,
    SHARED,
    agents,
    environment,
    located,
)
from inklings_desktop.agent_settings import Preset
from inklings_desktop.domain.access.connections import ServerCommand
from tests.support.plain_agent import installed

if TYPE_CHECKING:
    from pathlib import Path


def preset(*command: str, id_: str = "plain", client: str = "") -> Preset:
    return Preset(id_, "Plain", command, (), client or id_)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return installed(tmp_path / "bin")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def state(data: Path, *command: str, path: str = "") -> str:
    return located(preset(*command), data, path).state


def test_a_machine_without_any_says_so(data: Path) -> None:
    found = agents((), data, str(data.parent / "nothing"))
    assert [one.id for one in found] == [one.id for one in BUILT_IN]
    assert {(one.state, one.program, one.command) for one in found} == {(NOT_FOUND, "", None)}


def test_a_bare_name_is_started_once_its_path_was_confirmed(data: Path, program: Path) -> None:
    hostile = "x; rm -rf $(HOME)\n `id`"
    found = located(preset("plain", hostile, "{workspace}"), data, str(program.parent))
    assert (found.state, found.program, found.command) == (FOUND, str(program), None)
    confirmed = found.confirmed()
    assert confirmed.command == [str(program), hostile, "{workspace}"]
    again = located(
        Preset(**confirmed.row() | {"command": tuple(confirmed.command), "env": ()}), data, ""
    )
    assert (again.state, again.command) == (READY, confirmed.command)


@pytest.mark.parametrize("name", ["./plain", "bin/plain", "../bin/plain", "", "bin/../plain"])
def test_a_relative_path_is_never_started(
    data: Path, program: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(program.parent.parent)
    assert state(data, name, path=str(program.parent)) == RELATIVE


@pytest.mark.parametrize("folders", [".", "", "bin", ":", "./bin:bin"])
def test_a_folder_that_depends_on_where_one_stands_is_no_place_to_look(
    data: Path, program: Path, monkeypatch: pytest.MonkeyPatch, folders: str
) -> None:
    monkeypatch.chdir(program.parent.parent)
    assert state(data, "plain", path=folders) == NOT_FOUND


def test_nothing_in_the_data_folder_is_started_by_whatever_way(
    data: Path, program: Path, tmp_path: Path
) -> None:
    inside = installed(data / "workspaces")
    link = program.parent / "linked"
    link.symlink_to(inside)
    outward = data / "outward"
    outward.symlink_to(program)
    assert state(data, str(inside)) == IN_DATA
    assert state(data, "linked", path=str(program.parent)) == IN_DATA
    assert state(data, str(outward)) == IN_DATA
    assert state(data, str(tmp_path / "bin" / ".." / "data" / "workspaces" / "plain")) == IN_DATA


@pytest.mark.parametrize("place", ["bin/plain", "bin", "."])
def test_what_others_may_write_to_is_not_started(data: Path, program: Path, place: str) -> None:
    assert state(data, str(program)) == READY
    (program.parent.parent / place).chmod(0o777)
    assert state(data, str(program)) == SHARED
    (program.parent.parent / place).chmod(0o1777 if place != "bin/plain" else 0o700)
    assert state(data, str(program)) == READY


def test_every_link_on_the_way_lies_where_nobody_else_writes(data: Path, tmp_path: Path) -> None:
    program = installed(tmp_path / "bin")
    open_ = tmp_path / "open"
    open_.mkdir()
    (open_ / "middle").symlink_to(program)
    first = tmp_path / "first"
    first.symlink_to(open_ / "middle")
    assert state(data, str(first)) == READY
    open_.chmod(0o777)
    assert state(data, str(first)) == SHARED
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert state(data, str(loop)) == NOT_FOUND


def test_a_file_that_is_no_program_is_not_found(data: Path, program: Path) -> None:
    program.chmod(0o600)
    assert state(data, str(program)) == NOT_FOUND
    assert state(data, str(program.parent)) == NOT_FOUND


def test_nobody_comes_in_by_the_world_agents_name_or_anothers(data: Path, program: Path) -> None:
    there = str(program)
    found = agents(
        (
            preset(there, id_="one", client="world-agent"),
            preset(there, id_="two", client="wor1d-agent"),
            preset(there, id_="world-agent", client="other"),
            preset(there, id_="three", client="codex"),
            preset(there, id_="four", client="mine"),
            preset(there, id_="five", client="mine"),
        ),
        data,
        "",
    )
    assert [one.id for one in found if one.id not in {usual.id for usual in BUILT_IN}] == ["four"]


def test_one_of_the_settings_takes_the_place_of_the_usual_one(data: Path, program: Path) -> None:
    [mine] = [
        one for one in agents((preset(str(program), id_="codex"),), data, "") if one.id == "codex"
    ]
    assert mine.command == [str(program)]
    gone = preset(str(program) + "-gone", id_="codex")
    [usual] = [one for one in agents((gone,), data, "") if one.id == "codex"]
    assert usual.preset in BUILT_IN


def test_its_environment_is_the_cleaned_one_and_what_its_preset_names() -> None:
    base = {
        "PATH": "/bin",
        "HOME": "/h",
        "PLAIN_KEY": "a",
        "OPENAI_API_KEY": "b",
        "LD_PRELOAD": "c",
    }
    one = Preset(
        "plain",
        "Plain",
        ("plain",),
        ("PLAIN_KEY", "MISSING"),
        "plain",
    )
    kept = environment(base, one)
    assert kept["PLAIN_KEY"] == "a"
    assert kept.keys().isdisjoint({"OPENAI_API_KEY", "LD_PRELOAD", "MISSING"})


def test_it_is_handed_our_memory_under_its_own_name(data: Path, program: Path) -> None:
    server = ServerCommand("/usr/bin/inklings", (), "/data", "w1", "plain")
    guest = located(preset(str(program)), data).guest(server, os.sep)
    [memory] = guest.place()["mcpServers"]
    assert (memory["name"], memory["command"], memory["env"]) == (
        "inklings", "/usr/bin/inklings", [],
    )  # fmt: skip
    assert memory["args"][-4:] == ["mcp", "serve", "--client", "plain"]
