from __future__ import annotations

import subprocess
import sys

import pytest
from typer.main import get_command

from inklings_desktop.cli.app import command_line
from inklings_desktop.cli.command_places import named_command


def commands_of(name: str | None) -> set[str]:
    return set(getattr(get_command(command_line(name)), "commands", {}))


def test_every_command_is_found_under_its_own_name() -> None:
    every = commands_of(None)
    assert len(every) >= 20
    for name in every:
        found = commands_of(name)
        assert name in found
        assert found < every


def test_a_name_that_is_none_finds_every_command() -> None:
    assert commands_of("memry") == commands_of(None)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("mcp serve --client loom", "mcp"),
        ("--data-dir mcp memory list", "memory"),
        ("--data-dir=x --workspace mcp --json note list", "note"),
        ("--json --version", None),
        ("--data-dir", None),
        ("", None),
    ],
)
def test_the_command_is_the_first_word_that_is_no_option(line: str, name: str | None) -> None:
    assert named_command(line.split()) == name


def test_serving_an_agent_imports_no_other_command() -> None:
    program = (
        "import sys; from inklings_desktop.cli.app import command_line; command_line('mcp');"
        "print(*[one for one in sys.modules if one.startswith('inklings_desktop.cli.')"
        " and one.endswith('_commands')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"inklings_desktop.cli.agents.agent_commands"]
