"""What a hybrid search cannot do without: one full-text query and one scan of the vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.search.search_text import match_expression
from inklings_desktop.storage.search.vector_index import SqliteVectorIndex

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.bundle import Inklings

BEST_MATCHES = 400
NEAREST = 50
_SQL = (
    "SELECT rowid, rank FROM memory_fts WHERE memory_fts MATCH ? "
    "AND rank MATCH 'bm25(1.0, 0.5, 0.4)' ORDER BY rank LIMIT ?"
)


class BareSearch:
    """The same MATCH text and weights on the product's own index, and numpy's product."""

    def __init__(self, database: Path, matrix: FloatMatrix) -> None:
        """Read the file, scan this matrix.

        Args:
            database: The product's own.
            matrix: The product's own rows, so that both sides have the same in the cache.
        """
        self._connection: sqlite3.Connection = sqlite_module().connect(
            f"{database.absolute().as_uri()}?mode=ro", uri=True
        )
        self.matrix = matrix

    def by_words(self, text: str) -> list[tuple[int, float]]:
        """The best 400 of the file."""
        match = match_expression(keyword_query(text))
        return self._connection.execute(_SQL, (match, BEST_MATCHES)).fetchall()

    def by_meaning(self, vector: FloatVector) -> list[int]:
        """The nearest 50."""
        cosines = self.matrix @ vector
        n_wanted = min(NEAREST, len(cosines))
        places = np.argpartition(cosines, len(cosines) - n_wanted)[-n_wanted:]
        found: list[int] = places[np.argsort(-cosines[places])].tolist()
        return found

    def both(self, text: str, vector: FloatVector) -> None:
        """One after the other."""
        self.by_words(text)
        self.by_meaning(vector)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def resident_matrix(inklings: Inklings, scopes: Sequence[ScopeKey], model_id: str) -> FloatMatrix:
    """The vectors of these scope keys as they lie in memory; joined where there are several."""
    with inklings.parts.store.read(scopes[0].workspace_id) as view:
        index = view.vectors
        assert isinstance(index, SqliteVectorIndex)
        snapshots = [index.snapshot(scope, model_id) for scope in scopes]
    parts = [one.in_one().matrix for one in snapshots]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
