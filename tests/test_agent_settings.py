from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.agent_settings import (
    PROCESSES,
    AgentSettings,
    Classes,
    Preset,
    Provider,
    Route,
    Routing,
    is_safe_address,
    route_of,
    stays_here,
)
from inklings_desktop.domain.errors import InvalidValueError, OutsideFileError
from inklings_desktop.settings import FILE_NAME, load_settings
from inklings_desktop.settings_file import LiveSettings, Row, put_row, remove_row

if TYPE_CHECKING:
    from pathlib import Path

HERE = {"id": "here", "wire": "openai_chat", "base_url": "http://127.0.0.1:8080/v1"}
WHOLE = """
[agent]
preset = "mine"
write_policy = "ask"
turn_cost = 0
daily_cost = 2.5
[agent.classes]
frontier = "there/large/2"
cheap = " here/small "
[agent.routing]
gate = "off"
merge = "fast"
[[agent.providers]]
id = "here"
wire = "openai_chat"
base_url = "http://127.0.0.1:8080/v1"
[[agent.presets]]
id = "mine"
title = "My agent"
command = ["talker", "--acp"]
env = ["TALKER_KEY"]
client = "talker"
[[agent.presets]]
id = "plain"
command = ["plain"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / FILE_NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_about_agents_is_read(tmp_path: Path) -> None:
    write(tmp_path, WHOLE)
    settings = load_settings(tmp_path)
    assert settings.problems == ()
    assert settings.agent == AgentSettings(
        preset="mine",
        write_policy="ask",
        turn_cost=0,
        daily_cost=2.5,
        classes=Classes(frontier="there/large/2", cheap="here/small"),
        routing=Routing(gate="off", merge="fast"),
        providers=(Provider("here", "openai_chat", "http://127.0.0.1:8080/v1"),),
        presets=(
            Preset("mine", "My agent", ("talker", "--acp"), ("TALKER_KEY",), "talker"),
            Preset("plain", "plain", ("plain",), (), "plain"),
        ),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[agent]\nwrite_policy = 'always'", "agent.write_policy"),
        ("[agent]\ndaily_cost = -1", "agent.daily_cost"),
        ("[agent.classes]\nfast = 'large'", "agent.classes.fast"),
        ("[agent.classes]\nfast = '/large'", "agent.classes.fast"),
        ("[agent.routing]\ngate = 'best'", "agent.routing.gate"),
        ("[agent]\nproviders = 3", "agent.providers"),
        ("[[agent.providers]]\nid = 'x'\nwire = 'openai_chat'", "agent.providers"),
        ("[[agent.providers]]\nid = 'a/b'\nwire = 'openai_chat'\nbase_url = 'https://x'",
         "agent.providers"),
        ("[[agent.providers]]\nid = 'x'\nwire = 'gopher'\nbase_url = 'https://x'",
         "agent.providers"),
        ("[[agent.providers]]\nid = 'x'\nwire = 'openai_chat'\nbase_url = 'http://x'",
         "agent.providers"),
        ("[[agent.presets]]\nid = 'x'\ncommand = 'x --acp'", "agent.presets"),
        ("[[agent.presets]]\nid = 'x'\ncommand = []", "agent.presets"),
        ("[[agent.presets]]\nid = 'x'\ncommand = ['x']\nenv = {KEY = 'plain'}", "agent.presets"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named_and_left_out(tmp_path: Path, text: str, problem: str) -> None:
    write(tmp_path, text)
    settings = load_settings(tmp_path)
    assert (settings.agent, settings.problems) == (AgentSettings(), (problem,))


def test_a_row_that_cannot_be_used_leaves_the_others(tmp_path: Path) -> None:
    text = WHOLE + '[[agent.providers]]\nid = "bad"\n'
    write(tmp_path, text)
    live = LiveSettings(tmp_path)
    assert [one.id for one in live().agent.providers] == ["here"]
    (problem,) = live.problems()
    first = text.splitlines().index("[[agent.providers]]") + 1
    assert (problem.key, problem.line) == ("agent.providers", first)


def test_two_rows_with_one_id_are_one_too_many(tmp_path: Path) -> None:
    row = '[[agent.presets]]\nid = "twice"\ncommand = ["{}"]\n'
    write(tmp_path, row.format("first") + row.format("second"))
    settings = load_settings(tmp_path)
    assert [one.command for one in settings.agent.presets] == [("second",)]
    assert settings.problems == ("agent.presets",)


def test_a_row_is_written_in_its_place_and_nothing_else_moves(tmp_path: Path) -> None:
    path = write(tmp_path, "# mine\n" + WHOLE + '[[agent.providers]]\nid = "bad" # later\n')
    live = LiveSettings(tmp_path)
    live.put_row("agent.providers", HERE | {"base_url": "https://models.example/v1"})
    live.put_row("agent.providers", HERE | {"id": "new"})
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# mine\n")
    assert 'id = "bad" # later' in text
    bases = {one.id: one.base_url for one in live().agent.providers}
    assert bases == {"here": "https://models.example/v1", "new": HERE["base_url"]}
    live.remove_row("agent.providers", "here")
    live.remove_row("agent.providers", "never there")
    assert [one.id for one in live().agent.providers] == ["new"]


def test_a_row_goes_into_a_file_that_is_not_there_and_into_a_list_on_one_line(
    tmp_path: Path,
) -> None:
    preset: Row = {"id": "x", "command": ["x", "y"], "env": ["A"]}
    put_row(tmp_path, "agent.presets", preset)
    assert load_settings(tmp_path).agent.presets == (Preset("x", "x", ("x", "y"), ("A",), "x"),)
    write(
        tmp_path, "[agent]\nproviders = [{id = 'a', wire = 'openai_chat', base_url = 'https://a'}]"
    )
    put_row(tmp_path, "agent.providers", HERE)
    assert [one.id for one in load_settings(tmp_path).agent.providers] == ["a", "here"]


def test_a_list_that_is_none_is_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path, "[agent]\nproviders = 'none'\n")
    with pytest.raises(InvalidValueError):
        put_row(tmp_path, "agent.providers", HERE)
    with pytest.raises(InvalidValueError):
        remove_row(tmp_path, "agent.providers", "here")
    assert path.read_text(encoding="utf-8") == "[agent]\nproviders = 'none'\n"
    with pytest.raises(OutsideFileError):
        LiveSettings(tmp_path / "missing").put_row("agent.providers", HERE)


@pytest.mark.parametrize(
    ("address", "is_safe"),
    [
        ("https://models.example/v1", True),
        ("https://models.example:8443", True),
        ("http://127.0.0.1:11434", True),
        ("http://127.8.8.8/v1", True),
        ("http://[::1]:80/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://models.example/v1", False),
        ("http://localhost.example", False),
        ("http://192.168.0.4:8080", False),
        ("http://127.0.0.1.example", False),
        ("https://me:secret@models.example", False),
        ("https://models.example?key=1", False),
        ("https://", False),
        ("https://models.example:port", False),
        ("ftp://127.0.0.1", False),
        ("", False),
        (3, False),
    ],
)
def test_a_provider_is_spoken_to_over_tls_or_on_this_machine(
    address: object,
    is_safe: bool,  # noqa: FBT001 - a table of examples
) -> None:
    assert is_safe_address(address) is is_safe


@pytest.mark.parametrize(
    ("model", "stays"),
    [
        ("ollama/small", True),
        ("ollama/large:cloud", False),
        ("here/small", True),
        ("there/small", False),
        ("anthropic/small", False),
    ],
)
def test_a_model_of_this_machine_is_known(model: str, *, stays: bool) -> None:
    there = Provider("there", "openai_chat", "https://models.example/v1")
    assert stays_here((Provider(**HERE), there), model) is stays


def test_each_of_the_team_has_a_class_of_its_own() -> None:
    assert {one: route_of(AgentSettings(), one).wanted for one in PROCESSES[:5]} == {
        "orchestrator": "frontier", "researcher": "frontier", "worker": "fast",
        "composer": "frontier", "gate": "cheap",
    }  # fmt: skip
    assert route_of(AgentSettings(), "merge").wanted == "cheap"  # of consolidation


def test_work_goes_to_the_class_that_is_wanted_or_the_next_better_one() -> None:
    settings = AgentSettings(
        classes=Classes(frontier="there/large", fast="here/middle"), routing=Routing(title="off")
    )
    assert route_of(settings, "orchestrator") == Route(
        "orchestrator", "frontier", "frontier", "there/large"
    )
    assert route_of(settings, "gate") == Route("gate", "cheap", "fast", "here/middle")
    assert route_of(settings, "title") == Route("title", "off")
    # A worse one than is wanted never takes its place.
    only_cheap = AgentSettings(classes=Classes(cheap="here/small"))
    assert route_of(only_cheap, "orchestrator") == Route("orchestrator", "frontier")
    assert PROCESSES[0] == "orchestrator"
