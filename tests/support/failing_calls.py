"""System calls that fail when a test says so: the disk is full, breaks once, or is read-only."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = Path(__file__).with_suffix(".c")
_PRELOADED = "LD_PRELOAD"


class Failing(IntEnum):
    """Which calls fail from the n-th one on, as in ``failing_calls.c``."""

    FULL = 1
    """Every one that needs room."""
    ONCE = 2
    """That one alone, as a disk that is broken in one place."""
    READ_ONLY = 3
    """Every one that writes: the disk was set read-only, as Linux does after an error."""


def compiler() -> str | None:
    """The compiler that makes the library; None where there is none, or where it is of no use."""
    return shutil.which("gcc") if os.uname().sysname == "Linux" else None


def environment(folder: Path) -> Mapping[str, str]:
    """The environment of a program whose calls can fail; the library is made in this folder."""
    library = folder / "failing_calls.so"
    options = ("-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
    made = [compiler() or "gcc", *options, "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(made, check=True, capture_output=True)
    return {**os.environ, _PRELOADED: str(library)}


class FailingCalls:
    """The library in a program that was started with it."""

    def __init__(self) -> None:
        """Find the library that this process was started with."""
        self._library = ctypes.CDLL(os.environ[_PRELOADED])

    def arm(self, folder: Path, how: Failing, number: int) -> None:
        """Let calls beneath a folder fail from here on, the first of them being this one."""
        self._library.arm(os.fsencode(folder), int(how), number)

    def disarm(self) -> int:
        """Let every call succeed again; how many there were that could have failed."""
        return int(self._library.disarm())
