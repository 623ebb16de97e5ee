"""Vectors of passages: which are missing, storing them, and finding the nearest."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.storage.rows.memories import unit_rows, vector_blobs, vectors_of
from inklings_desktop.storage.search.vector_snapshot import (
    NOTHING_SAID,
    VectorBlock,
    VectorRow,
    VectorSnapshot,
)
from inklings_desktop.storage.world.passage_rows import FoundPassage, embedded_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.storage.rows.snapshot import View
    from inklings_desktop.storage.search.resident import ResidentCache

ROWS_AT_ONCE = 4_000
_MOST_DEAD = 1_000
"""Rows of passages that are gone, beside which a fresh snapshot is better."""

_N = "SELECT count(*) FROM passage_vectors WHERE model_id = ?"
_EVERY = "SELECT passage, dimension, vector FROM passage_vectors WHERE model_id = ?"
_LATER = f"{_EVERY} AND changed_seq > ?"
_MISSING = """
SELECT s.sequence, s.page, s.first, s.last, s.begin, s.end, s.heading, p.title
FROM passages s JOIN pages p ON p.sequence = s.page
LEFT JOIN passage_vectors v ON v.passage = s.sequence AND v.model_id = ?
WHERE v.passage IS NULL ORDER BY s.sequence DESC LIMIT ?
"""
_PUT = """
INSERT OR REPLACE INTO passage_vectors
SELECT sequence, ?, ?, ?, (SELECT change_seq FROM meta) FROM passages WHERE sequence = ?
"""


def snapshot_of(
    view: View, resident: ResidentCache[VectorSnapshot], model_id: str
) -> VectorSnapshot:
    """The vectors of a model as this view sees them; some may be of passages that are gone."""
    ((n_rows,),) = view.rows(_N, (model_id,))

    def build() -> VectorSnapshot:
        parts = view.parts(_EVERY, (model_id,), ROWS_AT_ONCE)
        first = next(parts, [])
        if not first:
            return VectorSnapshot.of(model_id, [])
        dimension = Counter(row[1] for row in first).most_common(1)[0][0]
        blocks = (_block(part, dimension) for part in _chained(first, parts))
        return VectorSnapshot.built(model_id, n_rows, dimension, blocks)

    def refresh(earlier: VectorSnapshot, since: int, is_next: bool) -> VectorSnapshot:  # noqa: FBT001
        rows = view.rows(_LATER, (model_id, since))
        if earlier.n_rows + len(rows) > n_rows + _MOST_DEAD or not earlier.dimension:
            return build()
        vectors = vectors_of([(dimension, blob) for _, dimension, blob in rows])
        later = [
            VectorRow(row[0], str(row[0]), None, vector)
            for row, vector in zip(rows, vectors, strict=True)
        ]
        return earlier.with_rows(later, shared_buffers=is_next) if later else earlier

    return resident.current(view, model_id, build=build, refresh=refresh)


def texts_without(view: View, model_id: str, limit: int) -> list[tuple[int, str]]:
    """Number and text of passages without a vector of this model, the latest changed first."""
    found = []
    for *row, title in view.rows(_MISSING, (model_id, limit)):
        passage = FoundPassage(*row)
        text = passage.text(passage.blocks(view))
        found.append((passage.sequence, embedded_text(title, passage.heading, text)))
    return found


def put_vectors(
    connection: sqlite3.Connection, model_id: str, made: Sequence[tuple[int, FloatVector]]
) -> None:
    """Store vectors; those of passages that are gone by now are left out."""
    blobs = vector_blobs([vector for _, vector in made])
    rows = [
        (model_id, len(blob) // 4, blob, number)
        for (number, _), blob in zip(made, blobs, strict=True)
    ]
    connection.executemany(_PUT, rows)


def _chained(
    first: list[tuple[int, int, bytes]], parts: Iterable[list[tuple[int, int, bytes]]]
) -> Iterable[list[tuple[int, int, bytes]]]:
    yield first
    yield from parts


def _block(rows: Sequence[tuple[int, int, bytes]], dimension: int) -> VectorBlock:
    fitting = [row for row in rows if row[1] == dimension]
    matrix, sound = unit_rows([blob for *_, blob in fitting], dimension)
    numbers = [row[0] for row, is_sound in zip(fitting, sound, strict=True) if is_sound]
    n = len(numbers)
    ids = list(map(str, numbers))
    return VectorBlock(numbers, ids, [None] * n, [NOTHING_SAID] * n, [b""] * n, matrix[sound])
