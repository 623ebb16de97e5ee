"""What an agent may ask of the window's time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

UPDATES_PER_SECOND: Final = 2000
MAX_TURN_BYTES: Final = 64 * 1024 * 1024
MAX_WAITING_BYTES: Final = 64 * 1024 * 1024
MAX_OPEN_QUESTIONS: Final = 20
MAX_QUESTIONS_A_TURN: Final = 200


class UpdateRate:
    """So many updates at once, and as many again in each second; the others wait."""

    def __init__(self, clock: Callable[[], float], most: int = UPDATES_PER_SECOND) -> None:
        self._clock = clock
        self._most = most
        self._left = float(most)
        self._at = clock()

    def count(self) -> None:
        self._left -= 1

    def may_go_on(self) -> bool:
        """Whether the next may be worked through now."""
        if self._left < 1:
            now = self._clock()
            self._left = min(self._left + (now - self._at) * self._most, float(self._most))
            self._at = now
        return self._left >= 1


class TurnGuard:
    """How much one turn of an agent may send and ask."""

    def __init__(self, most_bytes: int = MAX_TURN_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._n_questions = 0

    def begin(self) -> None:
        """Another turn begins."""
        self._n_bytes = self._n_questions = 0

    def takes(self, n_bytes: int) -> bool:
        """Count what came; whether it is still within bounds."""
        self._n_bytes += n_bytes
        return self._n_bytes <= self._most_bytes

    def may_ask(self, n_open: int) -> bool:
        """Count a question; whether it may be shown, with so many open already."""
        self._n_questions += 1
        return n_open < MAX_OPEN_QUESTIONS and self._n_questions <= MAX_QUESTIONS_A_TURN
