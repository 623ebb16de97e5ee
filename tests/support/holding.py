"""Another program that has a workspace open."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Holder:
    """The running program."""

    process: subprocess.Popen[str]

    def __call__(self, text: str) -> str:
        """Its answer of one line to ``count``, ``open`` or a text to remember."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


@contextmanager
def a_holder(root: Path) -> Iterator[Holder]:
    """A program that has read the workspace once and watches it."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.storage.holding_process", str(root)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        yield Holder(process)
        process.stdin.close()
