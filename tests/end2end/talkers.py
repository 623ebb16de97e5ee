"""The two ways a person talks with the World Agent: in the window, and on the command line."""

from __future__ import annotations

import io
import json
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject

from inklings_desktop.agent_client.rows import TextBlock
from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.app import run
from inklings_desktop.cli.program import Program
from inklings_desktop.ui.conversation.talking import Talking
from tests.support import warm_agent
from tests.support.processes import kill_processes_on, line_of, started
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.usecases.bundle import Inklings

WORLD_AGENT = "world-agent"
ANSWER_SECONDS = 90


@dataclass(frozen=True, slots=True)
class Heard:
    """What was answered.

    Attributes:
        conversation: Where.
        answers: The words of each answer.
        wrote: For each answer the memories that it wrote, as its row says.
    """

    conversation: str
    answers: tuple[str, ...]
    wrote: tuple[tuple[str, ...], ...]


class Talker(Protocol):
    """Talks with the World Agent."""

    def talk(self, workspace: str, *lines: str, conversation: str = "") -> Heard:
        """Say these one after the other; in a new conversation unless one is named."""

    def end(self, workspace: str, conversation: str) -> None:
        """End a conversation."""

    def kill(self) -> None:
        """Kill the agent's processes and those of the memory server, as nothing else could."""

    def close(self) -> None:
        """Leave no process behind."""


class Starting(Protocol):
    """What starts the agent of a workspace."""

    def __call__(self, root: Path, workspace: str) -> list[str]:
        """The program and its arguments."""


@dataclass(frozen=True, slots=True)
class ColdAgent:
    """Starts the program itself.

    Attributes:
        script: What a model plays; None for the agent without one.
    """

    script: Path | None

    def __call__(self, root: Path, workspace: str) -> list[str]:
        """The program and its arguments."""
        program = ["-m", "inklings_desktop.agent_program"]
        if self.script is not None:
            program = ["-m", "tests.support.scripted_model", str(self.script)]
        return [sys.executable, *program, *_where(root, workspace)]


@dataclass(frozen=True, slots=True)
class WarmAgent:
    """Has the program forked from a process that has everything loaded.

    Attributes:
        address: Where that one is found.
        script: What a model plays; None for the agent without one.
    """

    address: str
    script: Path | None = None

    def __call__(self, root: Path, workspace: str) -> list[str]:
        """The program and its arguments."""
        script = "" if self.script is None else str(self.script)
        stand_in = [sys.executable, "-I", "-S", warm_agent.__file__, self.address, script]
        return [*stand_in, *_where(root, workspace)]


@contextmanager
def warm(folder: Path) -> Iterator[str]:
    """The address at which agents are forked."""
    address = str(folder / "warm")
    process = started("tests.support.warm_agent", address)
    try:
        assert line_of(process) == "ready"
        yield address
    finally:
        process.kill()
        process.communicate(timeout=HANG_SECONDS)


def _where(root: Path, workspace: str) -> list[str]:
    return ["--data-dir", str(root), "--workspace", workspace]


class WindowTalker:
    """Talks as the Conversation page does, through the process that it leads."""

    def __init__(self, root: Path, inklings: Inklings, qtbot: QtBot, starting: Starting) -> None:
        self._root, self._inklings, self._qtbot, self._starting = root, inklings, qtbot, starting
        self._owner = QObject()
        self.talking: dict[str, Talking] = {}

    def talk(self, workspace: str, *lines: str, conversation: str = "") -> Heard:
        """Say these one after the other."""
        room = conversation or self._begun(workspace)
        talking = self._talking(workspace)
        if talking.problem is None:
            talking.want(room)
        else:
            talking.restart(room)
        turns = [self._said(talking, room, line) for line in lines]
        return Heard(room, tuple(map(words_of, turns)), tuple(map(written_by, turns)))

    def end(self, workspace: str, conversation: str) -> None:
        """End a conversation, as the page's menu does."""
        ended: list[str] = []
        self._talking(workspace).talk.end(conversation, lambda: ended.append(conversation))
        self._qtbot.waitUntil(lambda: bool(ended), timeout=ANSWER_SECONDS * 1000)

    def kill(self) -> None:
        """Kill every process, and wait until the window knows."""
        kill_processes_on(self._root)
        talking = self.talking.values()
        self._qtbot.waitUntil(lambda: all(one.problem is not None for one in talking))

    def close(self) -> None:
        """End the processes as the window does."""
        for one in self.talking.values():
            one.close()

    def _talking(self, workspace: str) -> Talking:
        if workspace not in self.talking:
            command = self._starting(self._root, workspace)
            self.talking[workspace] = Talking(command, self._owner)
        return self.talking[workspace]

    def _begun(self, workspace: str) -> str:
        room = self._inklings.conversations.start(workspace)
        self._inklings.conversations.invite(workspace, room.id, WORLD_AGENT)
        return room.id

    def _said(self, talking: Talking, room: str, line: str) -> Turn:
        over: list[str] = []
        talking.turn_over.connect(over.append)
        talking.talk.prompt(room, [{"kind": "text", "text": line}])
        self._qtbot.waitUntil(lambda: room in over, timeout=ANSWER_SECONDS * 1000)
        talking.turn_over.disconnect(over.append)
        turn = next(one for one in reversed(talking.talk.thread(room).turns) if one.role != "user")
        assert turn.state == "complete", (turn, talking.last_lines)
        return turn


class ChatTalker:
    """Talks by ``inklings chat``: a process of the agent for each conversation."""

    def __init__(self, root: Path, starting: Starting) -> None:
        self._root, self._starting = root, starting

    def talk(self, workspace: str, *lines: str, conversation: str = "") -> Heard:
        """Say these one after the other."""
        named = ["--conversation", conversation] if conversation else []
        told = self._chat(workspace, named, lines)
        turns = [one["turn"] for one in told]
        wrote = tuple(
            tuple(kept["id"] for kept in turn["touched"] if kept["how"] == "written")
            for turn in turns
        )
        return Heard(told[0]["conversation"]["id"], tuple(turn["text"] for turn in turns), wrote)

    def end(self, workspace: str, conversation: str) -> None:
        """End a conversation by its slash command."""
        self._chat(workspace, ["--conversation", conversation], ["/end"])

    def kill(self) -> None:
        """Kill every process that is left."""
        kill_processes_on(self._root)

    def close(self) -> None:
        """Each command has left already."""

    def _chat(self, workspace: str, named: list[str], lines: Sequence[str]) -> list[dict[str, Any]]:
        program = Program(open_inklings, run_window, make_sample_world, serve_agent, self._starting)
        arguments = ["--data-dir", str(self._root), "--json", "chat", "--workspace", workspace]
        out, err = io.StringIO(), io.StringIO()
        typed, sys.stdin = sys.stdin, io.StringIO("".join(f"{line}\n" for line in lines))
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = run([*arguments, *named], program)
        finally:
            sys.stdin = typed
        assert status == 0, (status, out.getvalue(), err.getvalue())
        return [json.loads(line) for line in out.getvalue().splitlines()]


def words_of(turn: Turn) -> str:
    """The words of an answer."""
    return "\n\n".join(block.text for block in turn.blocks if isinstance(block, TextBlock))


def written_by(turn: Turn) -> tuple[str, ...]:
    """Ids of the memories that a turn wrote."""
    return tuple(one.id for one in turn.touched if one.how == "written")
