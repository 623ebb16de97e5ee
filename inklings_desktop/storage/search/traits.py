"""What ranking weighs of some memories, read without their rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, func, select, tuple_

from inklings_desktop.domain.search.ranking import Traits
from inklings_desktop.storage.rows.memories import TOUCHED, from_ms, tags_of, vectors_of
from inklings_desktop.storage.schema.tables import memories, memory_vectors
from inklings_desktop.storage.search.conditions import among, is_retrievable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.search.figures import FiguresIndex
    from inklings_desktop.storage.search.resident import ResidentCache
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot

_TRAITS = (
    select(
        memories.c.id,
        memories.c.tier,
        memories.c.scope_key,
        memories.c.tags,
        memories.c.source_conversation,
        memories.c.importance,
        TOUCHED.label("touched"),
        memories.c.access_count,
        memories.c.pinned,
        memory_vectors.c.dimension,
        memory_vectors.c.vector,
    )
    .join_from(
        memories,
        memory_vectors,
        and_(
            memory_vectors.c.sequence == memories.c.sequence,
            memory_vectors.c.model_id == bindparam("model_id"),
        ),
        isouter=True,
    )
    .where(among(memories.c.id, "wanted"), is_retrievable)
)

_among = select(memories.c.tier, memories.c.scope_key, memories.c.said).where(
    among(memories.c.id, "wanted")
)
_REPEATS = select(memories.c.id, memories.c.content).where(
    among(memories.c.id, "wanted"),
    tuple_(memories.c.tier, memories.c.scope_key, memories.c.said).in_(
        _among.group_by(memories.c.tier, memories.c.scope_key, memories.c.said).having(
            func.count() > 1
        )
    ),
)


class SqliteTraitsReader:
    """The ``TraitsReader`` of one transaction."""

    def __init__(
        self,
        transaction: Transaction,
        vectors: ResidentCache[VectorSnapshot],
        figures: Callable[[], FiguresIndex],
    ) -> None:
        """Read what is resident from there, the rest from the file.

        Args:
            transaction: Open.
            vectors: The vectors kept for this file.
            figures: Makes the arrays behind relevance.
        """
        self._transaction = transaction
        self._vectors = vectors
        self._figures = figures

    def of(
        self, scopes: Sequence[ScopeKey], ids: Sequence[str], model_id: str
    ) -> dict[str, Traits]:
        """Traits of the retrievable ones among these memories, with their vectors."""
        if not ids:
            return {}
        found = self._resident(scopes, ids, model_id)
        if len(found) == len(ids):
            return found
        missing = [one for one in ids if one not in found]
        return found | self._stored(scopes, missing, model_id)

    def texts_of_repeats(self, ids: Sequence[str]) -> dict[str, str]:
        """What those of these memories say that may say the same as another of them."""
        parameters = {"wanted": json.dumps(list(ids))}
        rows = self._transaction.connection.execute(_REPEATS, parameters)
        return {row.id: row.content for row in rows}

    def _resident(
        self, scopes: Sequence[ScopeKey], ids: Sequence[str], model_id: str
    ) -> dict[str, Traits]:
        """Those that are in the resident arrays, which hold no texts."""
        found: dict[str, Traits] = {}
        for scope in dict.fromkeys(scopes):
            snapshot = self._vectors.at_hand(self._transaction, (scope, model_id))
            if snapshot is None:
                continue
            rows = [(one, place) for one in ids if (place := snapshot.place_of(one)) is not None]
            if not rows:
                continue
            sequences = snapshot.sequences[[place for _, place in rows]]
            known = self._figures().of_scopes([scope]).of_sequences(sequences)
            for (one, place), figure in zip(rows, known, strict=True):
                about = snapshot.about[place]
                found[one] = Traits(
                    scope,
                    about.tags,
                    about.conversation,
                    figure.importance,
                    from_ms(figure.touched),
                    figure.access_count,
                    figure.pinned,
                    snapshot.buffer[place],
                )
        return found

    def _stored(
        self, scopes: Sequence[ScopeKey], ids: Sequence[str], model_id: str
    ) -> dict[str, Traits]:
        parameters = {"wanted": json.dumps(list(ids)), "model_id": model_id}
        rows = self._transaction.connection.execute(_TRAITS, parameters).all()
        vectors: Sequence[FloatVector | None] = [None] * len(rows)
        if any(row.vector is not None for row in rows):  # else numpy need not be loaded
            vectors = vectors_of([(row.dimension or 0, row.vector) for row in rows])
        asked = {(scope.tier.value, scope.key): scope for scope in scopes}
        found: dict[str, Traits] = {}
        for row, vector in zip(rows, vectors, strict=True):
            (
                id_, tier, scope_key, tags, conversation, importance, touched_ms, access_count,
                pinned, _dimension, _blob,
            ) = row  # fmt: skip
            scope = asked.get((tier, scope_key))
            if scope is not None:
                found[id_] = Traits(
                    scope,
                    tags_of(tags),
                    conversation,
                    importance,
                    from_ms(touched_ms),
                    access_count,
                    bool(pinned),
                    vector,
                )
        return found
