"""Which of the walk's words the full-text index of a file holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.end2end.wanderer import TOKEN
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from pathlib import Path


def indexed_words(database: Path) -> set[str]:
    """Tokens in the index itself or in the text it was made from, contexts included."""
    with raw(database) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memory_fts, row)")
        terms = [term for (term,) in connection.execute("SELECT term FROM temp.words")]
        texts = [
            " ".join(row)
            for row in connection.execute("SELECT body, subject, context FROM memory_search")
        ]
    return {token for text in (*terms, *texts) for token in TOKEN.findall(text)}
