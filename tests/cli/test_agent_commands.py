"""``inklings mcp``: what a client needs, and what it may do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.connections import ClientProgram
from inklings_desktop.embeddings.null_embedder import NullEmbedder

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
    assert said.out.rstrip("\n") == shown.configuration
    assert all(place in said.err for place in shown.places)


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


def test_a_right_without_a_tier_is_wrong_usage(console: Console) -> None:
    console.document("workspace", "create", WORLD)
    said = console("--workspace", WORLD, "mcp", "grant", "Loom", "--allow", "read")
    assert said.status == 2
    assert "--tier" in said.err
