"""``inklings mcp``: what a client needs, and what it may do."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.connections import ClientProgram
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from tests.architecture.contract_report import REPOSITORY

if TYPE_CHECKING:
    from tests.cli.console import Console

WORLD = "Saltglass"


@pytest.mark.parametrize("program", list(ClientProgram))
def test_the_configuration_is_the_text_that_the_window_shows(
    console: Console, program: ClientProgram
) -> None:
    created = console.document("workspace", "create", WORLD)
    said = console("--workspace", WORLD, "mcp", "config", "Loom", "--for", program.value)
    assert said.status == 0, said.err
    with open_inklings(console.data_dir, embedder=NullEmbedder("none")) as inklings:
        shown = inklings.describe_connection(
            inklings.caller, "Loom", created["workspace"]["id"], program
        )
    parts = [shown.configuration, shown.hooks] if shown.hooks else [shown.configuration]
    assert said.out.rstrip("\n") == "\n\n".join(parts)
    assert all(place in said.err for place in (*shown.places, *shown.hook_places))


HOOKS = {
    "claude-code": {"SessionStart": "session-start", "SessionEnd": "session-end"},
    "gemini-cli": {"SessionStart": "session-start", "SessionEnd": "session-end"},
    "codex": {
        "SessionStart": "session-start",
        "PostCompact": "session-end",
        "SessionEnd": "session-end",
    },
}


@pytest.mark.parametrize("program", HOOKS)
def test_the_hooks_of_a_program_are_lines_that_a_shell_can_run(
    console: Console, program: str
) -> None:
    console.document("workspace", "create", WORLD)
    console.document("memory", "add", "The harbour glass hums", "--tier", "workspace")
    console.document("mcp", "grant", "The Loom's", "--as", "world-agent")
    found = console.document("mcp", "config", "The Loom's", "--for", program)
    assert set(found) == {"configuration", "places", "hooks", "hook_places"}
    for event, name in HOOKS[program].items():
        ((entry,),) = [group["hooks"] for group in found["hooks"][event]]
        assert (entry["type"], f" hook {name} " in entry["command"]) == ("command", True)
        payload = {"session_id": "s", "transcript_path": None, "hook_event_name": event}
        said = subprocess.run(
            ["/bin/sh", "-c", entry["command"]],
            cwd=REPOSITORY,
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=True,
            timeout=60,
        )
        assert said.stderr == b""
        assert ("The harbour glass hums" in said.stdout.decode()) is (name == "session-start")
    assert set(found["hooks"]) == set(HOOKS[program])


def test_codex_is_told_of_the_server_in_its_own_format(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    said = console("mcp", "config", 'The "Loom"', "--for", "codex")
    assert said.out.startswith("[mcp_servers.inklings]\ncommand = ")
    found = console.document("mcp", "config", 'The "Loom"', "--for", "codex")
    server = found["configuration"]["mcp_servers"]["inklings"]
    assert server["args"][-4:] == ["mcp", "serve", "--client", 'The "Loom"']


def test_the_configuration_starts_this_program_on_this_data(console: Console) -> None:
    created = console.document("workspace", "create", WORLD)
    found = console.document("--workspace", WORLD, "mcp", "config", 'The "Loom" of \u00c6lf')
    server = found["configuration"]["mcpServers"]["inklings"]
    assert Path(server["command"]).is_absolute()
    assert server["args"][-8:] == [
        *("--data-dir", str(console.data_dir.absolute())),
        *("--workspace", created["workspace"]["id"]),
        *("mcp", "serve", "--client", 'The "Loom" of \u00c6lf'),
    ]


def test_rights_are_given_and_taken(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    console.document("--workspace", WORLD, "mcp", "grant", "Loom", "--as", "world-agent")
    said = console(
        "--workspace", WORLD, "mcp", "revoke", "Loom", "--tier", "workspace", "--allow", "write"
    )
    assert "workspace propose, read in Saltglass" in said.out
    assert "account propose, read" in said.out
    assert console("mcp", "revoke", "Loom").out.strip() == "Loom may do nothing now."
    (client,) = console.document("mcp", "clients")["clients"]
    assert (client["name"], client["kind"], client["rights"]) == ("Loom", "external", [])


@pytest.mark.parametrize(
    ("name", "other"), [("l\u043eom", "loom"), ("Author", "author"), ("y0u", "you")]
)
def test_a_name_that_could_be_taken_for_another_is_said_when_it_is_let_in(
    console: Console, name: str, other: str
) -> None:
    console("workspace", "create", WORLD)
    console("mcp", "grant", "loom", "--as", "external")

    said = console("mcp", "grant", name, "--as", "external")

    assert said.status == 0
    assert f"This name could be taken for {other}: is it the right one?" in said.err
    assert "could be taken" not in console("mcp", "grant", "weaver", "--as", "external").err


def test_a_right_without_a_tier_is_wrong_usage(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    said = console("--workspace", WORLD, "mcp", "grant", "Loom", "--allow", "read")
    assert said.status == 2
    assert "--tier" in said.err


@pytest.mark.end2end
def test_a_connection_is_tried_and_what_fails_is_said(console: Console) -> None:
    console.document("workspace", "create", "Saltglass")
    tried = console.document("mcp", "check", "loom")
    assert [one["result"] for one in tried["steps"]] == ["done", "done", "done", "refused"]
    missing = console.data_dir.with_name("mistyped")
    said = replace(console, data_dir=missing)("mcp", "check", "loom")
    assert said.status == 3
    assert said.err.startswith(f"There is no memory of Inklings in {missing}.")
    assert not missing.exists()


def test_a_token_stays_until_it_is_renewed_or_removed(world: Console) -> None:
    first = world.document("mcp", "token", "Loom")
    assert first["header"] == f"Authorization: Bearer {first['token']}"
    said = world("mcp", "token", "Loom")
    assert said.out.strip() == first["header"]
    assert "secret" in said.err
    second = world.document("mcp", "token", "Loom", "--new")["token"]
    assert second != first["token"]
    assert world.document("mcp", "token", "Loom")["token"] == second
    assert world.document("mcp", "token", "Loom", "--remove")["removed"]
    assert not world.document("mcp", "token", "Loom", "--remove")["removed"]
    assert world.document("mcp", "token", "Loom")["token"] not in {first["token"], second}
    assert world("mcp", "token", "Loom", "--new", "--remove").status == 2
    assert world("mcp", "token", " ").status != 0
    assert world("check").status == 0
