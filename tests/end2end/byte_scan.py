"""Looks for texts in the bytes of every file under a folder, from a process of its own.

Opening and closing a database file in a process that uses it would drop SQLite's locks on it.
Asked line by line on standard input, it answers line by line on standard output.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ENCODINGS = ("utf-8", "utf-16-le")


class ByteScanner:
    """Asks the process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def files_with(self, root: Path, *texts: str) -> set[str]:
        """Files under a folder, named from there, that hold at least one of these texts."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(root), texts]) + "\n")
        self._process.stdin.flush()
        return set(json.loads(self._process.stdout.readline()))


@contextmanager
def a_byte_scanner() -> Iterator[ByteScanner]:
    """A running process that can be asked."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.end2end.byte_scan"],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield ByteScanner(process)


def _files_with(root: Path, texts: Sequence[str]) -> list[str]:
    wanted = [text.encode(encoding) for text in texts for encoding in ENCODINGS]
    files = [path for path in root.rglob("*") if path.is_file()]
    return [
        path.relative_to(root).as_posix()
        for path in files
        if any(text in content for content in [path.read_bytes()] for text in wanted)
    ]


def main() -> None:
    """Answer until nobody asks any more."""
    for line in sys.stdin:
        root, texts = json.loads(line)
        sys.stdout.write(json.dumps(_files_with(Path(root), texts)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
