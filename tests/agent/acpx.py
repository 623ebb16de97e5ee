"""acpx, a client of agents that is none of ours: a program of npm, for the command line."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.mcp_server.inspector import found, pinned
from tests.support.processes import limited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.agent.conftest import World

ANSWER_SECONDS = 120
OWNER_SECONDS = "60"
"""How long it keeps an agent that nobody prompts."""
REMEMBER = "Remember that the bell of Wend is never rung at noon."
ASK = "When is the bell of Wend rung?"
FORGET = "Forget that the bell of Wend is never rung at noon."
SHOWN: tuple[tuple[str, ...], ...] = (
    ("sessions", "new"),
    (REMEMBER,),
    ("--format", "quiet", ASK),
    ("--deny-all", FORGET),
    ("--approve-all", FORGET),
    ("sessions", "close"),
)
_ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_LOOKS = "[tool] Look in "


@dataclass(frozen=True)
class Acpx:
    """One version of it.

    Attributes:
        package: What npx needs for it.
    """

    package: str

    @classmethod
    def pinned(cls) -> Acpx:
        """The version that the tests are run with."""
        ((package,),) = pinned("acpx")
        return cls(package)

    def is_there(self) -> bool:
        """Whether it runs here; fetches it where it was never used."""
        try:
            program, places = found((self.package,), "acpx")
        except (OSError, subprocess.SubprocessError):
            return False
        said = subprocess.run(
            [program, "--version"],
            env=os.environ | {"PATH": places},
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        return said.stdout.strip() == self.package.partition("@")[2]

    @contextmanager
    def at(self, world: World, home: Path) -> Iterator[AtWork]:
        """It with an agent of this world; neither is left behind."""
        work = AtWork(self, world, home)
        try:
            yield work
        finally:
            with suppress(AssertionError):  # it was closed already
                work.said("sessions", "close")
            with suppress(ProcessLookupError):
                os.kill(memory_host(world.root), signal.SIGKILL)

    def transcript(self, world: World, home: Path) -> str:
        """What a person types and reads, as it stands on the page."""
        with self.at(world, home) as work:
            return "\n".join(
                f'$ acpx --agent "inklings-agent --workspace Saltglass" {shlex.join(words)}\n'
                f"{_normal(work.said(*words))}"
                for words in SHOWN
            )


@dataclass(frozen=True)
class AtWork:
    """It in a home and a folder of its own."""

    acpx: Acpx
    world: World
    home: Path

    def said(self, *words: str) -> str:
        """What it prints."""
        with self._started(*words) as process:
            out, err = process.communicate(timeout=ANSWER_SECONDS)
        # It ends with 5 where something was denied.
        assert process.returncode == (5 if "--deny-all" in words else 0), err
        return out

    def heard(self, *words: str) -> list[dict[str, Any]]:
        """The messages between it and the agent."""
        return [json.loads(line) for line in self.said("--format", "json", *words).splitlines()]

    def stopped(self, prompt: str) -> list[dict[str, Any]]:
        """The messages of a turn that is stopped while memory does not answer."""
        host = memory_host(self.world.root)
        os.kill(host, signal.SIGSTOP)
        try:
            with self._started("--format", "json", prompt) as process, limited(process):
                assert process.stdout is not None
                messages = []
                for line in process.stdout:
                    messages.append(json.loads(line))
                    if messages[-1].get("method") == "session/prompt":
                        assert self.said("cancel") == "cancel requested\n"
                process.wait(ANSWER_SECONDS)
        finally:
            os.kill(host, signal.SIGCONT)
        return messages

    def _started(self, *words: str) -> subprocess.Popen[str]:
        program, places = found((self.acpx.package,), "acpx")
        agent = [sys.executable, "-m", "inklings_desktop.agent_program"]
        agent += ["--data-dir", str(self.world.root), "--workspace", self.world.workspace]
        place = ["--cwd", str(self.home), "--ttl", OWNER_SECONDS, "--agent", shlex.join(agent)]
        return subprocess.Popen(
            [program, *place, *words],
            env=os.environ | {"PATH": places, "HOME": str(self.home), "NO_COLOR": "1"},
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )


def memory_host(root: Path) -> int:
    """The process that holds the memory of this data root for its clients.

    Raises:
        ProcessLookupError: There is none.
    """
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = one.read_bytes().split(b"\0")
            if b"mcp-host" in words and str(root).encode() in words:
                return int(one.parent.name)
    raise ProcessLookupError(root)


def _normal(out: str) -> str:
    """What it printed, without what differs from run to run: looks at once end in any order."""
    blocks = _ID.sub("ID", out.rstrip("\n")).split("\n\n")
    looked = (one for one in blocks if one.startswith(_LOOKS))
    looks = iter(sorted(looked, key=lambda one: ("(completed)" in one, one)))
    ordered = [next(looks) if one.startswith(_LOOKS) else one for one in blocks]
    return "\n\n".join(ordered) + "\n"
