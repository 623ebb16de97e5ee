"""The passages of a page and their rows of the full-text index."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.world.pages import MAX_PASSAGE_CHARACTERS
from inklings_desktop.domain.world.passages import CONTEXT_CHARACTERS, Passage, passages_of, text_of
from inklings_desktop.storage.search.search_text import indexed_text
from inklings_desktop.storage.world.page_rows import (
    BLOCKS_OF_PAGE,
    block_of,
    page_range,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.world.pages import Block, ReadPage
    from inklings_desktop.storage.rows.snapshot import View

    IndexedText = tuple[int, str, str, str]
    """Number of a passage, then body, subject and context as they are indexed."""

_DIGEST_BYTES = 16
_OLD = "SELECT sequence, said, indexed FROM passages WHERE page = ?"
_LAST = "SELECT seq FROM sqlite_sequence WHERE name = 'passages'"
_PUT = "INSERT OR REPLACE INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INDEX = "INSERT OR REPLACE INTO passage_fts (rowid, body, subject, context) VALUES (?, ?, ?, ?)"
_DROPS = (
    "DELETE FROM passage_fts WHERE rowid = ?",
    "DELETE FROM passage_vectors WHERE passage = ?",
    "DELETE FROM passages WHERE sequence = ?",
)
_NO_BLOCK = -1


class FoundPassage(NamedTuple):
    """Where a passage lies.

    Attributes:
        first: Place of its first block; -1 for a page that has none.
    """

    sequence: int
    page: int
    first: int
    last: int
    begin: int
    end: int
    heading: str

    def blocks(self, view: View) -> list[Block]:
        """Its blocks."""
        if self.first == _NO_BLOCK:
            return []
        return list(
            map(block_of, view.rows(BLOCKS_OF_PAGE, page_range(self.page, self.first, self.last)))
        )

    def text(self, blocks: Sequence[Block]) -> str:
        """What it says, from its blocks."""
        return text_of(blocks, self.begin, self.end)


def put_passages(
    connection: sqlite3.Connection, sequence: int, page: ReadPage
) -> list[IndexedText]:
    """Cut a page into passages; those that say what one said keep their number and vector.

    Returns:
        What ``index_texts`` has to be given at the end of the transaction.
    """
    passages = passages_of(page.blocks) or [Passage(_NO_BLOCK, _NO_BLOCK, 0, 0, "", "")]
    held: defaultdict[bytes, list[tuple[int, bytes]]] = defaultdict(list)
    for number, said, indexed in connection.execute(_OLD, (sequence,)):
        held[said].append((number, indexed))
    (last,) = connection.execute(_LAST).fetchone() or (0,)
    rows: list[tuple[object, ...]] = []
    texts: list[IndexedText] = []
    for place, one in enumerate(passages):
        subject = _subject(page, one, is_first=place == 0)
        context = _context(passages, place)
        said = _digest(embedded_text(page.title, one.heading, one.text))
        indexed = _digest(said, *subject, *context)
        if held[said]:
            number, was_indexed = held[said].pop()
        else:
            number = last = last + 1
            was_indexed = b""
        rows.append((number, sequence, *one[:5], said, indexed))
        if indexed != was_indexed:
            told = " ".join(map(_indexed_name, subject)), " ".join(map(indexed_text, context))
            texts.append((number, indexed_text(one.text), *told))
    drop_passages(connection, [number for number, _ in chain.from_iterable(held.values())])
    connection.executemany(_PUT, rows)
    return texts


def index_texts(connection: sqlite3.Connection, texts: Sequence[IndexedText]) -> None:
    """Make texts findable: last in a transaction.

    Every statement after it that SQLite may have to take back alone would write what the index
    has gathered so far, a segment for each page (measured: a third of the time).
    """
    connection.executemany(_INDEX, texts)


def drop_passages(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Take passages out of the index."""
    for statement in _DROPS:
        connection.executemany(statement, [(number,) for number in numbers])


def passages_of_page(connection: sqlite3.Connection, sequence: int) -> list[int]:
    """The numbers of a page's passages."""
    return [number for number, *_ in connection.execute(_OLD, (sequence,))]


def embedded_text(title: str, heading: str, text: str) -> str:
    """What a model is given of a passage: what it is about, then what it says."""
    return "\n".join(filter(None, (title, heading, text)))


def _subject(page: ReadPage, passage: Passage, *, is_first: bool) -> tuple[str, ...]:
    """What a passage is about; what the front matter says stands with the first one."""
    named = (page.title, *page.aliases, passage.heading, *page.tags)
    return (*named, *_texts_in(page.front)) if is_first else named


def _texts_in(value: object) -> Iterator[str]:
    """Every text in front matter."""
    if isinstance(value, str):
        yield value[:MAX_PASSAGE_CHARACTERS]
    elif isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _texts_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts_in(one)


@lru_cache(maxsize=512)
def _indexed_name(name: str) -> str:
    """A title, heading or tag as it is indexed; the passages of a page share them."""
    return indexed_text(name)


def _context(passages: Sequence[Passage], place: int) -> tuple[str, ...]:
    before = passages[place - 1].text[-CONTEXT_CHARACTERS:] if place else ""
    after = passages[place + 1].text[:CONTEXT_CHARACTERS] if place + 1 < len(passages) else ""
    return before, after


def _digest(*parts: str | bytes) -> bytes:
    digest = blake2b(digest_size=_DIGEST_BYTES)
    for one in parts:
        digest.update(one if isinstance(one, bytes) else one.encode() + b"\x00")
    return digest.digest()
