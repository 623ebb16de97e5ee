"""Keeps the words of a file as arrays: those of its side file, and what came since.

The index stays the truth: whatever the arrays cannot answer, it does, and to the same scores.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.storage.rows.snapshot import WALL
from inklings_desktop.storage.search.side_file.side_file import MOST_LATER

if TYPE_CHECKING:
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.postings import Numbers, Postings, Segment
    from inklings_desktop.storage.search.side_file.base import Base
    from inklings_desktop.storage.search.side_file.side_file import SideFile
    from inklings_desktop.storage.search.tokens import Tokenizer

MOST_CHANGED = 2_000
"""Rows that are taken in beside a search; of more, the side file is made anew."""
MOST_SEGMENTS = 8
STATES_KEPT = 4

_SOME_ROWS = f"""
SELECT s.id, s.body, s.subject, s.context, m.id, m.tier, m.scope_key,
    {WALL}
FROM memory_search s JOIN memories m ON m.sequence = s.id
WHERE s.id IN (SELECT value FROM json_each(?))
"""  # noqa: S608
_NEIGHBOUR = """
SELECT n.sequence FROM memories n
WHERE n.tier = m.tier AND n.scope_key = m.scope_key
AND n.source_conversation IS m.source_conversation AND n.agent_id IS m.agent_id
AND n.forgotten_at IS NULL AND n.paused = 0
AND (m.source_conversation IS NOT NULL OR m.tier = 'conversation')
"""
# A memory that changes is stamped; so is none of those beside it, whose rows quote it.
_CHANGED = f"""
SELECT m.sequence,
    ({_NEIGHBOUR} AND n.sequence < m.sequence ORDER BY n.sequence DESC LIMIT 1),
    ({_NEIGHBOUR} AND n.sequence > m.sequence ORDER BY n.sequence LIMIT 1)
FROM memories m WHERE m.changed_seq > ? LIMIT {MOST_CHANGED + 1}
"""  # noqa: S608 - our own


class _State(NamedTuple):
    change_seq: int
    reload_seq: int
    postings: Postings


class WordArrays:
    """The words of one file; safe to use from any thread."""

    def __init__(self, side_file: SideFile) -> None:
        self._side_file = side_file
        self._lock = threading.RLock()
        self._states: list[_State] = []
        self._asked_at: tuple[int, int] | None = None
        self._is_settled = False
        self._tokenizer: Tokenizer | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the search before the latest one saw the same state of the file."""
        return self._is_settled

    def at_hand(self, snapshot: Snapshot) -> Postings | None:
        """The words as this state of the file has them; None while only the index knows.

        They are used from the second search on: one that comes alone would not live to be glad of
        what it takes to open them.
        """
        if snapshot.is_write:
            return None  # what it has written is nobody else's yet
        change_seq, reload_seq = snapshot.counters()
        with self._lock:
            asked_at, self._asked_at = self._asked_at, (change_seq, reload_seq)
            self._is_settled = asked_at == self._asked_at
            if asked_at is None:
                return None
            for state in reversed(self._states):
                if state[:2] == (change_seq, reload_seq):
                    return state.postings
            newest = self._states[-1] if self._states else None
            if newest is not None and newest.reload_seq < reload_seq:
                self._states, newest = [], None  # what was removed for good stays in no array
            if newest is not None and (newest.reload_seq, newest.change_seq) > (
                reload_seq,
                change_seq,
            ):
                return None  # a view from before somebody's commit
            later = self._later(snapshot, newest)
            if later is None:
                self._side_file.make_later(change_seq)
                return None
            self._states = [*self._states[1 - STATES_KEPT :], _State(change_seq, reload_seq, later)]
            return later

    def whole(self, snapshot: Snapshot) -> Postings:
        """The words as this state of the file has them, made of its rows if they are not at hand.

        For whoever may not learn of every row: the index counts them all.
        """
        known = self.at_hand(snapshot)
        if known is not None:
            return known
        state = _of_rows(snapshot, self._cutter())
        with self._lock:
            newest = self._states[-1] if self._states else state
            is_later = (newest.reload_seq, newest.change_seq) <= (
                state.reload_seq,
                state.change_seq,
            )
            if is_later and not snapshot.is_write:
                self._states = [*self._states[1 - STATES_KEPT :], state]
        return state.postings

    def words(self, term: str) -> tuple[str, ...]:
        """The words of a question's term, as the index has them."""
        return self._cutter().words(term)

    def refuse(self) -> None:
        """Let go of every word, and of the side file: they are not what was written."""
        self._side_file.refuse()
        self.clear()

    def clear(self) -> None:
        """Let go of every word."""
        with self._lock:
            self._states = []
            self._tokenizer = None

    def _later(self, snapshot: Snapshot, newest: _State | None) -> Postings | None:
        """The words as this state has them, from those of an earlier one or from the side file."""
        self._side_file.check_later()
        base = self._side_file.base(snapshot)
        if base is not None:
            is_newer = newest is None or base.change_seq > newest.change_seq
            if is_newer or (newest is not None and newest.postings.segments[0] is not base.words):
                newest = _of_base(base)
        later = None if newest is None else self._refreshed(snapshot, newest)
        if later is not None and later.n_later > MOST_LATER * len(later.segments[0].ids):
            self._side_file.make_later(snapshot.counters()[0])
        return later

    def _refreshed(self, snapshot: Snapshot, state: _State) -> Postings | None:
        """The words after what was committed since; None when that is too much."""
        import numpy as np

        from inklings_desktop.storage.search.side_file.base import rows_of

        changed = snapshot.rows(_CHANGED, (state.change_seq,))
        postings = state.postings
        if len(changed) > MOST_CHANGED or postings.n_later + len(changed) > MOST_CHANGED:
            return None
        affected = {one for row in changed for one in row if one is not None}
        if not affected:
            return postings
        rows = rows_of(snapshot.rows(_SOME_ROWS, (json.dumps(sorted(affected)),)))
        same = postings.unchanged(rows)
        moved = [row for row in rows if row.sequence not in same]
        gone = affected - same
        if not gone:
            return postings
        if len(postings.segments) >= MOST_SEGMENTS:
            postings, held = postings.without_the_smallest()
            gone |= held
            moved = rows_of(snapshot.rows(_SOME_ROWS, (json.dumps(sorted(gone)),)))
        return postings.with_rows(np.array(sorted(gone), np.int64), moved, self._cutter())

    def _cutter(self) -> Tokenizer:
        from inklings_desktop.storage.search.tokens import Tokenizer

        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = Tokenizer()
            return self._tokenizer


def _of_base(base: Base) -> _State:
    return _State(base.change_seq, base.reload_seq, _all_of(base.words, base.numbers))


def _of_rows(snapshot: Snapshot, tokenizer: Tokenizer) -> _State:
    from inklings_desktop.storage.search.postings import Numbers, Segment
    from inklings_desktop.storage.search.side_file.base import ROWS, rows_of

    numbers = Numbers()
    words = Segment.of([rows_of(snapshot.rows(ROWS, ()))], tokenizer, numbers)
    return _State(*snapshot.counters(), _all_of(words, numbers))


def _all_of(words: Segment, numbers: Numbers) -> Postings:
    import numpy as np

    from inklings_desktop.storage.search.postings import Postings

    return Postings((words,), (np.ones(len(words.ids), np.bool_),), numbers)
