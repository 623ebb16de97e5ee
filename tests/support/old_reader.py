"""Another program that reads an older state of a database."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def an_old_reader(database: Path) -> Iterator[None]:
    """It began to read before the body of this block and ends after it."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.cli.old_reader_process", str(database)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline().strip() == "ready"
        yield
        process.stdin.close()
