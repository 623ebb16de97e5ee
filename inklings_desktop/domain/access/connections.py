"""What a client needs to reach this program, and what its hooks say of a session.

Source: the documentation of each client. Most have one JSON object of servers, a command with its
arguments by absolute path; Codex has a table of TOML; a library for agents takes the same in a line
of Python. Those with hooks have one JSON object ``hooks``, a line for the shell per event.
"""

from __future__ import annotations

import json
import re
import shlex
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

SESSION_START = "SessionStart"

# What stands around a summary for the model that reads it; no part of what happened.
_FRAMES = (
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
    "Please continue the conversation from where",
    "Continue the conversation from where",
    "If you need specific details from before compaction",
)
_TAGGED = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)
_HEADED = re.compile(r"^Summary:[ \t]*$(.*)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HookCall:
    """What a program tells a hook.

    Attributes:
        session: Id of the program's session; may be empty.
        transcript: Path of the file that the program keeps of it; empty for none.
        summary: The summary that the program sent along; empty for none.
    """

    event: str
    session: str
    transcript: str
    summary: str


def hook_call(text: str) -> HookCall:
    """The call that a program wrote to the hook's standard input.

    Raises:
        InvalidValueError: It is no JSON object.
    """
    call = _object(text)
    if call is None:
        raise InvalidValueError("hook_call", "json")
    names = ("hook_event_name", "session_id", "transcript_path", "compact_summary")
    return HookCall(*(_text(call.get(name)) for name in names))


def started_answer(event: str, context: str) -> dict[str, Any]:
    """What a hook prints so that the program puts a text before its model."""
    return {
        "hookSpecificOutput": {
            "hookEventName": event or SESSION_START,
            "additionalContext": context,
        }
    }


def summary_in(transcript: Iterable[str]) -> str:
    """The latest summary of a session that its transcript holds; empty where there is none.

    Args:
        transcript: The lines of the file: one JSON object each, or all of them together one.
    """
    found, ids = "", {""}
    titles: dict[str, str] = {}
    for record in _records(transcript):
        ids.add(_text(record.get("uuid")))
        found = _summary_of(record) or found
        if record.get("type") == "summary":
            titles[_text(record.get("leafUuid"))] = _text(record.get("summary"))
    if found:
        return found
    # Claude Code puts the titles of other sessions of a project into a file, too.
    own = [title for leaf, title in titles.items() if leaf in ids]
    return own[-1] if own else ""


def told(summary: str) -> str:
    """What a summary says of the session, without what is said around it to the next model."""
    for part in (_TAGGED, _HEADED):
        if found := part.search(summary):
            summary = found[1]
    lines = summary.splitlines()
    return "\n".join(one for one in lines if not one.lstrip().startswith(_FRAMES)).strip()


def _summary_of(record: dict[str, Any]) -> str:
    """The summary that one entry of a transcript is or sets."""
    if record.get("isCompactSummary") is True and not record.get("isSidechain"):  # Claude Code
        message = record.get("message")
        return _spoken(message.get("content")) if isinstance(message, dict) else ""
    payload = record.get("payload")
    if record.get("type") == "compacted" and isinstance(payload, dict):  # Codex
        return _text(payload.get("message"))
    metadata = record.get("$set", record if "projectHash" in record else None)  # Gemini CLI
    return _text(metadata.get("summary")) if isinstance(metadata, dict) else ""


def _spoken(content: object) -> str:
    """The text of a message, which stands alone or in blocks."""
    if not isinstance(content, list):
        return _text(content)
    return "\n".join(_text(one.get("text")) for one in content if isinstance(one, dict))


def _records(transcript: Iterable[str]) -> Iterator[dict[str, Any]]:
    lines = iter(transcript)
    for line in lines:
        if not line.strip():
            continue
        record = _object(line)
        if record is None:  # one object over many lines
            record = _object(line + "".join(lines))
        if record is not None:
            yield record
        break
    # A line that is cut short is what a program that was killed leaves.
    yield from (record for record in map(_object, lines) if record is not None)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


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
class ClientFileChange:
    """What adding this program to another one's file would change.

    Attributes:
        path: The file.
        before: What it holds; None if it is not there.
        after: What it would hold.
    """

    path: Path
    before: str | None
    after: str

    @property
    def is_needed(self) -> bool:
        """Whether anything would change."""
        return self.before != self.after


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
