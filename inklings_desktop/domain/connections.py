"""What a client needs in its configuration to reach this program.

Source: the documentation of each client: one JSON object ``mcpServers``, a command with its
arguments by absolute path.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClientProgram(StrEnum):
    """Programs whose configuration is known."""

    CLAUDE_DESKTOP = "claude-desktop"
    CURSOR = "cursor"
    GENERIC = "generic"


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How the server is started.

    Attributes:
        command: Absolute path of the executable.
        before: Arguments before ours, for example ``-m inklings_desktop.cli``.
        data_dir: Absolute path of the data root; empty for the usual one.
        workspace: Id of the workspace.
        client: Name that the client goes by.
    """

    command: str
    before: tuple[str, ...]
    data_dir: str
    workspace: str
    client: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """Everything after the executable."""
        root = ("--data-dir", self.data_dir) if self.data_dir else ()
        served = ("mcp", "serve", "--client", self.client)
        return (*self.before, *root, "--workspace", self.workspace, *served)


PLACES: dict[ClientProgram, Sequence[str]] = {
    ClientProgram.CLAUDE_DESKTOP: (
        "macOS: ~/Library/Application Support/Claude/claude_desktop_config.json",
        "Windows: %APPDATA%\\Claude\\claude_desktop_config.json",
        "Linux: ~/.config/Claude/claude_desktop_config.json",
    ),
    ClientProgram.CURSOR: ("~/.cursor/mcp.json, or .cursor/mcp.json in a project",),
    ClientProgram.GENERIC: ("Wherever the client keeps its servers",),
}
"""Files that hold the configuration, by program."""


def configuration_text(program: ClientProgram, server: ServerCommand) -> str:
    """The JSON to merge into the client's file, each option beside its value."""
    mark = "@arguments"
    text = json.dumps(_configuration(program, server, [mark]), ensure_ascii=False, indent=2)
    indent = " " * (len(text[: text.index(f'"{mark}"')].rpartition("\n")[2]))
    return text.replace(f'"{mark}"', f",\n{indent}".join(_argument_lines(server)))


def _argument_lines(server: ServerCommand) -> list[str]:
    words = [json.dumps(one, ensure_ascii=False) for one in server.arguments]
    lines: list[str] = []
    while words:
        # An option and its value, or a command and what it is told to do.
        n_words = 2 if len(words) > 1 else 1
        lines.append(", ".join(words[:n_words]))
        del words[:n_words]
    return lines


def _configuration(
    program: ClientProgram, server: ServerCommand, arguments: Sequence[str]
) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": server.command, "args": list(arguments)}
    if program is ClientProgram.CURSOR:
        entry = {"type": "stdio", **entry}
    return {"mcpServers": {"inklings": entry}}
