"""``inklings chat`` with an agent of another maker, which reaches our memory by its own name."""

from __future__ import annotations

import asyncio
import json
import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.cli.agents import chosen_agent
from inklings_desktop.settings import load_settings
from tests.support.plain_agent import WANTED, installed
from tests.support.processes import processes_on
from tests.support.stopwatch import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console, Said


def name_it(world: Console, *command: str, env: str = "") -> None:
    """Name the scripted agent in the settings file."""
    text = f'[[agent.presets]]\nid = "plain"\ntitle = "Plain"\ncommand = {json.dumps(command)}\n'
    (world.data_dir / "settings.toml").write_text(text + env)


def let_it_in(world: Console) -> None:
    """Let it read this workspace, and write its own tier."""
    world.document("mcp", "grant", "plain", "--as", "external")
    world.document("mcp", "grant", "plain", "--tier", "workspace", "--allow", "write")


@pytest.fixture
def others(world: Console, tmp_path: Path) -> Console:
    """A console that knows the agent and let it in; it never asks for memory."""
    name_it(world, str(installed(tmp_path / "bin", "forgetful")))
    let_it_in(world)
    return world


def chat(world: Console, text: str, *more: str, **typed: Any) -> Said:
    """Say one thing to the agent."""
    return world("chat", "--agent", "plain", "--message", text, *more, **typed)


def test_it_is_not_started_before_it_was_let_in(world: Console, tmp_path: Path) -> None:
    name_it(world, str(installed(tmp_path / "bin")))
    said = chat(world, "say Hello")
    assert said.status == 1
    assert "You have not let Plain in yet." in said.err
    assert "mcp grant plain --as external" in said.err


def test_its_memory_has_its_own_name(
    world: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_it(world, str(installed(tmp_path / "bin")))
    let_it_in(world)
    monkeypatch.setattr(chosen_agent, "MEMORY_TIME", timedelta(0))
    said = chat(world, "remember The bell of Wend is never rung at noon.", "--json")
    assert (said.status, said.err) == (0, "")
    told = said.document
    assert "stored" in told["turn"]["text"]
    [bell] = world.document("memory", "list", "--tier", "workspace")["memories"]
    assert bell["content"] == "The bell of Wend is never rung at noon."
    assert bell["written_by"] == "plain"


def test_no_files_and_an_empty_folder_of_its_own(others: Console) -> None:
    folder, variable = chat(others, "where ANTHROPIC_API_KEY").out.split(maxsplit=1)
    assert "inklings-agent-" in folder
    assert not os.path.exists(folder)  # noqa: PTH110 - it left nothing in it
    assert variable == "not told\n"


def test_what_it_started_ends_with_it(others: Console, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert chat(others, f"spawn {mark}").out == "spawned\n"
    asyncio.run(until(lambda: not processes_on(mark)))


def test_a_variable_that_its_preset_names_is_handed_on(
    world: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = str(installed(tmp_path / "bin", "forgetful"))
    name_it(world, program, env='env = ["PLAIN_KEY"]\n')
    let_it_in(world)
    monkeypatch.setenv("PLAIN_KEY", "of its own")
    monkeypatch.setenv("OPENAI_API_KEY", "of another")
    assert chat(world, "where PLAIN_KEY").out.endswith(" of its own\n")
    assert chat(world, "where OPENAI_API_KEY").out.endswith(" not told\n")


def test_its_questions_are_asked_in_our_words_and_denied_by_default(others: Console) -> None:
    said = chat(others, "ask me")
    assert "You chose no." in said.out
    assert "Refused, as nobody can be asked: The agent wants to remove something." in said.err
    typed = others("chat", "--agent", "plain", stdin=b"ask me\ny\n", typed=True)
    assert "You chose yes." in typed.out
    assert "y  allow once" in typed.err


def test_its_end_is_said_and_the_next_line_starts_it_again(others: Console) -> None:
    said = others("chat", "--agent", "plain", stdin=b"die 3\nsay Hello\n")
    assert "Plain ended unexpectedly. Code 3 after " in said.out
    assert "What it wrote stays." in said.out
    assert said.out.endswith("Hello\n")


def test_that_it_never_came_by_the_memory_is_said_once(
    others: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chosen_agent.UNUSED not in chat(others, "say Hello").err
    monkeypatch.setattr(chosen_agent, "MEMORY_TIME", timedelta(0))
    said = others("chat", "--agent", "plain", stdin=b"say One\nsay Two\n")
    assert said.err.count(chosen_agent.UNUSED) == 1


def test_it_says_how_to_sign_in_there(world: Console, tmp_path: Path) -> None:
    name_it(world, str(installed(tmp_path / "bin", "signed-out")))
    let_it_in(world)
    said = chat(world, "say Hello")
    assert said.status == 1
    assert f"Plain wants you to sign in there first. It says: {WANTED}" in said.err
    assert "Log in: Run `plain login` in a terminal: plain login" in said.err


def test_a_bare_name_is_shown_and_agreed_to_before_it_is_started(
    world: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installed(tmp_path / "bin", "forgetful")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    name_it(world, "plain", "--quiet")
    let_it_in(world)
    said = chat(world, "say Hello")
    assert said.status == 1
    assert f"Plain would be started as: {program} --quiet" in said.err
    assert "inklings agent allow plain" in said.err
    typed = others_typed(world, b"n\n")
    assert typed.status == 1
    assert others_typed(world, b"y\nsay Hello\n").out.endswith("Hello\n")
    [kept] = load_settings(world.data_dir).agent.presets
    assert kept.command == (str(program), "--quiet")


def others_typed(world: Console, lines: bytes) -> Said:
    """What it says to somebody at a terminal."""
    return world("chat", "--agent", "plain", stdin=lines, typed=True)


def test_an_agent_that_is_not_there_is_named(world: Console, tmp_path: Path) -> None:
    name_it(world, str(tmp_path / "gone"))
    assert "Plain was not found on this machine." in chat(world, "say Hello").err
    said = world("chat", "--agent", "nobody", "--message", "say Hello")
    assert (said.status, "There are: world-agent, claude-code" in said.err) == (1, True)
