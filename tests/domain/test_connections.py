from __future__ import annotations

import pytest

from inklings_desktop.domain.connections import (
    ClientProgram,
    ServerCommand,
    configuration_text,
    hooks_text,
)
from tests.architecture.contract_report import REPOSITORY

SERVER = ServerCommand(
    "/usr/bin/inklings",
    (),
    "/srv/inklings",
    "4f0d6a3e-7f0e-4f3c-9a54-1f6f0f2f9c1b",
    "loom",
)
WITH_HOOKS = (ClientProgram.CLAUDE_CODE, ClientProgram.GEMINI_CLI, ClientProgram.CODEX)


@pytest.mark.parametrize("program", WITH_HOOKS)
def test_the_page_about_hooks_shows_what_the_program_says(program: ClientProgram) -> None:
    page = (REPOSITORY / "docs" / "hooks.md").read_text(encoding="utf-8")
    hooks, places = hooks_text(program, SERVER)
    assert configuration_text(program, SERVER) in page
    assert hooks in page
    for place in places:
        assert all(f"`{word}`" in page for word in place.replace(",", "").split() if "." in word)


def test_a_program_without_hooks_is_told_of_none() -> None:
    assert {one for one in ClientProgram if hooks_text(one, SERVER) != ("", ())} == set(WITH_HOOKS)


def test_a_line_of_a_hook_keeps_what_a_shell_would_take_for_its_own() -> None:
    server = ServerCommand("/usr/my tools/inklings", (), "/data", "w", "The Loom's $HOME")
    line = server.hook_line("session-end")
    assert line == (
        "'/usr/my tools/inklings' --data-dir /data --workspace w hook session-end --client "
        "'The Loom'\"'\"'s $HOME'"
    )
