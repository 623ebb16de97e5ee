"""The agent's own process, with a scripted model, and death wherever a test wants it.

Processes are forked from one that has everything imported: none waits for a library.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inklings_desktop import agent_program
from inklings_desktop.agent.memory_door.call import ServerCommand
from inklings_desktop.storage.runs.run_state import SqliteRunState
from tests.support.outside import reaches_outside
from tests.support.scripted_chat import ScriptedModels

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerProcess
    from pathlib import Path


WORLD_AGENT = "world-agent"
OUTSIDE = 97
"""Exit status of a process that reached for another machine."""
LOADED = (
    "tests.support.agent_process", "tests.support.fake_model", "acp.schema", "acp.connection",
    "inklings_desktop.agent.acp_door.routes", "inklings_desktop.agent.acp_door.lifeline",
    "inklings_desktop.agent.acp_door.world_agent", "inklings_desktop.agent.graph.running",
    "inklings_desktop.agent.graph.saver", "inklings_desktop.agent.mechanical.steps",
    "inklings_desktop.agent.model_planner.planner",
    "mcp.client.session", "mcp.client.stdio",
)  # fmt: skip
"""What an agent imports until it has answered."""
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(list(LOADED))


@dataclass(frozen=True, slots=True)
class Options:
    """How a process is started.

    Attributes:
        root: The data root.
        workspace: The workspace's id.
        script: Lines of a scripted planner; None for the agent without one.
        chat: Lines of a scripted model that talks; None for none.
        dies: ``before:NODE`` when that node is entered, ``after:NODE`` when what it did is about to
            be kept, ``kept:NODE`` once it is, ``answered`` once the answer to a question is; empty
            for never. ``NODE#3`` is the third time.
        linger: How long a host of memory stays after its last client, in seconds.
        has_keys: Whether a write carries its request key.
    """

    root: Path
    workspace: str
    script: tuple[Mapping[str, Any], ...] | None = None
    chat: tuple[Mapping[str, Any], ...] | None = None
    dies: str = ""
    linger: float = 30.0
    environment: tuple[tuple[str, str], ...] = field(default=())
    has_keys: bool = True


def forked(options: Options) -> tuple[ForkServerProcess, Connection, Connection]:
    """A process, what is written to it, and what it says."""
    theirs_in, ours_out = _CONTEXT.Pipe(duplex=False)
    ours_in, theirs_out = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_run, args=(options, theirs_in, theirs_out), daemon=True)
    process.start()
    theirs_in.close()
    theirs_out.close()
    return process, ours_out, ours_in


def _run(options: Options, source: Connection, sink: Connection) -> None:
    os.dup2(source.fileno(), 0)
    os.dup2(sink.fileno(), 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays to the end
    for one in (source, sink):
        one.close()
    os.environ.update(options.environment)
    sys.addaudithook(no_socket_outside)
    from inklings_desktop.agent.graph import turn
    from inklings_desktop.agent.graph.nodes import act

    if not options.has_keys:
        act.KEYED = frozenset()

    turn.GATE_SECONDS = 60.0  # what a gate says is looked at, however busy the machine is
    agent_program.main(
        ["--data-dir", str(options.root), "--workspace", options.workspace],
        workplace=lambda data_dir, workspace: DyingWorkplace(data_dir, workspace, options),
        planner=_planner(options),
        models=None if options.chat is None else ScriptedModels(options.chat),
    )


def no_socket_outside(event: str, arguments: tuple[Any, ...]) -> None:
    """End the process as it reaches for another machine, or asks for an address of one."""
    if reaches_outside(event, arguments):
        os._exit(OUTSIDE)


def _planner(options: Options) -> Any:
    from tests.support.fake_model import FakeModel

    return None if options.script is None else FakeModel(options.script)


class DyingWorkplace(agent_program.LocalWorkplace):
    """A workplace whose run state kills the process at one moment."""

    def __init__(self, data_dir: Path, workspace: str | None, options: Options) -> None:
        super().__init__(data_dir, workspace)
        self._options = options
        self._state: SqliteRunState | None = None

    def memory_command(self) -> ServerCommand:
        """A server whose host does not stay for long."""
        command = super().memory_command()
        arguments = (*command.arguments, "--linger", str(self._options.linger))
        return ServerCommand(command.program, arguments, command.environment)

    def run_state(self, workspace_id: str) -> SqliteRunState:
        """The one that kills."""
        if self._state is None:
            self._state = DyingRunState(self._options.root, workspace_id, self._options.dies)
        return self._state


class DyingRunState(SqliteRunState):
    """Kills the process before or after a node, as nothing else could be so sure to."""

    def __init__(self, root: Path, workspace_id: str, dies: str) -> None:
        super().__init__(root, workspace_id)
        self._when, _, node = dies.partition(":")
        self._node, _, times = node.partition("#")
        self._times = int(times or 1)
        self._is_there = False

    def note_run(self, run_id: str, node: str, *more: Any) -> None:
        """Die as the node is entered, or remember that it was."""
        self._times -= node == self._node
        if node == self._node and self._times <= 0:
            self._is_there = True
            if self._when == "before":
                _die()
        super().note_run(run_id, node, *more)

    def put_writes(self, *place: Any, **how: Any) -> None:
        """Die when what the node did is about to be kept."""
        if self._is_there and self._when == "after":
            _die()
        super().put_writes(*place, **how)
        if self._when == "answered" and any(one.channel == "__resume__" for one in place[-1]):
            _die()

    def put_checkpoint(self, *checkpoint: Any, **how: Any) -> None:
        """Die once what the node did is kept."""
        super().put_checkpoint(*checkpoint, **how)
        if self._is_there and self._when == "kept":
            _die()


def _die() -> None:
    os.kill(os.getpid(), 9)
