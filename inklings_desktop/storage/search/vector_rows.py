"""Vectors beside their memories: which are missing, and storing those that still fit."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.rows.memories import vector_blob
from inklings_desktop.storage.schema.tables import memories, memory_vectors
from inklings_desktop.storage.search.conditions import among, is_retrievable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.storage.rows.transaction import Transaction

_PUT = upsert(memory_vectors)
_UPSERT = Prepared(
    _PUT.on_conflict_do_update(
        index_elements=[memory_vectors.c.sequence],
        set_={
            "model_id": _PUT.excluded.model_id,
            "dimension": _PUT.excluded.dimension,
            "vector": _PUT.excluded.vector,
        },
    )
)
# All of them in one statement: one by one they cost more than their vectors.
_STAMP = (
    update(memories)
    .where(among(memories.c.sequence, "wanted"))
    .values(changed_seq=bindparam("stamp"))
)
_CLEAR = delete(memory_vectors).where(memory_vectors.c.sequence == bindparam("at"))
_CURRENT = select(
    memories.c.id,
    memories.c.sequence,
    memories.c.tier,
    memories.c.scope_key,
    memories.c.content,
    memories.c.changed_seq,
).where(among(memories.c.id, "ids"), is_retrievable)
_OWN_VECTOR = and_(
    memory_vectors.c.sequence == memories.c.sequence,
    memory_vectors.c.model_id == bindparam("model_id"),
)
_MISSING = (
    select(memories.c.id, memories.c.content)
    .outerjoin(memory_vectors, _OWN_VECTOR)
    .where(is_retrievable, memory_vectors.c.sequence.is_(None))
    .order_by(memories.c.sequence)
    .limit(bindparam("most"))
)
_N_MISSING = (
    select(func.count())
    .select_from(memories.outerjoin(memory_vectors, _OWN_VECTOR))
    .where(is_retrievable, memory_vectors.c.sequence.is_(None))
)


def without_vector(
    transaction: Transaction, model_id: str, limit: int, ids: Sequence[str] | None
) -> tuple[tuple[str, str], ...]:
    """Id and content of retrievable memories that lack a vector of this model."""
    parameters: dict[str, object] = {"model_id": model_id, "most": limit}
    statement = _MISSING
    if ids is not None:
        statement = statement.where(among(memories.c.id, "ids"))
        parameters["ids"] = json.dumps(list(ids))
    return tuple(
        (row.id, row.content) for row in transaction.connection.execute(statement, parameters)
    )


def n_without_vector(transaction: Transaction, model_id: str) -> int:
    """Retrievable memories that lack a vector of this model."""
    parameters = {"model_id": model_id}
    return int(transaction.connection.execute(_N_MISSING, parameters).scalar_one())


def store_vectors(
    transaction: Transaction, model_id: str, vectors: Sequence[tuple[str, str, FloatVector]]
) -> int:
    """Store vectors for memories whose text is still what was embedded; how many."""
    blobs = {id_: (content, vector_blob(vector)) for id_, content, vector in vectors}
    current = transaction.connection.execute(_CURRENT, {"ids": json.dumps(list(blobs))}).all()
    fitting = [row for row in current if row.content == blobs[row.id][0]]
    if not fitting:
        return 0
    stamp = transaction.change_seq
    _UPSERT.each(
        transaction.connection,
        [
            {
                "sequence": row.sequence,
                "model_id": model_id,
                "dimension": len(blobs[row.id][1]) // 4,
                "vector": blobs[row.id][1],
            }
            for row in fitting
        ],
    )
    # What the same transaction has just written is stamped already.
    unstamped = [row.sequence for row in fitting if row.changed_seq != stamp]
    if unstamped:
        wanted = json.dumps(unstamped)
        transaction.connection.execute(_STAMP, {"wanted": wanted, "stamp": stamp})
    by_scope: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for row in fitting:
        by_scope[row.tier, row.scope_key].append(row.id)
    for (tier, key), ids in by_scope.items():
        transaction.updated(transaction.scope(tier, key), ids)
    return len(fitting)


def clear_vector(transaction: Transaction, sequence: int) -> None:
    """Drop the vector of a memory whose text changed."""
    transaction.connection.execute(_CLEAR, {"at": sequence})
