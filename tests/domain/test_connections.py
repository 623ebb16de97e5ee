from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from inklings_desktop.domain.access.connections import (
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


# Where each client looks for a server, by its own documentation, and what else it wants there.
IN_JSON = {
    ClientProgram.CLAUDE_DESKTOP: ("mcpServers", {}),
    ClientProgram.CLAUDE_CODE: ("mcpServers", {"type": "stdio"}),
    ClientProgram.CURSOR: ("mcpServers", {"type": "stdio"}),
    ClientProgram.VS_CODE: ("servers", {"type": "stdio"}),
    ClientProgram.GEMINI_CLI: ("mcpServers", {}),
    ClientProgram.ZED: ("context_servers", {}),
    ClientProgram.GENERIC: ("mcpServers", {}),
}


def multi_server_client(connections: dict[str, Any]) -> SimpleNamespace:
    """What LangChain's adapters are given."""
    entry = connections["inklings"]
    assert entry.pop("transport") == "stdio"
    return SimpleNamespace(**entry)


def openai_server(*, name: str, params: Any, client_session_timeout_seconds: float) -> Any:
    """What OpenAI's agents are given."""
    assert (name, client_session_timeout_seconds) == ("inklings", 60)
    return SimpleNamespace(**params)


def pydantic_toolset(client: SimpleNamespace, *, init_timeout: float) -> SimpleNamespace:
    """What Pydantic's agents are given."""
    assert init_timeout == 60
    return client


IN_PYTHON: dict[ClientProgram, dict[tuple[str, str], Callable[..., Any]]] = {
    ClientProgram.LANGCHAIN: {
        ("langchain_mcp_adapters.client", "MultiServerMCPClient"): multi_server_client
    },
    ClientProgram.OPENAI_AGENTS: {("agents.mcp", "MCPServerStdio"): openai_server},
    ClientProgram.PYDANTIC_AI: {
        ("fastmcp.client.transports", "StdioTransport"): SimpleNamespace,
        ("pydantic_ai.mcp", "MCPToolset"): pydantic_toolset,
    },
}


def as_the_client_reads_it(
    program: ClientProgram, text: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, list[str]]:
    """Command and arguments that a client finds in its configuration."""
    if program in IN_JSON:
        holder, more = IN_JSON[program]
        entry = json.loads(text)[holder]["inklings"]
        assert entry == more | {"command": entry["command"], "args": entry["args"]}
    elif program is ClientProgram.CODEX:
        entry = tomllib.loads(text)["mcp_servers"]["inklings"]
    else:
        for (name, item), fake in IN_PYTHON[program].items():
            module = ModuleType(name)
            setattr(module, item, fake)
            monkeypatch.setitem(sys.modules, name.partition(".")[0], ModuleType("package"))
            monkeypatch.setitem(sys.modules, name, module)
        made: dict[str, Any] = {}
        exec(text, made)  # noqa: S102 - the text is our own
        entry = vars(made["inklings"])
    return entry["command"], entry["args"]


@pytest.mark.parametrize("program", ClientProgram)
def test_every_client_starts_our_command_from_its_configuration(
    program: ClientProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells = "import json, sys; print(json.dumps(sys.argv[1:]))"
    odd = 'C:\\Inklings "two"\n@arguments {name} $HOME \u2028 \u00fc'
    server = ServerCommand(sys.executable, ("-c", tells), odd, "w", "The Loom's @command")
    text = configuration_text(program, server)
    command, arguments = as_the_client_reads_it(program, text, monkeypatch)
    assert (command, tuple(arguments)) == (sys.executable, server.arguments)
    said = subprocess.run([command, *arguments], capture_output=True, check=True, timeout=60)
    assert json.loads(said.stdout) == [
        *("--data-dir", odd, "--workspace", "w"),
        *("mcp", "serve", "--client", "The Loom's @command"),
    ]
