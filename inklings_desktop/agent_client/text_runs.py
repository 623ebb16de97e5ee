"""A text that grows: cut into blocks of at most 4 KiB, so that only its end is laid out again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from inklings_desktop.agent_client.rows import Quote, TextBlock

if TYPE_CHECKING:
    from collections.abc import Iterable

CUT_CHARACTERS: Final = 4096
MAX_MARKS: Final = 10_000
_FENCES: Final = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    fence: str


@dataclass(slots=True)
class TextRun:
    """One text of a message as it arrives.

    Where it is cut depends on its beginning alone: whole or in chunks, the blocks are the same.
    """

    is_live: bool = True
    n_characters: int = 0
    _marks: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=MAX_MARKS))
    _done: list[_Piece] = field(default_factory=list)
    _chunks: list[str] = field(default_factory=list)
    _n_waiting: int = 0
    _fence: str = ""
    _quotes: dict[str, Quote] = field(default_factory=dict)

    def add(self, text: str, quotes: Iterable[Quote] = (), seq: int = 0) -> None:
        """Put a chunk to its end, which came with the update of this number."""
        if text:
            self._marks.append((seq, self.n_characters))
            self.n_characters += len(text)
            self._chunks.append(text)
            self._n_waiting += len(text)
        self._quotes.update((quote.id, quote) for quote in quotes)
        if self._n_waiting > CUT_CHARACTERS:
            self._cut()

    def blocks(self) -> list[TextBlock]:
        """What it is drawn as."""
        self._chunks = ["".join(self._chunks)]
        pieces = [*self._done, _Piece(self._chunks[0], self._fence)]
        open_ = dict(self._quotes)
        made = []
        for position, piece in enumerate(pieces):
            is_last = position == len(pieces) - 1
            here = [key for key in open_ if key in piece.text] if open_ else []
            quotes = tuple(open_.pop(key) for key in here)
            # What no text names belongs to the end.
            quotes += tuple(open_.values()) if is_last else ()
            live = self.is_live and is_last
            made.append(TextBlock(piece.text, quotes, live, piece.fence, position == 0))
        return made if len(made) == 1 or made[-1].text else made[:-1]

    def until(self, seq: int) -> TextRun:
        """What of it came before the update of this number."""
        length = next((at for one, at in self._marks if one >= seq), self.n_characters)
        before = TextRun(self.is_live)
        before.add("".join(block.text for block in self.blocks())[:length], self._quotes.values())
        return before

    def _cut(self) -> None:
        rest = "".join(self._chunks)
        start = 0
        while len(rest) - start > CUT_CHARACTERS:
            end = start + _place(rest[start : start + CUT_CHARACTERS])
            piece = rest[start:end]
            self._done.append(_Piece(piece, self._fence))
            self._fence = _left_open(piece, self._fence)
            start = end
        self._chunks = [rest[start:]]
        self._n_waiting = len(rest) - start


def _place(head: str) -> int:
    """Where to cut: after the last paragraph, else line, else word, of the second half."""
    for mark in ("\n\n", "\n", " "):
        at = head.rfind(mark, len(head) // 4)
        if at >= 0:
            return at + len(mark)
    return len(head)


def _left_open(piece: str, fence: str) -> str:
    """The line of the code block that is open after this piece; empty for none."""
    for line in piece.splitlines():
        words = line.strip()
        if not fence and words.startswith(_FENCES):
            fence = words
        elif fence and words.startswith(fence[:3]) and not words.strip(fence[0]):
            fence = ""
    return fence
