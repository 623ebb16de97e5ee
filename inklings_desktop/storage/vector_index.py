"""Nearest neighbours of one file: a resident matrix per scope key, checked at every search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import and_, select

from inklings_desktop.domain.errors import DimensionMismatchError
from inklings_desktop.domain.listing import MemoryState
from inklings_desktop.domain.ranking import SemanticHit
from inklings_desktop.storage.conditions import in_scopes, is_retrievable, matching
from inklings_desktop.storage.rows import vectors_of
from inklings_desktop.storage.schema import memories, memory_vectors
from inklings_desktop.storage.vector_snapshot import VectorRow, VectorSnapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.vectors import FloatVector
    from inklings_desktop.storage.resident import ResidentCache
    from inklings_desktop.storage.transaction import Transaction
    from inklings_desktop.storage.vector_snapshot import Integers, Neighbour


class SqliteVectorIndex:
    """The ``VectorIndex`` of one transaction."""

    def __init__(self, transaction: Transaction, resident: ResidentCache[VectorSnapshot]) -> None:
        """Search in the arrays kept for this file, as this transaction sees it."""
        self._transaction = transaction
        self._resident = resident

    def nearest(
        self,
        scopes: Sequence[ScopeKey],
        vector: FloatVector,
        model_id: str,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> tuple[SemanticHit, ...]:
        """Most similar first; ties by the earlier written.

        Raises:
            DimensionMismatchError: The stored vectors of this model have another length.
        """
        if where.state is not MemoryState.ACTIVE or not scopes:
            return ()
        query = np.ascontiguousarray(vector, dtype=np.float32)
        allowed = self._allowed(scopes, where) if where.selects_by_value else None
        found: list[Neighbour] = []
        for scope in dict.fromkeys(scopes):
            if scope.workspace_id != self._transaction.workspace_id:
                continue
            snapshot = self.snapshot(scope, model_id)
            if snapshot.dimension == 0:
                continue
            if snapshot.dimension != len(query):
                raise DimensionMismatchError(snapshot.dimension, len(query))
            found += snapshot.nearest(query, limit, visible_to=visible_to, allowed=allowed)
        found.sort(key=lambda one: (-one.cosine, one.sequence))
        return tuple(SemanticHit(one.id, one.cosine) for one in found[:limit])

    def snapshot(self, scope: ScopeKey, model_id: str) -> VectorSnapshot:
        """The vectors of one scope key and model, as this transaction sees them."""

        def build() -> VectorSnapshot:
            return VectorSnapshot.of(model_id, self._rows(scope, model_id, None))

        def refresh(earlier: VectorSnapshot, since: int) -> VectorSnapshot:
            if earlier.model_id != model_id or earlier.dimension == 0:
                return build()
            rows = self._rows(scope, model_id, since)
            if not rows:
                return earlier
            later = earlier.with_rows(rows, shared_buffers=not self._transaction.has_written)
            return build() if later.is_mostly_dead else later

        return self._resident.current(
            self._transaction, (scope, model_id), build=build, refresh=refresh
        )

    def _rows(self, scope: ScopeKey, model_id: str, since: int | None) -> list[VectorRow]:
        of_scope = in_scopes([scope], self._transaction.workspace_id)
        with_model = and_(
            memory_vectors.c.sequence == memories.c.sequence,
            memory_vectors.c.model_id == model_id,
        )
        columns = (
            memories.c.sequence,
            memories.c.id,
            memories.c.agent_id,
            is_retrievable.label("retrievable"),
            memory_vectors.c.dimension,
            memory_vectors.c.vector,
        )
        if since is None:
            statement = (
                select(*columns)
                .join_from(memory_vectors, memories, with_model)
                .where(of_scope, is_retrievable)
            )
        else:
            statement = (
                select(*columns)
                .join_from(memories, memory_vectors, with_model, isouter=True)
                .where(of_scope, memories.c.changed_seq > since)
            )
        rows = self._transaction.connection.execute(statement.order_by(memories.c.sequence)).all()
        vectors = vectors_of([(row.dimension, row.vector) for row in rows])
        return [
            VectorRow(row.sequence, row.id, row.agent_id, vector if row.retrievable else None)
            for row, vector in zip(rows, vectors, strict=True)
        ]

    def _allowed(self, scopes: Sequence[ScopeKey], where: MemoryFilter) -> Integers:
        statement = select(memories.c.sequence).where(
            in_scopes(scopes, self._transaction.workspace_id), is_retrievable, *matching(where)
        )
        rows = self._transaction.connection.execute(statement).scalars().all()
        return np.array(rows, np.int64)
