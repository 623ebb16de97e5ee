"""Nearest neighbours of one file: a resident matrix per scope key, checked at every search."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.errors import DimensionMismatchError
from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.storage.rows.memories import tags_of, unit_rows, vectors_of
from inklings_desktop.storage.rows.snapshot import WALL
from inklings_desktop.storage.search.kept_selection import allowed as allowed_of
from inklings_desktop.storage.search.side_file.side_file import NONSENSE
from inklings_desktop.storage.search.vector_base import About
from inklings_desktop.storage.search.vector_rows import answering_model
from inklings_desktop.storage.search.vector_snapshot import (
    VectorBlock,
    VectorRow,
    VectorSnapshot,
    nearest,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.search.hits import Hits
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.kept_selection import KeptSelection
    from inklings_desktop.storage.search.postings import Integers
    from inklings_desktop.storage.search.resident import ResidentCache
    from inklings_desktop.storage.search.side_file.side_file import SideFile

    _StoredVector = tuple[int, str, str | None, str, str | None, int, bytes, bytes]
    """Sequence, id, agent, tags, conversation, dimension, vector, key of what it says."""

ROWS_AT_ONCE = 4_000

_OF_SCOPE = "m.tier = ? AND m.scope_key = ?"
_RETRIEVABLE = "m.forgotten_at IS NULL AND m.paused = 0"
_N_ROWS = f"SELECT count(*) FROM memories m WHERE {_OF_SCOPE} AND {_RETRIEVABLE}"  # noqa: S608 - our own
_EVERY = f"""
SELECT m.sequence, m.id, {WALL}, m.tags, m.source_conversation, v.dimension, v.vector, m.said
FROM memories m JOIN memory_vectors v ON v.sequence = m.sequence AND v.model_id = ?
WHERE {_OF_SCOPE} AND {_RETRIEVABLE}
"""  # noqa: S608 - our own
# Ordered by no bare column: by the column itself the whole table is walked.
_CHANGED = f"""
SELECT m.sequence, m.id, {WALL}, m.tags, m.source_conversation, {_RETRIEVABLE}, m.said,
    v.dimension, v.vector
