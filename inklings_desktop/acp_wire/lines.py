"""Lines of a stream of bytes: split, measured, and never fatal."""

from __future__ import annotations

from collections import deque
from typing import Final

MAX_LINE_BYTES: Final = 8 * 1024 * 1024


class LineSplitter:
    """Takes bytes as they come and gives whole lines.

    Attributes:
        n_too_long: Lines that were over the limit; they are left out, the next one is read again.
        n_waiting: Bytes that were taken and not yet given, as lines or as part of one.
    """

    def __init__(self, most: int = MAX_LINE_BYTES) -> None:
        self.n_too_long = 0
        self.n_waiting = 0
        self._most = most
        self._lines: deque[bytes] = deque()
        self._rest: list[bytes] = []
        self._n_rest = 0
        self._is_skipping = False

    def feed(self, data: bytes) -> None:
        """Take what was read."""
        first, *others = data.split(b"\n")
        if not others:
            self._go_on(first)
            return
        self._go_on(first)
        self._end()
        *whole, rest = others
        for line in whole:
            self._go_on(line)
            self._end()
        self._go_on(rest)

    def next(self) -> bytes | None:
        """The next line without its end; None until there is one. Empty lines are left out."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self.n_waiting -= len(line)
        return line

    @property
    def has_lines(self) -> bool:
        """Whether a whole line waits."""
        return bool(self._lines)

    def _go_on(self, piece: bytes) -> None:
        if self._is_skipping or not piece:
            return
        self._n_rest += len(piece)
        self.n_waiting += len(piece)
        self._rest.append(piece)
        if self._n_rest > self._most:
            self.n_waiting -= self._n_rest
            self._rest, self._n_rest = [], 0
            self._is_skipping = True
            self.n_too_long += 1

    def _end(self) -> None:
        line = b"".join(self._rest)
        self._rest, self._n_rest = [], 0
        self._is_skipping = False
        if line.strip():
            self._lines.append(line)
        else:
            self.n_waiting -= len(line)
