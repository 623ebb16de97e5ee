"""Another program that has a workspace open."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def a_holder(root: Path) -> Iterator[Callable[[str], str]]:
    """Ask it to ``count`` the memories, or to write a text; its answer is one line."""
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

        def ask(text: str) -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{text}\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield ask
        process.stdin.close()
