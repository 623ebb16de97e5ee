"""The rows of a table in a damaged database, as far as they can be read, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_SMALL_STEPS = 256
"""So far a gap is felt for row by row; a wider one with steps that double."""


class ReadableRows:
    """Reads around pages that cannot be read.

    Behind such a page the reading goes on with the first row that answers, and from there
    backwards to the page, so that little is lost beside what the page itself held.

    Attributes:
        are_whole: Whether nothing had to be left out; known once all rows were handed out.
    """

    def __init__(self, source: sqlite3.Connection, table: str, columns: Sequence[str]) -> None:
        self.are_whole = True
        self._source = source
        names = ", ".join(f'"{one}"' for one in columns)
        ask = f'SELECT rowid, {names} FROM "{table}" NOT INDEXED'  # noqa: S608 - names of ours
        between = "WHERE rowid > ? AND rowid < ? ORDER BY rowid"
        self._forwards = f"{ask} {between}"
        self._backwards = f"{ask} {between} DESC"
        # SQLite reports damage in its own words, or by text that it cannot make text of.
        self._faults = (sqlite_module().Error, UnicodeDecodeError)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Each row that can be read, without its rowid."""
        last = _LOWEST
        while True:
            try:
                for row in self._source.execute(self._forwards, (last, _HIGHEST)):
                    if row[0] <= last:  # not what was asked for: reading it again would never end
                        self.are_whole = False
                        continue
                    last = row[0]
                    yield row[1:]
            except self._faults:
                self.are_whole = False
            else:
                return
            behind = self._first_behind(last)
            missed = list(self._up_to(last, _HIGHEST if behind is None else behind))
            yield from reversed(missed)
            if behind is None:
                return
            last = behind - 1

    def _first_behind(self, last: int) -> int | None:
        """The first row behind a gap that answers; None when none does."""
        step = 1
        at = max(last, 0)
        while at + step < _HIGHEST:
            try:
                row = self._source.execute(self._forwards, (at + step, _HIGHEST)).fetchone()
            except self._faults:
                pass
            else:
                if row is None or row[0] > at + step:
                    return None if row is None else int(row[0])
            step = step + 1 if step < _SMALL_STEPS else step * 2
        return None

    def _up_to(self, last: int, end: int) -> Iterator[tuple[Any, ...]]:
        """Rows between a gap and a row, from behind, as far as they can be read."""
        try:
            for row in self._source.execute(self._backwards, (last, end)):
                yield row[1:]
        except self._faults:
            return
