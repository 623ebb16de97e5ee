"""What the README tells a newcomer to type, typed into an empty data root."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.agent.acpx import memory_host
from tests.architecture.contract_report import REPOSITORY
from tests.cli.console import Console


def commands_of(block: str) -> Iterator[tuple[str, list[str]]]:
    """Each line of a block of the README, and what the program hears of it."""
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    fence = rf"<!-- {block}-commands -->\n```console\n(.+?)\n```"
    [lines] = re.findall(fence, readme, re.DOTALL)
    for line in lines.splitlines():
        sign, name, *words = shlex.split(line, comments=True)
        assert (sign, name) == ("$", "inklings")
        yield line, words


@pytest.mark.end2end
def test_an_agent_is_connected_by_the_lines_of_the_readme(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    said = {}
    for line, words in commands_of("connect"):
        found = said[words[1]] = console(*words, stdin=b"y\n", typed=True)
        assert found.status == 0, f"{line}\n{found.err}"
    assert list(said) == ["create", "add", "grant", "check", "clients", "config"]
    server = json.loads((tmp_path / ".claude.json").read_text("utf-8"))["mcpServers"]["inklings"]
    assert server["args"] == json.loads(said["config"].out)["mcpServers"]["inklings"]["args"]
    steps = [line.split(":")[1].split()[0] for line in said["check"].out.splitlines()]
    assert steps == ["done"] * 4
    assert "my World Agent" in said["clients"].out


@pytest.mark.slow
@pytest.mark.end2end
def test_the_world_agent_answers_to_the_lines_of_the_readme(console: Console) -> None:
    console.data_dir.mkdir(parents=True, exist_ok=True)
    settings = console.data_dir / "settings.toml"
    settings.write_text('[embedding]\nmodel = "none"\n', encoding="utf-8")
    said = []
    try:
        for line, words in commands_of("talk"):
            said.append(console(*words, stdin=b"What do you know?\n", typed=True))
            assert said[-1].status == 0, f"{line}\n{said[-1].err}"
    finally:
        with suppress(ProcessLookupError):
            os.kill(memory_host(console.data_dir), signal.SIGKILL)
    told, answered, listed = (one.out for one in said[-3:])
    bell = "\N{LEFT DOUBLE QUOTATION MARK}The bell of Wend is never rung at noon."
    assert all(bell in one for one in (told, answered, listed))
