"""What planning a consolidation asks of one file: figures, near pairs, origins."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import bindparam, func, select

from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.background.consolidation import NearPair, ScopeFigures
from inklings_desktop.domain.likeness.near_duplicates import compare
from inklings_desktop.domain.memories.decay import MS_PER_HOUR
from inklings_desktop.domain.memory import MERGED_SOURCE, MemoryAction, MemoryKind, wall_of
from inklings_desktop.storage.rows.memories import entry_of, to_ms
from inklings_desktop.storage.rows.memory_selects import SELECT_ENTRY
from inklings_desktop.storage.schema.tables import memories, memory_versions
from inklings_desktop.storage.search.conditions import (
    among,
    in_order,
    in_scopes,
    is_active,
    is_retrievable,
)
from inklings_desktop.storage.search.figures import FiguresIndex
from inklings_desktop.storage.search.kept_selection import KeptSelection
from inklings_desktop.storage.search.listing import entries_of
from inklings_desktop.storage.search.vector_index import SqliteVectorIndex
from inklings_desktop.usecases.ports.tasks import FoundPairs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.search.figures import Figures, Mask
    from inklings_desktop.storage.search.resident import ResidentCache
    from inklings_desktop.storage.search.side_file.side_file import SideFile
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot
    from inklings_desktop.usecases.ports.tasks import Comparing

_RESTORED = (
    select(memory_versions.c.memory_id)
    .where(
        among(memory_versions.c.memory_id, "ids"),
        memory_versions.c.action == MemoryAction.RESTORED.value,
        memory_versions.c.door != Door.CLOCK.value,
    )
    .distinct()
)
_is_note = memories.c.kind == MemoryKind.NOTE.value
_SAID = select(memories.c.id, memories.c.said).where(among(memories.c.id, "ids"), is_active)
_PARENTS = SELECT_ENTRY.where(memories.c.successor_id == bindparam("wanted")).order_by(
    memories.c.sequence
)


class SqliteConsolidationIndex:
    """The ``ConsolidationIndex`` of one transaction."""

    def __init__(
        self,
        transaction: Transaction,
        figures: ResidentCache[Figures],
        vectors: ResidentCache[VectorSnapshot],
        side_file: SideFile,
    ) -> None:
        self._transaction = transaction
        self._figures, self._vectors, self._side_file = figures, vectors, side_file

    def figures(self, scope: ScopeKey, decay: DecayConfig, as_of: datetime) -> ScopeFigures:
        every = FiguresIndex(self._transaction, self._figures).of_scopes([scope])
        relevance = every.relevance(decay.rate(scope.tier), as_of)
        active = every.active
        last_touch = int(every.touched.max()) if len(every.touched) else to_ms(as_of)
        return ScopeFigures(
            every.sequences[active],
            relevance[active],
            every.access_count[active],
            every.short_term[active],
            every.guarded[active],
            max(0.0, (to_ms(as_of) - last_touch) / MS_PER_HOUR),
        )

    def near_pairs(
        self, scope: ScopeKey, model: Comparing, since: int | None, checkpoint: Callable[[], None]
    ) -> FoundPairs:
        change_seq, _ = self._transaction.counters()
        vectors = SqliteVectorIndex(
            self._transaction, self._vectors, KeptSelection(), self._side_file
        )
        snapshot = vectors.snapshot(scope, model.id)
        rows = snapshot.in_one()
        alive = rows.alive & ~_of_domains(snapshot.agent_names)[rows.agents]
        sequences = rows.sequences
        if since is None:
            is_new = alive
        else:
            # Of the whole file, by the index of change numbers alone; the snapshot knows its own.
            statement = select(memories.c.sequence).where(memories.c.changed_seq > since)
            changed = self._transaction.connection.execute(statement).scalars().all()
            is_new = alive & np.isin(sequences, np.array(changed, np.int64))
        found = compare(
            rows.matrix,
            alive,
            rows.agents.astype(np.int64),
            is_new,
            threshold=model.alike_above,
            checkpoint=checkpoint,
        )
        pairs = []
        for first, second, cosine in found.pairs:
            earlier, later = sorted((first, second), key=lambda row: int(sequences[row]))
            pairs.append(NearPair(rows.ids[earlier], rows.ids[later], cosine))
        n_alive = int(alive.sum())
        return FoundPairs(tuple(pairs), found.n_new, n_alive, found.is_complete, change_seq)

    def same_keys(self, scope: ScopeKey) -> tuple[tuple[str, ...], ...]:
        """Retrievable notes that may say the same, group by group in order of writing."""
        if scope.workspace_id != self._transaction.workspace_id:
            return ()
        statement = (
            select(memories.c.said, memories.c.id)
            .where(
                in_scopes([scope], scope.workspace_id),
                is_retrievable,
                _is_note,
                memories.c.said.in_(
                    select(memories.c.said)
                    .where(in_scopes([scope], scope.workspace_id), is_active, _is_note)
                    .group_by(memories.c.said)
                    .having(func.count() > 1)
                ),
            )
            .order_by(memories.c.said, in_order)
        )
        rows = self._transaction.connection.execute(statement).all()
        groups = (tuple(row.id for row in same) for _, same in groupby(rows, lambda row: row.said))
        return tuple(sorted(ids for ids in groups if len(ids) > 1))

    def said(self, ids: Sequence[str]) -> Mapping[str, bytes]:
        parameters = {"ids": json.dumps(list(ids))}
        rows = self._transaction.connection.execute(_SAID, parameters)
        return {row.id: row.said for row in rows}

    def entries_at(self, sequences: Sequence[int]) -> tuple[MemoryEntry, ...]:
        return tuple(entries_of(self._transaction, sequences))

    def restored(self, ids: Sequence[str]) -> frozenset[str]:
        if not ids:
            return frozenset()
        parameters = {"ids": json.dumps(list(ids))}
        return frozenset(self._transaction.connection.execute(_RESTORED, parameters).scalars())

    def parents(self, successor_id: str) -> tuple[MemoryEntry, ...]:
        rows = self._transaction.connection.execute(_PARENTS, {"wanted": successor_id})
        return tuple(entry_of(row, self._transaction.workspace_id) for row in rows)

    def newest_sequence(self, scope: ScopeKey) -> int:
        statement = select(func.ifnull(func.max(memories.c.sequence), 0)).where(
            in_scopes([scope], scope.workspace_id)
        )
        return int(self._transaction.connection.execute(statement).scalar_one())

    def n_since(self, scope: ScopeKey, sequence: int) -> int:
        statement = select(func.count()).where(
            in_scopes([scope], scope.workspace_id),
            is_active,
            memories.c.sequence > sequence,
            memories.c.source != MERGED_SOURCE,
        )
        return int(self._transaction.connection.execute(statement).scalar_one())


def _of_domains(walls: Sequence[str]) -> Mask:
    """Which codes of walls stand for domains, where only facts and rules lie; 0 is no wall."""
    return np.array([False, *(one.startswith(wall_of("")) for one in walls)])
