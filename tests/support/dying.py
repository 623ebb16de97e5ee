"""Ends a process at the n-th step of what it does: before a statement, or before a file is touched.

Every SQLite connection and every file operation under one folder is counted in one place, so each
step of any act can be reached without that the act knows of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inklings_desktop.storage.engine.driver import sqlite_module
from tests.support.processes import line_of, started

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    Act = Callable[..., object]

FILE_EVENTS = frozenset(
    {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
)
KILLED, DONE = "killed", "done"


class Steps:
    """Counts the steps of this process; at the last one it is killed as by ``kill -9``."""

    def __init__(self, root: Path, last: int) -> None:
        """Begin to count.

        Args:
            root: Files elsewhere are none of the act's.
            last: The step that is not done any more; 0 lets the process live.
        """
        self.n_taken = 0
        self._root = str(root)
        self._last = last
        module = sqlite_module()
        connect = module.connect

        def connect_and_count(*arguments: Any, **options: Any) -> Any:
            connection = connect(*arguments, **options)
            connection.set_trace_callback(self._take)
            return connection

        module.connect = connect_and_count  # type: ignore[attr-defined]  # a module of either driver
        sys.addaudithook(self._hear)

    def _hear(self, name: str, arguments: tuple[Any, ...]) -> None:
        if name in FILE_EVENTS and str(arguments[0]).startswith(self._root):
            self._take(name)

    def _take(self, _what: str) -> None:
        self.n_taken += 1
        if self.n_taken == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


def serve(acts: dict[str, Act]) -> None:
    """Do what is asked line by line, each in a process of its own that dies where it is told.

    One interpreter with everything imported is forked for each, which costs no start.
    """
    for line in sys.stdin:
        act, last, root, *arguments = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _end_in(writing, acts[act], last, root, arguments)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as told:
            said = told.read()
        _, status = os.waitpid(child, 0)
        is_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        sys.stdout.write(json.dumps([KILLED, 0] if is_killed else json.loads(said)) + "\n")
        sys.stdout.flush()


def _end_in(writing: int, act: Act, last: int, root: str, arguments: list[str]) -> None:
    """Do it in this process, say how it ended, and end with it."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123  no file of ours
        sys.stdout = nowhere
        steps = Steps(Path(root), last)
        try:
            act(root, *arguments)
            said = [DONE, steps.n_taken]
        except Exception:  # noqa: BLE001  whoever asked says what is wrong with it
            said = [traceback.format_exc(), steps.n_taken]
    os.write(writing, json.dumps(said).encode())
    os._exit(0)


class Killer:
    """Asks a program that serves acts."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program

    def __call__(self, act: str, last: int, root: Path, *arguments: str) -> tuple[str, int]:
        """How an act ended that dies at this step, and how many steps it took if it lived."""
        assert self._program.stdin is not None
        self._program.stdin.write(json.dumps([act, last, str(root), *arguments]) + "\n")
        self._program.stdin.flush()
        end, n_taken = json.loads(line_of(self._program))
        return end, n_taken


@contextmanager
def a_killer(module: str) -> Iterator[Killer]:
    """A running program of this module."""
    with started(module) as program:
        try:
            yield Killer(program)
        finally:
            program.kill()
