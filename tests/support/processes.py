"""Python programs of ours in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

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


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line it says; empty when it has ended."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def rest_of(process: subprocess.Popen[str]) -> list[str]:
    """Everything it still says after the lines that were read, once it has ended well."""
    with process:
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
