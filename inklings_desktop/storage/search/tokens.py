"""The words of texts as the full-text index sees them, read back from an index of the same make.

There is no second tokenizer: what FTS5 makes of a text, a small index in memory is asked.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.schema.marks import TOKENIZE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

TERMS_KEPT = 4_000
"""Terms of questions whose words are remembered."""


class Instance(NamedTuple):
    """One word of a text: the word, number of the text, column, place in it."""

    word: str
    text: int
    column: int
    place: int


class Tokenizer:
    """Cuts texts into the words of the index; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._known: dict[str, tuple[str, ...]] = {}

    def instances(self, rows: Sequence[tuple[str, str, str]]) -> list[Instance]:
        """Every word of every row, in order of the words."""
        with self._lock:
            return self._cut(enumerate(rows))  # type: ignore[return-value] # rows of four

    def words(self, term: str) -> tuple[str, ...]:
        """The words of a question's folded term, in order."""
        if term.isascii() and term.replace(" ", "").isalnum():
            return tuple(map(stem, term.split()))  # a test holds both to the same
        with self._lock:
            known = self._known.get(term)
            if known is None:
                found = sorted(self._cut([(0, (term, "", ""))]), key=lambda one: one[3])
                if len(self._known) >= TERMS_KEPT:
                    self._known.clear()
                known = self._known[term] = tuple(one[0] for one in found)
            return known

    def _cut(
        self, rows: Iterable[tuple[int, tuple[str, str, str]]]
    ) -> list[tuple[str, int, int, int]]:
        if self._connection is None:
            self._connection = sqlite_module().connect(
                ":memory:", isolation_level=None, check_same_thread=False
            )
            self._connection.execute(
                f"CREATE VIRTUAL TABLE cut USING fts5(a, b, c, content='', {TOKENIZE})"
            )
            self._connection.execute("CREATE VIRTUAL TABLE words USING fts5vocab(cut, instance)")
        connection = self._connection
        connection.execute("BEGIN")
        try:
            connection.executemany(
                "INSERT INTO cut (rowid, a, b, c) VALUES (?, ?, ?, ?)",
                ((number, *texts) for number, texts in rows),
            )
            return connection.execute(
                "SELECT term, doc, CASE col WHEN 'a' THEN 0 WHEN 'b' THEN 1 ELSE 2 END, offset"
                " FROM words"
            ).fetchall()
        finally:
            connection.execute("ROLLBACK")
