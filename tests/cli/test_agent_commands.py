"""``inklings mcp``: what a client needs, and what it may do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.architecture.contract_report import REPOSITORY
from tests.cli.console import Console
from tests.support.wide import mostly_wide

WORLD = "Saltglass"


@pytest.mark.parametrize("program", list(ClientProgram))
def test_the_configuration_is_the_text_that_the_window_shows(
    console: Console, program: ClientProgram
) -> None:
    created = console.document("workspace", "create", WORLD)
    said = console("--workspace", WORLD, "mcp", "config", "Loom", "--for", program.value)
    assert said.status == 0, said.err
    with open_inklings(console.data_dir, embedder=NullEmbedder("none")) as inklings:
        shown = inklings.clients.describe_connection("Loom", created["workspace"]["id"], program)
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


@pytest.mark.parametrize(
    "program", mostly_wide(HOOKS, every_day=lambda one: one == next(iter(HOOKS)))
)
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


def test_the_configuration_of_a_flatpak_starts_it_from_outside(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLATPAK_ID", "org.example.inklings")
    console.document("workspace", "create", WORLD)
    found = console.document("mcp", "config", "Loom")
    server = found["configuration"]["mcpServers"]["inklings"]
    assert server["command"] == "flatpak"
    assert server["args"][:3] == ["run", "--command=inklings", "org.example.inklings"]
    assert server["args"][-4:] == ["mcp", "serve", "--client", "Loom"]


def test_rights_are_given_and_taken(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    console.document("--workspace", WORLD, "mcp", "grant", "Loom", "--as", "world-agent")
    said = console(
        "--workspace", WORLD, "mcp", "revoke", "Loom", "--tier", "workspace", "--allow", "write"
    )
    assert "workspace propose, read, world:read in Saltglass" in said.out
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


def test_pages_are_granted_in_the_workspace_and_nowhere_else(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    granting = ("--workspace", WORLD, "mcp", "grant", "Loom", "--allow", "world:propose")
    assert "workspace world:propose in Saltglass" in console(*granting, "--tier", "workspace").out
    said = console(*granting, "--tier", "channel")
    assert (said.status != 0, "Pages belong to a workspace" in said.err) == (True, True)


def test_a_right_without_a_tier_is_wrong_usage(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    said = console("--workspace", WORLD, "mcp", "grant", "Loom", "--allow", "read")
    assert said.status == 2
    assert "--tier" in said.err


@pytest.fixture
def cursor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a client in a home of this test's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    path = tmp_path / "home" / ".cursor" / "mcp.json"
    path.parent.mkdir(parents=True)
    return path


def test_a_program_is_added_to_a_clients_own_file_only_when_told_to(
    console: Console, cursor: Path
) -> None:
    console.document("workspace", "create", WORLD)
    before = '{\n  // mine\n  "mcpServers": {"theirs": {"command": "x"}}\n}\n'
    cursor.write_text(before, encoding="utf-8")
    words = ("mcp", "add", "Loom", "--for", "cursor")
    for more in ((), ("--dry-run",), ("--dry-run", "--yes")):
        said = console(*words, *more)
        assert (said.status, cursor.read_text(encoding="utf-8")) == (0, before)
        assert " + " in said.out
        assert '"inklings": {' in said.out
        assert "Nothing was written." in said.out
    written = console.document(*words, "--yes")
    assert (written["written"], written["path"]) == (True, str(cursor))
    assert Path(written["backup"]).read_text(encoding="utf-8") == before
    after = cursor.read_text(encoding="utf-8")
    assert after.startswith(before.partition('"x"}')[0])
    shown = console.document("mcp", "config", "Loom", "--for", "cursor")["configuration"]
    entry = json.loads(after.replace("// mine", ""))["mcpServers"]["inklings"]
    assert entry == shown["mcpServers"]["inklings"]
    again = console(*words, "--yes")
    assert "already has this" in again.out
    assert "let it in" in again.err
    assert len(list(cursor.parent.iterdir())) == 2


@pytest.mark.parametrize(("answer", "is_written"), [(b"y\n", True), (b"n\n", False)])
def test_at_a_terminal_it_is_asked_first(
    console: Console, cursor: Path, answer: bytes, *, is_written: bool
) -> None:
    console.document("workspace", "create", WORLD)
    said = console("mcp", "add", "Loom", "--for", "cursor", stdin=answer, typed=True)
    assert said.status == 0, said.err
    assert '"inklings": {' in said.err
    assert cursor.exists() is is_written
    assert ("Written to" in said.out) is is_written


def test_what_cannot_be_added_says_why_and_how_it_is_done_by_hand(
    console: Console, cursor: Path
) -> None:
    console.document("workspace", "create", WORLD)
    cursor.write_text("{", encoding="utf-8")
    said = console("mcp", "add", "Loom", "--for", "cursor", "--yes")
    assert said.status == 1
    assert "not in the format" in said.err
    assert "inklings mcp config" in said.err
    assert cursor.read_text(encoding="utf-8") == "{"
    said = console("mcp", "add", "Loom", "--for", "zed", "--yes")
    assert (said.status, "start that program once" in said.err) == (1, True)
    said = console("mcp", "add", "Loom", "--for", "langchain")
    assert (said.status, "not known where" in said.err) == (1, True)


@pytest.mark.end2end
def test_a_connection_is_tried_step_by_step(console: Console) -> None:
    console.document("workspace", "create", "Saltglass")
    tried = console.document("mcp", "check", "loom")
    assert [one["result"] for one in tried["steps"]] == ["done", "done", "done", "refused"]


@pytest.mark.parametrize(
    "words",
    [
        ("check", "loom"),
        ("config", "loom"),
        ("add", "loom", "--for", "cursor", "--yes"),
        ("grant", "loom", "--as", "external"),
        ("revoke", "loom"),
        ("clients",),
        ("serve", "--client", "loom", "--http"),
    ],
)
def test_a_mistyped_folder_is_named_and_not_made(
    console: Console, cursor: Path, words: tuple[str, ...]
) -> None:
    said = console("mcp", *words)
    assert said.status == 3
    assert said.err.startswith(f"There is no memory of Inklings in {console.data_dir}.")
    assert not console.data_dir.exists()
    assert not cursor.exists()


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
