"""What the page about other programs says is true: its snippets parse and name what there is."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop import __version__
from inklings_desktop.agent_client.launching import PROGRAM
from inklings_desktop.agent_client.presets import BUILT_IN
from inklings_desktop.agent_program import _arguments
from inklings_desktop.agent_settings import preset_of
from tests.architecture.contract_report import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (REPOSITORY / "docs" / "agent-elsewhere.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def snippets(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def is_understood(command: str, arguments: list[str]) -> bool:
    """Whether the agent's own program takes these arguments."""
    return command == PROGRAM in PROJECT["scripts"] and _arguments(arguments).workspace is not None


def test_every_editors_snippet_starts_the_agent() -> None:
    told: list[dict[str, Any]] = [json.loads(one) for one in snippets("json")]
    servers = [server for one in told for server in one["agent_servers"].values()]
    assert len(servers) == 2
    assert all(is_understood(one["command"], one["args"]) for one in servers)
    [lua] = snippets("lua")
    command, arguments = re.findall(r'command = "(.*?)", args = \{(.*?)\}', lua)[0]
    assert is_understood(command, re.findall(r'"(.*?)"', arguments))
    [acpx] = [one for one in snippets("sh") if one.startswith("acpx")]
    started = shlex.split(shlex.split(acpx)[2])
    assert is_understood(started[0], started[1:])


@pytest.mark.parametrize("line", re.findall(r"`?(inklings (?:agent|chat|mcp) [^`\n]*)", PAGE))
def test_every_command_of_ours_is_one(line: str) -> None:
    words = [one for one in shlex.split(line, comments=True)[1:] if not one.startswith("-")]
    depth = 1 if words[0] == "chat" else 2
    asked = [sys.executable, "-m", "inklings_desktop.cli", *words[:depth], "--help"]
    said = subprocess.run(asked, capture_output=True, check=False, timeout=60, text=True)
    assert said.returncode == 0, said.stderr


def test_the_settings_that_it_shows_can_be_used() -> None:
    [text] = snippets("toml")
    [row] = tomllib.loads(text)["agent"]["presets"]
    assert preset_of(row).client == "mine"


def test_it_names_every_agent_that_is_known() -> None:
    assert [one.title for one in BUILT_IN if one.title not in PAGE] == []


def test_the_build_describes_the_agent_as_the_registry_wants_it(tmp_path: Path) -> None:
    script = str(REPOSITORY / "packaging" / "acp_registry.py")
    subprocess.run([sys.executable, script, str(tmp_path)], check=True, timeout=60)
    [place] = tmp_path.iterdir()
    told = json.loads((place / "agent.json").read_text(encoding="utf-8"))
    assert told["id"] == place.name
    assert re.fullmatch(r"[a-z][a-z0-9-]*", told["id"])
    assert re.match(r"\d+\.\d+\.\d+", told["version"])
    assert told["repository"].startswith("https://")
    assert {"name", "description", "authors", "license"} <= told.keys()
    assert told["distribution"] == {
        "uvx": {"package": f"inklings-desktop[full]=={__version__}", "cmd": PROGRAM}
    }
    icon = (place / "icon.svg").read_text(encoding="utf-8")
    assert 'width="16" height="16"' in icon
    assert set(re.findall(r'(?:fill|stroke)="(.*?)"', icon)) == {"currentColor", "none"}
