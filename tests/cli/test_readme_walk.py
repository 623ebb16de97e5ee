"""What the README tells a newcomer to type, typed into an empty data root."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from tests.architecture.contract_report import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console


@pytest.mark.end2end
def test_an_agent_is_connected_by_the_lines_of_the_readme(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"<!-- connect-commands -->\n```console\n(.+?)\n```", readme, re.DOTALL)
    said = {}
    for line in block.splitlines():
        sign, name, *words = shlex.split(line, comments=True)
        assert (sign, name) == ("$", "inklings")
        found = said[words[1]] = console(*words, stdin=b"y\n", typed=True)
        assert found.status == 0, f"{line}\n{found.err}"
    assert list(said) == ["create", "add", "grant", "check", "clients", "config"]
    server = json.loads((tmp_path / ".claude.json").read_text("utf-8"))["mcpServers"]["inklings"]
    assert server["args"] == json.loads(said["config"].out)["mcpServers"]["inklings"]["args"]
    steps = [line.split(":")[1].split()[0] for line in said["check"].out.splitlines()]
    assert steps == ["done"] * 4
    assert "my World Agent" in said["clients"].out
