"""Python programs of ours in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.stopwatch import SCENE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[2]


def started(module: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A module run as a program; its standard output can be read line by line.

    Args:
        module: The module.
        arguments: What it hears.
        environment: What it finds in its environment beside what is there.
    """
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=REPOSITORY,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def limited(process: subprocess.Popen[Any], seconds: float = SCENE_SECONDS) -> Iterator[None]:
    """Kill a process that is waited for longer than this, in elapsed seconds: so no wait hangs."""
    watch = threading.Timer(seconds, process.kill)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        watch.join(seconds)


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line it says; empty when it has ended, as it must where it says none for long."""
    assert process.stdout is not None
    with limited(process):
        return process.stdout.readline().strip()


def rest_of(process: subprocess.Popen[str]) -> list[str]:
    """Everything it still says after the lines that were read, once it has ended well."""
    with process, limited(process):
        assert process.stdout is not None
        assert process.stderr is not None
        # Through the same reader: what it has taken in already no other would see.
        out = process.stdout.read()
        assert process.wait() == 0, process.stderr.read()
    return out.split()


def tell(process: subprocess.Popen[str]) -> None:
    """Let it go on where it waits for a line."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def finished(process: subprocess.Popen[str], *, timeout_seconds: float = 60.0) -> list[str]:
    """Everything it still says, once it has ended well."""
    out, err = process.communicate(timeout=timeout_seconds)
    assert process.returncode == 0, err
    return out.split()


def children_of(parent: int) -> list[int]:
    """The processes that a process has started, where the system says it."""
    found = []
    for one in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            told = one.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(told[1]) == parent and told[0] != "Z":
                found.append(int(one.parent.name))
    return found


def processes_on(root: Path) -> list[int]:
    """The processes, without this one, that were started on a data root, as they were told."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and int(place.name) != os.getpid():
            with suppress(OSError):  # it has just ended
                if str(root).encode() in (place / "cmdline").read_bytes():
                    found.append(int(place.name))
    return found


def kill_processes_on(root: Path) -> None:
    """Kill the processes that were started on this data root."""
    for one in processes_on(root):
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
