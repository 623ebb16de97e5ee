"""The author's own words, one in a line of a plain file of the data root."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.engine.connecting import FILE_MODE

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "words.txt"


class WordsFile:
    """Reads and extends the file; whoever edits it by hand is heard at the next check."""

    def __init__(self, root: Path) -> None:
        self._path = root / FILE_NAME
        self._lock = threading.Lock()
        self._known: tuple[int, frozenset[str]] = (0, frozenset())

    def read(self) -> frozenset[str]:
        """All of them; none where there is no file or it cannot be read."""
        try:
            changed = self._path.stat().st_mtime_ns
            if changed != self._known[0]:
                lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines()
                self._known = (changed, frozenset(filter(None, map(str.strip, lines))))
        except OSError:
            return frozenset()
        return self._known[1]

    def add(self, word: str) -> None:
        """Keep one more.

        Raises:
            StorageError: The file cannot be written.
        """
        with self._lock:
            if word in self.read():
                return
            try:
                before = self._path.read_bytes() if self._path.exists() else b""
                gap = "" if before.endswith(b"\n") or not before else "\n"
                handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, FILE_MODE)
                with os.fdopen(handle, "a", encoding="utf-8", newline="\n") as stream:
                    stream.write(f"{gap}{word}\n")
            except OSError as error:
                raise StorageError(self._path, str(error)) from error
            self._known = (0, frozenset())
