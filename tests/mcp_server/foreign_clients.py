"""Clients of the protocol that are none of ours, and what each of them hears at the agent's door.

    python -m tests.mcp_server.foreign_clients > docs/foreign_clients.md

Each is installed into an environment of its own in this user's cache, once for each version.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

import inklings_desktop
from tests.mcp_server.agent_door import LOOM, agent_door
from tests.mcp_server.foreign_talk import BY_WORDS, SEARCH
from tests.mcp_server.served_process import serve_command, served
from tests.support.processes import REPOSITORY
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = REPOSITORY / "docs" / "foreign_clients.md"
TALK = REPOSITORY / "tests" / "mcp_server" / "foreign_talk.py"
INSTALL_SECONDS = 600
TALK_SECONDS = 300
_ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b")
_HEAD = (
    "# Foreign clients at the agent's door\n\n"
    "Written by `python -m tests.mcp_server.foreign_clients`, and held against what the clients\n"
    "hear today by the endurance tests: each starts `inklings mcp serve` over stdio, as its own\n"
    f"documentation says, on a fresh data root. `{LOOM}` is the author's own agent, `stranger`\n"
    "may read. Ids and the version of Inklings are left out.\n"
)


@dataclass(frozen=True)
class ForeignClient:
    """One client in one version.

    Attributes:
        kind: How ``foreign_talk`` calls it.
        requirement: What pip installs for it, parted by blanks.
    """

    kind: str
    requirement: str

    @property
    def python(self) -> Path:
        """The interpreter that has it, once it is installed."""
        mark = hashlib.sha256(self.requirement.encode()).hexdigest()[:12]
        folder = user_cache_path("inklings-tests") / f"{self.kind}-{mark}"
        return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def is_there(self) -> bool:
        """Whether it runs here; installs it where it was never used."""
        folder = self.python.parent.parent
        whole = folder / "whole"
        if whole.exists():
            return True
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(self.python), "-m", "pip", "install", "--quiet", *self.requirement.split()]
        try:
            subprocess.run(pip, check=True, timeout=INSTALL_SECONDS, stdout=sys.stderr)
        except subprocess.SubprocessError:
            return False
        whole.touch()
        return True

    def transcript(self, root: Path, workspace: str) -> str:
        """Its part of the page; a host has to be ready at this data root."""
        said: list[tuple[str, str]] = self._played(root, workspace)
        parts = "\n".join(f"> {asked}\n{_normal(answer)}\n" for asked, answer in said)
        return f"## {self.requirement}\n\n```text\n{parts}```\n"

    def seconds_of_searches(self, root: Path, workspace: str, times: int) -> list[float]:
        """Seconds of each search by meaning."""
        seconds: list[float] = self._played(root, workspace, "--time", str(times))
        return seconds

    def _played(self, root: Path, workspace: str, *more: str) -> Any:
        command = json.dumps(serve_command(root, workspace, LOOM, "--linger", "0"))
        done = subprocess.run(
            [str(self.python), str(TALK), self.kind, command, *more],
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=TALK_SECONDS,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


CLIENTS = (
    ForeignClient("sdk_1", "mcp==1.30.0"),
    ForeignClient("sdk_2", "mcp==2.3.0"),
    ForeignClient("fastmcp", "fastmcp==4.1.2"),
    ForeignClient("langchain", "langchain-mcp-adapters==0.3.2"),
    ForeignClient("pydantic_ai", "pydantic-ai-slim[mcp]==2.68.0"),
    ForeignClient("openai_agents", "openai-agents==0.24.0"),
)


@contextmanager
def ready_world(root: Path) -> Iterator[str]:
    """A fresh data root whose host searches by meaning; its workspace."""
    with agent_door(root) as door:
        workspace = door.workspace.id
    with served(root, workspace, LOOM, "--linger", "0") as process:
        process.begin()
        name, arguments = SEARCH
        deadline = time.monotonic() + HANG_SECONDS
        for number in range(1, sys.maxsize):
            found = process.ask(number, "tools/call", name=name, arguments=arguments)
            if BY_WORDS not in json.dumps(found):
                break
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield workspace
        process.end_input()
        process.process.wait(HANG_SECONDS)


def _normal(answer: str) -> str:
    """An answer without what differs from run to run."""
    return _ID.sub("ID", answer).replace(inklings_desktop.__version__, "VERSION")


def main() -> None:
    """Print the page."""
    sys.stdout.write(_HEAD)
    for client in CLIENTS:
        if not client.is_there():
            sys.exit(f"pip cannot install {client.requirement} here")
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "root"
            with ready_world(root) as workspace:
                sys.stdout.write("\n" + client.transcript(root, workspace))


if __name__ == "__main__":
    main()
