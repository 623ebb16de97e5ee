"""``inklings agent``: which agents are here, agreed to, and work."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from inklings_desktop.settings import load_settings
from tests.cli.test_chat_with_others import name_it
from tests.support.plain_agent import WANTED, installed

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.console import Console


def without_others(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """No program of another maker is looked for anywhere but here."""
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")


def test_a_machine_with_none_says_so_plainly(
    world: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_others(monkeypatch, tmp_path)
    told = world.document("agent", "presets")["presets"]
    assert [one["id"] for one in told][:3] == ["world-agent", "claude-code", "codex"]
    assert {one["state"] for one in told[1:]} == {"not_found"}
    said = world("agent", "doctor")
    assert said.status == 0, said.err
    assert "World Agent: answered in " in said.out
    assert "Not let in yet: inklings mcp grant world-agent --as world-agent" in said.out
    assert "No other agent was found on this machine. Looked for: Claude Code (" in said.out


def test_one_that_is_found_is_tried_once_it_was_agreed_to(
    world: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = installed(tmp_path / "bin", "forgetful", "codex-acp")
    without_others(monkeypatch, program.parent)
    assert (
        f"Codex: found, {program}\n  To try it: inklings agent allow codex"
        in world("agent", "doctor").out
    )
    said = world("agent", "allow", "codex")
    assert said.out == f"Codex is started as: {program}\n"
    assert [one.command for one in load_settings(world.data_dir).agent.presets] == [(str(program),)]
    world.document("mcp", "grant", "codex", "--as", "external")
    [_, codex] = world.document("agent", "doctor")["agents"]
    assert (codex["answers"], codex["version"], codex["let_in"]) == (True, "1.2", True)


def test_it_says_what_stands_in_the_way(
    world: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_others(monkeypatch, tmp_path)
    name_it(world, str(installed(tmp_path / "bin", "signed-out")))
    said = world("agent", "doctor")
    assert said.status == 1
    assert "Plain: sign in there first, version 1.2" in said.out
    assert f"  {WANTED}\n  Log in: Run `plain login` in a terminal: plain login" in said.out
    program = tmp_path / "bin" / "plain"
    program.write_text("#!/bin/sh\necho no licence >&2\nexit 3\n")
    assert "Plain: ended with code 3\n  no licence\n" in world("agent", "doctor").out
    program.chmod(0o777)
    assert f"Plain: others may change it, {program}" in world("agent", "doctor").out
    said = world("agent", "allow", "plain")
    assert (said.status, "other users may change its program" in said.err) == (1, True)
