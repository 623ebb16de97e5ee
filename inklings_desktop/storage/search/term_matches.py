"""What each term of a question adds to the ranks of a file's memories, kept until a text changes.

BM25 of terms joined by OR is the sum of what each of them adds, so a term that several questions
share has to be looked for once only. The common ones take longest and are asked for most.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Doubles = npt.NDArray[np.float64]
    State = tuple[int, int]
    """Equal for two views of a file between which no text of it changed."""

MATCHES_KEPT = 1_000_000
"""Of all terms together; 16 MB. 250 questions to 40,000 memories fill three fifths (measured)."""

PRICE_OF_A_TERM = 64
"""Matches that take as much room as a term without any: words that nothing matches do add up."""


class TermMatches(NamedTuple):
    """Every match of one term, or of several joined by OR.

    Attributes:
        sequences: int64, shape (n_matches,), each once.
        ranks: float64, shape (n_matches,): below 0, lower is better.
    """

    sequences: Integers
    ranks: Doubles


class KeptMatches:
    """The matches of the terms asked for last; safe to use from any thread.

    They are kept from the second search on that finds the same texts: to look for terms one by one
    takes a little longer than for all at once, and while somebody writes nothing can be used again.
    """

    def __init__(self, room: int = MATCHES_KEPT) -> None:
        """Keep nothing yet, and at most this many matches."""
        self._room = room
        self._lock = threading.Lock()
        self._state: State | None = None
        self._kept: OrderedDict[str, TermMatches] = OrderedDict()
        self._n_kept = 0

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._forget()

    def is_settled(self, state: State) -> bool:
        """Whether the search before this one saw the same texts."""
        with self._lock:
            if self._state == state:
                return True
            self._forget()
            self._state = state
            return False

    def of(self, state: State, term: str, find: Callable[[], TermMatches]) -> TermMatches:
        """The matches of a term in this state of the texts; looked for unless they are kept."""
        with self._lock:
            if self._state == state and term in self._kept:
                self._kept.move_to_end(term)
                return self._kept[term]
        found = find()
        with self._lock:
            if self._state == state and term not in self._kept:
                self._kept[term] = found
                self._n_kept += _price(found)
                while self._n_kept > self._room:
                    _, oldest = self._kept.popitem(last=False)
                    self._n_kept -= _price(oldest)
        return found

    def _forget(self) -> None:
        self._state = None
        self._kept.clear()
        self._n_kept = 0


def _price(found: TermMatches) -> int:
    """What keeping them takes, in matches."""
    return PRICE_OF_A_TERM + len(found.sequences)


def summed(terms: Iterable[TermMatches], last_sequence: int) -> Doubles:
    """The rank of every memory, added up in the order of the terms as the index itself does.

    Args:
        terms: Of one question, in its order.
        last_sequence: The highest that is asked about.

    Returns:
        float64 by sequence, at least to the last one; 0 for what does not match.
    """
    import numpy as np

    found = list(terms)
    highest = max((int(one.sequences.max(initial=0)) for one in found), default=0)
    ranks = np.zeros(1 + max(highest, last_sequence))
    for one in found:
        ranks[one.sequences] += one.ranks
    return ranks
