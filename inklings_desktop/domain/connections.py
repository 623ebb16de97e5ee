"""What a client needs in its configuration to reach this program.

Source: the documentation of each client. Most have one JSON object ``mcpServers``, a command with
its arguments by absolute path; Codex has a table of TOML. Those with hooks have one JSON object
``hooks``, a line for the shell per event.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.client_sessions import SESSION_START

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClientProgram(StrEnum):
    """Programs whose configuration is known."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    GEMINI_CLI = "gemini-cli"
    CODEX = "codex"
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
        return self._told("mcp", "serve")

    def hook_line(self, name: str) -> str:
        """What a shell runs for a hook of ours."""
        return shlex.join([self.command, *self._told("hook", name)])

    def _told(self, *words: str) -> tuple[str, ...]:
        root = ("--data-dir", self.data_dir) if self.data_dir else ()
        return (*self.before, *root, "--workspace", self.workspace, *words, "--client", self.client)


PLACES: dict[ClientProgram, Sequence[str]] = {
    ClientProgram.CLAUDE_DESKTOP: (
        "macOS: ~/Library/Application Support/Claude/claude_desktop_config.json",
        "Windows: %APPDATA%\\Claude\\claude_desktop_config.json",
        "Linux: ~/.config/Claude/claude_desktop_config.json",
    ),
    ClientProgram.CLAUDE_CODE: (".mcp.json in the project, or ~/.claude.json for all of them",),
    ClientProgram.CURSOR: ("~/.cursor/mcp.json, or .cursor/mcp.json in a project",),
    ClientProgram.GEMINI_CLI: ("~/.gemini/settings.json, or .gemini/settings.json in a project",),
    ClientProgram.CODEX: ("~/.codex/config.toml, or .codex/config.toml in a project",),
    ClientProgram.GENERIC: ("Wherever the client keeps its servers",),
}
"""Files that hold the configuration, by program."""


@dataclass(frozen=True, slots=True)
class _Hooks:
    """How a program is told of hooks.

    Attributes:
        places: Files that hold them.
        end: Events after which there may be a summary of it.
        sources: Beginnings that need an orientation, as a pattern; empty for every one.
        timeout: How long the program waits, in a unit of its own.
    """

    places: Sequence[str]
    end: Sequence[str]
    sources: str
    timeout: int


# A session that is resumed has its orientation already.
_NOT_RESUMED = "startup|clear|compact"
_HOOKS = {
    ClientProgram.CLAUDE_CODE: _Hooks(
        ("~/.claude/settings.json, or .claude/settings.json in a project",),
        ("SessionEnd",),
        _NOT_RESUMED,
        60,
    ),
    # Its matcher is one exact word.
    ClientProgram.GEMINI_CLI: _Hooks(PLACES[ClientProgram.GEMINI_CLI], ("SessionEnd",), "", 60_000),
    # The oldest of it that has hooks has no end of a session.
    ClientProgram.CODEX: _Hooks(
        ("~/.codex/hooks.json, or .codex/hooks.json in a project",),
        ("PostCompact", "SessionEnd"),
        _NOT_RESUMED,
        60,
    ),
}


def hooks_text(program: ClientProgram, server: ServerCommand) -> tuple[str, Sequence[str]]:
    """The JSON that lets a program call our hooks, and where it goes; empty for one without."""
    if program not in _HOOKS:
        return "", ()
    wanted = _HOOKS[program]

    def group(name: str) -> dict[str, Any]:
        line = {"type": "command", "command": server.hook_line(name), "timeout": wanted.timeout}
        return {"hooks": [line]}

    start = {"matcher": wanted.sources} if wanted.sources else {}
    events = {SESSION_START: [start | group("session-start")]}
    events |= {event: [group("session-end")] for event in wanted.end}
    return json.dumps({"hooks": events}, ensure_ascii=False, indent=2), wanted.places


def configuration_text(program: ClientProgram, server: ServerCommand) -> str:
    """The text to merge into the client's file, each option beside its value."""
    if program is ClientProgram.CODEX:
        return _toml(server)
    mark = "@arguments"
    text = json.dumps(_configuration(program, server, [mark]), ensure_ascii=False, indent=2)
    indent = " " * (len(text[: text.index(f'"{mark}"')].rpartition("\n")[2]))
    return text.replace(f'"{mark}"', f",\n{indent}".join(_argument_lines(server)))


def _toml(server: ServerCommand) -> str:
    """A table of TOML, whose basic strings are those of JSON."""
    arguments = "\n".join(f"  {line}," for line in _argument_lines(server))
    command = json.dumps(server.command, ensure_ascii=False)
    return f"[mcp_servers.inklings]\ncommand = {command}\nargs = [\n{arguments}\n]"


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
    if program in {ClientProgram.CURSOR, ClientProgram.CLAUDE_CODE}:
        entry = {"type": "stdio", **entry}
    return {"mcpServers": {"inklings": entry}}
