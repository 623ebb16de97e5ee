"""Our entry in a client's own file: what it says then, and what is left alone."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from inklings_desktop.domain.access.connections import (
    WITH_OWN_FILE,
    ClientProgram,
    ServerCommand,
    configuration_text,
    holder_of,
)
from inklings_desktop.domain.words.json_text import read_json
from inklings_desktop.usecases.access.client_entries import ShapeError, with_entry

SERVER = ServerCommand("/usr/bin/inklings", (), "/srv/inklings", "w", 'The "Loom"')
CODEX = """\
# mine
model = "o"   # the best

[mcp_servers.theirs]  # not ours
command = "x"

[profiles.a]
x = 1
"""
OURS = """
[mcp_servers.inklings] # ours
# an old place
command = "/old/inklings"
args = [
  # by hand
  "mcp", "serve",
]
startup_timeout_sec = 60 # slow disk

[mcp_servers.inklings.env]
A = "1"

[last]
y = 2
"""


def read(program: ClientProgram, text: str) -> dict[str, Any]:
    found: dict[str, Any] = (tomllib.loads if program is ClientProgram.CODEX else read_json)(text)
    return found


@pytest.mark.parametrize("program", WITH_OWN_FILE)
def test_a_new_file_says_what_is_shown_to_be_pasted(program: ClientProgram) -> None:
    after = with_entry("", program, SERVER)
    assert read(program, after) == read(program, configuration_text(program, SERVER))
    assert after.endswith("\n")
    assert with_entry(after, program, SERVER) == after


@pytest.mark.parametrize(
    "program", [one for one in WITH_OWN_FILE if one is not ClientProgram.CODEX]
)
def test_what_somebody_added_to_our_entry_stays(program: ClientProgram) -> None:
    before = with_entry("", program, SERVER).replace(
        '"args"', '"env": {"A": "1"}, /* why */ "args"'
    )
    after = with_entry(before, program, replace(SERVER, client="Weaver"))
    assert after == before.replace(r"The \"Loom\"", "Weaver")


def test_codex_keeps_its_comments_above_a_table_of_ours() -> None:
    text = configuration_text(ClientProgram.CODEX, SERVER)
    assert with_entry(CODEX, ClientProgram.CODEX, SERVER) == f"{CODEX}\n{text}\n"
    in_windows = CODEX.replace("\n", "\r\n")
    after = with_entry(in_windows, ClientProgram.CODEX, SERVER)
    assert after == f"{CODEX}\n{text}\n".replace("\n", "\r\n")


def test_codex_keeps_what_somebody_added_to_our_table() -> None:
    after = with_entry(CODEX + OURS, ClientProgram.CODEX, SERVER)
    assert after.startswith(CODEX)
    for kept in (
        "[mcp_servers.inklings] # ours\n# an old place\n",
        "startup_timeout_sec = 60 # slow disk\n",
        '[mcp_servers.inklings.env]\nA = "1"\n\n[last]\ny = 2\n',
    ):
        assert kept in after
    table = tomllib.loads(after)["mcp_servers"]["inklings"]
    assert (table["command"], tuple(table["args"])) == (SERVER.command, SERVER.arguments)
    assert with_entry(after, ClientProgram.CODEX, SERVER) == after


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (ClientProgram.CURSOR, "[]"),
        (ClientProgram.CURSOR, '{"mcpServers": []}'),
        (ClientProgram.CURSOR, '{"mcpServers": {"inklings": "x"}}'),
        (ClientProgram.ZED, '{"context_servers": null}'),
        (ClientProgram.CODEX, "mcp_servers = 1"),
        # A table of its own cannot be added to these.
        (ClientProgram.CODEX, 'mcp_servers = { theirs = { command = "x" } }'),
    ],
)
def test_what_cannot_hold_servers_is_left_alone(program: ClientProgram, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - both of its kinds are refusals
        with_entry(text, program, SERVER)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (ClientProgram.CURSOR, "{"),
        (ClientProgram.CURSOR, '{"a": 1} {"b": 2}'),
        (ClientProgram.CODEX, "a ="),
        (ClientProgram.VS_CODE, '{"a": "'),
    ],
)
def test_what_its_program_cannot_read_is_left_alone(program: ClientProgram, text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - of many readers
        with_entry(text, program, SERVER)
    assert not isinstance(caught.value, ShapeError)


def test_what_is_nested_without_end_is_left_alone() -> None:
    with pytest.raises((RecursionError, ValueError)):
        with_entry('{"a": ' + "[" * 200_000, ClientProgram.ZED, SERVER)


@pytest.mark.parametrize("program", WITH_OWN_FILE)
def test_one_client_has_an_entry_for_each_workspace_that_it_may_enter(
    program: ClientProgram,
) -> None:
    other = replace(SERVER, workspace="v")
    text = with_entry(with_entry("", program, SERVER), program, other)
    entries = read(program, text)[holder_of(program)]
    assert {name: tuple(one["args"]) for name, one in entries.items()} == {
        "inklings": SERVER.arguments,
        "inklings-2": other.arguments,
    }
    for server in (SERVER, other):
        assert with_entry(text, program, server) == text
    third = with_entry(text, program, replace(SERVER, workspace="u"))
    assert [*read(program, third)[holder_of(program)]] == ["inklings", "inklings-2", "inklings-3"]
