"""What a client needs in its configuration to reach this program.

Source: the documentation of each client. Most have one JSON object of servers, a command with its
arguments by absolute path; Codex has a table of TOML; a library for agents takes the same in a line
of Python. Those with hooks have one JSON object ``hooks``, a line for the shell per event.
"""

from __future__ import annotations

import json
import shlex
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.client_sessions import SESSION_START
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClientProgram(StrEnum):
    """Programs whose configuration is known."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    VS_CODE = "vscode"
    CODEX = "codex"
    GEMINI_CLI = "gemini-cli"
    ZED = "zed"
    LANGCHAIN = "langchain"
    OPENAI_AGENTS = "openai-agents"
    PYDANTIC_AI = "pydantic-ai"
    GENERIC = "generic"


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How the server is started.

    Attributes:
        command: Absolute path of the executable.
        before: Arguments before ours, for example ``-m inklings_desktop.cli``.
        data_dir: Absolute path of the data root; empty for the usual one.
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


_PYTHON_FILE = ("The Python file that makes your agent",)
PLACES: dict[ClientProgram, Sequence[str]] = {
    ClientProgram.CLAUDE_DESKTOP: (
        "macOS: ~/Library/Application Support/Claude/claude_desktop_config.json",
        "Windows: %APPDATA%\\Claude\\claude_desktop_config.json",
        "Linux: ~/.config/Claude/claude_desktop_config.json",
    ),
    ClientProgram.CLAUDE_CODE: (".mcp.json in the project, or ~/.claude.json for all of them",),
    ClientProgram.CURSOR: ("~/.cursor/mcp.json, or .cursor/mcp.json in a project",),
    ClientProgram.VS_CODE: (
        ".vscode/mcp.json in a project",
        "For all: the file that its command \u201cMCP: Open User Configuration\u201d opens",
    ),
    ClientProgram.CODEX: ("~/.codex/config.toml, or .codex/config.toml in a project",),
    ClientProgram.GEMINI_CLI: ("~/.gemini/settings.json, or .gemini/settings.json in a project",),
    ClientProgram.ZED: (
        "macOS and Linux: ~/.config/zed/settings.json",
        "Windows: %APPDATA%\\Zed\\settings.json",
    ),
    ClientProgram.LANGCHAIN: _PYTHON_FILE,
    ClientProgram.OPENAI_AGENTS: _PYTHON_FILE,
    ClientProgram.PYDANTIC_AI: _PYTHON_FILE,
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


# What holds the servers in the client's own file; most say mcpServers.
_HOLDERS = {
    ClientProgram.VS_CODE: "servers",
    ClientProgram.ZED: "context_servers",
    ClientProgram.CODEX: "mcp_servers",
}
SERVER_NAME = "inklings"
"""What the server is called in every client's file; that of another workspace adds a number."""
WITH_OWN_FILE = (
    ClientProgram.CLAUDE_DESKTOP,
    ClientProgram.CLAUDE_CODE,
    ClientProgram.CURSOR,
    ClientProgram.VS_CODE,
    ClientProgram.CODEX,
    ClientProgram.GEMINI_CLI,
    ClientProgram.ZED,
)
"""Programs whose own file is known, so that this one can add itself to it."""
_SAYING_STDIO = {ClientProgram.CLAUDE_CODE, ClientProgram.CURSOR, ClientProgram.VS_CODE}
# A first start may take longer than the five seconds that two of the libraries wait.
_TEXTS = {
    ClientProgram.CODEX: """\
[mcp_servers.inklings]
command = @command
args = [
  @arguments,
]""",
    ClientProgram.LANGCHAIN: """\
from langchain_mcp_adapters.client import MultiServerMCPClient

inklings = MultiServerMCPClient(
    {
        "inklings": {
            "transport": "stdio",
            "command": @command,
            "args": [
                @arguments,
            ],
        }
    }
)
# For the agent: tools=await inklings.get_tools()""",
    ClientProgram.OPENAI_AGENTS: """\
from agents.mcp import MCPServerStdio

inklings = MCPServerStdio(
    name="inklings",
    params={
        "command": @command,
        "args": [
            @arguments,
        ],
    },
    client_session_timeout_seconds=60,
)
# For the agent, inside "async with inklings:": mcp_servers=[inklings]""",
    ClientProgram.PYDANTIC_AI: """\
from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset

inklings = MCPToolset(
    StdioTransport(
        command=@command,
        args=[
            @arguments,
        ],
    ),
    init_timeout=60,
)
# For the agent: toolsets=[inklings]""",
}


def configuration_text(program: ClientProgram, server: ServerCommand) -> str:
    """The text to merge into the client's file, each option beside its value.

    A string of JSON is one of TOML and of Python as well.
    """
    text = _TEXTS.get(program) or _json(program)
    margin = text[: text.index("@arguments")].rpartition("\n")[2]
    before, _, rest = text.partition("@command")
    between, _, after = rest.partition("@arguments")
    arguments = f",\n{margin}".join(_argument_lines(server))
    return f"{before}{_quoted(server.command)}{between}{arguments}{after}"


def holder_of(program: ClientProgram) -> str:
    """Key of the object that holds the servers in the client's file."""
    return _HOLDERS.get(program, "mcpServers")


def entry_of(program: ClientProgram, command: str, arguments: Sequence[str]) -> dict[str, Any]:
    """What stands below ``SERVER_NAME`` in the client's file."""
    entry: dict[str, Any] = {"command": command, "args": list(arguments)}
    return {"type": "stdio", **entry} if program in _SAYING_STDIO else entry


def _json(program: ClientProgram) -> str:
    entry = entry_of(program, "@command", ["@arguments"])
    text = json.dumps({holder_of(program): {SERVER_NAME: entry}}, indent=2)
    return text.replace('"@command"', "@command").replace('"@arguments"', "@arguments")


def _quoted(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


def _argument_lines(server: ServerCommand) -> list[str]:
    words = [_quoted(one) for one in server.arguments]
    lines: list[str] = []
    while words:
        # An option and its value, or a command and what it is told to do.
        n_words = 2 if len(words) > 1 else 1
        lines.append(", ".join(words[:n_words]))
        del words[:n_words]
    return lines
