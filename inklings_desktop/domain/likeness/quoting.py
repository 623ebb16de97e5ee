"""Whether a text quotes one of many others: a stretch of it, or the whole of a short one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

STRETCH_CHARACTERS = 24
"""As long as what a search after a scrub looks for, in bytes."""
SHORTEST_CHARACTERS = 8
"""A text with fewer says nothing that could not be said by chance."""


class Quoting:
    """Texts, some of which may be quoted elsewhere."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take them; blanks are compared as one.

        Args:
            texts: Read once. Those under eight characters are not looked for.
        """
        known = dict.fromkeys(" ".join(text.split()) for text in texts)
        self._short = [one for one in known if SHORTEST_CHARACTERS <= len(one) < STRETCH_CHARACTERS]
        # Whatever two texts share of twice this length holds one of these pieces whole.
        self._pieces: dict[str, list[tuple[str, int]]] = {}
        for one in known:
            if len(one) >= STRETCH_CHARACTERS:
                for start in range(0, len(one) - _PIECE + 1, _PIECE):
                    piece = one[start : start + _PIECE]
                    self._pieces.setdefault(piece, []).append((one, start))

    def is_quoted_in(self, text: str) -> bool:
        """Whether a text holds at least 24 characters in a row of one, or all of a short one."""
        looked = " ".join(text.split())
        if any(one in looked for one in self._short):
            return True
        return any(
            _shared(looked, at, known, start) >= STRETCH_CHARACTERS
            for at in range(len(looked) - _PIECE + 1)
            for known, start in self._pieces.get(looked[at : at + _PIECE], ())
        )


_PIECE = STRETCH_CHARACTERS // 2


def _shared(looked: str, at: int, known: str, start: int) -> int:
    """How many characters in a row two texts share around a piece that both have."""
    before = 0
    while before < min(at, start) and looked[at - before - 1] == known[start - before - 1]:
        before += 1
    end = _PIECE
    longest = min(len(looked) - at, len(known) - start)
    while end < longest and looked[at + end] == known[start + end]:
        end += 1
    return before + end
