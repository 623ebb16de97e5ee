"""The MCP Inspector's command line, a client of the protocol that is none of ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.mcp_server.served_process import serve_command
from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

PACKAGES = REPOSITORY / "packaging" / "npm-packages.txt"
FETCH_SECONDS = 300
ANSWER_SECONDS = 90


def pinned(client: str = "@modelcontextprotocol/inspector") -> tuple[tuple[str, ...], ...]:
    """The packages of each inspector, or of another client, oldest first."""
    lines = PACKAGES.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line.startswith(f"{client}@"))


@dataclass(frozen=True, slots=True)
class Said:
    """What one run of the inspector said.

    Attributes:
        status: Its exit status.
        out: Standard output, which is JSON alone if the server kept to the protocol.
        err: What it complained about.
    """

    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Its answer."""
        answer: dict[str, Any] = json.loads(self.out)
        return answer


@dataclass(frozen=True, slots=True)
class Inspector:
    """One version of the inspector.

    Attributes:
        packages: What npx needs for it.
    """

    packages: tuple[str, ...]

    @property
    def is_current(self) -> bool:
        """Whether it is the newest one, which can do more."""
        return self.packages == pinned()[-1]

    def is_there(self) -> bool:
        """Whether it runs here; fetches it where it was never used."""
        try:
            return self._run(["--help"]).status == 0
        except (OSError, subprocess.SubprocessError):
            return False

    def ask_stdio(self, root: Path, workspace: str, client: str, *question: str) -> Said:
        """Start a server on this data root and put one question to it."""
        target = ["-e", f"PYTHONPATH={REPOSITORY}", *serve_command(root, workspace, client)]
        return self._run([*target, *question])

    def ask_http(self, address: str, header: str, *question: str) -> Said:
        """Put one question to a server that listens; only the current one sends headers."""
        target = ["--server-url", address, "--transport", "http", "--header", header]
        return self._run([*target, *question])

    def _run(self, arguments: list[str]) -> Said:
        program, places = found(self.packages, "mcp-inspector")
        done = subprocess.run(
            [program, "--cli", *arguments],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=ANSWER_SECONDS,
            cwd=REPOSITORY.parent,
            env=os.environ | {"PATH": places, "NO_COLOR": "1"},
        )
        return Said(done.returncode, done.stdout, done.stderr)


@cache
def found(packages: tuple[str, ...], name: str) -> tuple[str, str]:
    """A program as npx keeps it, and where it finds its Node: npx takes long to begin.

    Raises:
        OSError: It is not there.
        SubprocessError: npx cannot fetch it.
    """
    npx = shutil.which("npx")
    assert npx is not None
    wanted = [part for package in packages for part in ("-p", package)]
    places = subprocess.run(
        [npx, "--yes", "--prefer-offline", *wanted, "-c", "node -p process.env.PATH"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
        timeout=FETCH_SECONDS,
        cwd=REPOSITORY.parent,
        env=os.environ | {"npm_config_loglevel": "error"},
    ).stdout.strip()
    program = shutil.which(name, path=places)
    if program is None:
        raise FileNotFoundError(places)
    return program, places


def call(tool: str, **arguments: Any) -> list[str]:
    """The question that calls a tool."""
    given = [
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in arguments.items()
    ]
    return ["--method", "tools/call", "--tool-name", tool, "--tool-arg", *given]
