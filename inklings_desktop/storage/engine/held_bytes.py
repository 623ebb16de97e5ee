"""The bytes of a database file that this process has open, read beside SQLite.

On POSIX systems, closing any handle of a file drops every lock that the process holds on it,
SQLite's included. So the handle stays open for as long as the file's connections may.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BINARY = getattr(os, "O_BINARY", 0)


class HeldBytes:
    """Reads one file through a handle that is closed after SQLite's own; from one thread a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handle: int | None = None

    def blocks(self, path: Path, n_bytes: int) -> Iterator[bytes]:
        """Its bytes from first to last, this many at a time.

        Args:
            path: Always the same file.
            n_bytes: Size of a block.

        Raises:
            OSError: It cannot be read.
        """
        with self._lock:
            if self._handle is None:
                self._handle = os.open(path, os.O_RDONLY | _BINARY)
            handle = self._handle
            try:
                os.lseek(handle, 0, os.SEEK_SET)
                while block := os.read(handle, n_bytes):
                    yield block
            finally:
                if os.name == "nt":  # locks belong to handles there, and an open one bars deletion
                    self._handle = None
                    os.close(handle)

    def close(self) -> None:
        """Let go of the file; only once no connection of this process uses it."""
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