FROM memories m LEFT JOIN memory_vectors v ON v.sequence = m.sequence AND v.model_id = ?
WHERE {_OF_SCOPE} AND m.changed_seq > ? ORDER BY m.sequence + 0
"""  # noqa: S608 - our own


class SqliteVectorIndex:
    """The ``VectorIndex`` of one transaction."""

    def __init__(
        self,
        transaction: Snapshot,
        resident: ResidentCache[VectorSnapshot],
        selection: KeptSelection,
        side_file: SideFile,
    ) -> None:
        self._transaction = transaction
        self._resident = resident
        self._selection = selection
        self._side_file = side_file

    def nearest(
        self,
        scopes: Sequence[ScopeKey],
        vector: FloatVector,
        model_id: str,
        *,
        where: MemoryFilter,
        visible_to: frozenset[str] | None,
        limit: int,
    ) -> dict[ScopeKey, Hits]:
        own = self._own(scopes)
        if where.state is not MemoryState.ACTIVE or not own:
            return {}
        query = np.ascontiguousarray(vector, dtype=np.float32)
        allowed = (
            allowed_of(self._transaction, self._selection, own, where)
            if where.selects_by_value
            else None
        )
        try:
            return self._nearest(own, query, model_id, visible_to, allowed, limit)
        except NONSENSE:
            self._side_file.refuse()
            self._resident.clear()
            return self._nearest(own, query, model_id, visible_to, allowed, limit)

    def _nearest(
        self,
        own: Sequence[ScopeKey],
        query: FloatVector,
        model_id: str,
        visible_to: frozenset[str] | None,
        allowed: Integers | None,
        limit: int,
    ) -> dict[ScopeKey, Hits]:
        snapshots = {scope: self.snapshot(scope, model_id) for scope in own}
        snapshots = {scope: one for scope, one in snapshots.items() if one.dimension}
        for one in snapshots.values():
            if one.dimension != len(query):
                raise DimensionMismatchError(one.dimension, len(query))
        found = nearest(
            list(snapshots.values()), query, limit, visible_to=visible_to, allowed=allowed
        )
        return dict(zip(snapshots, found, strict=True))

    def prepare(self, scopes: Sequence[ScopeKey], model_id: str, where: MemoryFilter) -> None:
        """Read the vectors of these scope keys, and what the filter lets through, unless kept."""
        own = self._own(scopes)
        for scope in own:
            self.snapshot(scope, model_id)
        if own and where.selects_by_value:
            allowed_of(self._transaction, self._selection, own, where)

    def answering(self) -> str:
        return answering_model(self._transaction)

    def _own(self, scopes: Sequence[ScopeKey]) -> list[ScopeKey]:
        return [
            scope
            for scope in dict.fromkeys(scopes)
            if scope.workspace_id == self._transaction.workspace_id
        ]

    def snapshot(self, scope: ScopeKey, model_id: str) -> VectorSnapshot:
        """The vectors of one scope key and model, as this transaction sees them."""

        def build() -> VectorSnapshot:
            return self._built(scope, model_id)

        def refresh(earlier: VectorSnapshot, since: int, is_next: bool) -> VectorSnapshot:  # noqa: FBT001
            if earlier.model_id != model_id or earlier.dimension == 0:
                return build()
            rows = self._changed(scope, model_id, since)
            if not rows:
                return earlier
            later = earlier.with_rows(rows, shared_buffers=is_next)
            return build() if later.is_mostly_dead else later

        return self._resident.current(
            self._transaction, (scope, model_id), build=build, refresh=refresh
        )

    def _built(self, scope: ScopeKey, model_id: str) -> VectorSnapshot:
        """Every usable vector of a scope key; read in parts, so that none is held twice."""
        self._side_file.model_id = model_id
        base = self._side_file.base(self._transaction)
        if base is not None and base.vectors is not None and base.vectors.model_id == model_id:
            held = VectorSnapshot.on(base.vectors.of_scope(scope.tier.value, scope.key))
            if base.change_seq == self._transaction.counters()[0]:
                return held
            return held.with_rows(
                self._changed(scope, model_id, base.change_seq), shared_buffers=True
            )
        of_scope = (scope.tier.value, scope.key)
        ((capacity,),) = self._transaction.rows(_N_ROWS, of_scope)
        parts = self._transaction.parts(_EVERY, (model_id, *of_scope), ROWS_AT_ONCE)
        first = next(parts, [])
        lengths = Counter(row[5] for row in first)
        if not lengths:
            return VectorSnapshot.of(model_id, [])
        dimension = lengths.most_common(1)[0][0]
        known: dict[tuple[str, str | None], About] = {}
        blocks = (_block(part, dimension, known) for part in chain([first], parts))
        return VectorSnapshot.built(model_id, capacity, dimension, blocks)

    def _changed(self, scope: ScopeKey, model_id: str, since: int) -> list[VectorRow]:
        values = (model_id, scope.tier.value, scope.key, since)
        rows = self._transaction.rows(_CHANGED, values)
        vectors = vectors_of([row[-2:] for row in rows])
        return [
            VectorRow(
                sequence,
                id_,
                agent_id,
                vector if is_retrievable else None,
                About(tags_of(tags), conversation),
                said,
            )
            for (
                sequence,
                id_,
                agent_id,
                tags,
                conversation,
                is_retrievable,
                said,
                *_,
            ), vector in zip(rows, vectors, strict=True)
        ]


def _block(
    rows: Sequence[_StoredVector], dimension: int, known: dict[tuple[str, str | None], About]
) -> VectorBlock:
    """The rows whose vector is of this length and can be trusted."""
    n_bytes = 4 * dimension
    fitting = [row for row in rows if row[5] == dimension and len(row[6]) == n_bytes]
    matrix, sound = unit_rows([row[6] for row in fitting], dimension)
    if not sound.all():
        matrix = matrix[sound]
        fitting = [row for row, is_sound in zip(fitting, sound, strict=True) if is_sound]
    about = []
    for _, _, _, tags, conversation, *_ in fitting:
        one = known.get((tags, conversation))
        if one is None:
            one = known[tags, conversation] = About(tags_of(tags), conversation)
        about.append(one)
    return VectorBlock(
        [row[0] for row in fitting],
        [row[1] for row in fitting],
        [row[2] for row in fitting],
        about,
        [row[7] for row in fitting],
        matrix,
    )
