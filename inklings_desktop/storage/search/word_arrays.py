"""Keeps the words of a file as arrays beside its index, made while the index itself answers.

The index stays the truth: whatever the arrays cannot answer, it does, and to the same scores.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.rows.snapshot import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.storage.engine.ways_in import BareReaders
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.postings import Postings, Row
    from inklings_desktop.storage.search.tokens import Tokenizer

FEWEST_ROWS = 2_000
"""Below that the index itself is fast enough."""
MOST_CHANGED = 2_000
"""Rows that are taken in beside a search; of more, all arrays are made anew in the background."""
MOST_SEGMENTS = 8
STATES_KEPT = 4
ROWS_AT_ONCE = 500

_ROWS = (
    "SELECT s.id, s.body, s.subject, s.context, m.id, m.tier, m.scope_key, m.agent_id"
    " FROM memory_search s JOIN memories m ON m.sequence = s.id"
)
_SOME_ROWS = f"{_ROWS} WHERE s.id IN (SELECT value FROM json_each(?))"  # noqa: S608 - our own
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

    def __init__(self, readers: BareReaders, fewest_rows: int = FEWEST_ROWS) -> None:
        """Hold nothing yet.

        Args:
            readers: Ways to read the file in the background.
            fewest_rows: Smaller files are left to the index.
        """
        self._readers = readers
        self._fewest_rows = fewest_rows
        self._lock = threading.RLock()
        self._states: list[_State] = []
        self._was_asked = False
        self._small_at: int | None = None
        self._making: threading.Thread | None = None
        self._n_clears = 0
        self._is_closed = False
        self._tokenizer: Tokenizer | None = None

    def at_hand(self, snapshot: Snapshot) -> Postings | None:
        """The words as this state of the file has them; None while only the index knows.

        They are made from the second search on: one that comes alone would not live to use them.
        """
        if snapshot.is_write:
            return None  # what it has written is nobody else's yet
        change_seq, reload_seq = snapshot.counters()
        with self._lock:
            for state in reversed(self._states):
                if state[:2] == (change_seq, reload_seq):
                    return state.postings
            newest = self._states[-1] if self._states else None
            if newest is None or newest.reload_seq < reload_seq:
                self._states = []  # what was removed for good stays in no array
                self._make_later(change_seq)
                return None
            if newest.reload_seq > reload_seq or newest.change_seq > change_seq:
                return None  # a view from before somebody's commit
            later = self._refreshed(snapshot, newest)
            if later is None:
                self._make_later(change_seq)
                return None
            self._states = [*self._states[1 - STATES_KEPT :], _State(change_seq, reload_seq, later)]
            return later

    def words(self, term: str) -> tuple[str, ...]:
        """The words of a question's term, as the index has them."""
        return self._cutter().words(term)

    def make(self) -> None:
        """Make the arrays of what is committed now, unless the file is small or is let go of."""
        from inklings_desktop.storage.search.postings import Numbers, Postings, Segment
        from inklings_desktop.storage.search.tokens import Tokenizer

        with self._lock:
            n_clears = self._n_clears
        with self._readers.connection() as connection:
            view = View(connection, None)
            change_seq, reload_seq = view.counters()
            ((n_rows,),) = view.rows("SELECT count(*) FROM memory_search")
            if n_rows < self._fewest_rows:
                with self._lock:
                    self._small_at = change_seq
                return
            numbers = Numbers()
            parts = view.parts(_ROWS, (), ROWS_AT_ONCE)
            segment = Segment.of(self._while_wanted(parts, n_clears), Tokenizer(), numbers)
        import numpy as np

        made = Postings((segment,), (np.ones(len(segment.ids), np.bool_),), numbers)
        with self._lock:
            if self._n_clears == n_clears:
                self._states = [_State(change_seq, reload_seq, made)]

    def clear(self) -> None:
        """Let go of every word, and of what is being made."""
        with self._lock:
            self._n_clears += 1
            self._states = []
            self._small_at = None
            self._tokenizer = None

    def close(self) -> None:
        """The same for good, and wait until nothing is read for them any more."""
        self._is_closed = True
        self.clear()
        making = self._making
        if making is not None and making is not threading.current_thread():
            making.join()

    def _make_later(self, change_seq: int) -> None:
        if not self._was_asked:
            self._was_asked = True
            return
        if self._is_closed or (self._making is not None and self._making.is_alive()):
            return
        if self._small_at is not None and change_seq < self._small_at + self._fewest_rows // 4:
            return
        self._making = threading.Thread(target=self._make_quietly, name="words", daemon=True)
        self._making.start()

    def _make_quietly(self) -> None:
        # Whatever is wrong with the file, the searches themselves will meet it and say so.
        with suppress(sqlite_module().Error, _LetGoError):
            self.make()

    def _while_wanted(
        self, parts: Iterator[list[tuple[Any, ...]]], n_clears: int
    ) -> Iterator[list[Row]]:
        for part in parts:
            if self._n_clears != n_clears:
                raise _LetGoError
            yield _rows(part)

    def _refreshed(self, snapshot: Snapshot, state: _State) -> Postings | None:
        """The words after what was committed since; None when that is too much."""
        import numpy as np

        changed = snapshot.rows(_CHANGED, (state.change_seq,))
        postings = state.postings
        n_later = sum(len(one.ids) for one in postings.segments[1:])
        if len(changed) > MOST_CHANGED or n_later + len(changed) > MOST_CHANGED:
            return None
        affected = {one for row in changed for one in row if one is not None}
        if not affected:
            return postings
        rows = _rows(snapshot.rows(_SOME_ROWS, (json.dumps(sorted(affected)),)))
        same = postings.unchanged(rows)
        moved = [row for row in rows if row.sequence not in same]
        gone = affected - same
        if not gone:
            return postings
        if len(postings.segments) >= MOST_SEGMENTS:
            postings, held = postings.without_the_smallest()
            gone |= held
            moved = _rows(snapshot.rows(_SOME_ROWS, (json.dumps(sorted(gone)),)))
        return postings.with_rows(np.array(sorted(gone), np.int64), moved, self._cutter())

    def _cutter(self) -> Tokenizer:
        from inklings_desktop.storage.search.tokens import Tokenizer

        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = Tokenizer()
            return self._tokenizer


class _LetGoError(Exception):
    """Nobody wants any more what is being made."""


def _rows(found: Sequence[tuple[Any, ...]]) -> list[Row]:
    from inklings_desktop.storage.search.postings import Row

    return [Row(row[0], row[1:4], *row[4:]) for row in found]
