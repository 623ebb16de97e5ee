from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inklings_desktop.agent_client import launching
from inklings_desktop.agent_client.launching import (
    Starts,
    clean_environment,
    own_environment,
    world_agent_command,
)
from tests.agent_client.talking import Clock


def test_the_world_agent_is_started_as_a_list() -> None:
    command = world_agent_command(Path("/data/a; rm -rf $(x)"), "w 1")
    assert command is not None
    assert Path(command[0]).is_absolute()
    assert command[-4:] == ["--data-dir", "/data/a; rm -rf $(x)", "--workspace", "w 1"]


def test_it_is_not_there_without_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "_NEEDED", ("acp", "no_such_library"))
    assert world_agent_command(None, None) is None


def test_nobody_elses_program_is_started_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / launching.PROGRAM
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = world_agent_command(None, None)
    assert command is not None
    assert command[0] != str(other)


def test_keys_of_others_are_not_handed_on() -> None:
    base = {
        "PATH": "/bin", "HOME": "/h", "LANG": "de", "LC_TIME": "de", "TZ": "UTC", "TMPDIR": "/t",
        "https_proxy": "http://p", "SSL_CERT_FILE": "/c", "INKLINGS_DATA_DIR": "/d",
        "ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "b", "GITHUB_TOKEN": "c", "AWS_PROFILE": "d",
        "LANGSMITH_API_KEY": "e", "LANGSMITH_TRACING": "true", "SSH_AUTH_SOCK": "/s",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
    }  # fmt: skip
    clean = clean_environment(base)
    assert clean.keys() == {
        "PATH", "HOME", "LANG", "LC_TIME", "TZ", "TMPDIR", "https_proxy", "SSL_CERT_FILE",
        "INKLINGS_DATA_DIR", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2",
        "LANGGRAPH_STRICT_MSGPACK",
    }  # fmt: skip
    assert clean["LANGSMITH_TRACING"] == "false"
    ours = own_environment(base)
    assert ours.keys() - clean.keys() == {
        "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DBUS_SESSION_BUS_ADDRESS",
    }  # fmt: skip


def test_it_is_started_three_times_in_a_minute_at_most() -> None:
    clock = Clock()
    starts = Starts(clock)
    assert [starts.take() for _ in range(4)] == [True, True, True, False]
    clock.now = 61.0
    assert starts.take()
    starts.forget()
    assert [starts.take() for _ in range(4)] == [True, True, True, False]


def test_finding_out_whether_it_is_installed_imports_none_of_it() -> None:
    program = (
        "import sys; from inklings_desktop.agent_client import launching;"
        "assert launching.is_installed() in {True, False};"
        "print(*sorted({'acp', 'langgraph', 'mcp', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == []
